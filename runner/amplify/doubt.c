/* Before a race is reported, the reference is looked at once more: results that vary seldom may have shown in none of
 * its runs, and whether the order of the groups is why has to be known. */
#include "runner/amplify/internal.h"

enum { REPLAYS = 20, PROGRAM_RUNS = 5 };

static bool any_race(const amplify *a) { return trials_count(a->launches, a->launch_count, VERDICT_DIFFERS, true) > 0; }

static int looked_at(experiment *x, experiment_job *job, error *e) {
  amplify *a = (amplify *)x;
  amplify_job *j = (amplify_job *)job;
  (void)e;
  const bool told = j->base.job.worker != 0 ? j->base.job.replayed && !j->base.job.incomplete
                                            : !j->base.job.timed_out && j->base.job.status == a->reference.status;
  if (told) {
    experiment_learn(&a->reference, &j->base, false);
  }
  return 0;
}

/* There is another reference. Where what it reads varies whatever the order, it is run as a whole, as every such
 * program, and what varies is no evidence. Where one order is the reference now, a run that gave what the old one gave may differ
 * from it, and a run that did not may not. */
static int try_again(amplify *a, error *e) {
  const bool replayed = amplify_replays(a) && transcript_unstable(&a->reference);
  if (replayed) {
    amplify_no_replay(a, "what it reads differs from run to run");
  }
  for (size_t i = 0; i < a->launch_count; i++) {
    for (size_t t = 0; t < a->launches[i].trial_count; t++) {
      const schedule_verdict v = schedule_judge(a->launches[i].trials[t].outcomes);
      a->varied = a->varied || v == VERDICT_RACE;
      if (v == VERDICT_RACE || (a->in_order && v == VERDICT_CONSISTENT)) {
        trial_forget(&a->launches[i].trials[t], a->options->common.runs);
      }
    }
  }
  return replayed && amplify_say_engine(a, e) != 0 ? -1 : amplify_trials(a, e);
}

static bool has_other_reference(const amplify *a) { return transcript_unstable(&a->reference) || a->in_order; }

int amplify_doubt(amplify *a, error *e) {
  if (!any_race(a) || transcript_unstable(&amplify_case(a)->plain) || transcript_unstable(&a->reference)) {
    return 0;
  }
  if (amplify_baseline_rest(a, e) != 0 || !amplify_goes_on(a)) {
    return amplify_goes_on(a) ? -1 : 0;
  }
  if (transcript_unstable(&amplify_case(a)->plain)) { /* and the order was looked at, whether it is why */
    return has_other_reference(a) ? try_again(a, e) : 0;
  }
  const unsigned runs = amplify_replays(a) ? REPLAYS : PROGRAM_RUNS;
  experiment_phase_begin(&a->base, PHASE_PREPARE, runs);
  if (amplify_run_form(a, amplify_gated_form(a), false, runs, looked_at, e) != 0) {
    return amplify_goes_on(a) ? -1 : 0;
  }
  if (!transcript_unstable(&a->reference) || !amplify_goes_on(a)) {
    return 0;
  }
  if (amplify_blame(a, e) != 0 || !amplify_goes_on(a)) {
    return amplify_goes_on(a) ? -1 : 0;
  }
  return has_other_reference(a) ? try_again(a, e) : 0;
}
