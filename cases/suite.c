/* suite.yaml with `kernels:`: its keys, the capture that is composed of a case, and the skeleton for kernels that have
 * none. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/utf8.h"
#include "cases/internal.h"

enum { FILE_MOST = 64 << 20 };

bool case_suite_is(const char *path) {
  yaml_file *f = NULL;
  error ignored;
  if (yaml_open(&f, path, "suite file", &ignored) != 0) return true;
  yaml_value *root = yaml_root(f);
  const bool is = root != NULL && yaml_is_map(root) &&
                  (yaml_find(f, root, "kernels") != NULL || yaml_find(f, root, "program") == NULL);
  yaml_close(f);
  return is;
}

char *case_path(const case_suite *s, const char *path) {
  buffer out = {0};
  buffer_printf(&out, "%s%s", path[0] == '/' ? "" : s->folder, path);
  return buffer_take(&out);
}

static int read_source(case_suite *s, yaml_value *at, error *e) {
  if (!yaml_is_text(at) || yaml_text(at)[0] == '\0')
    return yaml_wrong(s->file, at, e, "kernels wants a file, such as kernels: scale.cl, or a list of files");
  kernel_file *k = ARRAY_ADD(s->files, s->file_count, s->file_capacity);
  k->path = case_path(s, yaml_text(at));
  error why;
  if (file_read(k->path, "the kernel file", FILE_MOST, &k->source, &why) != 0)
    return yaml_wrong(s->file, at, e, "%s", why.text);
  if (memchr(buffer_text(&k->source), '\0', k->source.length) != NULL)
    return yaml_wrong(s->file, at, e, "the kernel file %s is no text", k->path);
  return 0;
}

static int case_keys_read(case_suite *s, yaml_value *test, test_keys *out, error *e) {
  const yaml_key keys[] = {{"name", &out->name},         {"each", &out->each},         {"let", &out->let},
                           {"options", &out->options},   {"buffers", &out->buffers},   {"images", &out->images},
                           {"samplers", &out->samplers}, {"launches", &out->launches}, {"expect", &out->expect}};
  if (yaml_keys(s->file, test, "a test of kernels", keys, sizeof keys / sizeof *keys, e) != 0) return -1;
  if (out->launches == NULL) {
    return yaml_wrong(s->file, test, e,
                      "this test launches nothing: it wants launches: [{kernel: …, global: …, args: …}]");
  }
  return 0;
}

static int by_name(const void *a, const void *b) {
  const kernel_case *x = *(const kernel_case *const *)a, *y = *(const kernel_case *const *)b;
  const int names = strcmp(x->name, y->name);
  return names != 0 ? names : x < y ? -1 : 1;
}

static int read_tests(case_suite *s, yaml_value *tests, error *e) {
  if (!yaml_is_list(tests) || yaml_count(tests) == 0)
    return yaml_wrong(s->file, tests, e, "tests is a list: a line with `- ` for each");
  for (size_t i = 0; i < yaml_count(tests); i++) {
    test_keys keys;
    yaml_value *test = yaml_item(s->file, tests, i);
    if (case_keys_read(s, test, &keys, e) != 0 || case_expand(s, test, &keys, e) != 0) return -1;
  }
  const kernel_case **sorted = mem_calloc(s->count + 1, sizeof *sorted);
  int result = 0;
  for (size_t i = 0; i < s->count; i++) sorted[i] = &s->cases[i];
  qsort(sorted, s->count, sizeof *sorted, by_name);
  for (size_t i = 1; i < s->count && result == 0; i++) {
    if (strcmp(sorted[i]->name, sorted[i - 1]->name) == 0) {
      result = yaml_wrong(s->file, sorted[i]->test, e,
                          "two tests have the name \"%s\"; placeholders such as {n} tell those of each: apart",
                          sorted[i]->name);
    }
  }
  free(sorted);
  return result;
}

static int read_suite(case_suite *s, error *e) {
  yaml_value *name, *description, *kernels, *tests, *defect, *program;
  yaml_value *root = yaml_root(s->file);
  const yaml_key keys[] = {
      {"name", &name},   {"description", &description}, {"kernels", &kernels}, {"options", &s->options},
      {"tests", &tests}, {"defect", &defect},           {"program", &program}};
  if (yaml_keys(s->file, root, "a suite", keys, sizeof keys / sizeof *keys, e) != 0) return -1;
  if (kernels == NULL && program == NULL)
    return yaml_wrong(s->file, root, e, "a suite wants kernels: FILE.cl or program: FILE");
  if (kernels == NULL)
    return yaml_wrong(s->file, program, e, "this suite has a program and no kernels: `cltestcheck coverage` runs it");
  if (program != NULL) return yaml_wrong(s->file, program, e, "a suite has kernels: or program:, not both");
  if (name == NULL || !yaml_is_text(name) || yaml_text(name)[0] == '\0')
    return yaml_wrong(s->file, name == NULL ? root : name, e, "this suite wants a name");
  if (tests == NULL) return yaml_wrong(s->file, root, e, "this suite has no tests");
  s->name = mem_strdup(yaml_text(name));
  const bool list = yaml_is_list(kernels) && yaml_count(kernels) > 0;
  int result = list ? 0 : read_source(s, kernels, e);
  for (size_t i = 0; list && result == 0 && i < yaml_count(kernels); i++)
    result = read_source(s, yaml_item(s->file, kernels, i), e);
  return result != 0 ? -1 : read_tests(s, tests, e);
}

int case_suite_open(case_suite **out, const char *path, case_kernels_reader *reader, error *e) {
  case_suite *s = mem_calloc(1, sizeof *s);
  const char *slash = strrchr(path, '/');
  s->folder = slash == NULL ? mem_strdup("") : mem_strndup(path, (size_t)(slash - path + 1));
  s->reader = reader;
  *out = NULL;
  if (yaml_open(&s->file, path, "suite file", e) != 0 || read_suite(s, e) != 0) {
    case_suite_close(s);
    return -1;
  }
  *out = s;
  return 0;
}

void case_kernels_free(case_kernels *k) {
  for (size_t i = 0; i < k->count; i++) {
    for (size_t p = 0; p < k->items[i].count; p++) {
      free(k->items[i].parameters[p].name);
      free(k->items[i].parameters[p].type);
      free(k->items[i].parameters[p].written);
    }
    free(k->items[i].parameters);
    free(k->items[i].name);
  }
  free(k->items);
  *k = (case_kernels){0};
}

void case_suite_close(case_suite *s) {
  if (s == NULL) return;
  for (size_t i = 0; i < s->count; i++) {
    free(s->cases[i].name);
    scope_free(&s->cases[i].names);
  }
  for (size_t i = 0; i < s->known_count; i++) {
    free(s->known[i].options);
    case_kernels_free(&s->known[i].kernels);
  }
  free(s->known);
  free(s->cases);
  free(s->folder);
  free(s->name);
  for (size_t i = 0; i < s->file_count; i++) {
    free(s->files[i].path);
    buffer_free(&s->files[i].source);
  }
  free(s->files);
  yaml_close(s->file);
  free(s);
}

const char *case_suite_name(const case_suite *s) { return s->name; }
size_t case_suite_count(const case_suite *s) { return s->count; }
const char *case_name(const case_suite *s, size_t number) { return s->cases[number].name; }

/* A case becomes a capture: its program, what it has, its launches, what it reads. */

