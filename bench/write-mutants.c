/* write-mutants REPORT.json KERNEL.cl FOLDER: writes each mutant of a JSON report that ran and is a change of text
 * within a line of this kernel file as a kernel file of its own, FOLDER/ID.cl. Prints their number. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_text(const char *path, size_t *length) {
  FILE *f = fopen(path, "rb");
  char *text = calloc(1, 1 << 22);
  if (f == NULL || text == NULL) {
    (void)fprintf(stderr, "write-mutants: %s cannot be read\n", path);
    exit(1);
  }
  *length = fread(text, 1, (1 << 22) - 1, f);
  (void)fclose(f);
  return text;
}

static const char *text_of(const json_t *m, const char *key) {
  const char *value = json_string_value(json_object_get(m, key));
  return value == NULL ? "" : value;
}

static size_t number_of(const json_t *m, const char *key) {
  return (size_t)json_integer_value(json_object_get(m, key));
}

/* The offset of a line and column, both from 1. */
static size_t offset_of(const char *text, size_t line, size_t column) {
  const char *at = text;
  for (size_t i = 1; i < line; i++) {
    const char *newline = strchr(at, '\n');
    at = newline == NULL ? at : newline + 1;
  }
  return (size_t)(at - text) + column - 1;
}

static int write_mutant(const json_t *m, const char *text, size_t length, const char *folder) {
  size_t begin = offset_of(text, number_of(m, "line"), number_of(m, "column"));
  size_t end = offset_of(text, number_of(m, "end_line"), number_of(m, "end_column"));
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%zu.cl", folder, number_of(m, "id"));
  FILE *f = fopen(path, "wb");
  if (f == NULL || end > length || begin > end) {
    (void)fprintf(stderr, "write-mutants: %s cannot be written\n", path);
    exit(1);
  }
  (void)fwrite(text, 1, begin, f);
  (void)fputs(text_of(m, "replacement"), f);
  (void)fwrite(text + end, 1, length - end, f);
  return fclose(f) == 0 ? 1 : 0;
}

int main(int argc, char **argv) {
  json_error_t problem;
  json_t *report = argc == 4 ? json_load_file(argv[1], 0, &problem) : NULL;
  if (report == NULL) {
    (void)fputs("usage: write-mutants REPORT.json KERNEL.cl FOLDER\n", stderr);
    return 1;
  }
  size_t length = 0;
  char *text = read_text(argv[2], &length);
  const char *slash = strrchr(argv[2], '/');
  const char *name = slash == NULL ? argv[2] : slash + 1;
  int count = 0;
  size_t i = 0;
  json_t *m = NULL;
  json_array_foreach(json_object_get(report, "mutants"), i, m) {
    const char *file = text_of(m, "file");
    const char *base = strrchr(file, '/') == NULL ? file : strrchr(file, '/') + 1;
    bool ran = json_array_size(json_object_get(m, "tests")) > 0;
    if (ran && strcmp(base, name) == 0 && json_is_null(json_object_get(m, "description")))
      count += write_mutant(m, text, length, argv[3]);
  }
  (void)printf("%d\n", count);
  free(text);
  json_decref(report);
  return 0;
}
