/* JSON on mutants (`mutation`, `mutants`) and on schedules (`amplification`, `schedules`, `launches_skipped`). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/common/amplification.h"
#include "reports/common/json.h"
#include "reports/common/mutation.h"
#include "reports/common/report.h"
#include "reports/words/words.h"

/* The JSON report on schedules: `amplification`, `schedules` and `launches_skipped` (docs/formats/json.md). */

/* Keys of the verdicts; `schedules` and `runs` stand before them, `meant` and `suppressed` after. */
static const struct {
  const char *key;
  schedule_verdict verdict;
} verdicts[] = {
    {"consistent", VERDICT_CONSISTENT},     {"race", VERDICT_RACE},       {"deadlock", VERDICT_DEADLOCK},
    {"occupancy_bound", VERDICT_OCCUPANCY}, {"crash", VERDICT_CRASH},     {"order_dependent", VERDICT_ORDER},
    {"differs", VERDICT_DIFFERS},           {"pending", VERDICT_PENDING},
};

static json_t *summary_of(const amplification *a) {
  json_t *summary = value_object({"schedules", json_integer((json_int_t)a->all.schedules)},
                                 {"runs", json_integer((json_int_t)a->all.runs)});
  for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++)
    value_set(summary, verdicts[i].key, json_integer((json_int_t)a->all.of[verdicts[i].verdict]));
  value_set(summary, "meant", json_integer((json_int_t)a->all.meant));
  value_set(summary, "suppressed", json_integer((json_int_t)a->all.suppressed));
  return summary;
}

static json_t *known_number(uint32_t n) { return n == 0 ? json_null() : json_integer(n); }

/* JSON's integers are signed. */
static json_t *element(uint64_t n) { return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n); }

static json_t *explained_places(const view *v, const db_explanation *x) {
  json_t *list = json_array();
  for (size_t i = 0; i < x->place_count; i++) {
    const db_explained *p = &x->places[i];
    const bool group = strcmp(p->role, "group") == 0;
    value_add(list, value_object({"role", value_string(p->role)}, {"group", group ? json_integer(p->group) : NULL},
                                 {"construct", !group                    ? NULL
                                               : p->construct[0] == '\0' ? json_null()
                                                                         : value_string(p->construct)},
                                 {"file", value_file(v, p->file)}, {"line", value_line(p->file, p->line)}));
  }
  return list;
}

static json_t *explanation_of(const view *v, const db_launch *l, const db_schedule *s) {
  const db_explanation *x = s->explanation;
  scoped_buffer text = {0}, unfinished = {0};
  if (x == NULL) return json_null();
  const db_why *w = &x->why;
  const bool read = strcmp(w->kind, "read") == 0, groups = strcmp(w->kind, "groups") == 0;
  const bool why = w->kind[0] != '\0'; /* versions before 22 of the database do not have it */
  explanation_text(v, l, s, &text);
  explanation_unfinished(x, &unfinished);
  return value_object(
      {"text", value_string(buffer_text(&text))}, {"other", x->other == 0 ? json_null() : json_integer(x->other)},
      {"argument", value_string(x->argument)}, {"first", element(x->first)}, {"last", element(x->last)},
      {"differing", element(x->differing)}, {"reference", value_string(x->reference)}, {"seen", value_string(x->seen)},
      {"file", value_file(v, x->file)}, {"line", value_line(x->file, x->line)},
      {"unfinished", value_string(buffer_text(&unfinished))}, {"kind", why ? value_string(w->kind) : NULL},
      {"unit", strcmp(w->kind, "memory") == 0 ? value_string(w->unit) : NULL},
      {"read_kernel", !read                       ? NULL
                      : w->read_kernel[0] == '\0' ? json_null()
                                                  : value_string(w->read_kernel)},
      {"read_argument", read ? json_integer(w->read_argument) : NULL},
      {"read_launch", read ? element(w->read_launch) : NULL}, {"read_number", read ? element(w->read_number) : NULL},
      {"running", groups ? json_integer(w->running) : NULL}, {"waiting", groups ? json_integer(w->waiting) : NULL},
      {"race", why && w->race[0] != '\0' ? value_string(w->race) : NULL},
      {"places", why ? explained_places(v, x) : NULL});
}