void compose_at(composing *c, yaml_value *at, const char *what, const char *name) {
  c->at = at;
  c->name.length = 0;
  buffer_printf(&c->name, "%s %s", what, name);
}

/* "suite.yaml:12:9: test n=64, launch 2 of kernel k" */
static void note_place(composing *c) {
  capture *to = &c->out->capture;
  const yaml_place place = yaml_at(c->at);
  scoped_buffer text = {0}, line = {0};
  buffer_printf(&text, "%s:%zu:%zu: test %s, %s", yaml_path(c->in.file), place.line, place.column, c->which->name,
                buffer_text(&c->name));
  utf8_line(&line, buffer_text(&text), text.length);
  *ARRAY_ADD(to->places, to->place_count, to->place_capacity) =
      (capture_place){to->command_count, 0, buffer_take(&line)};
}

capture_command *compose_command(composing *c, capture_kind kind) {
  capture *to = &c->out->capture;
  if (c->at != NULL) note_place(c);
  capture_command *next = ARRAY_ADD(to->commands, to->command_count, c->command_capacity);
  next->kind = kind;
  return next;
}

uint32_t compose_blob(composing *c, unsigned char *bytes, size_t size) {
  capture *to = &c->out->capture;
  *ARRAY_ADD(to->blobs, to->blob_count, c->blob_capacity) = (capture_blob){bytes, size};
  return (uint32_t)(to->blob_count - 1);
}

