/* cltestcheck check: what coverage, races and memory say of the same test cases, in one report. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/say.h"
#include "cli/commands.h"
#include "cli/emit_cases.h"
#include "cli/measuring.h"
#include "cli/output.h"
#include "runner/experiment/captures.h"

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

/* --- one part ----------------------------------------------------------------------------------------------------- */

/* Its own view decides what it says. */
static int judge_part(const measuring *r, error *e) {
  view v;
  if (load_view(r->db, &r->id, 1, &r->settings->report, &v, e) != 0) return -1;
  const int code = measured_judge(r, &v);
  if (code >= 0 && !r->out.common.out_of_time) measured_say(r, &v, code);
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

/* A part that came too late says nothing where the other has seen something. */
static int code_of(const check *c) {
  const bool all_late = c->late[0] && (c->count < PARTS || c->late[1]);
  int code = EXIT_FINE;
  for (size_t i = 0; i < c->count; i++) code = worse_of(code, c->late[i] && !all_late ? EXIT_FINE : c->codes[i]);
  return code;
}

/* As it is, without us: what comes then may be why. */
static void say_killed(const check *c) {
  const int killed = c->parts[0].out.killed;
  if (killed != 0)
    say(stderr, "Killed: as it is, the program is killed by signal %d (%s).\n\n", killed, strsignal(killed));
}

/* What no run of ours looks for, and which command does. */
static void say_not_looked_for(void) {
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

static int report(const check *c, const settings *s, error *e) {
  view v;
  const int code = code_of(c);
  const measuring *last = &c->parts[c->count - 1];
  if (load_view(last->db, c->runs, c->count, &s->report, &v, e) != 0) return -1;
  const bool text = v.kernel_count > 0 && !s->report.quiet;
  if (text) say_killed(c);
  const bool told = !text || write_text(&v, &s->report, code, stderr, e) == 0;
  if (text && told) say_not_looked_for();
  const bool wrote = told && write_formats(&v, &s->report, code, stderr, e) == 0;
  view_free(&v);
  if (c->count < PARTS && !c->parts[0].out.common.interrupted && !no_opencl(c))
    say(stderr, "cltestcheck: --max-time was over before memory was looked at\n");
  return wrote ? emit_cases(s, &last->plan, &last->options.common.target, last->db, c->runs, c->count, code) : -1;
}

static int cmd_check(const settings *s) {
  check c = {.of = {*s, *s}};
  settings shown = *s;
  error e;
  c.of[0].given.verb = "races";
  c.of[1].given.verb = "memory";
  c.of[1].tests.capture = NULL;
  shown.report.show_missed = true;
  char *captures = captures_open(&e); /* without it the program is started more often */
  const int code = run_parts(&c, s, captures, &e) == 0 ? report(&c, &shown, &e) : -1;
  captures_close(captures);
  for (size_t i = 0; i < PARTS; i++) measured_free(&c.parts[i]);
  return code < 0 ? say_error(&e) : code;
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
