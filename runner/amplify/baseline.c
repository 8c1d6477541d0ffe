/* The program as it is, several times; then with every launch gated but the gate open: what is launched, how many
 * groups are in flight, and what the schedules are compared with. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/amplify/internal.h"
#include "runner/run_words.h"
#include "runner/session/internal.h"

enum { REFERENCE_RUNS = 3, NAMED_OUTPUTS = 3, BASELINE_RUNS = 20, PROGRAM_RUNS = 3 };

static const char *test_name(const amplify *a) { return a->options->tests[a->test].name; }

static int run_jobs(amplify *a, amplify_form form, bool survey, unsigned runs,
                    int (*ended)(amplify *, amplify_job *, error *), error *e) {
  amplify_job **jobs = mem_calloc(runs + 1, sizeof(amplify_job *));
  for (unsigned i = 0; i < runs; i++) {
    jobs[i] = amplify_job_new(a, form);
    if (survey) {
      amplify_job_survey(jobs[i]);
    }
  }
  int result = amplify_run_jobs(a, jobs, runs, ended, e);
  free(jobs);
  return result;
}

/* The first transcript of a program is kept, further ones tell what in it varies. */
static void keep(transcript *known, amplify_job *j, bool first) {
  if (first) {
    *known = j->seen;
    j->seen = (transcript){0};
  } else {
    transcript_learn(known, &j->seen);
  }
}

/* --- the program as it is -------------------------------------------------------------------------------------------
 */

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
    amplify_note(a, "%s fails in some runs without any gate (%s %d)", test_name(a),
                 j->job.timed_out ? "it hangs; status" : "exit status", j->job.status);
  }
  if (fails) {
    return 0;
  }
  keep(&a->plain, j, first);
  a->seconds = j->job.seconds > a->seconds ? j->job.seconds : a->seconds;
  return 0;
}

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

static int name_unstable(amplify *a, const transcript *t, unstable_found found, error *e) {
  a->unstable_count = 0;
  int result = unstable_outputs(t, a->options->oracle, found, a, e);
  if (a->unstable_count > NAMED_OUTPUTS) {
    amplify_note(a, "%s: and so do %zu other outputs", test_name(a), a->unstable_count - NAMED_OUTPUTS);
  }
  return result;
}

/* Some of these runs are to be in another second than the first, for programs that go by the time. Where few are made,
 * the last one waits for that while the survey goes on. */
int amplify_baseline(amplify *a, error *e) {
  const unsigned all = a->options->runs < BASELINE_RUNS ? a->options->runs : BASELINE_RUNS;
  const unsigned runs = amplify_may_replay(a) && all > PROGRAM_RUNS ? PROGRAM_RUNS : all;
  a->plain_left = all - runs;
  a->plain_later = runs < all ? 1 : 0;
  amplify_phase_begin(a, AMPLIFY_BASELINE, runs - a->plain_later);
  if (run_jobs(a, FORM_PLAIN, false, 1, plain_ended, e) != 0 || !amplify_goes_on(a)) {
    return a->out->baseline_failed || a->out->interrupted ? 0 : -1;
  }
  a->first_ended = time(NULL);
  if (runs > 1) {
    if (a->plain_later == 0) {
      clock_sleep_past(a->first_ended);
    }
    if (run_jobs(a, FORM_PLAIN, false, runs - 1 - a->plain_later, plain_ended, e) != 0) {
      return -1;
    }
  }
  return amplify_goes_on(a) && a->plain_later == 0 ? name_unstable(a, &a->plain, say_unstable, e) : 0;
}

static int baseline_later(amplify *a, error *e) {
  if (a->plain_later == 0 || !amplify_goes_on(a)) {
    return 0;
  }
  clock_sleep_past(a->first_ended);
  if (run_jobs(a, FORM_PLAIN, false, a->plain_later, plain_ended, e) != 0) {
    return -1;
  }
  return amplify_goes_on(a) ? name_unstable(a, &a->plain, say_unstable, e) : 0;
}

