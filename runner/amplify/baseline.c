/* The program as it is, several times: whether it varies by itself, and a capture of it. */
#include "runner/amplify/internal.h"
#include "runner/experiment/run_words.h"

enum { NAMED_OUTPUTS = 3 };

/* --- what varies -------------------------------------------------------------------------------------------------- */

/* The first few are named, of the others there is only the number. */
static int say_unstable(void *context, const char *what, double share, error *e) {
  amplify *a = context;
  (void)e;
  if (++a->unstable_count > NAMED_OUTPUTS) {
    return 0;
  }
  experiment_note(
      &a->base,
      "%s: the program differs from itself without any gate: %s differs from run to run (%.3g %% of its bytes)",
      amplify_test_name(a), what, share * 100);
  return 0;
}

static int store_unstable(void *context, const char *what, double share, error *e) {
  amplify *a = context;
  a->out->unstable = true;
  if (++a->unstable_count > NAMED_OUTPUTS) {
    return db_add_unstable(a->base.db, amplify_case(a)->row, what, share, e);
  }
  experiment_note(&a->base,
                  "%s: %s differs from run to run also when work-groups execute one after another (%.3g %% of its "
                  "bytes): the order of the groups is not why, and this is no evidence",
                  amplify_test_name(a), what, share * 100);
  return db_add_unstable(a->base.db, amplify_case(a)->row, what, share, e);
}

int amplify_name_unstable(amplify *a, const transcript *t, bool ordered, error *e) {
  a->unstable_count = 0;
  int result = unstable_outputs(t, a->options->common.oracle, ordered ? store_unstable : say_unstable, a, e);
  if (a->unstable_count > NAMED_OUTPUTS) {
    experiment_note(&a->base, "%s: and so do %zu other outputs", amplify_test_name(a),
                    a->unstable_count - NAMED_OUTPUTS);
  }
  return result;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

int amplify_baseline(amplify *a, error *e) {
  experiment *x = &a->base;
  a->plain_left = experiment_plain_runs(x) - experiment_program_runs(x);
  if (experiment_baseline(x, e) != 0) {
    return -1;
  }
  return amplify_goes_on(a) && !experiment_defers_run(x) ? amplify_name_unstable(a, &amplify_case(a)->plain, false, e)
                                                         : 0;
}

int amplify_baseline_later(amplify *a, error *e) {
  if (!experiment_defers_run(&a->base) || !amplify_goes_on(a)) {
    return 0;
  }
  if (experiment_baseline_later(&a->base, e) != 0) {
    return -1;
  }
  return amplify_goes_on(a) ? amplify_name_unstable(a, &amplify_case(a)->plain, false, e) : 0;
}

int amplify_check_replays(amplify *a, error *e) {
  if (a->plain_left == 0 || !amplify_replays(a)) {
    return 0;
  }
  experiment_phase_begin(&a->base, PHASE_BASELINE, a->plain_left);
  const int result = amplify_check_plain(a, a->plain_left, e);
  a->plain_left = amplify_replays(a) ? 0 : a->plain_left;
  return result;
}

int amplify_baseline_rest(amplify *a, error *e) {
  const unsigned runs = a->plain_left;
  a->plain_left = 0;
  if (runs == 0) {
    return 0;
  }
  experiment_phase_begin(&a->base, PHASE_BASELINE, runs);
  if (experiment_run_plain(&a->base, runs, NULL, e) != 0) {
    return -1;
  }
  if (!transcript_unstable(&amplify_case(a)->plain) || !amplify_goes_on(a)) {
    return 0;
  }
  return amplify_name_unstable(a, &amplify_case(a)->plain, false, e) != 0 ? -1 : amplify_blame(a, e);
}
