/* The JSON report on schedules: `amplification`, `schedules` and `launches_skipped` (docs/formats/json.md). */
#include <string.h>

#include "reports/common/amplification.h"
#include "reports/common/json_value.h"
#include "reports/words/explanation_words.h"

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
  json_t *summary = json_object();
  value_set(summary, "schedules", json_integer((json_int_t)a->all.schedules));
  value_set(summary, "runs", json_integer((json_int_t)a->all.runs));
  for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++) {
    value_set(summary, verdicts[i].key, json_integer((json_int_t)a->all.of[verdicts[i].verdict]));
  }
  value_set(summary, "meant", json_integer((json_int_t)a->all.meant));
  value_set(summary, "suppressed", json_integer((json_int_t)a->all.suppressed));
  return summary;
}

static json_t *known_number(uint32_t n) { return n == 0 ? json_null() : json_integer(n); }

/* JSON's integers are signed. */
static json_t *element(uint64_t n) { return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n); }

static json_t *words_of(const buffer *text) { return value_string(buffer_text(text)); }

static json_t *explained_places(const view *v, const db_explanation *x) {
  json_t *list = json_array();
  for (size_t i = 0; i < x->place_count; i++) {
    const db_explained *p = &x->places[i];
    json_t *place = json_object();
    value_set(place, "role", value_string(p->role));
    if (strcmp(p->role, "group") == 0) {
      value_set(place, "group", json_integer(p->group));
      value_set(place, "construct", p->construct[0] == '\0' ? json_null() : value_string(p->construct));
    }
    value_place(place, v, p->file, p->line);
    value_add(list, place);
  }
  return list;
}

/* What versions before 22 of the database do not have. */
static void set_why(json_t *to, const view *v, const db_explanation *x) {
  const db_why *w = &x->why;
  const bool read = strcmp(w->kind, "read") == 0, groups = strcmp(w->kind, "groups") == 0;
  value_set(to, "kind", value_string(w->kind));
  if (strcmp(w->kind, "memory") == 0) {
    value_set(to, "unit", value_string(w->unit));
  }
  if (read) {
    value_set(to, "read_kernel", w->read_kernel[0] == '\0' ? json_null() : value_string(w->read_kernel));
    value_set(to, "read_argument", json_integer(w->read_argument));
    value_set(to, "read_launch", element(w->read_launch));
    value_set(to, "read_number", element(w->read_number));
  }
  if (groups) {
    value_set(to, "running", json_integer(w->running));
    value_set(to, "waiting", json_integer(w->waiting));
  }
  if (w->race[0] != '\0') {
    value_set(to, "race", value_string(w->race));
  }
  value_set(to, "places", explained_places(v, x));
}

static json_t *explanation_of(const view *v, const db_launch *l, const db_schedule *s) {
  const db_explanation *x = s->explanation;
  buffer text = {0}, unfinished = {0};
  if (x == NULL) {
    return json_null();
  }
  json_t *explanation = json_object();
  explanation_text(v, l, s, &text);
  explanation_unfinished(x, &unfinished);
  value_set(explanation, "text", words_of(&text));
  value_set(explanation, "other", x->other == 0 ? json_null() : json_integer(x->other));
  value_set(explanation, "argument", value_string(x->argument));
  value_set(explanation, "first", element(x->first));
  value_set(explanation, "last", element(x->last));
  value_set(explanation, "differing", element(x->differing));
  value_set(explanation, "reference", value_string(x->reference));
  value_set(explanation, "seen", value_string(x->seen));
  value_place(explanation, v, x->file, x->line);
  value_set(explanation, "unfinished", words_of(&unfinished));
  if (x->why.kind[0] != '\0') {
    set_why(explanation, v, x);
  }
  buffer_free(&text);
  buffer_free(&unfinished);
  return explanation;
}

static json_t *reached_of(const view *v, const db_schedule *s) {
  json_t *reached = json_array();
  for (size_t i = 0; i < s->reached_count; i++) {
    const model_site *site = &v->sites[s->reached[i].site];
    json_t *place = json_object();
    value_point(place, v, site->file, site->line, site->column);
    value_set(place, "kind", json_string(site_kind_name(site->kind)));
    value_set(place, "outcome", value_string(site->outcomes[s->reached[i].outcome].label));
    value_add(reached, place);
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
  json_t *schedule = json_object();
  value_set(schedule, "id", json_integer(s->id));
  value_set(schedule, "kernel", value_string(k->name));
  value_place(schedule, v, f->file, f->line);
  value_set(schedule, "test", json_integer(l->test_case));
  value_set(schedule, "launch", json_integer(l->number));
  value_set(schedule, "groups", known_number(l->groups));
  value_set(schedule, "in_flight", known_number(l->together));
  value_set(schedule, "gate", value_string(s->gate));
  value_set(schedule, "order", value_string(s->order));
  value_set(schedule, "target", is_targeted(s) ? json_integer(s->target) : json_null());
  value_set(schedule, "seed", json_integer(s->seed));
  value_set(schedule, "runs", json_integer((json_int_t)strlen(s->outcomes)));
  value_set(schedule, "reference", json_integer((json_int_t)schedule_count(s->outcomes, RUN_REFERENCE)));
  value_set(schedule, "outcomes", value_string(s->outcomes));
  value_set(schedule, "verdict", json_string(schedule_verdict_name(amplification_verdict(s))));
  value_set(schedule, "meant", json_boolean(s->meant));
  if (s->suppressed != NULL) {
    value_set(schedule, "suppressed", value_string(s->suppressed));
  }
  value_set(schedule, "explanation", explanation_of(v, l, s));
  value_set(schedule, "reached", reached_of(v, s));
  return schedule;
}

static json_t *skipped_of(const view *v, const db_launch *l) {
  json_t *launch = json_object();
  value_set(launch, "kernel", value_string(v->kernels[l->kernel].name));
  value_set(launch, "launch", json_integer(l->number));
  value_set(launch, "reason", value_string(l->skipped));
  value_set(launch, "test", json_integer(l->test_case));
  return launch;
}

void value_amplification(json_stream *report, const view *v, const report_options *options) {
  if (!amplification_is(v)) {
    return;
  }
  amplification a;
  amplification_totals(v, options, &a);
  json_stream_value(report, "amplification", summary_of(&a));
  json_stream_array(report, "schedules");
  for (size_t i = 0; i < v->launch_count; i++) {
    const db_launch *l = &v->launches[i];
    for (size_t k = 0; a.selected[i] && k < l->schedule_count; k++) {
      json_stream_item(report, schedule_of(v, l, &l->schedules[k]));
    }
  }
  json_stream_close(report);
  json_stream_array(report, "launches_skipped");
  for (size_t i = 0; i < v->launch_count; i++) {
    if (a.selected[i] && v->launches[i].schedule_count == 0) {
      json_stream_item(report, skipped_of(v, &v->launches[i]));
    }
  }
  json_stream_close(report);
  amplification_free(&a);
}
