/* The program with its kernels gated: what is launched, how many groups are in flight, what is covered; and with the
 * gate open, which is what the schedules are compared with. Where it can be replayed, replays do most of it: one
 * process has the device's compiler warm. */
#include <stdlib.h>

#include "runner/amplify/internal.h"
#include "runner/session/internal.h"

enum { REFERENCE_RUNS = 3 };

static const char *test_name(const amplify *a) { return a->options->tests[a->test].name; }

/* --- launches and coverage ------------------------------------------------------------------------------------------
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
  a->form_failed = j->job.worker != 0 ? !j->job.replayed || j->job.incomplete : failed(a, j);
  return 0;
}

static int survey_coverage(amplify *a, error *e) {
  return amplify_run_form(a, FORM_COVERAGE, true, 1, survey_ended, e);
}

static int forget_survey(amplify *a, error *e) {
  a->launch_count = 0;
  return session_judge(a->session, false, e);
}

/* One run in which coverage is collected. The device's compiler may bear that less well than the gate alone: then the
 * program fails as its replay does, which says nothing against replays. */
static int survey(amplify *a, error *e) {
  if (survey_coverage(a, e) != 0) {
    return amplify_goes_on(a) ? -1 : 0;
  }
  if (a->replay && a->form_failed && amplify_goes_on(a)) {
    amplify_no_replay(a, "a replay of its gated kernels failed");
    if (forget_survey(a, e) != 0 || survey_coverage(a, e) != 0) {
      return amplify_goes_on(a) ? -1 : 0;
    }
    a->replay = a->form_failed;
  }
  if (!a->form_failed || !amplify_goes_on(a)) {
    return 0;
  }
  amplify_note(a, "%s does not end as it should with coverage and a gate together; its coverage is not collected%s",
               test_name(a), a->options->coverage ? ", so --coverage cannot be had" : "");
  return forget_survey(a, e);
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

/* --- the reference --------------------------------------------------------------------------------------------------
 */

static void take_reference(amplify *a, amplify_job *j) {
  amplify_learn(&a->reference, j, !a->reference_known);
  a->reference_known = true;
}

static int reference_replayed(amplify *a, amplify_job *j, error *e) {
  (void)e;
  a->form_failed = a->form_failed || !j->job.replayed || j->job.incomplete;
  if (!a->form_failed) {
    j->seen.status = a->plain.status;
    take_reference(a, j);
  }
  return 0;
}

static int reference_ended(amplify *a, amplify_job *j, error *e) {
  (void)e;
  a->form_failed = a->form_failed || failed(a, j);
  a->form_hung = a->form_hung || j->job.timed_out;
  bool same = a->options->mutant != 0 || j->job.status == a->plain.status; /* a mutant may well change it */
  a->open_differs = a->open_differs || !same;
  if (!a->form_failed && same) {
    a->seconds = j->job.seconds > a->seconds ? j->job.seconds : a->seconds;
    take_reference(a, j);
  }
  return 0;
}

static void forget_reference(amplify *a) {
  transcript_free(&a->reference);
  a->reference = (transcript){0};
  a->reference_known = a->form_failed = a->form_hung = a->open_differs = false;
}

/* Replays, and the program once: it finds the programs built, if the device's compiler remembers. */
static int replay_reference(amplify *a, error *e) {
  forget_reference(a);
  const amplify_form form = amplify_gated_form(a);
  if (amplify_run_form(a, form, true, REFERENCE_RUNS - 1, reference_replayed, e) != 0) {
    return -1;
  }
  if (!a->form_failed && amplify_goes_on(a)) {
    amplify_job *j = amplify_job_new(a, form);
    amplify_job_survey(j);
    return amplify_run_jobs(a, &j, 1, reference_ended, e);
  }
  return 0;
}

static int make_reference(amplify *a, error *e) {
  if (a->replay) {
    if (replay_reference(a, e) != 0 || !amplify_goes_on(a)) {
      return amplify_goes_on(a) ? -1 : 0;
    }
    if (!a->form_failed && !a->open_differs && !transcript_unstable(&a->reference)) {
      return 0;
    }
    amplify_no_replay(a, "a replay of its gated kernels reads other values than the program");
    if (session_judge(a->session, false, e) != 0) {
      return -1;
    }
  }
  forget_reference(a);
  return amplify_run_form(a, amplify_gated_form(a), true, REFERENCE_RUNS, reference_ended, e);
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

int amplify_survey(amplify *a, error *e) {
  amplify_phase_begin(a, AMPLIFY_SURVEY, 1 + a->plain_later + REFERENCE_RUNS);
  if (survey(a, e) != 0 || amplify_baseline_later(a, e) != 0) {
    return -1;
  }
  amplify_check_stable(a);
  const bool replayed = a->replay;
  if (amplify_goes_on(a) && make_reference(a, e) != 0) {
    return -1;
  }
  bool hung = a->form_hung;
  if (a->form_failed && amplify_goes_on(a)) {
    a->replay = replayed;
    if (leave_suspects(a, e) != 0 || (!hung && make_reference(a, e) != 0)) {
      return -1;
    }
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
    return amplify_blame(a, e);
  }
  if (a->open_differs) {
    return 0;
  }
  compare_with_plain(a);
  return 0;
}