static json_t *reached_of(const view *v, const db_schedule *s) {
  json_t *reached = json_array();
  for (size_t i = 0; i < s->reached_count; i++) {
    const model_site *site = &v->sites[s->reached[i].site];
    value_add(reached,
              value_object({"file", value_file(v, site->file)}, {"line", value_line(site->file, site->line)},
                           {"column", json_integer(site->column)}, {"kind", json_string(site_kind_name(site->kind))},
                           {"outcome", value_string(site->outcomes[s->reached[i].outcome].label)}));
  }
  return reached;
}

/* Has the order a target? */
static bool is_targeted(const db_schedule *s) {
  return strcmp(s->order, "first") == 0 || strcmp(s->order, "last") == 0;
}

static json_t *schedule_of(const view *v, const db_launch *l, const db_schedule *s) {
  const view_kernel *k = &v->kernels[l->kernel];
  const model_function *f = &v->functions[k->function];
  return value_object(
      {"id", json_integer(s->id)}, {"kernel", value_string(k->name)}, {"file", value_file(v, f->file)},
      {"line", value_line(f->file, f->line)}, {"test", json_integer(l->test_case)}, {"launch", json_integer(l->number)},
      {"groups", known_number(l->groups)}, {"in_flight", known_number(l->together)}, {"gate", value_string(s->gate)},
      {"order", value_string(s->order)}, {"target", is_targeted(s) ? json_integer(s->target) : json_null()},
      {"seed", json_integer(s->seed)}, {"runs", json_integer((json_int_t)strlen(s->outcomes))},
      {"reference", json_integer((json_int_t)schedule_count(s->outcomes, RUN_REFERENCE))},
      {"outcomes", value_string(s->outcomes)},
      {"verdict", json_string(schedule_verdict_name(amplification_verdict(s)))}, {"meant", json_boolean(s->meant)},
      {"suppressed", s->suppressed != NULL ? value_string(s->suppressed) : NULL},
      {"explanation", explanation_of(v, l, s)}, {"reached", reached_of(v, s)});
}

static json_t *skipped_of(const view *v, const db_launch *l) {
  return value_object({"kernel", value_string(v->kernels[l->kernel].name)}, {"launch", json_integer(l->number)},
                      {"reason", value_string(l->skipped)}, {"test", json_integer(l->test_case)});
}

void value_amplification(json_stream *report, const view *v, const report_options *options) {
  if (!amplification_is(v)) return;
  amplification a;
  amplification_totals(v, options, &a);
  json_stream_value(report, "amplification", summary_of(&a));
  json_stream_array(report, "schedules");
  for (size_t i = 0; i < v->launch_count; i++) {
    const db_launch *l = &v->launches[i];
    for (size_t k = 0; a.selected[i] && k < l->schedule_count; k++)
      json_stream_item(report, schedule_of(v, l, &l->schedules[k]));
  }
  json_stream_close(report);
  json_stream_array(report, "launches_skipped");
  for (size_t i = 0; i < v->launch_count; i++)
    if (a.selected[i] && v->launches[i].schedule_count == 0) json_stream_item(report, skipped_of(v, &v->launches[i]));
  json_stream_close(report);
  amplification_free(&a);
}

/* The JSON report on mutants: `mutation` and `mutants` (docs/formats/json.md). */

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
  if (!mutation_interval(v, c, &i)) return json_null();
  json_t *ends = json_array();
  value_add(ends, percentage_of(i.low));
  value_add(ends, percentage_of(i.high));
  return ends;
}

static json_t *share_of(const ratio *r) {
  return r->total == 0 ? json_null() : json_real((double)ratio_thousandths(r) / 10);
}

