/* The test case in work, captured once and done again without its program in every run of its schedules. */
#include "runner/amplify/internal.h"
#include "runner/experiment/run_words.h"
#include "wire/fields.h"
#include "wire/protocol.h"

/* Its launches are not known before the first survey: there the layer asks. */
static void put_schedules(const amplify_job *j, buffer *answer) {
  const amplify *a = j->amplify;
  uint32_t count = 0;
  for (size_t i = 0; i < j->launch_count; i++) {
    count += amplify_says_of(j, i) ? 1 : 0;
  }
  wire_put_u32(answer, j->occupancy ? ASK_SCHEDULES : count);
  for (size_t i = 0; i < j->launch_count && !j->occupancy; i++) {
    if (amplify_says_of(j, i)) {
      wire_put_u32(answer, a->launches[i].program);
      wire_put_u32(answer, a->launches[i].kernel);
      wire_put_u32(answer, a->launches[i].number);
      amplify_put_schedule(j, i, a->launches[i].number, answer);
    }
  }
}

static void put_turn(pool_job *job, buffer *answer) {
  const amplify_job *j = (const amplify_job *)job;
  turn_begin(answer, (uint64_t)j->form, j->base.against, 0, false);
  wire_put_u32(answer, 0); /* kernels of schemas */
  put_schedules(j, answer);
  turn_end(answer, NULL);
}

void amplify_replay_job(amplify_job *j) { experiment_replay_job(&j->base, j->base.test + 1, put_turn); }

void amplify_replay_checked(amplify_job *j, unsigned round) {
  experiment_replay_job(&j->base, (uint64_t)(round + 1) << 32 | (j->base.test + 1), put_turn);
}

/* --- whether the test case is replayed ---------------------------------------------------------------------------- */

void amplify_no_replay(amplify *a, const char *why) {
  error never; /* it is said later */
  (void)experiment_lose_replays(&a->base, a->base.begin, why, &never);
}

void amplify_check_stable(amplify *a) {
  const char *why = replay_obstacle(&amplify_case(a)->plain);
  if (why != NULL) {
    amplify_no_replay(a, why);
  }
}

static bool has_trials(const amplify *a) {
  for (size_t i = 0; i < a->launch_count; i++) {
    if (a->launches[i].trial_count > 0) {
      return true;
    }
  }
  return false;
}

int amplify_say_engine(amplify *a, error *e) {
  return experiment_may_replay(&a->base) && !amplify_replays(a) && has_trials(a)
             ? experiment_say_not_replayed(&a->base, a->base.begin, e)
             : 0;
}

/* --- the capture -------------------------------------------------------------------------------------------------- */

int amplify_capture(experiment *x, unsigned *runs, error *e) {
  amplify *a = (amplify *)x;
  amplify_check_stable(a);
  if (!experiment_may_replay(x) || amplify_case(a)->no_replay[0] != '\0') {
    return 0;
  }
  experiment_happens(x, x->begin, EVENT_STEADY);
  if (experiment_capture_file(x, x->begin, e) != 0 || experiment_capture(x, e) != 0) {
    return -1;
  }
  *runs += amplify_replays(a) ? 1 : 0;
  return 0;
}

/* --- replays of the program as it is ------------------------------------------------------------------------------ */

static int checked(experiment *x, experiment_job *job, error *e) {
  amplify *a = (amplify *)x;
  const amplify_job *j = (amplify_job *)job;
  if (!amplify_replays(a)) {
    return 0; /* known from another one */
  }
  if (!j->base.job.replayed) {
    char why[512];
    worker_words(&j->base.job, why, sizeof why);
    amplify_no_replay(a, why);
    return experiment_say_not_replayed(&a->base, a->base.begin, e);
  }
  if (j->base.job.incomplete || amplify_job_outcome(j, NO_LAUNCH) != RUN_REFERENCE) {
    a->varied = true;
    amplify_no_replay(a, "a replay reads other values than the program");
    return experiment_say_not_replayed(&a->base, a->base.begin, e);
  }
  return 0;
}

int amplify_check_plain(amplify *a, unsigned runs, error *e) {
  return amplify_run_form(a, FORM_UNTOUCHED, false, runs, checked, e);
}