case_object *compose_find(composing *c, const char *name) { return NAMED(c->objects, c->object_count, name, name); }

case_object *compose_object(composing *c, const char *name, yaml_value *at, case_object_kind kind) {
  if (!scope_name_right(name)) {
    (void)case_wrong(&c->in, at,
                     "\"%s\" cannot be a name: it is a word of formulas, or has other characters than letters, digits "
                     "and _",
                     name);
    return NULL;
  }
  if (scope_find(&c->names, name, strlen(name)) != NULL || compose_find(c, name) != NULL) {
    (void)case_wrong(&c->in, at, "the name %s is there twice", name);
    return NULL;
  }
  case_object *o = ARRAY_ADD(c->objects, c->object_count, c->object_capacity);
  o->name = mem_strdup(name);
  o->kind = kind;
  o->number = kind == OBJECT_SAMPLER ? c->sampler_count++ : c->memory_count++;
  return o;
}

int compose_part(composing *c, const case_object *o, yaml_value *from, yaml_value *elements, int64_t *first,
                 int64_t *count) {
  const int64_t all = (int64_t)o->elements;
  *first = 0;
  if (from != NULL && case_integer(&c->in, from, "the first element", 0, all - 1, first) != 0) return -1;
  *count = all - *first;
  return elements == NULL ? 0 : case_integer(&c->in, elements, "the number of elements", 1, all - *first, count);
}

/* --- the program -------------------------------------------------------------------------------------------------- */

static int add_options(composing *c, yaml_value *options, buffer *out) {
  if (options == NULL) return 0;
  char *text = case_text(&c->in, options);
  if (text == NULL) return -1;
  buffer_printf(out, "%s%s", out->length == 0 ? "" : " ", text);
  free(text);
  return 0;
}

static const case_kernels *known(composing *c, size_t file, const char *options) {
  case_suite *s = c->in.suite;
  for (size_t i = 0; i < s->known_count; i++)
    if (s->known[i].file == file && strcmp(s->known[i].options, options) == 0) return &s->known[i].kernels;
  const kernel_file *f = &s->files[file];
  const pp_input in = {.name = f->path,
                       .text = buffer_text(&f->source),
                       .length = f->source.length,
                       .options = options,
                       .directory = "."};
  case_kernels kernels = {0};
  if (s->reader(&in, &kernels, c->in.e) != 0) return NULL;
  known_kernels *k = ARRAY_ADD(s->known, s->known_count, s->known_capacity);
  *k = (known_kernels){file, mem_strdup(options), kernels};
  return &k->kernels;
}

static int compose_program(composing *c, size_t file) {
  const kernel_file *f = &c->in.suite->files[file];
  buffer options = {0};
  if (add_options(c, c->in.suite->options, &options) != 0 || add_options(c, c->keys.options, &options) != 0) {
    buffer_free(&options);
    return -1;
  }
  /* Files that the kernels include may lie beside theirs. */
  const char *slash = strrchr(f->path, '/');
  const int length = slash == NULL ? 1 : (int)(slash - f->path);
  if (strstr(buffer_text(&f->source), "include") != NULL) {
    buffer_printf(&options, "%s-I %.*s", options.length == 0 ? "" : " ", length == 0 ? 1 : length,
                  slash == NULL ? "." : f->path);
  }
  const case_kernels *kernels = known(c, file, buffer_text(&options));
  capture_command *program = compose_command(c, CAPTURE_PROGRAM);
  program->u.program.link_options = mem_strdup("");
  program->u.program.sources = mem_calloc(1, sizeof *program->u.program.sources);
  program->u.program.source_count = 1;
  program->u.program.sources[0].text = mem_strdup(buffer_text(&f->source));
  program->u.program.sources[0].options = mem_strdup(buffer_text(&options));
  buffer_free(&options);
  if (kernels != NULL) {
    const size_t count = c->kernels.count + kernels->count;
    c->kernels.items = mem_grow(c->kernels.items, &c->kernel_capacity, count + 1, sizeof *c->kernels.items);
    c->programs = mem_realloc(c->programs, (count + 1) * sizeof *c->programs);
    for (size_t i = 0; i < kernels->count; i++) {
      c->programs[c->kernels.count] = ((uint32_t)file);
      c->kernels.items[c->kernels.count++] = kernels->items[i];
    }
  }
  return kernels == NULL ? -1 : 0;
}

