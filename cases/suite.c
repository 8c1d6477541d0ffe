/* suite.yaml with `kernels:`: its keys, and the kernel file. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pipe_path.h"
#include "cases/internal.h"

enum { FILE_MOST = 64 << 20 };

bool case_suite_is(const char *path) {
  yaml_file *f = NULL;
  error ignored;
  if (yaml_open(&f, path, "suite file", &ignored) != 0) {
    return true;
  }
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
  if (!yaml_is_text(at) || yaml_text(at)[0] == '\0') {
    return yaml_wrong(s->file, at, e, "kernels wants a file, such as kernels: scale.cl, or a list of files");
  }
  kernel_file *k = ARRAY_ADD(s->files, s->file_count, s->file_capacity);
  k->path = case_path(s, yaml_text(at));
  error why;
  if (file_read(k->path, "the kernel file", FILE_MOST, &k->source, &why) != 0) {
    return yaml_wrong(s->file, at, e, "%s", why.text);
  }
  if (memchr(buffer_text(&k->source), '\0', k->source.length) != NULL) {
    return yaml_wrong(s->file, at, e, "the kernel file %s is no text", k->path);
  }
  return 0;
}

static int read_sources(case_suite *s, yaml_value *kernels, error *e) {
  const bool list = yaml_is_list(kernels) && yaml_count(kernels) > 0;
  int result = list ? 0 : read_source(s, kernels, e);
  for (size_t i = 0; list && result == 0 && i < yaml_count(kernels); i++) {
    result = read_source(s, yaml_item(s->file, kernels, i), e);
  }
  return result;
}

int case_keys_read(case_suite *s, yaml_value *test, test_keys *out, error *e) {
  const yaml_key keys[] = {{"name", &out->name},         {"each", &out->each},         {"let", &out->let},
                           {"options", &out->options},   {"buffers", &out->buffers},   {"images", &out->images},
                           {"samplers", &out->samplers}, {"launches", &out->launches}, {"expect", &out->expect}};
  if (yaml_keys(s->file, test, "a test of kernels", keys, sizeof keys / sizeof *keys, e) != 0) {
    return -1;
  }
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

static int two_alike(case_suite *s, error *e) {
  const kernel_case **sorted = mem_calloc(s->count + 1, sizeof *sorted);
  int result = 0;
  for (size_t i = 0; i < s->count; i++) {
    sorted[i] = &s->cases[i];
  }
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

static int read_tests(case_suite *s, yaml_value *tests, error *e) {
  if (!yaml_is_list(tests) || yaml_count(tests) == 0) {
    return yaml_wrong(s->file, tests, e, "tests is a list: a line with `- ` for each");
  }
  for (size_t i = 0; i < yaml_count(tests); i++) {
    test_keys keys;
    yaml_value *test = yaml_item(s->file, tests, i);
    if (case_keys_read(s, test, &keys, e) != 0 || case_expand(s, test, &keys, e) != 0) {
      return -1;
    }
  }
  return two_alike(s, e);
}

static int read_suite(case_suite *s, error *e) {
  yaml_value *name, *description, *kernels, *tests, *defect, *program;
  yaml_value *root = yaml_root(s->file);
  const yaml_key keys[] = {
      {"name", &name},   {"description", &description}, {"kernels", &kernels}, {"options", &s->options},
      {"tests", &tests}, {"defect", &defect},           {"program", &program}};
  if (yaml_keys(s->file, root, "a suite", keys, sizeof keys / sizeof *keys, e) != 0) {
    return -1;
  }
  if (kernels == NULL && program == NULL) {
    return yaml_wrong(s->file, root, e, "a suite wants kernels: FILE.cl or program: FILE");
  }
  if (kernels == NULL) {
    return yaml_wrong(s->file, program, e, "this suite has a program and no kernels: `cltestcheck coverage` runs it");
  }
  if (program != NULL) {
    return yaml_wrong(s->file, program, e, "a suite has kernels: or program:, not both");
  }
  if (name == NULL || !yaml_is_text(name) || yaml_text(name)[0] == '\0') {
    return yaml_wrong(s->file, name == NULL ? root : name, e, "this suite wants a name");
  }
  if (tests == NULL) {
    return yaml_wrong(s->file, root, e, "this suite has no tests");
  }
  s->name = mem_strdup(yaml_text(name));
  return read_sources(s, kernels, e) != 0 ? -1 : read_tests(s, tests, e);
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
  if (s == NULL) {
    return;
  }
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
