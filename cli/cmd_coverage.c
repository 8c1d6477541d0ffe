/* cltestcheck coverage: runs test cases under the layer and reports what their kernels did. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/say.h"
#include "base/shell.h"
#include "cli/capturing.h"
#include "cli/commands.h"
#include "cli/coverage_run.h"
#include "cli/denied.h"
#include "cli/emit_cases.h"
#include "cli/framework.h"
#include "cli/loading.h"
#include "cli/measure.h"
#include "cli/output.h"
#include "cli/plan.h"
#include "cli/recorded.h"
#include "cli/recording.h"
#include "cli/target.h"
#include "runner/session/host.h"
#include "runner/session/session.h"

/* --- before ------------------------------------------------------------------------------------------------------ */

static int make_plan(coverage_run *r, error *e) {
  int result = 0;
  if (r->again == NULL) {
    result = plan_make(r->settings, &r->plan, e);
    r->tests = r->plan.count;
  } else {
    const db_seen *seen = &r->again->seen;
    const recorded_test test = {seen->suite, seen->name, seen->command_line};
    result = recorded_plan(r->settings, &test, &r->plan, &r->command, e);
    r->tests = r->command != NULL || seen->suite[0] != '\0' ? 1 : r->plan.count;
  }
  return result;
}

static int prepare(coverage_run *r, error *e) {
  if (make_plan(r, e) != 0 || target_find_one(r->settings, &r->target, e) != 0 ||
      capture_planned(r->settings, &r->plan, &r->target, e) != 0 ||
      measure_begin(r->settings, NULL, &r->db, &r->run, e) != 0) {
    return -1;
  }
  r->session = session_new(r->db, r->run);
  if (strcmp(r->settings->verb, "races") == 0) {
    r->checks = session_new(r->db, r->run);
    session_check(r->checks);
  }
  return 0;
}

/* --- the test cases ---------------------------------------------------------------------------------------------- */

double coverage_limit(const coverage_run *r, const planned_test *t) {
  const double given = r->settings->timeout;
  return given > 0 && (t->timeout <= 0 || given < t->timeout) ? given : t->timeout;
}

static void say_end(const coverage_run *r, const planned_test *t, const host_result *h) {
  if (h->timed_out) {
    say(stderr, "cltestcheck: %s ran longer than %g seconds and was ended\n", t->name, coverage_limit(r, t));
  } else if (h->interrupted) {
    say(stderr, "cltestcheck: interrupted; what was seen so far is kept\n");
  } else if (h->status > 128) {
    say(stderr, "cltestcheck: %s was killed by signal %d (%s); its coverage up to then is kept\n", t->name,
        h->status - 128, strsignal(h->status - 128));
  } else if (h->status != 0 && !r->settings->exit_as_program) { /* else the program has said so */
    say(stderr, "cltestcheck: %s itself failed with exit status %d\n", t->name, h->status);
  }
  if (h->leftover.pid != 0) {
    say(stderr, "cltestcheck: process %d (%s), which %s started, still runs; what it does from now on is not counted\n",
        (int)h->leftover.pid, h->leftover.name, t->name);
  }
}

static const char *ending(int status) {
  static char text[64];
  const char *format = status > 128 ? "was killed by signal %d" : "failed with exit status %d";
  (void)snprintf(text, sizeof text, format, status > 128 ? status - 128 : status);
  return text;
}

/* Launches that were made and of which no evidence has come: `seen` came. */
static int tell_missing(const coverage_run *r, const planned_test *t, const host_result *h, uint64_t seen, error *e) {
  if (h->interrupted || h->launches <= seen) {
    return 0;
  }
  char reason[256];
  (void)snprintf(
      reason, sizeof reason,
      "what %llu of its %llu launches did is not known: a process ended before it was read, as by _exit, exec or "
      "a signal (clFinish before that keeps it)",
      (unsigned long long)(h->launches - seen), (unsigned long long)h->launches);
  say(stderr, "cltestcheck: %s: %s\n", t->name, reason);
  return h->status > 128 ? 0 : db_add_skipped(r->db, r->run, t->name, reason, e); /* of a crash one knows */
}

enum { LOOKS = 3 };

/* Signals may differ from crash to crash. */
static bool alike(int status, int other) { return status == other || (status > 128 && other > 128); }

