/* Listing mutants. */
#include "cli/mutants.h"

#include "base/say.h"
#include "cli/output.h"
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

static int list_file(const char *path, char **options, const campaign_options *selected, size_t *count, error *e) {
  offline o;
  mutate_result r = {0};
  int result = offline_open(path, options, &o, e);
  result = result == 0 ? offline_mutants(&o, &r, e) : result;
  for (size_t i = 0; i < r.mutant_count && result == 0; i++) {
    if (campaign_selects(selected, &r.model, &r.mutants[i])) {
      print_mutant(&r, &r.mutants[i]);
      (*count)++;
    }
  }
  mutate_free(&r);
  offline_close(&o);
  return result;
}

int list_mutants(const settings *s, const campaign_options *selected) {
  error e;
  if (s->positional.count == 0) {
    (void)error_set(&e, EXIT_USAGE, "--list wants kernel files: cltestcheck mutate --list FILE.cl… [-- BUILD OPTIONS]");
    return say_error(&e);
  }
  size_t count = 0;
  for (size_t i = 0; i < s->positional.count; i++) {
    if (list_file(s->positional.items[i], s->command, selected, &count, &e) != 0) {
      int code = say_error(&e);
      return code == EXIT_INTERNAL ? EXIT_USAGE : code; /* the file is at fault, not we */
    }
  }
  say(stderr, "cltestcheck: %zu mutant%s\n", count, count == 1 ? "" : "s");
  return EXIT_FINE;
}
