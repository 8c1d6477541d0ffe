/* Commands whose experiment measures: `check`, `coverage`, `races` and `memory`. It takes its options from settings here, and its
 * outcome becomes sentences and an exit code. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/say.h"
#include "base/subprocess.h"
#include "cli/options.h"
#include "cli/output.h"
#include "proofs/order/commands.h"
#include "runner/experiment/run_words.h"

/* A run of such an experiment: what the command wants, and then what has become of it. */
typedef struct measuring {
  const settings *settings;
  measure_options options; /* measure_of the settings, and what the command wants */
  const db_seen *again;    /* the finding of --replay, whose test case is run alone, instead of a plan; NULL: none */
  bool part;               /* a run of `check`, and kept as such (PART_OF_CHECK) */
  plan plan;
  char **recorded; /* command line of the recorded test case, NULL: it has none */
  experiment_listener listener;
  db *db;
  int64_t id;
  measure_outcome out;
} measuring;

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

/* What the settings say; with a form of the run that counts, and a look or NULL. */
static measure_options measure_of(const settings *s, program_form form, const measure_look *look) {
  const char *rules = s->measure.rules;
  const bool bounds = form == FORM_BOUNDS;
  const bool ordered = rule_is_wanted(rules, "host-race") || rule_is_wanted(rules, "mapped");
  measure_options o = s->measure;
  o.common = experiment_of(s, 1);
  o.verbose = s->report.verbose;
  o.form = form;
  o.look = look;
  o.leaks = o.leaks || (rules != NULL && rule_is_wanted(rules, "leak")); /* on request alone */
  o.unwritten = bounds && rule_is_wanted(rules, "uninitialized-read");
  o.commands = bounds && ordered ? commands_judge : NULL;
  return o;
}