/* Runs a test case that has failed several times with its suspects untouched. Gives how often it ended alike, -1 with
 * `e` set or, with `e` untouched, when it was interrupted or took too long. */
static int look_untouched(coverage_run *r, const host_options *options, int first, host_result *h, error *e) {
  int count = 0;
  session_hold_back(r->session);
  for (int i = 0; i < LOOKS; i++) {
    if (host_run(r->session, r->db, options, h, e) != 0 || h->interrupted || h->timed_out) {
      return -1;
    }
    count += alike(first, h->status) ? 1 : 0;
  }
  return count;
}

/* Untouched it has always ended otherwise: it is at fault if it fails once more as it was. */
static int look_instrumented(coverage_run *r, const planned_test *t, host_options options, int first, host_result *h,
                             error *e) {
  const host_result untouched = *h;
  options.repeats = true;
  if (session_judge(r->session, false, e) != 0 || host_run(r->session, r->db, &options, h, e) != 0) {
    return -1;
  }
  if (h->interrupted || h->timed_out) {
    return 0;
  }
  if (!alike(first, h->status)) {
    say(stderr,
        "cltestcheck: %s %s once and not again, whether instrumented or not: it does so now and then; what "
        "was seen is kept\n",
        t->name, ending(first));
    return 0;
  }
  session_hold_back(r->session);
  *h = untouched;
  return session_judge(r->session, true, e);
}

/* Runs a test case; when it fails while instrumented kernels were being built or launched for the first time, some
 * times more to tell whose fault it was. */
static int run_host(coverage_run *r, const planned_test *t, const host_options *options, host_result *h, error *e) {
  const uint64_t before = session_summarise(r->session).launches;
  if (host_run(r->session, r->db, options, h, e) != 0 ||
      tell_missing(r, t, h, session_summarise(r->session).launches - before, e) != 0) {
    return -1;
  }
  char *suspect = h->status == 0 || h->timed_out || h->interrupted ? NULL : session_suspect(r->session);
  if (suspect == NULL) {
    return 0;
  }
  const int first = h->status;
  say(stderr,
      "cltestcheck: %s %s while the device or its compiler had instrumented code in hand (%s); running it "
      "again, %d times, with that left as it is\n",
      t->name, ending(first), suspect, LOOKS);
  free(suspect);
  e->text[0] = '\0';
  const int count = look_untouched(r, options, first, h, e);
  if (count < 0 && e->text[0] != '\0') {
    return -1;
  }
  if (count == 0) {
    return look_instrumented(r, t, *options, first, h, e);
  }
  if (count > 0) {
    say(stderr, "cltestcheck: %s ends alike with it untouched, %s%d of %d times: the instrumentation is not why\n",
        t->name, count < LOOKS ? "though now and then only, " : "", count, LOOKS);
    h->status = first;
  }
  return session_judge(r->session, false, e);
}

/* Where the program named test cases of its own, what it did outside of them is one more only if there is something to
 * say of it. */
static int end_test_case(coverage_run *r, int64_t test_case, const host_result *h, error *e) {
  size_t named = 0;
  size_t failed = 0;
  if (session_end_names(r->session, h->status, h->timed_out, &named, &failed, e) != 0 ||
      db_end_test_case(r->db, test_case, h->status, h->timed_out, e) != 0) {
    return -1;
  }
  r->named += named;
  r->failed = r->failed || failed > 0;
  return named > 0 && (h->status == 0 || failed > 0) ? db_drop_test_case(r->db, test_case, e) : 0;
}

static int run_test(coverage_run *r, const planned_test *t, error *e) {
  int64_t test_case = 0;
  if (db_begin_test_case(r->db, r->run, t->suite, t->name, t->line, &test_case, e) != 0) {
    return -1;
  }
  session_begin_test_case(r->session, test_case, t->argv);
  host_options options = {
      .child = {.argv = t->argv, .layer = r->target.layer, .preload = r->target.preload, .device = r->target.device},
      .timeout = coverage_limit(r, t),
      .waiting = say_waiting,
      .context = t->name};
  session_take_names(r->session, t->suite, t->line);
  host_result h;
  if (run_host(r, t, &options, &h, e) != 0) {
    return -1;
  }
  say_end(r, t, &h);
  r->usual = h.status;
  if (r->checks != NULL && !h.interrupted && !h.timed_out && coverage_checked(r, t, test_case, options, e) != 0) {
    return -1;
  }
  r->failed = r->failed || h.status != 0 || h.timed_out;
  r->interrupted = r->interrupted || h.interrupted;
  r->worst = h.status > r->worst ? h.status : r->worst;
  return end_test_case(r, test_case, &h, e);
}

