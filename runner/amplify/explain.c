/* Why a launch is not consistent: the first such launch of each kernel and verdict is looked at once more. */
#include "runner/amplify/explain.h"

#include <stdlib.h>

#include "base/memory.h"
#include "runner/session/races.h"

void explain_place(subject *s, const db_explained *place) {
  *ARRAY_ADD(s->places, s->place_count, s->place_capacity) = *place;
}

static const char *rule_of(schedule_verdict v) {
  return v == VERDICT_RACE ? "data-race" : v == VERDICT_DEADLOCK ? "deadlock" : "crash";
}

/* Of a kernel: at the two accesses of a race, else where it begins. `t`: what shows it; NULL: runs that no schedule accounts
 * for. */
static int put_finding(amplify *a, const gated_launch *l, const trial *t, const seen_race *race, const char *rule,
                       error *e) {
  const known_program p = session_program_at(a->session, l->program);
  const model *m = &p.result->model;
  const model_function *f = &m->functions[m->kernels[l->kernel].function];
  db_finding finding = {.of.run = a->base.run,
                        .of.test_case = amplify_case(a)->row,
                        .of.program = p.stored->id,
                        .of.kernel = p.stored->kernels[l->kernel],
                        .schedule = t == NULL ? 0 : t->row,
                        .rule = rule};
  told_race told = {0};
  if (race != NULL) {
    races_tell(a->checks, race, &told);
    finding.places = told.places;
    finding.place_count = told.place_count;
    finding.detail = told.detail;
    finding.detail.cause = t == NULL ? "varied" : NULL;
  } else {
    finding.of.site = p.stored->sites[f->site];
  }
  return db_put_finding(a->base.db, &finding, e);
}

static int store(subject *s, schedule_verdict v, error *e) {
  amplify *a = s->amplify;
  s->out.places = s->places;
  s->out.place_count = s->place_count;
  if (db_put_explanation(a->base.db, s->trial->row, &s->out, e) != 0) {
    return -1;
  }
  const bool shown = !s->launch->meant && v != VERDICT_ORDER && v != VERDICT_DIFFERS;
  const seen_race *race = v == VERDICT_RACE ? s->race : NULL;
  return shown || race != NULL ? put_finding(a, s->launch, s->trial, race, rule_of(v), e) : 0;
}

/* --- races that were seen ----------------------------------------------------------------------------------------- */

/* Both accesses of the race, where one was seen; why nothing is known of them, or that there is none. */
static void add_race(subject *s, schedule_verdict v) {
  s->race = amplify_race_of(s->amplify, s->launch, &s->obstacle);
  s->out.why.race = v == VERDICT_ORDER ? "none" : s->race == NULL ? "unknown" : "seen";
  s->out.why.race_why = v == VERDICT_ORDER && !s->kernel->atomics ? "it has no atomic functions" : s->obstacle;
  if (v != VERDICT_ORDER && s->race != NULL) {
    told_race told;
    races_tell(s->amplify->checks, s->race, &told);
    const db_place *last = &told.places[told.place_count - 1];
    s->out.file_name = s->program->model.files[last->file].name;
    s->out.line = last->line;
  }
}

/* A race that was seen of a kernel whose results vary, though no order of its work-groups shows it. */
static int tell_seen(amplify *a, const gated_launch *l, error *e) {
  const char *why = NULL;
  const seen_race *race = amplify_race_of(a, l, &why);
  return race == NULL ? 0 : put_finding(a, l, NULL, race, "data-race", e);
}

static int explain(amplify *a, size_t launch, trial *t, error *e) {
  const gated_launch *l = &a->launches[launch];
  const instrument_result *p = session_program_at(a->session, l->program).result;
  subject s = {
      .amplify = a, .launch_index = launch, .launch = l, .trial = t, .program = p, .kernel = &p->kernels[l->kernel]};
  const schedule_verdict v = trial_judge(l, t);
  int result = 0;
  if (v == VERDICT_RACE || v == VERDICT_ORDER || v == VERDICT_DIFFERS) {
    result = explain_race(&s, e);
    add_race(&s, v);
  } else if (v == VERDICT_DEADLOCK) {
    result = explain_deadlock(&s, e);
  } else {
    s.out.why.kind = "signal";
  }
  if (result == 0 && !a->out->common.interrupted) {
    result = store(&s, v, e);
  }
  if (s.expected != NULL) {
    experiment_job_free(&s.expected->base);
  }
  buffer_free(&s.argument);
  free(s.places);
  return result;
}

static const schedule_verdict explained[] = {VERDICT_RACE, VERDICT_DEADLOCK, VERDICT_CRASH, VERDICT_ORDER,
                                             VERDICT_DIFFERS};

/* Whether an earlier launch of the same kernel has the verdict. */
static bool shown_before(const amplify *a, size_t launch, schedule_verdict v) {
  for (size_t i = 0; i < launch; i++) {
    const gated_launch *l = &a->launches[i];
    if (launch_same_kernel(l, &a->launches[launch]) && trial_with(l, v) != NULL) {
      return true;
    }
  }
  return false;
}

/* Whether launches of the kernel before this one are selected, too, or one of them has the verdict. */
static bool told_before(const amplify *a, size_t launch) {
  bool told = false;
  for (size_t i = 0; i < a->launch_count && !told; i++) {
    const gated_launch *l = &a->launches[i];
    const bool same = launch_same_kernel(l, &a->launches[launch]);
    told = same && ((i < launch && l->row != 0) || trial_with(l, VERDICT_RACE) != NULL);
  }
  return told;
}

static int explain_varied(amplify *a, error *e) {
  int result = 0;
  if (a->varied && a->unchecked != NULL) {
    experiment_note(&a->base, "%s: results differed in runs that no schedule accounts for; %s",
                    a->options->common.tests[a->base.begin].name, a->unchecked);
  }
  for (size_t i = 0; i < a->launch_count && a->varied && result == 0; i++) {
    const gated_launch *l = &a->launches[i];
    if (l->row != 0 && !l->meant && !told_before(a, i)) {
      result = tell_seen(a, l, e);
    }
  }
  return result;
}

/* The trial of a launch of which a run was watched while it hung; `other` if there is none. */
static trial *watched_or(const gated_launch *l, trial *other) {
  trial *found = other;
  for (size_t t = 0; t < l->trial_count; t++) {
    found = l->trials[t].watched != NULL && found->watched == NULL ? &l->trials[t] : found;
  }
  return found;
}

int amplify_explain(amplify *a, error *e) {
  experiment_phase_begin(&a->base, PHASE_EXPLANATION, 0);
  int result = 0;
  for (size_t i = 0; i < a->launch_count; i++) {
    for (size_t k = 0; k < sizeof explained / sizeof explained[0] && result == 0 && amplify_goes_on(a); k++) {
      trial *t = trial_with(&a->launches[i], explained[k]);
      t = explained[k] == VERDICT_DEADLOCK && t != NULL ? watched_or(&a->launches[i], t) : t;
      if (t != NULL && !shown_before(a, i, explained[k])) {
        result = explain(a, i, t, e);
      }
    }
  }
  return result != 0 || !amplify_goes_on(a) ? result : explain_varied(a, e);
}
