/* Why a launch is not consistent: the first such launch of each kernel and verdict is looked at once more. */
#include "runner/amplify/explain.h"

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
  if (s->launch->meant) {
    return 0;
  }
  buffer message = {0};
  buffer_printf(&message, "launch %u, ", (unsigned)s->launch->number);
  put_schedule(s, &message, s->trial);
  buffer_printf(&message, ": %s", s->out.text);
  const model *m = &s->program->result.model;
  const model_function *f = &m->functions[m->kernels[s->launch->kernel].function];
  int result = db_add_finding(a->base.db, amplify_case(a)->row, s->program->stored.kernels[s->launch->kernel],
                              s->program->stored.sites[f->site], rule_of(v), buffer_text(&message), e);
  buffer_free(&message);
  return result;
}

static int explain(amplify *a, size_t launch, trial *t, error *e) {
  const gated_launch *l = &a->launches[launch];
  const session_program *p = &a->session->programs[l->program];
  subject s = {.amplify = a,
               .launch_index = launch,
               .launch = l,
               .trial = t,
               .program = p,
               .kernel = &p->result.kernels[l->kernel],
               .name = p->result.model.kernels[l->kernel].name};
  schedule_verdict v = schedule_judge(t->outcomes);
  int result = 0;
  if (v == VERDICT_RACE) {
    result = explain_race(&s, e);
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

static const schedule_verdict explained[] = {VERDICT_RACE, VERDICT_DEADLOCK, VERDICT_CRASH};

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

int amplify_explain(amplify *a, error *e) {
  experiment_phase_begin(&a->base, PHASE_EXPLANATION, 0);
  int result = 0;
  for (size_t i = 0; i < a->launch_count; i++) {
    for (size_t k = 0; k < sizeof explained / sizeof explained[0] && result == 0 && amplify_goes_on(a); k++) {
      trial *t = trial_with(&a->launches[i], explained[k]);
      if (t != NULL && !shown_before(a, i, explained[k])) {
        result = explain(a, i, t, e);
      }
    }
  }
  return result;
}
