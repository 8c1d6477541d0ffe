/* The program with its kernels gated: what is launched, how many groups are in flight, what is covered; and with the
 * gate open, which is what the schedules are compared with. Where it can be replayed, replays do most of it: one
 * process has the device's compiler warm. */
#include <stdlib.h>
#include <string.h>

#include "runner/amplify/internal.h"

enum { REFERENCE_RUNS = 3 };

/* --- launches and coverage ---------------------------------------------------------------------------------------- */

static void pass_notes_on(amplify *a) {
  const char *text = NULL;
  for (size_t i = 0; (text = session_note(a->session, i)) != NULL; i++) {
    experiment_note(&a->base, "%s", text);
  }
}

/* The device or its compiler does not bear our source; another exit status may be what the open gate already shows. */
static bool failed(const amplify *a, const amplify_job *j) {
  return j->base.job.timed_out || (j->base.job.status > 128 && j->base.job.status != amplify_case(a)->plain.status);
}

static int survey_ended(experiment *x, experiment_job *job, error *e) {
  amplify *a = (amplify *)x;
  amplify_job *j = (amplify_job *)job;
  (void)e;
  a->form_failed = j->base.job.worker != 0 ? !j->base.job.replayed || j->base.job.incomplete : failed(a, j);
  return 0;
}

static int survey_coverage(amplify *a, error *e) {
  return amplify_run_form(a, FORM_GATED_COVERAGE, true, 1, survey_ended, e);
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
  if (amplify_replays(a) && a->form_failed && amplify_goes_on(a)) {
    amplify_no_replay(a, "a replay of its gated kernels failed");
    if (forget_survey(a, e) != 0 || survey_coverage(a, e) != 0) {
      return amplify_goes_on(a) ? -1 : 0;
    }
    if (a->form_failed) {
      experiment_happens(&a->base, a->base.begin, EVENT_REGAINED);
    }
  }
  if (!a->form_failed || !amplify_goes_on(a)) {
    return 0;
  }
  experiment_note(&a->base,
                  "%s does not end as it should with coverage and a gate together; its coverage is not collected%s",
                  amplify_test_name(a), a->options->coverage ? ", so --coverage cannot be had" : "");
  return forget_survey(a, e);
}

/* Programs that were in work when the gated program ended otherwise are left as they are. Of one that only takes too
 * long nothing is held against them. */
static int leave_suspects(amplify *a, error *e) {
  char *suspect = a->form_hung ? NULL : session_suspect(a->session);
  experiment_note(&a->base, "%s does not end as it should with its kernels gated and the gate open%s%s%s; %s",
                  amplify_test_name(a), suspect == NULL ? "" : " (", suspect == NULL ? "" : suspect,
                  suspect == NULL ? "" : ")", suspect == NULL ? "nothing can be said about it" : "it runs without");
  a->launch_count = 0;
  if (suspect == NULL) {
    return session_judge(a->session, false, e);
  }
  free(suspect);
  session_hold_back(a->session);
  return session_judge(a->session, true, e);
}

/* --- the reference ------------------------------------------------------------------------------------------------ */

static void take_reference(amplify *a, amplify_job *j) {
  experiment_learn(&a->reference, &j->base, !a->reference_known);
  a->reference_known = true;
}

static int reference_replayed(experiment *x, experiment_job *job, error *e) {
  amplify *a = (amplify *)x;
  amplify_job *j = (amplify_job *)job;
  (void)e;
  a->form_failed = a->form_failed || !j->base.job.replayed || j->base.job.incomplete;
  if (!a->form_failed) {
    j->base.seen.status = amplify_case(a)->plain.status;
    take_reference(a, j);
  }
  return 0;
}

