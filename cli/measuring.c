/* An experiment that measures takes its options from settings here, and its outcome becomes sentences and an exit
 * code. */
#include "cli/measuring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory_rules.h"
#include "base/say.h"
#include "base/subprocess.h"
#include "cli/emit_cases.h"
#include "cli/experiment.h"
#include "cli/options.h"
#include "cli/output.h"
#include "proofs/order/commands.h"
#include "runner/experiment/run_words.h"

/* --- while it runs ------------------------------------------------------------------------------------------------ */

/* What comes next and, on a terminal, how long the rest may take. A line of its own: the program may write, too. */
static void say_next(void *context, const experiment_progress *p) {
  const measuring *r = context;
  const experiment_test *t = &r->plan.tests[p->test];
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (!r->settings->report.verbose && (p->total < 2 || r->settings->report.quiet || !terminal)) return;
  char left[32] = "";
  if (terminal && p->remaining >= 0) {
    const unsigned rest = (unsigned)p->remaining;
    (void)snprintf(left, sizeof left, "  (%u:%02u left)", rest / 60, rest % 60);
  }
  say(stderr, "cltestcheck: [%zu/%zu] %s%s%s: %s%s\n", p->test + 1, p->total, t->suite, t->suite[0] == '\0' ? "" : " ",
      t->name, t->line, left);
}

/* --- before ------------------------------------------------------------------------------------------------------- */

static int make_plan(measuring *r, error *e) {
  const recorded_test *again = r->again;
  const plan_words w = planning_words(r->settings);
  const int result =
      again == NULL ? planning_make(r->settings, &r->plan, e) : recorded_plan(&w, again, &r->plan, &r->recorded, e);
  const bool one = again != NULL && (r->recorded != NULL || again->suite[0] != '\0');
  r->options.common.test_count = one ? 1 : r->plan.count;
  return result;
}

measure_options measure_of(const settings *s, program_form form, const measure_look *look) {
  const char *rules = s->measure.rules;
  const bool bounds = form == FORM_BOUNDS;
  const bool ordered = memory_rule_is_wanted(rules, "host-race") || memory_rule_is_wanted(rules, "mapped");
  measure_options o = s->measure;
  o.common = experiment_of(s, 1);
  o.verbose = s->report.verbose;
  o.form = form;
  o.look = look;
  o.leaks = o.leaks || (rules != NULL && memory_rule_is_wanted(rules, "leak")); /* on request alone */
  o.unwritten = bounds && memory_rule_is_wanted(rules, "uninitialized-read");
  o.commands = bounds && ordered ? commands_judge : NULL;
  return o;
}

static int prepare_measuring(measuring *r, error *e) {
  const settings *s = r->settings;
  experiment_options *o = &r->options.common;
  if (make_plan(r, e) != 0 || target_find_one(&s->device, &o->target, e) != 0 ||
      planning_capture(s, &r->plan, &o->target, e) != 0 ||
      measure_begin(s->report.database, s->given.verb, r->part ? PART_OF_CHECK : NULL, &r->db, &r->id, e) != 0)
    return -1;
  o->tests = r->plan.tests;
  r->options.leaks = r->options.leaks && r->again == NULL;
  r->options.commands = o->target.capture != NULL ? r->options.commands : NULL;
  r->options.no_advice = r->part;
  r->listener = (experiment_listener){r, say_next, say_note};
  return 0;
}

/* --- after -------------------------------------------------------------------------------------------------------- */

static bool fails_on_benign(const measuring *r, const view *v) {
  return r->settings->fail.benign && has_benign(v, &r->options.common.kernels);
}

/* The program's own status, where it failed; what we have to say of one that did not. */
static int judge_as_program(const measuring *r, const view *v) {
  if (r->out.common.status != 0) return r->out.common.status;
  if (measure_has_seen(&r->options, &r->out, v)) return measure_judge_seen(&r->options, &r->out, v, &r->listener);
  return r->settings->report.threshold_count > 0 ? EXIT_NOTHING : EXIT_FINE;
}

int measured_judge(const measuring *r, const view *v) {
  (void)say_unmatched(v, &r->settings->report.kernels);
  const int code = r->settings->measure.exit_as_program ? judge_as_program(r, v)
                                                        : measure_judge(&r->options, &r->out, v, &r->listener);
  if (code == EXIT_FINE && fails_on_memory(&r->settings->fail, v) != NULL) return EXIT_THRESHOLD;
  const bool below = code == EXIT_FINE && measure_has_seen(&r->options, &r->out, v) &&
                     (below_thresholds(v, &r->settings->report) || fails_on_benign(r, v));
  return below ? EXIT_THRESHOLD : code;
}

static int judge_measuring(void *context, const view *v) { return measured_judge(context, v); }

static bool has_programs(void *context, const view *v) {
  (void)v;
  return ((measuring *)context)->out.common.programs > 0;
}

/* What is kept and what shows more of it, below the summary of a pytest run. */
static void say_more(const measuring *r) {
  const settings *s = r->settings;
  if (!s->tests.pytest) return;
  const bool named = strcmp(s->report.database, DEFAULT_DATABASE) == 0;
  (void)printf("%zu test%s in %s; cltestcheck report%s%s --format html=kernels.html shows which reach which line\n",
               r->out.named, r->out.named == 1 ? "" : "s", s->report.database, named ? "" : " --db ",
               named ? "" : s->report.database);
  (void)fflush(stdout);
}