static int compose_programs(composing *c) {
  int result = 0;
  for (size_t i = 0; i < c->in.suite->file_count && result == 0; i++) result = compose_program(c, i);
  c->made = mem_calloc(c->kernels.count + 1, sizeof *c->made);
  return result;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void compose_head(composing *c) {
  capture *to = &c->out->capture;
  buffer name = {0};
  buffer_printf(&name, "%s %s", c->in.suite->name, c->which->name);
  to->program = buffer_take(&name);
  to->directory = getcwd(NULL, 0);
  to->directory = to->directory == NULL ? mem_strdup("/") : to->directory;
  to->device = mem_strdup("");
}

static void end(composing *c) {
  for (size_t i = 0; i < c->object_count; i++) free(c->objects[i].name);
  free(c->objects);
  free(c->made);
  free(c->programs);
  free(c->kernels.items);
  buffer_free(&c->name);
  scope_free(&c->names);
}

int case_compose(case_suite *s, size_t number, case_capture *out, error *e) {
  composing c = {.in = {s, s->file, NULL, e}, .which = &s->cases[number], .out = out};
  c.in.names = &c.names;
  *out = (case_capture){0};
  compose_head(&c);
  scope_copy(&c.which->names, &c.names);
  int result = 0;
  if (case_keys_read(s, c.which->test, &c.keys, e) != 0 || compose_programs(&c) != 0 || compose_buffers(&c) != 0 ||
      compose_images(&c) != 0 || compose_samplers(&c) != 0 || compose_launches(&c) != 0 || compose_results(&c) != 0) {
    result = -1;
    case_capture_free(out);
  }
  end(&c);
  return result;
}

/* What a case looks like, for kernels that have none. */

enum { MEMORY_MOST = 1 << 28 };

/* Names of the file are no words of formulas, and not that of the size. */
static void put_name(const case_parameter *p, buffer *out) {
  const bool right = scope_name_right(p->name) && strcmp(p->name, "n") != 0;
  buffer_printf(out, "%s%s", p->name[0] == '\0' ? "unnamed" : p->name, right ? "" : "_1");
}

static const char *all_elements(const case_kernel *k) {
  return k->dimensions >= 3 ? "n * n * n" : k->dimensions == 2 ? "n * n" : "n";
}

static bool is_real(const case_parameter *p) {
  return strncmp(p->type, "float", 5) == 0 || strncmp(p->type, "double", 6) == 0 || strncmp(p->type, "half", 4) == 0;
}

/* As many elements as the launch touches, in words of n; where that is not known, as many as a loop of n turns in each work-item
 * may. */
static void put_elements(const case_kernel *k, const case_parameter *p, buffer *out) {
  const uint64_t n = k->dimensions < 2 ? 64 : 8, all = k->dimensions >= 3 ? n * n * n : k->dimensions == 2 ? n * n : n;
  const uint64_t wanted = p->size == 0 ? 0 : (p->reach + p->size - 1) / p->size;
  if (p->reach == 0 || p->reach > MEMORY_MOST)
    buffer_printf(out, "n * %s", all_elements(k));
  else if (wanted <= all)
    buffer_puts(out, all_elements(k));
  else if (wanted % all == 0)
    buffer_printf(out, "%llu * %s", (unsigned long long)(wanted / all), all_elements(k));
  else
    buffer_printf(out, "%s + %llu", all_elements(k), (unsigned long long)(wanted - all));
}

/* Small integers may be indices; counters and locks begin at 0. */
static void put_contents(const case_kernel *k, const case_parameter *p, buffer *out) {
  element_type type;
  const bool number = case_element_find(p->type, NULL, &type);
  if (p->atomic) {
    buffer_puts(out, "fill: 0");
  } else if (!number) {
    buffer_puts(out, "formula: \"i % 4 == 0\""); /* words of 1 */
  } else if (!p->read_only && is_real(p)) {
    buffer_puts(out, "ramp: {from: 1, step: 0.25}");
  } else if (!p->read_only) {
    const bool bytes = type.size / type.lanes == 1, plain = bytes || k->dimensions < 2;
    buffer_printf(out, plain ? "formula: \"i %% %s\"" : "formula: \"i %% (%s)\"", bytes ? "100" : all_elements(k));
  } else if (is_real(p)) {
    buffer_puts(out, "random: {seed: 1, from: -1, to: 1}");
  } else if (type.size / type.lanes == 1) {
    buffer_puts(out, "random: {seed: 1, from: 0, to: 100}");
  } else {
    buffer_printf(out, "random: {seed: 1, from: 0, to: %s - 1}", all_elements(k));
  }
}

static void put_buffer(const case_kernel *k, const case_parameter *p, buffer *out) {
  buffer_printf(out, ": {type: \"%s\", elements: ", p->type);
  put_elements(k, p, out);
  buffer_puts(out, ", ");
  put_contents(k, p, out);
  buffer_puts(out, "}\n");
}

static void put_image(const case_kernel *k, const case_parameter *p, buffer *out) {
  const char *size = strstr(p->type, "3d") != NULL   ? "[16, 16, 16]"
                     : strstr(p->type, "1d") != NULL ? "[16]"
                                                     : "[16, 16]";
  (void)k;
  buffer_printf(out, ": {format: rgba-float, size: %s%s, ramp: {from: 0, step: 0.01}}\n", size,
                strstr(p->type, "array") != NULL ? ", layers: 2" : "");
}

static void put_sampler(const case_kernel *k, const case_parameter *p, buffer *out) {
  (void)k;
  (void)p;
  buffer_puts(out, ": {address: clamp-to-edge, filter: nearest}\n");
}

static void put_objects(const case_kernel *k, buffer *out) {
  static const struct {
    case_parameter_kind kind;
    const char *title;
    void (*put)(const case_kernel *k, const case_parameter *p, buffer *out);
  } groups[] = {
      {CASE_MEMORY, "buffers", put_buffer}, {CASE_IMAGE, "images", put_image}, {CASE_SAMPLER, "samplers", put_sampler}};
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    const char *title = groups[g].title;
    EACH(const case_parameter, p, k->parameters, k->count) {
      if (p->kind == groups[g].kind) {
        buffer_printf(out, title == NULL ? "%s      " : "    %s:\n      ", title == NULL ? "" : title);
        title = NULL;
        put_name(p, out);
        groups[g].put(k, p, out);
      }
    }
  }
}