static int reference_ended(experiment *x, experiment_job *job, error *e) {
  amplify *a = (amplify *)x;
  amplify_job *j = (amplify_job *)job;
  (void)e;
  a->form_failed = a->form_failed || failed(a, j);
  a->form_hung = a->form_hung || j->base.job.timed_out;
  bool same =
      a->options->mutant != 0 || j->base.job.status == amplify_case(a)->plain.status; /* a mutant may well change it */
  a->open_differs = a->open_differs || !same;
  if (!a->form_failed && same) {
    amplify_case(a)->seconds =
        j->base.job.seconds > amplify_case(a)->seconds ? j->base.job.seconds : amplify_case(a)->seconds;
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
  const program_form form = amplify_gated_form(a);
  if (amplify_run_form(a, form, true, REFERENCE_RUNS - 1, reference_replayed, e) != 0) {
    return -1;
  }
  if (!a->form_failed && amplify_goes_on(a)) {
    amplify_job *j = amplify_job_new(a, form);
    amplify_job_survey(j);
    return experiment_run_jobs(&a->base, &(experiment_job *){&j->base}, 1, reference_ended, e);
  }
  return 0;
}

static int make_reference(amplify *a, error *e) {
  if (amplify_replays(a)) {
    if (replay_reference(a, e) != 0 || !amplify_goes_on(a)) {
      return amplify_goes_on(a) ? -1 : 0;
    }
    if (!a->form_failed && !a->open_differs && !transcript_unstable(&a->reference)) {
      return 0;
    }
    amplify_no_replay(a, "a replay of its gated kernels reads other values than the program");
    a->varied = true;
    if (session_judge(a->session, false, e) != 0) {
      return -1;
    }
  }
  forget_reference(a);
  return amplify_run_form(a, amplify_gated_form(a), true, REFERENCE_RUNS, reference_ended, e);
}

static bool is_floating(const char *type) {
  return strncmp(type, "float", 5) == 0 || strncmp(type, "double", 6) == 0 || strncmp(type, "half", 4) == 0;
}

/* Whether the memory that was read was last given to a kernel as floating-point numbers. */
static bool reads_floats(const void *context, const transcript_read *r) {
  const amplify *a = context;
  known_program p;
  for (size_t i = 0; (p = session_program_at(a->session, i)).key != NULL; i++) {
    const instrument_result *known = p.result;
    for (size_t k = 0; k < known->model.kernel_count && p.reason == NULL; k++) {
      if (strcmp(known->model.kernels[k].name, r->kernel) == 0 && r->argument < known->kernels[k].parameter_count &&
          is_floating(known->kernels[k].parameters[r->argument].type)) {
        return true;
      }
    }
  }
  return false;
}

/* Gated code may be compiled otherwise than the user's own, so that a floating-point result differs in its last bits. */
static void compare_with_plain(amplify *a) {
  const transcript *plain = &amplify_case(a)->plain;
  const transcript_oracle oracle = a->options->common.oracle;
  if (!transcript_differs(plain, &a->reference, oracle)) {
    return;
  }
  a->varied = a->varied || a->options->mutant == 0;
  const bool floats = oracle == ORACLE_READS && transcript_any_difference(plain, &a->reference, reads_floats, a);
  experiment_note(
      &a->base,
      "%s shows other results once its kernels are gated, with the gate open%s: schedules are compared with those",
      amplify_test_name(a),
      a->options->mutant != 0 ? " and the mutant in place"
      : floats                ? " (the device's compiler rounds otherwise)"
                              : "");
}

/* What the program shows as it is becomes the reference. */
static void compare_with_program(amplify *a) {
  experiment_note(&a->base,
                  "%s ends otherwise already with its kernels gated and the gate open: schedules are compared with the "
                  "program as it is",
                  amplify_test_name(a));
  transcript_free(&a->reference);
  a->reference = amplify_case(a)->plain;
  amplify_case(a)->plain = (transcript){.status = a->reference.status};
}

int amplify_survey(amplify *a, error *e) {
  experiment_phase_begin(&a->base, PHASE_PREPARE, 1 + (experiment_defers_run(&a->base) ? 1 : 0) + REFERENCE_RUNS);
  if (survey(a, e) != 0 || amplify_baseline_later(a, e) != 0) {
    return -1;
  }
  amplify_check_stable(a);
  const bool replayed = amplify_replays(a);
  if (amplify_goes_on(a) && make_reference(a, e) != 0) {
    return -1;
  }
  bool hung = a->form_hung;
  if (a->form_failed && amplify_goes_on(a)) {
    if (replayed) {
      experiment_happens(&a->base, a->base.begin, EVENT_REGAINED);
    }
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
    if (amplify_check_replays(a, e) != 0 || amplify_baseline_rest(a, e) != 0 || !amplify_goes_on(a)) {
      return amplify_goes_on(a) ? -1 : 0;
    }
    compare_with_program(a);
  }
  if (transcript_unstable(&amplify_case(a)->plain) || transcript_unstable(&a->reference)) {
    return amplify_blame(a, e);
  }
  if (a->open_differs) {
    return 0;
  }
  compare_with_plain(a);
  return 0;
}