/* What comes next and, on a terminal, how long the rest may take. A line of its own: the program may write, too. */
static void say_next(const coverage_run *r, size_t i, double seconds) {
  const planned_test *t = &r->plan.tests[i];
  bool terminal = isatty(STDERR_FILENO) != 0;
  if (!r->settings->verbose && (r->tests < 2 || r->settings->quiet || !terminal)) {
    return;
  }
  char left[32] = "";
  if (terminal && i > 0) {
    unsigned rest = (unsigned)(seconds / (double)i * (double)(r->tests - i));
    (void)snprintf(left, sizeof left, "  (%u:%02u left)", rest / 60, rest % 60);
  }
  say(stderr, "cltestcheck: [%zu/%zu] %s%s%s: %s%s\n", i + 1, r->tests, t->suite, t->suite[0] == '\0' ? "" : " ",
      t->name, t->line, left);
}

static int run_tests(coverage_run *r, error *e) {
  int result = 0;
  double start = clock_now();
  for (size_t i = 0; i < r->tests && result == 0 && !r->interrupted; i++) {
    say_next(r, i, clock_now() - start);
    result = run_test(r, &r->plan.tests[i], e);
  }
  session_summary seen = session_summarise(r->session);
  if (result == 0 && db_end_run(r->db, r->run, seen.device, r->worst, e) == 0) {
    return db_commit(r->db, e);
  }
  return -1;
}

/* --- after ------------------------------------------------------------------------------------------------------- */

/* Why there is nothing to report, and what to do. */
static void say_nothing_observed(const session_summary *seen) {
  if (seen->processes == 0) {
    say(stderr, "cltestcheck: nothing was observed: %s\n", no_opencl_call());
  } else if (seen->skipped > 0) {
    say(stderr, "cltestcheck: nothing was observed: no program could be instrumented: %s\n", seen->last_skip);
  } else if (!seen->device_denied) { /* else say_denied does */
    (void)fputs("cltestcheck: nothing was observed: the program used OpenCL but built no kernel from source\n", stderr);
  }
}

static int judge_seen(const coverage_run *r, const view *v) {
  const size_t found = count_findings(v, r->settings);
  const size_t doubtful = r->checks == NULL || found == 0 ? 0 : races_contradicted(v, r->settings);
  const bool below = below_thresholds(v, r->settings) || (r->settings->fail_on_benign && has_benign(v, r->settings));
  return found > doubtful ? EXIT_FOUND : doubtful > 0 ? EXIT_BASELINE : below ? EXIT_THRESHOLD : EXIT_FINE;
}

/* The program's own status, where it failed; what we have to say of one that did not. */
static int exit_as_program(const coverage_run *r, const session_summary *seen, const view *v) {
  const bool asked = r->settings->threshold_count > 0;
  if (r->worst != 0) {
    return r->worst;
  }
  if (seen->programs == 0 || !seen->observed || are_unmatched(v, r->settings)) {
    return asked ? EXIT_NOTHING : EXIT_FINE;
  }
  return judge_seen(r, v);
}

/* Programs were instrumented, and then no launch of them was seen. */
static void say_no_launch(const session_summary *seen) {
  if (seen->refused_launches > 0) {
    say(stderr, "cltestcheck: nothing was observed: the device refused every launch (%llu), the first one of %s\n",
        (unsigned long long)seen->refused_launches, seen->refusal);
  } else {
    say(stderr, "cltestcheck: nothing was observed: the program built kernels, and no launch of one was seen\n");
  }
}

/* Of `races`: no program could be built with checks, so nothing is known of its races. */
static bool is_unchecked(const coverage_run *r) {
  if (r->checks == NULL) {
    return false;
  }
  const session_summary checked = session_summarise(r->checks);
  return checked.programs == 0 && checked.skipped > 0;
}

