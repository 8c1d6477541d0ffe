/* Listing mutants. */
#include "cli/mutants.h"

#include <string.h>

#include "base/say.h"
#include "cli/assignments.h"
#include "cli/output.h"
#include "reports/common/json_value.h"
#include "runner/isolate.h"

int offline_mutants(offline *o, mutate_result *out, error *e) {
  int result = 0;
  while ((result = isolated_mutate(&o->input, 1, NULL, 0, NULL, out, e)) == 0 && out->question_count > 0) {
    for (size_t i = 0; i < out->question_count; i++) {
      offline_answer(o, out->questions[i].expression);
    }
    mutate_free(out);
  }
  return result;
}

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
  say(stdout, "%s\n", m->suppressed ? "  (suppressed)" : "");
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

/* `json` NULL: as text. */
static int list_file(const char *path, char **built_with, const campaign_options *selected, json_t *json, size_t *count,
                     error *e) {
  offline o;
  mutate_result r = {0};
  int result = offline_open(path, built_with, &o, e);
  result = result == 0 ? offline_mutants(&o, &r, e) : result;
  for (size_t i = 0; i < r.mutant_count && result == 0; i++) {
    if (campaign_selects(selected, &r.model, &r.mutants[i])) {
      if (json != NULL) {
        value_add(json, mutant_value(&r, &r.mutants[i]));
      } else {
        print_mutant(&r, &r.mutants[i]);
      }
      (*count)++;
    }
  }
  mutate_free(&r);
  offline_close(&o);
  return result;
}

/* A list is text or, with --format json, one JSON array on standard output; formats of a configuration are those of
 * reports. */
static int find_format(const settings *s, bool *json, error *e) {
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

int list_mutants(const settings *s, const campaign_options *selected) {
  error e;
  bool as_json = false;
  if (find_format(s, &as_json, &e) != 0) {
    return say_error(&e);
  }
  if (s->positional.count == 0) {
    (void)error_set(&e, EXIT_USAGE, "--list wants kernel files: cltestcheck mutate --list FILE.cl… [-- BUILD OPTIONS]");
    return say_error(&e);
  }
  size_t count = 0;
  json_t *json = as_json ? json_array() : NULL;
  for (size_t i = 0; i < s->positional.count; i++) {
    if (list_file(s->positional.items[i], s->command, selected, json, &count, &e) != 0) {
      int code = say_error(&e);
      json_decref(json);
      return code == EXIT_INTERNAL ? EXIT_USAGE : code; /* the file is at fault, not we */
    }
  }
  if (as_json) {
    (void)json_dumpf(json, stdout, JSON_INDENT(2));
    (void)fputc('\n', stdout);
    json_decref(json);
  }
  say(stderr, "cltestcheck: %zu mutant%s\n", count, count == 1 ? "" : "s");
  return EXIT_FINE;
}