/* Of a pytest run after what that has printed. */
static int show_text(void *context, const view *v, int code, error *e) {
  const measuring *r = context;
  if (r->settings->tests.pytest)
    (void)fputs("========================= cltestcheck: OpenCL kernels ==========================\n", stdout);
  const int result = write_text(v, &r->settings->report, code, r->settings->tests.pytest ? stdout : stderr, e);
  say_more(r);
  return result;
}

/* Why there is nothing to report, and what to do. */
static void say_nothing_observed(const measuring *r) {
  const measure_outcome *out = &r->out;
  if (out->common.processes == 0)
    say(stderr, "cltestcheck: nothing was observed: %s\n", no_opencl_call());
  else if (out->skipped > 0)
    say(stderr, "cltestcheck: nothing was observed: no program could be instrumented: %s\n", out->last_skip);
  else if (!out->common.device_denied) /* else say_denied does */
    (void)fputs("cltestcheck: nothing was observed: the program used OpenCL but built no kernel from source\n", stderr);
  if (out->common.device_denied) say_denied(&r->settings->given, &r->options.common.target, out->common.denied_type);
}

/* Programs were instrumented, and then no launch of them was seen. */
static void say_no_launch(const measure_outcome *out) {
  if (out->refused_launches > 0) {
    say(stderr, "cltestcheck: nothing was observed: the device refused every launch (%llu), the first one of %s\n",
        (unsigned long long)out->refused_launches, out->refusal);
  } else {
    say(stderr, "cltestcheck: nothing was observed: the program built kernels, and no launch of one was seen\n");
  }
}

void measured_say(const measuring *r, const view *v, int code) {
  const measure_outcome *out = &r->out;
  if (out->common.interrupted) return;
  if (out->common.programs == 0) {
    say_nothing_observed(r);
    return;
  }
  if (out->named < 2 && !r->settings->report.quiet) framework_hint(&r->settings->tests, r->settings->given.command);
  if (!out->observed && !out->failed)
    say_no_launch(out);
  else if (out->unchecked && !out->failed)
    say(stderr, "cltestcheck: no access was checked for races: %s\n", out->unchecked_why);
  if (out->failed && !r->settings->measure.exit_as_program) return;
  say_below(v, &r->settings->report, false);
  if (code == EXIT_THRESHOLD) say_fails_on_memory(&r->settings->fail, v);
  if (code == EXIT_THRESHOLD && fails_on_benign(r, v))
    (void)fputs("cltestcheck: work-items race to write the same value (--fail-on benign)\n", stderr);
}

static void say_end(void *context, const view *v, int code) { measured_say(context, v, code); }

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static int report_measuring(measuring *r) {
  static const measure_words words_of = {judge_measuring, has_programs, show_text, say_end};
  const int code = measure_report(&r->settings->report, r->db, r->id, &words_of, r);
  if (r->again == NULL) return emit_cases(r->settings, &r->plan, &r->options.common.target, r->db, &r->id, 1, code);
  error e;
  const int again = r->judge_again(r->context, r->db, r->id, code, &e);
  return again < 0 ? say_error(&e) : again;
}

int measured_run(measuring *r, error *e) {
  return prepare_measuring(r, e) == 0 ? measure_run(r->db, r->id, &r->options, &r->listener, &r->out, e) : -1;
}

void measured_free(measuring *r) {
  db_close(r->db);
  plan_free(&r->plan);
  shell_free(r->recorded);
  target_free(&r->options.common.target);
}

int measuring_run(measuring *r) {
  error e;
  const int code = measured_run(r, &e) == 0 ? report_measuring(r) : say_error(&e);
  measured_free(r);
  return code;
}

/* One test case and one kernel of an earlier run, run again. */

typedef struct once_more {
  int64_t finding;
  db_seen seen;
} once_more;

static int judge_again(void *context, db *d, int64_t run, int code, error *e) {
  const once_more *m = context;
  bool again = false;
  if (db_seen_again(d, m->finding, run, &again, e) != 0) return -1;
  if (code != EXIT_FINE && code != EXIT_FOUND && code != EXIT_THRESHOLD) return code;
  say(stderr, "cltestcheck: finding %lld is %s\n", (long long)m->finding, again ? "seen again" : "not seen this time");
  return again ? EXIT_FOUND : EXIT_FINE;
}

static int get_finding(const char *database, once_more *m, error *e) {
  db *d = NULL;
  const int result = db_open(&d, database, DB_READ, e) == 0 ? db_get_finding(d, m->finding, &m->seen, e) : -1;
  db_close(d);
  return result;
}

int measuring_or_once_more(measuring *r) {
  const settings *s = r->settings;
  once_more m = {.finding = s->replay.id};
  error e;
  if (m.finding == 0) return measuring_run(r);
  if (get_finding(s->report.database, &m, &e) != 0) return say_error(&e);
  if (!s->report.quiet)
    say(stderr, "cltestcheck: finding %lld: kernel %s: %s\n", (long long)m.finding, m.seen.kernel, m.seen.command_line);
  const char *kernel = m.seen.kernel;
  const recorded_test test = {m.seen.suite, m.seen.name, m.seen.command_line, m.seen.word};
  settings alone = *s;
  alone.report.kernels.wanted = (word_list){&kernel, 1, 1};
  r->settings = &alone;
  r->options.common.kernels = alone.report.kernels;
  r->again = &test;
  r->judge_again = judge_again;
  r->context = &m;
  const int code = measuring_run(r);
  db_free_seen(&m.seen);
  return code;
}
