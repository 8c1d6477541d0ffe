/* A case becomes a capture: its program, what it has, its launches, what it reads. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/utf8.h"
#include "cases/internal.h"

void compose_at(composing *c, yaml_value *at, const char *what, const char *name) {
  c->at = at;
  c->name.length = 0;
  buffer_printf(&c->name, "%s %s", what, name);
}

/* "suite.yaml:12:9: test n=64, launch 2 of kernel k" */
static void note_place(composing *c) {
  capture *to = &c->out->capture;
  const yaml_place place = yaml_at(c->at);
  buffer text = {0}, line = {0};
  buffer_printf(&text, "%s:%zu:%zu: test %s, %s", yaml_path(c->suite->file), place.line, place.column, c->which->name,
                buffer_text(&c->name));
  utf8_line(&line, buffer_text(&text), text.length);
  *ARRAY_ADD(to->places, to->place_count, to->place_capacity) =
      (capture_place){to->command_count, 0, buffer_take(&line)};
  buffer_free(&text);
}

capture_command *compose_command(composing *c, capture_kind kind) {
  capture *to = &c->out->capture;
  if (c->at != NULL) {
    note_place(c);
  }
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
    (void)yaml_wrong(c->suite->file, at, c->e,
                     "\"%s\" cannot be a name: it is a word of formulas, or has other characters than letters, digits "
                     "and _",
                     name);
    return NULL;
  }
  if (scope_find(&c->names, name, strlen(name)) != NULL || compose_find(c, name) != NULL) {
    (void)yaml_wrong(c->suite->file, at, c->e, "the name %s is there twice", name);
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
  if (from != NULL && case_integer(c->suite, &c->names, from, "the first element", 0, all - 1, first, c->e) != 0) {
    return -1;
  }
  *count = all - *first;
  return elements == NULL
             ? 0
             : case_integer(c->suite, &c->names, elements, "the number of elements", 1, all - *first, count, c->e);
}

/* --- the program -------------------------------------------------------------------------------------------------- */

static int add_options(composing *c, yaml_value *options, buffer *out) {
  if (options == NULL) {
    return 0;
  }
  char *text = case_text(c->suite, &c->names, options, c->e);
  if (text == NULL) {
    return -1;
  }
  buffer_printf(out, "%s%s", out->length == 0 ? "" : " ", text);
  free(text);
  return 0;
}

/* Files that the kernels include may lie beside theirs. */
static void add_folder(const kernel_file *f, buffer *out) {
  const char *slash = strrchr(f->path, '/');
  const int length = slash == NULL ? 1 : (int)(slash - f->path);
  if (strstr(buffer_text(&f->source), "include") != NULL) {
    buffer_printf(out, "%s-I %.*s", out->length == 0 ? "" : " ", length == 0 ? 1 : length,
                  slash == NULL ? "." : f->path);
  }
}

static const case_kernels *known(composing *c, size_t file, const char *options) {
  case_suite *s = c->suite;
  for (size_t i = 0; i < s->known_count; i++) {
    if (s->known[i].file == file && strcmp(s->known[i].options, options) == 0) {
      return &s->known[i].kernels;
    }
  }
  const kernel_file *f = &s->files[file];
  const pp_input in = {.name = f->path,
                       .text = buffer_text(&f->source),
                       .length = f->source.length,
                       .options = options,
                       .directory = "."};
  case_kernels kernels = {0};
  if (s->reader(&in, &kernels, c->e) != 0) {
    return NULL;
  }
  known_kernels *k = ARRAY_ADD(s->known, s->known_count, s->known_capacity);
  *k = (known_kernels){file, mem_strdup(options), kernels};
  return &k->kernels;
}

static void add_kernels(composing *c, const case_kernels *of, uint32_t program) {
  const size_t count = c->kernels.count + of->count;
  c->kernels.items = mem_grow(c->kernels.items, &c->kernel_capacity, count + 1, sizeof *c->kernels.items);
  c->programs = mem_realloc(c->programs, (count + 1) * sizeof *c->programs);
  for (size_t i = 0; i < of->count; i++) {
    c->programs[c->kernels.count] = program;
    c->kernels.items[c->kernels.count++] = of->items[i];
  }
}

static int compose_program(composing *c, size_t file) {
  const kernel_file *f = &c->suite->files[file];
  buffer options = {0};
  if (add_options(c, c->suite->options, &options) != 0 || add_options(c, c->keys.options, &options) != 0) {
    buffer_free(&options);
    return -1;
  }
  add_folder(f, &options);
  const case_kernels *kernels = known(c, file, buffer_text(&options));
  capture_command *program = compose_command(c, CAPTURE_PROGRAM);
  program->u.program.link_options = mem_strdup("");
  program->u.program.sources = mem_calloc(1, sizeof *program->u.program.sources);
  program->u.program.source_count = 1;
  program->u.program.sources[0].text = mem_strdup(buffer_text(&f->source));
  program->u.program.sources[0].options = mem_strdup(buffer_text(&options));
  buffer_free(&options);
  if (kernels != NULL) {
    add_kernels(c, kernels, (uint32_t)file);
  }
  return kernels == NULL ? -1 : 0;
}

static int compose_programs(composing *c) {
  int result = 0;
  for (size_t i = 0; i < c->suite->file_count && result == 0; i++) {
    result = compose_program(c, i);
  }
  c->made = mem_calloc(c->kernels.count + 1, sizeof *c->made);
  return result;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void compose_head(composing *c) {
  capture *to = &c->out->capture;
  buffer name = {0};
  buffer_printf(&name, "%s %s", c->suite->name, c->which->name);
  to->program = buffer_take(&name);
  to->directory = getcwd(NULL, 0);
  to->directory = to->directory == NULL ? mem_strdup("/") : to->directory;
  to->device = mem_strdup("");
}

static void end(composing *c) {
  for (size_t i = 0; i < c->object_count; i++) {
    free(c->objects[i].name);
  }
  free(c->objects);
  free(c->made);
  free(c->programs);
  free(c->kernels.items);
  buffer_free(&c->name);
  scope_free(&c->names);
}

int case_compose(case_suite *s, size_t number, case_capture *out, error *e) {
  composing c = {.suite = s, .which = &s->cases[number], .out = out, .e = e};
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
