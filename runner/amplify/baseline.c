/* The program as it is, several times: whether it varies by itself, and a capture of it. */
#include "base/clock.h"
#include "runner/amplify/internal.h"
#include "runner/experiment/run_words.h"

enum { NAMED_OUTPUTS = 3, BASELINE_RUNS = 20, PROGRAM_RUNS = 3, FAILURES_LOOKED_AT = 3 };

static const char *test_name(const amplify *a) { return a->options->tests[a->test].name; }

void amplify_note_failure(amplify *a, const amplify_job *j) {
  amplify_note(a, "%s fails in some runs without any gate (%s %d)", test_name(a),
               j->job.timed_out ? "it hangs; status" : "exit status", j->job.status);
}

/* A program that fails at once is not ours to judge; one that fails now and then may well be what is looked for. */
static int plain_ended(amplify *a, amplify_job *j, error *e) {
  (void)e;
  amplify_outcome *out = a->out;
  bool first = a->seconds == 0;
  bool fails = j->job.status != 0 || j->job.timed_out;
  out->status = j->job.status > out->status ? j->job.status : out->status;
  if (fails && first) {
    failure_words(&j->job, test_name(a), "without any gate", out->why, sizeof out->why);
    out->baseline_failed = true;
  } else if (fails) {
    amplify_note_failure(a, j);
  }
  if (fails) {
    return 0;
  }
  amplify_learn(&a->plain, j, first);
  a->seconds = j->job.seconds > a->seconds ? j->job.seconds : a->seconds;
  return 0;
}

static int run_plain(amplify *a, unsigned runs, error *e) {
  return amplify_run_form(a, FORM_PLAIN, false, runs, plain_ended, e);
}

/* The first run; when it fails, up to two more: one that ends well shows that it fails now and then. */
static int run_first(amplify *a, error *e) {
  int result = run_plain(a, 1, e);
  for (int i = 1; i < FAILURES_LOOKED_AT && result == 0 && a->out->baseline_failed && !a->out->interrupted; i++) {
    a->out->baseline_failed = false;
    result = run_plain(a, 1, e);
    if (result == 0 && !a->out->baseline_failed && !a->out->interrupted) {
      amplify_note(a, "%s\n%s does so now and then (%d of %d runs so far); those that end well are looked at",
                   a->out->why, test_name(a), i, i + 1);
    }
  }
  return result;
}

/* --- what varies ----------------------------------------------------------------------------------------------------
 */

/* The first few are named, of the others there is only the number. */
static int say_unstable(void *context, const char *what, double share, error *e) {
  amplify *a = context;
  (void)e;
  if (++a->unstable_count > NAMED_OUTPUTS) {
    return 0;
  }
  amplify_note(
      a, "%s: the program differs from itself without any gate: %s differs from run to run (%.3g %% of its bytes)",
      test_name(a), what, share * 100);
  return 0;
}

static int store_unstable(void *context, const char *what, double share, error *e) {
  amplify *a = context;
  a->out->unstable = true;
  if (++a->unstable_count > NAMED_OUTPUTS) {
    return db_add_unstable(a->db, a->test_row, what, share, e);
  }
  amplify_note(a,
               "%s: %s differs from run to run also when work-groups execute one after another (%.3g %% of its bytes): "
               "the order of the groups is not why, and this is no evidence",
               test_name(a), what, share * 100);
  return db_add_unstable(a->db, a->test_row, what, share, e);
}

int amplify_name_unstable(amplify *a, const transcript *t, bool ordered, error *e) {
  a->unstable_count = 0;
  int result = unstable_outputs(t, a->options->oracle, ordered ? store_unstable : say_unstable, a, e);
  if (a->unstable_count > NAMED_OUTPUTS) {
    amplify_note(a, "%s: and so do %zu other outputs", test_name(a), a->unstable_count - NAMED_OUTPUTS);
  }
  return result;
}

/* --- runs -----------------------------------------------------------------------------------------------------------
 */

/* Some of these runs are to be in another second than the first, for programs that go by the time. Where few are made,
 * the last one waits for that while the survey goes on. */
int amplify_baseline(amplify *a, error *e) {
  const unsigned all = a->options->runs < BASELINE_RUNS ? a->options->runs : BASELINE_RUNS;
  const unsigned runs = amplify_may_replay(a) && all > PROGRAM_RUNS ? PROGRAM_RUNS : all;
  a->plain_left = all - runs;
  a->plain_later = runs < all ? 1 : 0;
  amplify_phase_begin(a, AMPLIFY_BASELINE, runs - a->plain_later);
  if (run_first(a, e) != 0 || !amplify_goes_on(a)) {
    return a->out->baseline_failed || a->out->interrupted ? 0 : -1;
  }
  a->first_ended = time(NULL);
  if (runs > 1 && a->plain_later == 0) {
    clock_sleep_past(a->first_ended);
  }
  if (amplify_capture(a, e) != 0) {
    return -1;
  }
  const unsigned more = runs - 1 - a->plain_later, done = more > 0 && a->replay ? 1 : 0;
  if (more > done && amplify_goes_on(a) && run_plain(a, more - done, e) != 0) {
    return -1;
  }
  return amplify_goes_on(a) && a->plain_later == 0 ? amplify_name_unstable(a, &a->plain, false, e) : 0;
}

int amplify_baseline_later(amplify *a, error *e) {
  if (a->plain_later == 0 || !amplify_goes_on(a)) {
    return 0;
  }
  clock_sleep_past(a->first_ended);
  if (run_plain(a, a->plain_later, e) != 0) {
    return -1;
  }
  return amplify_goes_on(a) ? amplify_name_unstable(a, &a->plain, false, e) : 0;
}

int amplify_baseline_rest(amplify *a, error *e) {
  const unsigned runs = a->plain_left;
  const bool known = transcript_unstable(&a->plain) || transcript_unstable(&a->reference);
  a->plain_left = 0;
  if (runs == 0) {
    return 0;
  }
  amplify_phase_begin(a, AMPLIFY_BASELINE, runs);
  if (a->replay) {
    if (amplify_check_plain(a, runs, e) != 0) {
      return -1;
    }
    if (a->replay || !amplify_goes_on(a)) {
      return 0;
    }
  }
  if (run_plain(a, runs, e) != 0) {
    return -1;
  }
  if (known || !transcript_unstable(&a->plain) || !amplify_goes_on(a)) {
    return 0;
  }
  return amplify_name_unstable(a, &a->plain, false, e) != 0 ? -1 : amplify_blame(a, e);
}
