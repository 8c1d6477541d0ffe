/* The phases of schedule amplification, test case by test case. */
#include "runner/amplify/amplify.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "runner/amplify/internal.h"
#include "runner/session/internal.h"

enum { COMMIT_SECONDS = 1 };

void amplify_note(amplify *a, const char *format, ...) {
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (size_t i = 0; i < a->noted_count; i++) {
    if (strcmp(a->noted[i], text) == 0) {
      return;
    }
  }
  *ARRAY_ADD(a->noted, a->noted_count, a->noted_capacity) = mem_strdup(text);
  a->listener->note(a->listener->context, text);
}

void amplify_phase_begin(amplify *a, amplify_phase phase, size_t total) {
  amplify_progress *p = &a->progress;
  a->phase_started = clock_now();
  p->phase = phase;
  p->test = a->test;
  p->done = 0;
  p->total = total;
  amplify_tick(a);
}

void amplify_tick(amplify *a) {
  amplify_progress *p = &a->progress;
  double now = clock_now();
  p->seconds = now - a->phase_started;
  p->left = p->done == 0 || p->total < p->done ? -1 : p->seconds / (double)p->done * (double)(p->total - p->done);
  a->listener->progress(a->listener->context, p);
  if (now - a->committed > COMMIT_SECONDS && !a->failed) {
    a->failed = db_commit(a->db, &a->failure) != 0;
    a->committed = now;
  }
}

bool amplify_goes_on(const amplify *a) {
  return !a->out->interrupted && !a->out->baseline_failed && !a->out->device_lost && !a->failed;
}

/* --- a test case ----------------------------------------------------------------------------------------------------
 */

static void forget_launches(amplify *a) {
  for (size_t i = 0; i < a->launch_count; i++) {
    amplify_launch *l = &a->launches[i];
    for (size_t t = 0; t < l->trial_count; t++) {
      free(l->trials[t].outcomes);
      free(l->trials[t].shown);
    }
    free(l->trials);
    *l = (amplify_launch){0};
  }
  a->launch_count = 0;
}

static void forget_test(amplify *a) {
  transcript_free(&a->plain);
  transcript_free(&a->reference);
  a->plain = a->reference = (transcript){0};
  a->seconds = 0;
  a->reference_known = a->replay = false;
  a->no_replay[0] = '\0';
  forget_launches(a);
}

static size_t count_found(const amplify *a) {
  size_t found = 0;
  for (size_t i = 0; i < a->launch_count; i++) {
    const amplify_launch *l = &a->launches[i];
    for (size_t t = 0; t < l->trial_count && !l->meant; t++) {
      schedule_verdict v = schedule_judge(l->trials[t].outcomes);
      found += v == VERDICT_RACE || v == VERDICT_DEADLOCK || v == VERDICT_CRASH ? 1 : 0;
    }
  }
  return found;
}

static int run_test(amplify *a, error *e) {
  int (*const phases[])(amplify *, error *) = {amplify_baseline,   amplify_survey,        amplify_plan,
                                               amplify_say_engine, amplify_baseline_rest, amplify_trials,
                                               amplify_doubt,      amplify_verify,        amplify_explain};
  const amplify_test *test = &a->options->tests[a->test];
  if (db_begin_test_case(a->db, a->run, test->suite, test->name, test->line, &a->test_row, e) != 0) {
    return -1;
  }
  session_begin_test_case(a->session, a->test_row, test->argv);
  int result = 0;
  for (size_t i = 0; i < sizeof phases / sizeof phases[0] && result == 0 && amplify_goes_on(a); i++) {
    result = phases[i](a, e);
  }
  a->out->found += count_found(a);
  if (result == 0 && !a->out->baseline_failed) {
    result = db_end_test_case(a->db, a->test_row, a->plain.status, false, e);
  }
  forget_test(a);
  return result;
}

/* --- all of it ------------------------------------------------------------------------------------------------------
 */

static void name_kernels(amplify *a) {
  buffer names = {0};
  for (size_t p = 0; p < a->session->program_count; p++) {
    const model *m = &a->session->programs[p].result.model;
    for (size_t k = 0; k < m->kernel_count && a->session->programs[p].reason == NULL; k++) {
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
    return error_set(e, EXIT_USAGE, "--kernel and --exclude leave no kernel that is launched; there are: %s",
                     out->kernels);
  }
  uint32_t least = UINT32_MAX;
  for (size_t i = 0; i < o->target_count && o->targets == TARGETS_LIST; i++) {
    least = o->target_list[i] < least ? o->target_list[i] : least;
  }
  if (o->targets == TARGETS_LIST && out->most_groups > 1 && least >= out->most_groups) {
    return error_set(e, EXIT_USAGE, "--targets: there is no work-group %u; the largest launch has %zu (0 to %zu)",
                     (unsigned)least, out->most_groups, out->most_groups - 1);
  }
  if (o->mutant != 0 && out->programs > 0 && !out->mutant_seen) {
    return error_set(e, EXIT_USAGE, "--mutant: no program has mutant %u; `cltestcheck mutate --list` shows them",
                     (unsigned)o->mutant);
  }
  if (o->replay != NULL && out->programs > 0 && out->gated == 0) {
    return error_set(e, EXIT_USAGE, "--replay: the program has no launch %u of kernel %s with a group %u any more",
                     (unsigned)o->replay->launch, o->replay->kernel, (unsigned)o->replay->schedule.target);
  }
  return 0;
}

static void summarise(amplify *a) {
  session_summary s = session_summarise(a->session);
  a->out->programs = s.programs;
  a->out->device_denied = s.device_denied;
  a->out->denied_type = s.denied_type;
  a->out->mutant_seen = session_has_mutant(a->session);
  (void)snprintf(a->out->device, sizeof a->out->device, "%s", s.device);
  (void)snprintf(a->out->last_skip, sizeof a->out->last_skip, "%s", s.last_skip);
  name_kernels(a);
}

static void free_amplify(amplify *a) {
  pool_close(a->pool);
  capture_file_free(&a->capture);
  captures_close(a->captures);
  free(a->launches);
  for (size_t i = 0; i < a->noted_count; i++) {
    free(a->noted[i]);
  }
  free(a->noted);
  session_free(a->session);
}

int amplify_run(db *d, int64_t run, const amplify_options *o, const amplify_listener *l, amplify_outcome *out,
                error *e) {
  *out = (amplify_outcome){0};
  double now = clock_now();
  amplify a = {.db = d, .run = run, .options = o, .listener = l, .out = out, .committed = now};
  a.pool = pool_open(o->jobs, o->devices, o->device_count);
  a.session = session_new(d, run);
  session_gate(a.session, o->mutant);
  session_on_reached(a.session, amplify_job_reached, &a);
  int result = 0;
  for (a.test = 0; a.test < o->test_count && result == 0 && amplify_goes_on(&a); a.test++) {
    a.tests_left = o->test_count - a.test;
    result = run_test(&a, e);
  }
  summarise(&a);
  if (result == 0 && a.failed) {
    *e = a.failure;
    result = -1;
  }
  if (result == 0 && amplify_goes_on(&a)) {
    result = check_options(&a, e);
  }
  free_amplify(&a);
  error ignored;
  int committed = db_commit(d, result == 0 ? e : &ignored);
  return result == 0 ? committed : result;
}
