/* Where results depend on the order of work-groups: is that a race? The test case runs once more with its accesses to
 * memory checked, as `cltestcheck races` does. Where no two of a kernel's accesses race, atomic functions are why, whose
 * order the program leaves open. */
#include <stdlib.h>
#include <string.h>

#include "runner/amplify/internal.h"
#include "runner/session/races.h"

/* What was read differently and is no evidence of any schedule is a reason, too. */
static bool is_wanted(amplify *a) {
  a->varied =
      a->varied || a->in_order || transcript_unstable(&amplify_case(a)->plain) || transcript_unstable(&a->reference);
  return a->varied || trials_count(a->launches, a->launch_count, VERDICT_DIFFERS, true) > 0;
}

/* --- the run ------------------------------------------------------------------------------------------------------ */

static const char *failure_of(const amplify *a, const amplify_job *j) {
  const pool_job *job = &j->base.job;
  if (job->timed_out || job->stopped) {
    return "its accesses could not be checked in the time there was";
  }
  if (job->worker != 0) {
    return job->replayed && !job->incomplete ? NULL : "a replay whose accesses are checked failed";
  }
  return job->status == amplify_case(a)->plain.status ? NULL
                                                      : "the program ends otherwise while its accesses are checked";
}

static int run_round(amplify *a, program_form form, unsigned round, error *e) {
  amplify_job *j = amplify_job_new(a, form);
  j->base.job.child.cells_round = round;
  if (amplify_replays(a)) {
    amplify_replay_checked(j, round);
  }
  const int result = experiment_run_single(&a->base, &j->base, e);
  a->unchecked = failure_of(a, j);
  a->check_late = j->base.job.timed_out || j->base.job.stopped;
  experiment_job_free(&j->base);
  return result;
}

/* In as many rounds as it takes until all memory was checked. */
static int run_checked(amplify *a, program_form form, error *e) {
  int result = run_round(a, form, 0, e);
  for (unsigned round = 1; result == 0 && a->unchecked == NULL && round < session_check_rounds(a->checks); round++) {
    result = amplify_goes_on(a) ? run_round(a, form, round, e) : 0;
  }
  if (a->unchecked == NULL && session_check_lacks_rounds(a->checks)) {
    a->unchecked = "its memory is too large to be checked";
  }
  return result;
}

/* --- what it says ------------------------------------------------------------------------------------------------- */

/* The program with this source among those that were checked; false: it is not there. */
static bool find_checked(const amplify *a, uint32_t program, uint32_t *number) {
  const char *wanted = session_program_at(a->session, program).key, *key = "";
  for (*number = 0; (key = session_program_at(a->checks, *number).key) != NULL && strcmp(key, wanted) != 0; ++*number) {
  }
  return key != NULL;
}

const seen_race *amplify_race_of(const amplify *a, const gated_launch *l, const char **why) {
  static const char *const unknown = "no launch of it was checked";
  uint32_t program = 0;
  const bool there = find_checked(a, l->program, &program);
  const seen_race *race = there ? races_worst(a->checks, program, l->kernel) : NULL;
  *why = race != NULL           ? NULL
         : a->unchecked != NULL ? a->unchecked
         : there                ? races_obstacle(a->checks, program, l->kernel)
                                : unknown;
  return race;
}

static int judge(amplify *a, gated_launch *l, error *e) {
  const char *why = NULL;
  int result = 0;
  const bool raced = amplify_race_of(a, l, &why) != NULL;
  l->accesses = raced || (why != NULL && !a->check_late) ? ACCESSES_RACE
                : why != NULL                            ? ACCESSES_UNCHECKED
                                                         : ACCESSES_RACELESS;
  for (size_t t = 0; t < l->trial_count && result == 0; t++) {
    if (schedule_judge(l->trials[t].outcomes) == VERDICT_RACE) {
      l->trials[t].recorded = false;
      result = amplify_store_trial(a, l, &l->trials[t], e);
    }
  }
  return result;
}

/* Whether some schedule of a launch differs, no race is seen, and nothing speaks against that. */
static bool any_without(const amplify *a) {
  bool any = false;
  for (size_t i = 0; i < a->launch_count && !any; i++) {
    const char *why = NULL;
    any = trial_with(&a->launches[i], VERDICT_DIFFERS) != NULL && amplify_race_of(a, &a->launches[i], &why) == NULL &&
          why == NULL;
  }
  return any;
}

/* What a group waits for may come too late in another order, and what it does then may race: the opposite order is
 * looked at, too. Where groups wait without end, it cannot be. */
static int look_in_both_orders(amplify *a, error *e) {
  if (run_checked(a, FORM_CHECKED, e) != 0) {
    return -1;
  }
  if (!amplify_goes_on(a) || !any_without(a)) {
    return 0;
  }
  if (trials_count(a->launches, a->launch_count, VERDICT_DEADLOCK, true) > 0) {
    a->unchecked = "groups wait for others, and what they do in an order in which that does not end is not known";
    return 0;
  }
  return run_checked(a, FORM_CHECKED_REVERSED, e);
}

int amplify_check(amplify *a, error *e) {
  a->check_late = false;
  if (!is_wanted(a)) {
    return 0;
  }
  experiment_phase_begin(&a->base, PHASE_EXPLANATION, 1);
  races_forget(a->checks);
  session_check_apart(a->checks, false);
  session_begin_test_case(a->checks, amplify_case(a)->row, a->options->common.tests[a->base.begin].argv);
  int result = look_in_both_orders(a, e);
  for (size_t i = 0; i < a->launch_count && result == 0 && amplify_goes_on(a); i++) {
    result = judge(a, &a->launches[i], e);
  }
  return result;
}
