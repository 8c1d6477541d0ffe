/* The phases of schedule amplification, test case by test case. */
#include "runner/amplify/amplify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "runner/amplify/internal.h"
#include "runner/experiment/found.h"

experiment_case *amplify_case(const amplify *a) { return &a->base.cases[a->base.begin]; }

bool amplify_replays(const amplify *a) { return experiment_is_replayed(&a->base, a->base.begin); }

bool amplify_goes_on(const amplify *a) {
  return !experiment_stopped(&a->base) && !a->out->common.baseline_failed && !a->out->device_lost && !a->base.failed;
}

/* --- a test case -------------------------------------------------------------------------------------------------- */

static void forget_launches(amplify *a) {
  for (size_t i = 0; i < a->launch_count; i++) {
    launch_free(&a->launches[i]);
  }
  a->launch_count = 0;
}

static void forget_test(amplify *a) {
  experiment_forget_case(&a->base, a->base.begin);
  transcript_free(&a->reference);
  a->reference_known = a->in_order = a->varied = false;
  a->unchecked = NULL;
  proved_free(&a->proved);
  forget_launches(a);
}

static size_t count_found(const amplify *a) {
  static const schedule_verdict wrong[] = {VERDICT_RACE, VERDICT_DEADLOCK, VERDICT_CRASH};
  size_t found = 0;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    found += trials_count(a->launches, a->launch_count, wrong[i], false);
  }
  return found;
}

static void set_deadline(amplify *a, double deadline) {
  a->base.deadline = deadline;
  pool_set_deadline(a->base.pool, deadline);
  session_end_at(a->session, deadline);
  session_end_at(a->checks, deadline);
}

/* Of a limited time a part is kept for checking accesses: without that nobody knows whether what differs is a race. */
static void keep_time(amplify *a) {
  const double most = 60, part = 0.3 * a->options->common.max_time;
  a->whole_deadline = a->base.deadline;
  set_deadline(a, a->base.deadline > 0 ? a->base.deadline - (part < most ? part : most) : 0);
}

typedef int (*phase)(amplify *a, error *e);

static int run_phases(amplify *a, const phase *phases, size_t count, error *e) {
  int result = 0;
  for (size_t i = 0; i < count && result == 0 && amplify_goes_on(a); i++) {
    result = phases[i](a, e);
  }
  return result;
}