static int exit_code(const coverage_run *r, const session_summary *seen, const view *v) {
  if (r->settings->exit_as_program) {
    return exit_as_program(r, seen, v);
  }
  if (r->failed || r->crashed || r->interrupted) {
    return r->interrupted ? 130 : EXIT_BASELINE;
  }
  if (seen->programs == 0 || !seen->observed || is_unchecked(r) || are_unmatched(v, r->settings)) {
    return EXIT_NOTHING;
  }
  return judge_seen(r, v);
}

/* What is kept and what shows more of it, below the summary of a pytest run. */
static void say_more(const coverage_run *r) {
  const settings *s = r->settings;
  if (!s->pytest) {
    return;
  }
  const bool named = strcmp(s->database, DEFAULT_DATABASE) == 0;
  (void)printf("%zu test%s in %s; cltestcheck report%s%s --format html=kernels.html shows which reach which line\n",
               r->named, r->named == 1 ? "" : "s", s->database, named ? "" : " --db ", named ? "" : s->database);
  (void)fflush(stdout);
}

static void say_notes(const session *s) {
  for (size_t i = 0; session_note(s, i) != NULL; i++) {
    say(stderr, "cltestcheck: %s\n", session_note(s, i));
  }
}

static void say_benign(const coverage_run *r, const view *v, int code) {
  if (code == EXIT_THRESHOLD && r->settings->fail_on_benign && has_benign(v, r->settings)) {
    (void)fputs("cltestcheck: work-items race to write the same value (--fail-on benign)\n", stderr);
  }
}

/* That nothing was seen, if so. */
static void say_not_observed(const coverage_run *r, const session_summary *seen) {
  if (seen->programs == 0 && !r->interrupted) {
    say_nothing_observed(seen);
    if (seen->device_denied) {
      say_denied(r->settings, seen->denied_type);
    }
  } else if (seen->programs > 0 && !seen->observed && !r->interrupted && !r->failed) {
    say_no_launch(seen);
  } else if (is_unchecked(r) && !r->interrupted && !r->failed) {
    say(stderr, "cltestcheck: no access was checked for races: %s\n", session_summarise(r->checks).last_skip);
  }
}

/* What the sessions have to say comes first. */
static int judge(void *context, const view *v) {
  const coverage_run *r = context;
  const session_summary seen = session_summarise(r->session);
  say_notes(r->session);
  if (r->checks != NULL) {
    say_notes(r->checks);
  }
  (void)say_unmatched(v, r->settings);
  return exit_code(r, &seen, v);
}

static bool has_programs(void *context, const view *v) {
  (void)v;
  return session_summarise(((coverage_run *)context)->session).programs > 0;
}

/* Of a pytest run behind what that has printed. */
static int show_text(void *context, const view *v, int code, error *e) {
  const coverage_run *r = context;
  if (r->settings->pytest) {
    (void)fputs("========================= cltestcheck: OpenCL kernels ==========================\n", stdout);
  }
  const int result = write_text(v, r->settings, code, r->settings->pytest ? stdout : stderr, e);
  say_more(r);
  return result;
}

static void say_behind(void *context, const view *v, int code) {
  const coverage_run *r = context;
  const session_summary seen = session_summarise(r->session);
  say_not_observed(r, &seen);
  if (seen.programs > 0 && r->named < 2) {
    framework_hint(r->settings);
  }
  if (seen.programs > 0 && !r->interrupted && (!r->failed || r->settings->exit_as_program)) {
    say_below(v, r->settings);
    say_benign(r, v, code);
  }
}

static const measure_words words_of = {judge, has_programs, show_text, say_behind};

int coverage_command(const settings *s, const races_again *again) {
  coverage_run r = {.settings = s, .again = again};
  error e;
  const bool ran = prepare(&r, &e) == 0 && run_tests(&r, &e) == 0;
  int code = ran ? measure_report(s, r.db, r.run, &words_of, &r) : say_error(&e);
  if (ran && again == NULL) {
    code = emit_cases(s, &r.plan, &r.target, r.db, r.run, code);
  }
  if (ran && again != NULL) {
    code = races_judge_again(&r, code, &e);
    code = code < 0 ? say_error(&e) : code;
  }
  if (r.session != NULL) {
    session_free(r.session);
  }
  if (r.checks != NULL) {
    session_free(r.checks);
  }
  db_close(r.db);
  plan_free(&r.plan);
  shell_free(r.command);
  target_free(&r.target);
  return code;
}

int cmd_coverage(const settings *s) { return coverage_command(s, NULL); }