static int prepare_measuring(measuring *r, error *e) {
  const settings *s = r->settings;
  experiment_options *o = &r->options.common;
  const db_seen *again = r->again;
  const plan_words w = planning_words(s);
  const int result =
      again == NULL ? planning_make(s, &r->plan, e)
                    : recorded_plan(&w, &(recorded_test){again->suite, again->name, again->command_line, again->word},
                                    &r->plan, &r->recorded, e);
  const bool one = again != NULL && (r->recorded != NULL || again->suite[0] != '\0');
  r->options.common.test_count = one ? 1 : r->plan.count;
  if (result != 0 || target_find(&s->device, TARGET_ONE, &o->target, e) != 0 ||
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

static int judge_measuring(void *context, const view *v) {
  const measuring *r = context;
  (void)say_unmatched(v, &r->settings->report.kernels);
  const int code = r->settings->measure.exit_as_program ? judge_as_program(r, v)
                                                        : measure_judge(&r->options, &r->out, v, &r->listener);
  if (code == EXIT_FINE && fails_on_memory(&r->settings->fail, v) != NULL) return EXIT_THRESHOLD;
  const bool below = code == EXIT_FINE && measure_has_seen(&r->options, &r->out, v) &&
                     (below_thresholds(v, &r->settings->report) || fails_on_benign(r, v));
  return below ? EXIT_THRESHOLD : code;
}

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

/* The exit code of its view, and sentences on how it ended. */
static void say_end(void *context, const view *v, int code) {
  const measuring *r = context;
  const measure_outcome *out = &r->out;
  if (out->common.interrupted) return;
  if (out->common.programs == 0) {
    /* Why there is nothing to report, and what to do. */
    if (out->common.processes == 0)
      say(stderr, "cltestcheck: nothing was observed: %s\n", no_opencl_call());
    else if (out->skipped > 0)
      say(stderr, "cltestcheck: nothing was observed: no program could be instrumented: %s\n", out->last_skip);
    else if (!out->common.device_denied) /* else say_denied does */
      (void)fputs("cltestcheck: nothing was observed: the program used OpenCL but built no kernel from source\n",
                  stderr);
    if (out->common.device_denied) say_denied(&r->settings->given, &r->options.common.target, out->common.denied_type);
    return;
  }
  if (out->named < 2 && !r->settings->report.quiet) framework_hint(&r->settings->tests, r->settings->given.command);
  if (!out->observed && !out->failed) {
    /* Programs were instrumented, and then no launch of them was seen. */
    if (out->refused_launches > 0) {
      say(stderr, "cltestcheck: nothing was observed: the device refused every launch (%llu), the first one of %s\n",
          (unsigned long long)out->refused_launches, out->refusal);
    } else {
      say(stderr, "cltestcheck: nothing was observed: the program built kernels, and no launch of one was seen\n");
    }
  } else if (out->unchecked && !out->failed)
    say(stderr, "cltestcheck: no access was checked for races: %s\n", out->unchecked_why);
  if (out->failed && !r->settings->measure.exit_as_program) return;
  say_below(v, &r->settings->report, false);
  if (code == EXIT_THRESHOLD) say_fails_on_memory(&r->settings->fail, v);
  if (code == EXIT_THRESHOLD && fails_on_benign(r, v))
    (void)fputs("cltestcheck: work-items race to write the same value (--fail-on benign)\n", stderr);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static int report_measuring(measuring *r, error *e) {
  static const measure_words words_of = {judge_measuring, has_programs, show_text, say_end};
  const int code = measure_report(&r->settings->report, r->db, r->id, &words_of, r);
  if (r->again == NULL) return emit_cases(r->settings, &r->plan, &r->options.common.target, r->db, &r->id, 1, code);
  /* Of a finding that was looked for once more. */
  const int64_t finding = r->settings->replay.id;
  bool again = false;
  if (db_seen_again(r->db, finding, r->id, &again, e) != 0) return -1;
  if (code != EXIT_FINE && code != EXIT_FOUND && code != EXIT_THRESHOLD) return code;
  say(stderr, "cltestcheck: finding %lld is %s\n", (long long)finding, again ? "seen again" : "not seen this time");
  return again ? EXIT_FOUND : EXIT_FINE;
}

static int measured_run(measuring *r, error *e) {
  return prepare_measuring(r, e) == 0 ? measure_run(r->db, r->id, &r->options, &r->listener, &r->out, e) : -1;
}

/* Plans and runs it, as run `id` of the database, which stays open; to be freed in every case. */
static void measured_free(measuring *r) {
  db_close(r->db);
  plan_free(&r->plan);
  shell_free(r->recorded);
  target_free(&r->options.common.target);
}

/* Runs, reports, and gives the exit code, or -1 with `e`. */
static int measuring_run(measuring *r, error *e) {
  const int code = measured_run(r, e) == 0 ? report_measuring(r, e) : -1;
  measured_free(r);
  return code;
}

/* measuring_run, or, where --replay names a finding, its test case and kernel alone; then EXIT_FOUND: it was seen again. */
static int measuring_or_once_more(measuring *r, error *e) {
  const settings *s = r->settings;
  db_seen seen;
  if (s->replay.id == 0) return measuring_run(r, e);
  db *d = NULL;
  const int result = db_open(&d, s->report.database, DB_READ, e) == 0 ? db_get_finding(d, s->replay.id, &seen, e) : -1;
  db_close(d);
  if (result != 0) return -1;
  if (!s->report.quiet)
    say(stderr, "cltestcheck: finding %lld: kernel %s: %s\n", (long long)s->replay.id, seen.kernel, seen.command_line);
  const char *kernel = seen.kernel;
  settings alone = *s;
  alone.report.kernels.wanted = (word_list){&kernel, 1, 1};
  r->settings = &alone;
  r->options.common.kernels = alone.report.kernels;
  r->again = &seen;
  const int code = measuring_run(r, e);
  db_free_seen(&seen);
  return code;
}

/* cltestcheck check: what coverage, races and memory say of the same test cases, in one report. */

#define FIRST_SHARE 0.6 /* of --max-time: the part that also measures coverage */

enum { PARTS = 2, INTERRUPTED = 130 };

typedef struct check {
  settings of[PARTS]; /* as if each had been given */
  measuring parts[PARTS];
  int64_t runs[PARTS];
  size_t count; /* that were run */
  int codes[PARTS];
  bool late[PARTS]; /* it saw nothing, as --max-time was over */
} check;

/* What was found comes before what it may be the reason of: that the program fails. */
static int worse_of(int a, int b) {
  static const int order[] = {EXIT_INTERNAL, EXIT_USAGE,   EXIT_FOUND,    INTERRUPTED,
                              EXIT_BASELINE, EXIT_NOTHING, EXIT_THRESHOLD};
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
    if (a == order[i] || b == order[i]) return order[i];
  return EXIT_FINE;
}

/* Its own view decides what it says. */
static int judge_part(measuring *r, error *e) {
  view v;
  if (load_view(r->db, &r->id, 1, &r->settings->report, &v, e) != 0) return -1;
  const int code = judge_measuring(r, &v);
  if (code >= 0 && !r->out.common.out_of_time) say_end(r, &v, code);
  view_free(&v);
  return code;
}

static int run_part(check *c, error *e) {
  const size_t i = c->count;
  const int result = measured_run(&c->parts[i], e);
  c->runs[i] = c->parts[i].id;
  if (result == 0) {
    c->codes[i] = judge_part(&c->parts[i], e);
    c->late[i] = c->codes[i] == EXIT_NOTHING && c->parts[i].out.common.out_of_time;
    c->count++;
  }
  return result != 0 || c->codes[i] < 0 ? -1 : 0;
}

static bool no_opencl(const check *c) { return c->parts[0].out.common.processes == 0; }

/* The first part as it is, with coverage and then watched for races; the second one without what the program prints.
 * `captures`: what the first part leaves for the second one; NULL: nothing. */
static int run_parts(check *c, const settings *s, const char *captures, error *e) {
  const double start = clock_now();
  const double most = s->experiment.max_time;
  c->parts[0] =
      (measuring){.settings = &c->of[0], .options = measure_of(s, FORM_COVERAGE, &look_for_races), .part = true};
  c->parts[0].options.common.max_time = FIRST_SHARE * most;
  c->parts[0].options.captures = captures;
  if (run_part(c, e) != 0) return -1;
  const double left = most > 0 ? most - (clock_now() - start) : 0;
  if (c->parts[0].out.common.interrupted || left < 0 || no_opencl(c)) return 0;
  db_close(c->parts[0].db);
  c->parts[0].db = NULL;
  c->parts[1] =
      (measuring){.settings = &c->of[1], .options = measure_of(s, FORM_BOUNDS, &look_for_faults), .part = true};
  c->parts[1].options.silent = true;
  c->parts[1].options.captures = captures;
  c->parts[1].options.captured = true;
  c->parts[1].options.common.max_time = left;
  return run_part(c, e);
}

/* --- the report --------------------------------------------------------------------------------------------------- */

static int report(const check *c, const settings *s, error *e) {
  view v;
  /* A part that came too late says nothing where the other has seen something. */
  const bool all_late = c->late[0] && (c->count < PARTS || c->late[1]);
  int code = EXIT_FINE;
  for (size_t i = 0; i < c->count; i++) code = worse_of(code, c->late[i] && !all_late ? EXIT_FINE : c->codes[i]);
  const measuring *last = &c->parts[c->count - 1];
  if (load_view(last->db, c->runs, c->count, &s->report, &v, e) != 0) return -1;
  const bool text = v.kernel_count > 0 && !s->report.quiet;
  if (text) {
    /* As it is, without us: what comes then may be why. */
    const int killed = c->parts[0].out.killed;
    if (killed != 0)
      say(stderr, "Killed: as it is, the program is killed by signal %d (%s).\n\n", killed, strsignal(killed));
  }
  const bool told = !text || write_text(&v, &s->report, code, stderr, e) == 0;
  if (text && told) {
    /* What no run of ours looks for, and which command does. */
    static const struct {
      const char *what, *command;
    } rows[] = {{"what these launches may do in another run", "verify"},
                {"what other launches of these kernels may do", "verify KERNELS.cl"},
                {"results that depend on the order of work-groups", "amplify"},
                {"objects that the program does not release", "memory --leaks"},
                {"faults that the tests would not notice", "mutate"}};
    say(stderr, "\nNot looked for                                     by\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
      say(stderr, "  %-48s cltestcheck %s\n", rows[i].what, rows[i].command);
  }
  const bool wrote = told && write_formats(&v, &s->report, code, stderr, e) == 0;
  view_free(&v);
  if (c->count < PARTS && !c->parts[0].out.common.interrupted && !no_opencl(c))
    say(stderr, "cltestcheck: --max-time was over before memory was looked at\n");
  return wrote ? emit_cases(s, &last->plan, &last->options.common.target, last->db, c->runs, c->count, code) : -1;
}

static int cmd_check(const settings *s, error *e) {
  check c = {.of = {*s, *s}};
  settings shown = *s;
  c.of[0].given.verb = "races";
  c.of[1].given.verb = "memory";
  c.of[1].tests.capture = NULL;
  shown.report.show_missed = true;
  char *captures = captures_open(e); /* without it the program is started more often */
  const int code = run_parts(&c, s, captures, e) == 0 ? report(&c, &shown, e) : -1;
  captures_close(captures);
  for (size_t i = 0; i < PARTS; i++) measured_free(&c.parts[i]);
  return code;
}

const command command_check = {
    "check",
    "look for all that a program's kernels do wrong, in one report",
    "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
    "For who has no time: what `races` and `memory` see, and the coverage that comes with it. The report begins with "
    "what killed the program and with launches that were refused and went unnoticed; then come errors with memory, "
    "races, barriers that diverge, and what no test case has reached. The program runs once as it is, and again, "
    "without its output, with its accesses watched. Exits with 3 when anything was found.",
    "cltestcheck check --max-time 300 -- ./my_tests",
    cmd_check,
    FOR_CHECK};

/* cltestcheck coverage: runs test cases under the layer and reports what their kernels did. */

static int cmd_coverage(const settings *s, error *e) {
  return measuring_run(&(measuring){.settings = s, .options = measure_of(s, FORM_COVERAGE, NULL)}, e);
}

const command command_coverage = {
    "coverage",
    "measure coverage of the kernels that a program runs",
    "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
    "Runs the program, unmodified, with every OpenCL kernel that it builds from source instrumented, keeps the "
    "evidence in the results database and prints a table. The program keeps its own standard output and error; ours go "
    "to standard error. A BENCHMARK is one of `cltestcheck list`; a SUITE.yaml names a program and its test cases; a "
    "CAPTURE is a file of `cltestcheck capture`. With --pytest, --gtest or --ctest each test of a framework is a test "
    "case (docs/recipes).",
    "cltestcheck coverage --show-missed --fail-under branch=80 -- ./my_tests",
    cmd_coverage,
    FOR_COVERAGE};

/* cltestcheck races: as coverage, and each test case once more with its accesses to memory checked. */

static int cmd_races(const settings *s, error *e) {
  return measuring_or_once_more(&(measuring){.settings = s, .options = measure_of(s, FORM_COVERAGE, &look_for_races)},
                                e);
}

const command command_races = {
    "races",
    "see data races on the device itself",
    "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
    "Runs the program twice, unmodified: once for its coverage and barriers that diverge, and once with every access "
    "of its kernels to global and local memory held against what other work-items of the launch did to the same bytes. "
    "Two accesses that nothing orders, one of them a write, are a data race: both are shown, with their work-items. "
    "What was not executed is not seen (`cltestcheck verify` proves). Exits with 3 when a race was found.",
    "cltestcheck races --kernel 'reduce*' -- ./my_tests",
    cmd_races,
    FOR_RACES};

/* cltestcheck memory: each test case with its accesses held against the memory that they are meant for; once more where one has left
 * it, to see which. */

static int cmd_memory(const settings *s, error *e) {
  return measuring_or_once_more(&(measuring){.settings = s, .options = measure_of(s, FORM_BOUNDS, &look_for_faults)},
                                e);
}

const command command_memory = {
    "memory",
    "find accesses outside of their memory, and what else kernels do wrong with it",
    "[OPTIONS] (BENCHMARK… | SUITE.yaml… | CAPTURE… | -- PROGRAM [ARGS])",
    "Runs the program, unmodified, with every access of its kernels held against the buffer or array that its pointer "
    "was made from: accesses outside, through null pointers, at addresses that a type does not allow, and against a "
    "buffer's flags. A read outside gives 0, a write outside is dropped, and the program goes on, so that one that "
    "would have crashed comes to its end. Exits with 3 when an error was found.",
    "cltestcheck memory --kernel 'reduce*' -- ./my_tests",
    cmd_memory,
    FOR_MEMORY};
