/* Why a launch is not consistent: the first such launch of each kernel and verdict is looked at once more. */
#include "runner/amplify/explain.h"

#include <stdlib.h>

#include "base/memory.h"
#include "reports/words/finding_words.h"
#include "runner/session/races.h"

void put_schedule(const subject *s, buffer *to, const trial *t) {
  char words[SCHEDULE_TEXT] = "the gate open";
  if (t != NULL || s->amplify->in_order) {
    schedule_describe(t == NULL ? &amplify_in_order : &t->schedule, words);
  }
  buffer_puts(to, words);
}

static const char *rule_of(schedule_verdict v) {
  return v == VERDICT_RACE ? "data-race" : v == VERDICT_DEADLOCK ? "deadlock" : "crash";
}

/* Of a kernel: at the two accesses of a race, else where it begins. */
static int put_finding(amplify *a, const gated_launch *l, const seen_race *race, const char *rule,
                       const buffer *message, error *e) {
  const known_program p = session_program_at(a->session, l->program);
  const model *m = &p.result->model;
  const model_function *f = &m->functions[m->kernels[l->kernel].function];
  db_finding finding = {.run = a->base.run,
                        .test_case = amplify_case(a)->row,
                        .program = p.stored->id,
                        .kernel = p.stored->kernels[l->kernel],
                        .rule = rule,
                        .message = buffer_text(message)};
  told_race told = {0};
  if (race != NULL) {
    races_tell(a->checks, race, &told);
    finding.places = told.places;
    finding.place_count = told.place_count;
    finding.detail = told.detail;
  } else {
    finding.site = p.stored->sites[f->site];
  }
  return db_put_finding(a->base.db, &finding, e);
}

static int store(subject *s, schedule_verdict v, error *e) {
  amplify *a = s->amplify;
  s->out.text = buffer_text(&s->text);
  s->out.unfinished = buffer_text(&s->unfinished);
  s->out.argument = s->out.argument == NULL ? "" : s->out.argument;
  s->out.reference = s->out.reference == NULL ? "" : s->out.reference;
  s->out.seen = s->out.seen == NULL ? "" : s->out.seen;
  s->out.file = s->out.file == NULL ? "" : s->out.file;
  if (db_put_explanation(a->base.db, s->trial->row, &s->out, e) != 0) {
    return -1;
  }
  if (s->launch->meant || v == VERDICT_ORDER || v == VERDICT_DIFFERS) {
    return 0;
  }
  buffer message = {0};
  buffer_printf(&message, "launch %u, ", (unsigned)s->launch->number);
  put_schedule(s, &message, s->trial);
  buffer_printf(&message, ": %s", s->out.text);
  const int result = put_finding(a, s->launch, v == VERDICT_RACE ? s->race : NULL, rule_of(v), &message, e);
  buffer_free(&message);
  return result;
}

/* --- races that were seen ----------------------------------------------------------------------------------------- */

/* In words, with the files of both accesses. */
static void put_race(const told_race *told, const model *m, buffer *to) {
  const told_finding words = {.rule = told->benign ? "benign-race" : "data-race",
                              .detail = &told->detail,
                              .places = told->places,
                              .place_count = told->place_count};
  char **names = mem_calloc(m->file_count + 1, sizeof *names);
  for (size_t i = 0; i < m->file_count; i++) {
    names[i] = m->files[i].name;
  }
  finding_sentence(&words, names, to);
  free(names);
}

/* Both accesses of the race, where one was seen; why nothing is known of them, or that there is none. */
static void add_race(subject *s, schedule_verdict v) {
  const char *why = NULL;
  s->race = amplify_race_of(s->amplify, s->launch, &why);
  if (v == VERDICT_ORDER) {
    buffer_puts(&s->text, "; none of its accesses race: the order in which atomic functions execute is left open");
  } else if (s->race == NULL) {
    buffer_printf(&s->text, "; whether accesses of it race is not known: %s",
                  why == NULL ? "there was no time to check them" : why);
  } else {
    told_race told;
    races_tell(s->amplify->checks, s->race, &told);
    const db_place *last = &told.places[told.place_count - 1];
    buffer_puts(&s->text, "; race: ");
    put_race(&told, &s->program->model, &s->text);
    s->out.file = s->program->model.files[last->file].name;
    s->out.line = last->line;
  }
}

/* A race that was seen of a kernel whose results vary, though no order of its work-groups shows it. */
static int tell_seen(amplify *a, const gated_launch *l, error *e) {
  const char *why = NULL;
  const seen_race *race = amplify_race_of(a, l, &why);
  if (race == NULL) {
    return 0;
  }
  told_race told;
  races_tell(a->checks, race, &told);
  buffer message = {0};
  put_race(&told, &session_program_at(a->session, l->program).result->model, &message);
  buffer_puts(&message, "; results of the program varied, though no schedule shows why");
  const int result = put_finding(a, l, race, "data-race", &message, e);
  buffer_free(&message);
  return result;
}

static int explain(amplify *a, size_t launch, trial *t, error *e) {
  const gated_launch *l = &a->launches[launch];
  const instrument_result *p = session_program_at(a->session, l->program).result;
  subject s = {.amplify = a,
               .launch_index = launch,
               .launch = l,
               .trial = t,
               .program = p,
               .kernel = &p->kernels[l->kernel],
               .name = p->model.kernels[l->kernel].name};
  const schedule_verdict v = trial_judge(l, t);
  int result = 0;
  if (v == VERDICT_RACE || v == VERDICT_ORDER || v == VERDICT_DIFFERS) {
    result = explain_race(&s, e);
    add_race(&s, v);
  } else if (v == VERDICT_DEADLOCK) {
    result = explain_deadlock(&s, e);
  } else {
    buffer_puts(&s.text, "the program is killed by a signal");
  }
  if (result == 0 && !a->out->common.interrupted) {
    result = store(&s, v, e);
  }
  if (s.expected != NULL) {
    experiment_job_free(&s.expected->base);
  }
  buffer_free(&s.text);
  buffer_free(&s.unfinished);
  buffer_free(&s.argument);
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