/* --- the survey -----------------------------------------------------------------------------------------------------
 */

static void pass_notes_on(amplify *a) {
  const char *text = NULL;
  for (size_t i = 0; (text = session_note(a->session, i)) != NULL; i++) {
    amplify_note(a, "%s", text);
  }
}

/* The device or its compiler does not bear our source; another exit status may be what the open gate already shows. */
static bool failed(const amplify *a, const amplify_job *j) {
  return j->job.timed_out || (j->job.status > 128 && j->job.status != a->plain.status);
}

static int survey_ended(amplify *a, amplify_job *j, error *e) {
  (void)e;
  a->form_failed = failed(a, j);
  return 0;
}

/* One run in which coverage is collected. The device's compiler may bear that less well than the gate alone. */
static int survey_coverage(amplify *a, error *e) {
  int result = run_jobs(a, FORM_COVERAGE, true, 1, survey_ended, e);
  if (result != 0 || !a->form_failed || !amplify_goes_on(a)) {
    return amplify_goes_on(a) ? result : 0;
  }
  amplify_note(a, "%s does not end as it should with coverage and a gate together; its coverage is not collected%s",
               test_name(a), a->options->coverage ? ", so --coverage cannot be had" : "");
  a->launch_count = 0;
  return session_judge(a->session, false, e);
}

/* Programs that were in work when the gated program ended otherwise are left as they are. Of one that only takes too
 * long nothing is held against them. */
static int leave_suspects(amplify *a, error *e) {
  char *suspect = a->form_hung ? NULL : session_suspect(a->session);
  amplify_note(a, "%s does not end as it should with its kernels gated and the gate open%s%s%s; %s", test_name(a),
               suspect == NULL ? "" : " (", suspect == NULL ? "" : suspect, suspect == NULL ? "" : ")",
               suspect == NULL ? "nothing can be said about it" : "it runs without");
  a->launch_count = 0;
  if (suspect == NULL) {
    return session_judge(a->session, false, e);
  }
  free(suspect);
  session_hold_back(a->session);
  return session_judge(a->session, true, e);
}

static int reference_ended(amplify *a, amplify_job *j, error *e) {
  (void)e;
  a->form_failed = a->form_failed || failed(a, j);
  a->form_hung = a->form_hung || j->job.timed_out;
  bool same = a->options->mutant != 0 || j->job.status == a->plain.status; /* a mutant may well change it */
  a->open_differs = a->open_differs || !same;
  if (!a->form_failed && same) {
    a->seconds = j->job.seconds > a->seconds ? j->job.seconds : a->seconds;
    keep(&a->reference, j, !a->reference_known);
    a->reference_known = true;
  }
  return 0;
}

static int make_reference(amplify *a, error *e) {
  transcript_free(&a->reference);
  a->reference = (transcript){0};
  a->reference_known = a->form_failed = a->form_hung = a->open_differs = false;
  return run_jobs(a, a->options->coverage ? FORM_COVERAGE : FORM_BARE, true, REFERENCE_RUNS, reference_ended, e);
}

/* Gated code may be compiled otherwise than the user's own, so that a result differs in its last bits. */
static void compare_with_plain(amplify *a) {
  if (transcript_differs(&a->plain, &a->reference, a->options->oracle)) {
    amplify_note(a,
                 "%s shows other results once its kernels are gated, with the gate open%s: schedules are compared with "
                 "those",
                 test_name(a),
                 a->options->mutant != 0 ? " and the mutant in place" : " (the device's compiler rounds otherwise)");
  }
}

/* --- whether the order of the groups is why the program differs from itself -----------------------------------------
 */

/* A program that its own memory makes fail when that is filled says nothing of the order: it runs without. */
static int serial_ended(amplify *a, amplify_job *j, error *e) {
  (void)e;
  a->serial_failed = j->job.child.perturb != NULL && (j->job.timed_out || j->job.status != a->plain.status);
  if (a->serial_failed) {
    return 0;
  }
  keep(&a->serial, j, !a->serial_known);
  a->serial_known = true;
  return 0;
}

