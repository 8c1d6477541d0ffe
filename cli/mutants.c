/* Listing mutants. */
#include "cli/mutants.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/say.h"
#include "cli/assignments.h"
#include "cli/output.h"
#include "reports/common/json_value.h"
#include "runner/build/build.h"

static void print_mutant(const mutate_result *r, const mutant *m) {
  say(stdout, "%10u  %s:%u:%u  %-7s  %s: ", (unsigned)m->id, r->model.files[m->file].name, (unsigned)m->line,
      (unsigned)m->column, mutate_operators[m->op].name, r->model.functions[m->function].name);
  if (m->description != NULL) {
    say(stdout, "%s: %s", m->original, m->description);
  } else if (m->replacement[0] == '\0') {
    say(stdout, "%s deleted", m->original);
  } else {
    say(stdout, "%s -> %s", m->original, m->replacement);
  }
  say(stdout, "%s\n", m->suppressed ? "  (suppressed)" : m->invalid ? "  (does not compile)" : "");
}

static json_t *mutant_value(const mutate_result *r, const mutant *m) {
  json_t *object = json_object();
  value_set(object, "id", json_integer(m->id));
  value_set(object, "file", value_string(r->model.files[m->file].name));
  value_set(object, "line", json_integer(m->line));
  value_set(object, "column", json_integer(m->column));
  value_set(object, "operator", value_string(mutate_operators[m->op].name));
  value_set(object, "function", value_string(r->model.functions[m->function].name));
  value_set(object, "original", value_string(m->original));
  value_set(object, "replacement", value_string(m->replacement));
  value_set(object, "description", m->description == NULL ? json_null() : value_string(m->description));
  value_set(object, "suppressed", json_boolean(m->suppressed));
  return object;
}

/* A file with its mutants. */
typedef struct listed_file {
  program_request request;
  mutate_result r;
  bool *chosen; /* one per mutant */
} listed_file;

static int read_file(const char *path, char **built_with, const campaign_options *selected, listed_file *f, error *e) {
  if (request_of_file(&f->request, path, built_with, e) != 0 ||
      build_mutated(&f->request, &(build_mutants){0}, &f->r, e) != 0) {
    return -1;
  }
  f->chosen = mem_calloc(f->r.mutant_count + 1, sizeof *f->chosen);
  for (size_t i = 0; i < f->r.mutant_count; i++) {
    f->chosen[i] = campaign_selects(selected, &f->r.model, &f->r.mutants[i]);
  }
  return 0;
}

/* As a campaign does that builds these files one after another. */
static void draw(const campaign_options *selected, const listed_file *files, size_t file_count) {
  selection *all = NULL;
  size_t count = 0;
  size_t capacity = 0;
  for (size_t f = 0; f < file_count; f++) {
    for (size_t i = 0; i < files[f].r.mutant_count; i++) {
      const mutant *m = &files[f].r.mutants[i];
      *ARRAY_ADD(all, count, capacity) = (selection){m->id, m->suppressed, &files[f].chosen[i]};
    }
  }
  campaign_draw(selected, all, count);
  free(all);
}

/* `json` NULL: as text. Returns how many there are. */
static size_t print_file(const listed_file *f, json_t *json) {
  size_t count = 0;
  for (size_t i = 0; i < f->r.mutant_count; i++) {
    if (f->chosen[i] && json != NULL) {
      value_add(json, mutant_value(&f->r, &f->r.mutants[i]));
    } else if (f->chosen[i]) {
      print_mutant(&f->r, &f->r.mutants[i]);
    }
    count += f->chosen[i] ? 1 : 0;
  }
  return count;
}

static void free_files(listed_file *files, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mutate_free(&files[i].r);
    request_free(&files[i].request);
    free(files[i].chosen);
  }
  free(files);
}

/* A list is text or, with --format json, one JSON array on standard output; formats of a configuration are those of
 * reports. */
static int find_format(const command_line *s, bool *json, error *e) {
  for (size_t i = 0; i < s->assigned->count; i++) {
    const assignment *a = &s->assigned->items[i];
    if (a->level != FROM_COMMAND_LINE || strcmp(a->option->name, "format") != 0) {
      continue;
    }
    if (strcmp(a->value, "json") != 0 && strcmp(a->value, "json=-") != 0 && strcmp(a->value, "text") != 0) {
      return error_set(e, EXIT_USAGE, "--list prints text or, with --format json, JSON to standard output, not \"%s\"",
                       a->value);
    }
    *json = strcmp(a->value, "text") != 0;
  }
  return 0;
}

int list_mutants(const command_line *s, const campaign_options *selected) {
  error e;
  bool as_json = false;
  if (find_format(s, &as_json, &e) != 0) {
    return say_error(&e);
  }
  if (s->positional.count == 0) {
    (void)error_set(&e, EXIT_USAGE, "--list wants kernel files: cltestcheck mutate --list FILE.cl… [-- BUILD OPTIONS]");
    return say_error(&e);
  }
  const size_t file_count = s->positional.count;
  listed_file *files = mem_calloc(file_count, sizeof *files);
  for (size_t i = 0; i < file_count; i++) {
    if (read_file(s->positional.items[i], s->command, selected, &files[i], &e) != 0) {
      free_files(files, i + 1);
      int code = say_error(&e);
      return code == EXIT_INTERNAL ? EXIT_USAGE : code; /* the file is at fault, not we */
    }
  }
  draw(selected, files, file_count);
  size_t count = 0;
  json_t *json = as_json ? json_array() : NULL;
  for (size_t i = 0; i < file_count; i++) {
    count += print_file(&files[i], json);
  }
  if (as_json) {
    (void)json_dumpf(json, stdout, JSON_INDENT(2));
    (void)fputc('\n', stdout);
    json_decref(json);
  }
  free_files(files, file_count);
  say(stderr, "cltestcheck: %zu mutant%s\n", count, count == 1 ? "" : "s");
  return EXIT_FINE;
}
