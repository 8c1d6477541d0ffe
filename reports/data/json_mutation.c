/* The JSON report on mutants: `mutation` and `mutants` (docs/formats/json.md). */
#include <math.h>
#include <stdlib.h>

#include "reports/common/json_value.h"
#include "reports/common/mutation.h"
#include "reports/common/writers.h"

/* Keys of the statuses; `total` stands before them. */
static const struct {
  const char *key;
  mutant_status status;
} statuses[] = {
    {"killed", MUTANT_KILLED},           {"undecided", MUTANT_UNDECIDED},   {"survived", MUTANT_SURVIVED},
    {"no_coverage", MUTANT_NO_COVERAGE}, {"equivalent", MUTANT_EQUIVALENT}, {"duplicate", MUTANT_DUPLICATE},
    {"invalid", MUTANT_INVALID},         {"suppressed", MUTANT_SUPPRESSED}, {"pending", MUTANT_PENDING},
};

static json_t *percentage_of(double share) { return json_real(round(share * 1000) / 10); }

/* null: all are decided, or none. */
static json_t *interval_value(const view *v, const mutation_counts *c) {
  interval i;
  if (!mutation_interval(v, c, &i)) {
    return json_null();
  }
  json_t *ends = json_array();
  value_add(ends, percentage_of(i.low));
  value_add(ends, percentage_of(i.high));
  return ends;
}

static void set_counts(json_t *object, const view *v, const mutation_counts *c) {
  const ratio score = mutation_score(c);
  value_set(object, "score", score.total == 0 ? json_null() : json_real((double)ratio_thousandths(&score) / 10));
  value_set(object, "interval", interval_value(v, c));
  const ratio revealed = mutation_revealed(c);
  value_set(object, "revealed",
            revealed.total == 0 ? json_null() : json_real((double)ratio_thousandths(&revealed) / 10));
  value_set(object, "total", json_integer((json_int_t)c->total));
  for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
    value_set(object, statuses[i].key, json_integer((json_int_t)c->of[statuses[i].status]));
  }
}

static json_t *operators_of(const view *v, const mutation *m) {
  json_t *operators = json_object();
  for (size_t i = 0; i < m->operator_count; i++) {
    json_t *counts = json_object();
    set_counts(counts, v, &m->operators[i].counts);
    json_t *name = value_string(m->operators[i].name);
    value_set(operators, json_string_value(name), counts);
    json_decref(name);
  }
  return operators;
}

static json_t *kernels_of(const view *v, const mutation *m) {
  json_t *kernels = json_array();
  for (size_t i = 0; i < m->kernel_count; i++) {
    const model_function *f = &v->functions[v->kernels[m->kernels[i].kernel].function];
    json_t *kernel = json_object();
    value_set(kernel, "name", value_string(m->kernels[i].name));
    value_place(kernel, v, f->file, f->line);
    set_counts(kernel, v, &m->kernels[i].counts);
    value_add(kernels, kernel);
  }
  return kernels;
}

static json_t *unstable_of(const view *v) {
  json_t *unstable = json_array();
  for (size_t i = 0; i < v->unstable_count; i++) {
    json_t *output = json_object();
    value_set(output, "test", json_integer(v->unstable[i].test_case));
    value_set(output, "what", value_string(v->unstable[i].what));
    value_set(output, "share", json_real(v->unstable[i].share));
    value_add(unstable, output);
  }
  return unstable;
}

/* null when nothing can be said. */
static json_t *superfluous_of(const view *v, const mutation *m) {
  bool *superfluous = mutation_superfluous(v, m);
  if (superfluous == NULL) {
    return json_null();
  }
  json_t *tests = json_array();
  for (size_t i = 0; i < v->test_case_count; i++) {
    if (superfluous[i]) {
      value_add(tests, json_integer((json_int_t)i));
    }
  }
  free(superfluous);
  return tests;
}

/* null: it is not known. */
static json_t *revealed_value(mutant_revealed revealed) {
  return revealed == REVEALED_UNKNOWN ? json_null() : json_boolean(revealed == REVEALED_YES);
}

static json_t *tests_of(const db_mutant *m) {
  json_t *tests = json_array();
  for (size_t i = 0; i < m->verdict_count; i++) {
    const mutant_verdict *verdict = &m->verdicts[i];
    json_t *test = json_object();
    value_set(test, "test", json_integer(verdict->test_case));
    value_set(test, "runs", json_integer(verdict->runs));
    value_set(test, "output", json_integer(verdict->output));
    value_set(test, "crash", json_integer(verdict->crash));
    value_set(test, "timeout", json_integer(verdict->timeout));
    value_set(test, "outside", json_integer(verdict->outside));
    value_set(test, "unwritten", json_integer(verdict->unwritten));
    value_set(test, "race", json_integer(verdict->race));
    value_set(test, "replayed", json_integer(verdict->replayed));
    value_set(test, "reused", json_boolean(verdict->reused));
    value_set(test, "revealed", revealed_value(verdict->revealed));
    value_add(tests, test);
  }
  return tests;
}

static json_t *mutant_of(const view *v, const db_mutant *m) {
  json_t *mutant = json_object();
  value_set(mutant, "id", json_integer(m->id));
  value_set(mutant, "operator", value_string(m->operator_name));
  value_point(mutant, v, m->file, m->line, m->column);
  value_set(mutant, "end_line", json_integer(m->end_line));
  value_set(mutant, "end_column", json_integer(m->end_column));
  value_set(mutant, "original", value_string(m->original));
  value_set(mutant, "replacement", value_string(m->replacement));
  value_set(mutant, "description", m->description == NULL ? json_null() : value_string(m->description));
  value_set(mutant, "function", m->function == MODEL_NONE ? json_null() : value_string(v->functions[m->function].name));
  json_t *kernels = json_array();
  for (size_t i = 0; i < m->kernel_count; i++) {
    value_add(kernels, value_string(v->kernels[m->kernels[i]].name));
  }
  value_set(mutant, "kernels", kernels);
  value_set(mutant, "status", json_string(mutant_status_name(m->status)));
  value_set(mutant, "reason", value_string(m->reason));
  value_set(mutant, "revealed", revealed_value(mutation_is_revealed(m)));
  if (m->suppressed != NULL) {
    value_set(mutant, "suppressed", value_string(m->suppressed));
  }
  value_set(mutant, "duplicate_of",
            m->duplicate_of == MODEL_NONE ? json_null() : json_integer(v->mutants[m->duplicate_of].id));
  value_set(mutant, "tests", tests_of(m));
  return mutant;
}

void value_mutation(json_stream *report, const view *v, const report_options *options) {
  if (!mutation_is(v)) {
    return;
  }
  mutation m;
  mutation_totals(v, options, &m);
  json_t *summary = json_object();
  set_counts(summary, v, &m.all);
  value_set(summary, "by_operator", operators_of(v, &m));
  value_set(summary, "by_kernel", kernels_of(v, &m));
  size_t verdicts = 0;
  size_t reused = 0;
  mutation_verdicts(v, &m, &verdicts, &reused);
  value_set(summary, "verdicts", json_integer((json_int_t)verdicts));
  value_set(summary, "reused", json_integer((json_int_t)reused));
  value_set(summary, "unstable", unstable_of(v));
  value_set(summary, "superfluous_tests", superfluous_of(v, &m));
  json_stream_value(report, "mutation", summary);
  json_stream_array(report, "mutants");
  for (size_t i = 0; i < v->mutant_count; i++) {
    if (m.selected[i]) {
      json_stream_item(report, mutant_of(v, &v->mutants[i]));
    }
  }
  json_stream_close(report);
  mutation_free(&m);
}