/* One group after another, in every launch. Memory that nobody has written is filled with something else each time, and
 * time() says something else. */
static int run_serially(amplify *a, error *e) {
  static const schedule serial = {.order = ORDER_REVERSE, .gate = GATE_TICKET};
  static const char *const fillings[REFERENCE_RUNS] = {"0", "85", "170"};
  int result = 0;
  bool filled = true;
  a->progress.total += REFERENCE_RUNS;
  for (int i = 0; i < REFERENCE_RUNS && result == 0 && amplify_goes_on(a);) {
    amplify_job *j = amplify_job_new(a, a->options->coverage ? FORM_COVERAGE : FORM_BARE);
    j->job.child.perturb = filled ? fillings[i] : NULL;
    for (size_t l = 0; l < a->launch_count; l++) {
      amplify_job_gate(j, l, &serial);
    }
    result = amplify_run_jobs(a, &j, 1, serial_ended, e);
    if (i == 0) {
      clock_sleep_past(time(NULL));
    }
    filled = !a->serial_failed;
    i += filled ? 1 : 0;
  }
  return result;
}

/* What varies with one group after another is not for the order of the groups. The rest of what varies is evidence like
 * all else. */
static int blame(amplify *a, error *e) {
  if (run_serially(a, e) != 0 || !amplify_goes_on(a)) {
    return amplify_goes_on(a) ? -1 : 0;
  }
  if (!transcript_unstable(&a->plain)) {
    amplify_note(a, "%s: the program differs from itself once its kernels are gated, with the gate open", test_name(a));
  }
  transcript_unmark(&a->reference);
  transcript_mark(&a->reference, &a->serial);
  int result = name_unstable(a, &a->serial, store_unstable, e);
  if (!transcript_unstable(&a->serial)) {
    amplify_note(a, "%s: it does not differ when work-groups execute one after another: their order is why",
                 test_name(a));
  }
  transcript_free(&a->serial);
  a->serial = (transcript){0};
  a->serial_known = false;
  return result;
}

/* What the program shows as it is becomes the reference. */
static void compare_with_program(amplify *a) {
  amplify_note(a,
               "%s ends otherwise already with its kernels gated and the gate open: schedules are compared with the "
               "program as it is",
               test_name(a));
  transcript_free(&a->reference);
  a->reference = a->plain;
  a->plain = (transcript){.status = a->reference.status};
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
  if (run_jobs(a, FORM_PLAIN, false, runs, plain_ended, e) != 0) {
    return -1;
  }
  if (known || !transcript_unstable(&a->plain) || !amplify_goes_on(a)) {
    return 0;
  }
  return name_unstable(a, &a->plain, say_unstable, e) != 0 ? -1 : blame(a, e);
}

int amplify_survey(amplify *a, error *e) {
  amplify_phase_begin(a, AMPLIFY_SURVEY, 1 + a->plain_later + REFERENCE_RUNS);
  if (survey_coverage(a, e) != 0 || baseline_later(a, e) != 0 || (amplify_goes_on(a) && make_reference(a, e) != 0)) {
    return -1;
  }
  bool hung = a->form_hung;
  if (a->form_failed && amplify_goes_on(a) && (leave_suspects(a, e) != 0 || (!hung && make_reference(a, e) != 0))) {
    return -1;
  }
  pass_notes_on(a);
  if (!amplify_goes_on(a)) {
    return 0;
  }
  if (a->form_failed) {
    a->launch_count = 0;
    return 0;
  }
  if (a->open_differs) {
    if (amplify_baseline_rest(a, e) != 0 || !amplify_goes_on(a)) {
      return amplify_goes_on(a) ? -1 : 0;
    }
    compare_with_program(a);
  }
  if (transcript_unstable(&a->plain) || transcript_unstable(&a->reference)) {
    return blame(a, e);
  }
  if (a->open_differs) {
    return 0;
  }
  compare_with_plain(a);
  return 0;
}
