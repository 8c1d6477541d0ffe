/* Whether the order of the work-groups is why a program differs from itself: it runs with one group after another. */
#include "base/clock.h"
#include "runner/amplify/internal.h"

enum { SERIAL_RUNS = 3 };

/* A program that its own memory makes fail when that is filled says nothing of the order: it runs without. */
static int serial_ended(experiment *x, experiment_job *job, error *e) {
  amplify *a = (amplify *)x;
  amplify_job *j = (amplify_job *)job;
  (void)e;
  a->serial_failed = j->base.job.child.perturb != NULL &&
                     (j->base.job.timed_out || j->base.job.status != amplify_case(a)->plain.status);
  if (a->serial_failed) {
    return 0;
  }
  const bool told = !j->base.job.timed_out && j->base.job.status == a->reference.status;
  a->serial_told = told && (!a->serial_known || a->serial_told);
  experiment_learn(&a->serial, &j->base, !a->serial_known);
  a->serial_known = true;
  return 0;
}

/* One group after another, in every launch. Memory that nobody has written is filled with something else each time, and
 * time() says something else. */
static int run_serially(amplify *a, error *e) {
  static const char *const fillings[SERIAL_RUNS] = {"0", "85", "170"};
  int result = 0;
  bool filled = true;
  a->progress.common.total += SERIAL_RUNS;
  for (int i = 0; i < SERIAL_RUNS && result == 0 && amplify_goes_on(a);) {
    amplify_job *j = amplify_job_new(a, amplify_gated_form(a));
    j->base.job.child.perturb = filled ? fillings[i] : NULL;
    for (size_t l = 0; l < a->launch_count; l++) {
      amplify_job_gate(j, l, &amplify_in_order);
    }
    result = experiment_run_jobs(&a->base, &(experiment_job *){&j->base}, 1, serial_ended, e);
    if (i == 0) {
      clock_sleep_past(time(NULL));
    }
    filled = !a->serial_failed;
    i += filled ? 1 : 0;
  }
  return result;
}

/* Whether something varies that does not when groups execute one after another. */
static bool order_is_why(const amplify *a) {
  return !transcript_within(&amplify_case(a)->plain, &a->serial) || !transcript_within(&a->reference, &a->serial);
}

/* Where the order is why, what one order gives is the reference, and launches that a run is not about have that order:
 * else what they vary in would be blamed on the others. */
static void take_serial(amplify *a) {
  if (a->serial_known && a->serial_told && order_is_why(a)) {
    transcript_free(&a->reference);
    a->reference = a->serial;
    a->serial = (transcript){0};
    a->in_order = true;
  } else {
    transcript_unmark(&a->reference);
    transcript_mark(&a->reference, &a->serial);
  }
}

int amplify_blame(amplify *a, error *e) {
  const char *name = a->options->common.tests[a->base.begin].name;
  if (run_serially(a, e) != 0 || !amplify_goes_on(a)) {
    return amplify_goes_on(a) ? -1 : 0;
  }
  if (!transcript_unstable(&amplify_case(a)->plain)) {
    experiment_note(&a->base, "%s: the program differs from itself once its kernels are gated, with the gate open",
                    name);
  }
  int result = amplify_name_unstable(a, &a->serial, true, e);
  if (!transcript_unstable(&a->serial)) {
    experiment_note(&a->base, "%s: it does not differ when work-groups execute one after another: their order is why",
                    name);
  }
  take_serial(a);
  transcript_free(&a->serial);
  a->serial = (transcript){0};
  a->serial_known = false;
  return result;
}