static void put_value(const case_parameter *p, buffer *out) {
  element_type type;
  if (!case_element_find(p->type, NULL, &type)) {
    buffer_puts(out, "{bytes: \"");
    for (uint32_t i = 0; i < p->size; i++) buffer_printf(out, "%s00", i > 0 ? " " : "");
    buffer_puts(out, "\"}");
  } else if (is_real(p)) {
    buffer_puts(out, "1.0");
  } else {
    buffer_puts(out, "n");
  }
}

static void put_arguments(const case_kernel *k, buffer *out) {
  for (size_t i = 0; i < k->count; i++) {
    const case_parameter *p = &k->parameters[i];
    buffer_printf(out, "%s%s: ", i > 0 ? ", " : "", p->name);
    if (p->kind == CASE_LOCAL)
      buffer_printf(out, "{local: \"%s\", elements: %s}", p->type, all_elements(k));
    else if (p->kind == CASE_VALUE)
      put_value(p, out);
    else
      put_name(p, out);
  }
}

static void put_expected(const case_kernel *k, buffer *out) {
  bool first = true;
  EACH(const case_parameter, p, k->parameters, k->count) {
    if (p->kind == CASE_MEMORY && !p->read_only) {
      buffer_puts(out, first ? "    expect: # add formula:, values: or file: to each; --update of `cltestcheck run` "
                               "fills in values and files\n"
                             : "");
      first = false;
      buffer_puts(out, "      - {buffer: ");
      put_name(p, out);
      buffer_puts(out, "}\n");
    }
  }
}

void case_skeleton(const char *path, const case_kernels *kernels, buffer *out) {
  const char *file = path_end(path);
  buffer_printf(out, "name: \"%.*s\"\nkernels: \"%s\"\ntests:\n", (int)strcspn(file, "."), file, path);
  EACH(const case_kernel, k, kernels->items, kernels->count) {
    const bool plain = k->dimensions < 2;
    const char *size = plain ? "n" : k->dimensions == 2 ? "n, n" : "n, n, n";
    buffer_printf(out, "  - name: \"%s n={n}\"\n    each: {n: [%s]}\n", k->name, plain ? "64" : "8");
    put_objects(k, out);
    buffer_printf(out, "    launches:\n      - {kernel: %s, global: [%s], local: [%s], args: {", k->name, size, size);
    put_arguments(k, out);
    buffer_puts(out, "}}\n");
    put_expected(k, out);
  }
}