static int run_test(amplify *a, error *e) {
  static const phase runs[] = {amplify_baseline,      amplify_survey, amplify_plan,  amplify_say_engine,
                               amplify_check_replays, amplify_trials, amplify_doubt, amplify_verify};
  static const phase checks[] = {amplify_check, amplify_explain};
  const experiment_test *test = &a->options->common.tests[a->base.begin];
  if (experiment_begin_test_case(a->base.db, a->base.run, test, &amplify_case(a)->row, e) != 0) {
    return -1;
  }
  session_begin_test_case(a->session, amplify_case(a)->row, test->argv);
  const double working = a->base.deadline;
  int result = run_phases(a, runs, sizeof runs / sizeof runs[0], e);
  const bool whole = amplify_goes_on(a); /* not cut off by the time */
  set_deadline(a, a->whole_deadline);
  if (result == 0 && (whole || trials_count(a->launches, a->launch_count, VERDICT_DIFFERS, true) > 0)) {
    result = run_phases(a, checks, sizeof checks / sizeof checks[0], e);
  }
  set_deadline(a, working);
  a->out->found += count_found(a);
  if (result == 0 && !a->out->common.baseline_failed) {
    result = db_end_test_case(a->base.db, amplify_case(a)->row, amplify_case(a)->plain.status, false, e);
  }
  forget_test(a);
  return result;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static void name_kernels(amplify *a) {
  buffer names = {0};
  known_program p;
  for (size_t i = 0; (p = session_program_at(a->session, i)).key != NULL; i++) {
    const model *m = &p.result->model;
    for (size_t k = 0; k < m->kernel_count && p.reason == NULL; k++) {
      buffer_printf(&names, "%s%s", names.length > 0 ? ", " : "", m->kernels[k].name);
    }
  }
  (void)snprintf(a->out->kernels, sizeof a->out->kernels, "%s", buffer_text(&names));
  buffer_free(&names);
}

/* Options that fit nothing, which only the launches can tell. */
static int check_options(const amplify *a, error *e) {
  const amplify_options *o = a->options;
  const amplify_outcome *out = a->out;
  if (out->launches_all > 0 && out->launches == 0) {
    return error_set(e, EXIT_NOTHING, "--kernel and --exclude leave no kernel that is launched; there are: %s",
                     out->kernels);
  }
  uint32_t least = UINT32_MAX;
  for (size_t i = 0; i < o->plan.target_count && o->plan.targets == TARGETS_LIST; i++) {
    least = o->plan.target_list[i] < least ? o->plan.target_list[i] : least;
  }
  if (o->plan.targets == TARGETS_LIST && out->most_groups > 1 && least >= out->most_groups) {
    return error_set(e, EXIT_USAGE, "--targets: there is no work-group %u; the largest launch has %zu (0 to %zu)",
                     (unsigned)least, out->most_groups, out->most_groups - 1);
  }
  if (o->mutant != 0 && out->common.programs > 0 && !out->mutant_seen) {
    return error_set(e, EXIT_USAGE, "--mutant: no program has mutant %u; `cltestcheck mutate --list` shows them",
                     (unsigned)o->mutant);
  }
  if (o->replay != NULL && out->common.programs > 0 && out->gated == 0) {
    return error_set(e, EXIT_USAGE, "--replay: the program has no launch %u of kernel %s with a group %u any more",
                     (unsigned)o->replay->launch, o->replay->kernel, (unsigned)o->replay->schedule.target);
  }
  return 0;
}

static void summarise(amplify *a) {
  session_summary s = session_summarise(a->session);
  a->out->common.programs = s.programs;
  a->out->common.device_denied = s.device_denied;
  a->out->common.denied_type = s.denied_type;
  a->out->mutant_seen = session_has_mutant(a->session);
  (void)snprintf(a->out->common.device, sizeof a->out->common.device, "%s", s.device);
  (void)snprintf(a->out->last_skip, sizeof a->out->last_skip, "%s", s.last_skip);
  name_kernels(a);
}

static int run_tests(amplify *a, error *e) {
  const size_t count = a->options->common.test_count;
  for (size_t t = 0; t < count && amplify_goes_on(a); t++) {
    a->base.begin = t;
    a->base.end = t + 1;
    a->tests_left = count - t;
    if (run_test(a, e) != 0) {
      return -1;
    }
  }
  return 0;
}

int amplify_run(db *d, int64_t run, const amplify_options *o, const experiment_listener *l, amplify_outcome *out,
                error *e) {
  *out = (amplify_outcome){0};
  amplify a = {.options = o, .out = out};
  a.base = (experiment){.kind = &amplify_kind,
                        .options = &o->common,
                        .listener = l,
                        .out = &out->common,
                        .progress = &a.progress.common,
                        .db = d,
                        .run = run,
                        .never_replays = o->mutant != 0}; /* the host may do something else with a mutant */
  experiment_open(&a.base);
  a.session = session_new(d, run);
  session_gate(a.session, o->mutant);
  a.checks = session_new(d, run);
  session_mutate(a.checks, o->mutant);
  session_check_aside(a.checks);
  keep_time(&a);
  session_on_reached(a.session, amplify_job_reached, &a);
  int result = run_tests(&a, e);
  summarise(&a);
  if (result == 0 && a.base.failed) {
    *e = a.base.failure;
    result = -1;
  }
  if (result == 0 && amplify_goes_on(&a)) {
    result = check_options(&a, e);
  }
  session_end_at(a.session, 0);
  result = experiment_close(&a.base, result, e);
  free(a.launches);
  session_free(a.session);
  session_free(a.checks);
  return result;
}

void amplify_usual_orders(schedule_plan *p) {
  p->orders[ORDER_FIRST] = p->orders[ORDER_ASCENDING] = p->orders[ORDER_REVERSE] = p->orders[ORDER_RANDOM] = true;
}

int amplify_judge(const amplify_options *o, const amplify_outcome *out, const view *v, size_t suppressed,
                  bool depends) {
  if (out->common.contradicted > 0) {
    return EXIT_INTERNAL;
  }
  if (out->found > suppressed || count_findings(v, &o->common.kernels) > 0) {
    return EXIT_FOUND;
  }
  if (out->common.interrupted) {
    return 130;
  }
  if (out->common.baseline_failed || out->common.failing > 0) {
    return EXIT_BASELINE;
  }
  if (out->device_lost) {
    return EXIT_BASELINE;
  }
  if ((out->gated == 0 && out->proved == 0) || (out->common.out_of_time && out->runs == 0)) {
    return EXIT_NOTHING;
  }
  if (depends) {
    return EXIT_THRESHOLD;
  }
  return out->unstable ? EXIT_BASELINE : EXIT_FINE;
}