static void set_counts(json_t *object, const view *v, const mutation_counts *c) {
  const ratio score = mutation_score(c), revealed = mutation_revealed(c);
  (void)json_object_update_new(
      object, value_object({"score", share_of(&score)}, {"interval", interval_value(v, c)},
                           {"revealed", share_of(&revealed)}, {"total", json_integer((json_int_t)c->total)}));
  for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
    value_set(object, statuses[i].key, json_integer((json_int_t)c->of[statuses[i].status]));
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
    json_t *kernel = value_object({"name", value_string(m->kernels[i].name)}, {"file", value_file(v, f->file)},
                                  {"line", value_line(f->file, f->line)});
    set_counts(kernel, v, &m->kernels[i].counts);
    value_add(kernels, kernel);
  }
  return kernels;
}

static json_t *unstable_of(const view *v) {
  json_t *unstable = json_array();
  for (size_t i = 0; i < v->unstable_count; i++) {
    value_add(unstable,
              value_object({"test", json_integer(v->unstable[i].test_case)},
                           {"what", value_string(v->unstable[i].what)}, {"share", json_real(v->unstable[i].share)}));
  }
  return unstable;
}

/* null when nothing can be said. */
static json_t *superfluous_of(const view *v, const mutation *m) {
  bool *superfluous = mutation_superfluous(v, m);
  if (superfluous == NULL) return json_null();
  json_t *tests = json_array();
  for (size_t i = 0; i < v->test_case_count; i++)
    if (superfluous[i]) value_add(tests, json_integer((json_int_t)i));
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
    value_add(tests,
              value_object({"test", json_integer(verdict->test_case)}, {"runs", json_integer(verdict->runs)},
                           {"output", json_integer(verdict->output)}, {"crash", json_integer(verdict->crash)},
                           {"timeout", json_integer(verdict->timeout)}, {"outside", json_integer(verdict->outside)},
                           {"unwritten", json_integer(verdict->unwritten)}, {"race", json_integer(verdict->race)},
                           {"replayed", json_integer(verdict->replayed)}, {"reused", json_boolean(verdict->reused)},
                           {"revealed", revealed_value(verdict->revealed)}));
  }
  return tests;
}

static json_t *mutant_of(const view *v, const db_mutant *m) {
  json_t *kernels = json_array();
  for (size_t i = 0; i < m->kernel_count; i++) value_add(kernels, value_string(v->kernels[m->kernels[i]].name));
  return value_object(
      {"id", json_integer(m->id)}, {"operator", value_string(m->operator_name)}, {"file", value_file(v, m->file)},
      {"line", value_line(m->file, m->line)}, {"column", json_integer(m->column)},
      {"end_line", json_integer(m->end_line)}, {"end_column", json_integer(m->end_column)},
      {"original", value_string(m->original)}, {"replacement", value_string(m->replacement)},
      {"description", m->description == NULL ? json_null() : value_string(m->description)},
      {"function", m->function == MODEL_NONE ? json_null() : value_string(v->functions[m->function].name)},
      {"kernels", kernels}, {"status", json_string(mutant_status_name(m->status))}, {"reason", value_string(m->reason)},
      {"revealed", revealed_value(mutation_is_revealed(m))},
      {"suppressed", m->suppressed == NULL ? NULL : value_string(m->suppressed)},
      {"duplicate_of", m->duplicate_of == MODEL_NONE ? json_null() : json_integer(v->mutants[m->duplicate_of].id)},
      {"tests", tests_of(m)});
}

void value_mutation(json_stream *report, const view *v, const report_options *options) {
  if (!mutation_is(v)) return;
  mutation m;
  mutation_totals(v, options, &m);
  size_t all = 0, reused = 0;
  mutation_verdicts(v, &m, &all, &reused);
  json_t *summary = json_object();
  set_counts(summary, v, &m.all);
  (void)json_object_update_new(
      summary, value_object({"by_operator", operators_of(v, &m)}, {"by_kernel", kernels_of(v, &m)},
                            {"verdicts", json_integer((json_int_t)all)}, {"reused", json_integer((json_int_t)reused)},
                            {"unstable", unstable_of(v)}, {"superfluous_tests", superfluous_of(v, &m)}));
  json_stream_value(report, "mutation", summary);
  json_stream_array(report, "mutants");
  for (size_t i = 0; i < v->mutant_count; i++)
    if (m.selected[i]) json_stream_item(report, mutant_of(v, &v->mutants[i]));
  json_stream_close(report);
  mutation_free(&m);
}
