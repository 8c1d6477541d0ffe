/* Reports on schedule amplification: counts by hand-made runs, the text as a person reads it, JSON by its schema. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/buffer.h"
#include "base/memory.h"
#include "reports/common/coverage.h"
#include "tests/fixtures/add_finding.h"
#include "tests/fixtures/amplify_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_checks.h"

static const report_options plain = {0};

/* A report on one run. */
static char *report(fixture *f, int64_t run, const char *format, const report_options *options) {
  error e;
  view v;
  OK(db_load(f->d, &run, 1, &v, &e));
  char *text = render(format, &v, options);
  view_free(&v);
  return text;
}

/* The same as text, lines joined and spaces made one, so that it does not matter where lines break. */
static char *sentences(fixture *f, int64_t run, const report_options *options) {
  char *text = report(f, run, "text", options);
  assert_fits(text, options->width == 0 ? 80 : options->width);
  size_t length = 0;
  for (size_t i = 0; text[i] != '\0'; i++) {
    bool space = text[i] == ' ' || text[i] == '\n';
    if (!space || (length > 0 && text[length - 1] != ' ')) text[length++] = space ? ' ' : text[i];
  }
  text[length] = '\0';
  return text;
}

/* --- nothing found --------------------------------------------------------------------------------------------- */

static void test_all_consistent(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.conv.kernels[0], 0, 32, "");
  (void)amplify_schedule(&a, launch, "first", 7, "...");
  (void)amplify_schedule(&a, launch, "first", 12, "...");
  (void)amplify_schedule(&a, launch, "reverse", 0, "...");
  (void)amplify_schedule(&a, launch, "random", 5, "...");
  for (uint32_t i = 0; i < 3; i++) (void)amplify_launch(&a, a.conv.kernels[1], i, 1, "one work-group");
  (void)amplify_launch(&a, a.scan.kernels[0], 0, 1, "one work-group");
  (void)amplify_launch(&a, a.scan.kernels[0], 1, 9, "too many work-groups");
  amplify_end(&a);
  char *text = report(f, a.run, "text", &plain);
  assert_contains(text,
                  "Kernel               launches    groups in flight schedules   runs  same x D o !\n"
                  "conv2d                      1        32         2         4     12     4 0 0 0 0\n"
                  "reduce_rows                 3         1         -         0      0     0 0 0 0 0\n"
                  "scan                        2       1-9         -         0      0     0 0 0 0 0\n"
                  "\n"
                  "Launches without schedules\n"
                  "  4 launches: one work-group (kernels reduce_rows, scan)\n"
                  "  1 launch: too many work-groups (kernel scan)\n");
  free(text);
  text = sentences(f, a.run, &plain);
  assert_contains(text, "Schedule amplification of run 2: 1 test case on Test Device ");
  assert_contains(text,
                  "4 schedules of 1 launch (1 kernel), 12 runs: 4 consistent, 0 race, 0 deadlock, 0 occupancy-bound, "
                  "0 crash Kernel");
  assert_contains(text, "All 4 schedules gave the same result as without one, in every run");
  assert_contains(text, "proves nothing about orders that were not tried");
  const char *const absent[] = {
      "schedule by schedule", "depends on the order", "Meant", "Reached", "Coverage", "Findings"};
  for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) assert_lacks(text, absent[i]);
  free(text);
}

static void test_nothing_to_schedule(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  amplify_begin(&a, f->d, "small");
  amplify_end(&a);
  char *text = sentences(f, a.run, &plain);
  assert_contains(text, "0 schedules of 0 launches (0 kernels), 0 runs (no launch of a kernel was seen)");
  assert_lacks(text, "same result");
  assert_lacks(text, "Coverage");
  free(text);
  text = report(f, a.run, "json", &plain);
  assert_follows_schema(text);
  assert_contains(text, "\"schedules\": []");
  free(text);
  amplify_begin(&a, f->d, "small");
  (void)amplify_launch(&a, a.scan.kernels[0], 0, 1, "one work-group");
  amplify_end(&a);
  text = sentences(f, a.run, &plain);
  assert_contains(text, "0 schedules of 0 launches");
  assert_contains(text, "1 launch: one work-group (kernel scan)");
  assert_lacks(text, "same result");
  free(text);
}

static void test_what_was_not_run(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.scan.kernels[0], 0, 16, "");
  (void)amplify_schedule(&a, launch, "first", 7, "..");
  (void)amplify_schedule(&a, launch, "reverse", 0, "");
  amplify_end(&a);
  char *text = sentences(f, a.run, &plain);
  assert_contains(text, "2 schedules of 1 launch (1 kernel), 2 runs: 1 consistent");
  assert_contains(text, "0 crash, 1 without a run");
  assert_lacks(text, "same result"); /* not all were tried */
  free(text);
}

/* --- races ----------------------------------------------------------------------------------------------------- */

/* scan races when a group but 0 goes first. Schedule 1 of the database: "0 first", 2: "17 first", 3: "reverse". */
static int64_t add_race(fixture *f, const db_explanation *x) {
  amplify_fixture a;
  error e;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.scan.kernels[0], 2, 64, "");
  int64_t zero = amplify_schedule(&a, launch, "first", 0, "....................");
  int64_t first = amplify_schedule(&a, launch, "first", 17, ".x.x.xx.x.x.x.x.x.xx");
  (void)amplify_schedule(&a, launch, "reverse", 0, "xxxxxxxxxxxxxxxxxxxx");
  db_explanation explanation = *x;
  explanation.other = explanation.other == 0 ? 0 : zero;
  amplify_explain(&a, first, &explanation);
  OK(add_finding(f->d, a.test, a.scan.kernels[0], 0, "data-race", "found by the runner", &e));
  OK(add_finding(f->d, a.test, a.scan.kernels[0], 0, "barrier-divergence", "another matter", &e));
  amplify_end(&a);
  return a.run;
}

static void test_a_race(void **state) {
  fixture *f = *state;
  static const db_explained written = {.role = "write", .line = 5};
  const db_explanation x = {.why = {.kind = "memory", .unit = "element", .rest = "elsewhere", .race = "none"},
                            .places = &written,
                            .place_count = 1,
                            .other = 1,
                            .argument = "a",
                            .first = 17,
                            .last = 4095,
                            .differing = 812,
                            .reference = "4.25",
                            .seen = "3.5",
                            .file_name = "src/scan.cl",
                            .line = 5};
  int64_t run = add_race(f, &x);
  char *text = report(f, run, "text", &plain);
  assert_contains(text,
                  "Launches, schedule by schedule\n"
                  "A row is a schedule, a character a run: . the reference's result, x another one,\n"
                  "  D a group never ended, o not in this order: the device has not the room for\n"
                  "  it, ! crashed\n"
                  "  scan, launch 2 of suite/small: 64 work-groups of 64, 2 in flight\n"
                  "    0 first     ....................  consistent\n"
                  "    17 first    .x.x.xx.x.x.x.x.x.xx  race  45.0 %\n"
                  "    reverse     xxxxxxxxxxxxxxxxxxxx  race   0.0 %\n");
  assert_contains(text, "    src/scan.cl:5\n     5 |   a[i] = i;\n");
  assert_contains(text, "\n    again: cltestcheck amplify --replay 2\n");
  free(text);
  text = sentences(f, run, &plain);
  assert_contains(text, "3 schedules of 1 launch (1 kernel), 60 runs: 1 consistent, 2 race, 0 deadlock,");
  assert_contains(
      text,
      "RACE in kernel scan (src/scan.cl:2), launch 2 of suite/small: a[17] is 4.25 with group 0 first, ticket gate, "
      "and "
      "3.5 with group 17 first, ticket gate; 812 elements differ, 17 to 4095; written at line 5 and perhaps elsewhere; "
      "none of its accesses race: the order in which atomic functions execute is left open src/scan.cl:5 5 | a[i] = i; "
      "group 17 first (schedule 2) against group 0 first (schedule 1): "
      "9 of 20 runs gave the reference's result (45.0 %) the same under 1 more schedule again:");
  assert_int_equal(occurrences(text, "RACE"), 1);
  assert_lacks(text, "same result as without one");
  assert_lacks(text, "found by the runner"); /* said at greater length */
  assert_contains(text, "Findings barrier divergence in kernel scan: another matter");
  free(text);
  const report_options elsewhere = {.database = "other.db"};
  text = report(f, run, "text", &elsewhere);
  assert_contains(text, "again: cltestcheck amplify --replay 2 --db other.db\n");
  free(text);
}

/* What no record gives is told in a sentence. */
static void test_a_race_in_a_sentence(void **state) {
  fixture *f = *state;
  const db_explanation x = {.text = "a[17] is 4.25 with the gate open, and 3.5 with group 17 first",
                            .argument = "a",
                            .first = 17,
                            .last = 17,
                            .differing = 1,
                            .reference = "4.25",
                            .seen = "3.5"};
  char *text = sentences(f, add_race(f, &x), &plain);
  assert_contains(text,
                  "small: a[17] is 4.25 with the gate open, and 3.5 with group 17 first group 17 first (schedule 2) "
                  "against the program as it is: 9 of 20");
  assert_int_equal(occurrences(text, "4.25"), 1);
  free(text);
}

static void test_a_race_without_an_explanation(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  amplify_begin(&a, f->d, "small");
  (void)amplify_schedule(&a, amplify_launch(&a, a.scan.kernels[0], 0, 0, ""), "last", 3, "ox.");
  amplify_end(&a);
  char *text = sentences(f, a.run, &plain);
  assert_contains(text,
                  "RACE in kernel scan (src/scan.cl:2), launch 0 of suite/small group 3 last (schedule 1): 1 of 3 runs "
                  "gave the reference's result (33.3 %), 1 was not in this order again:");
  assert_contains(text, "scan, launch 0 of suite/small 3 last"); /* the number of groups is not known */
  free(text);
}

static void test_races_that_are_alike_are_told_once(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  amplify_begin(&a, f->d, "small");
  int64_t explained = 0;
  for (uint32_t i = 0; i < 3; i++) {
    int64_t launch = amplify_launch(&a, a.scan.kernels[0], i, 64, "");
    (void)amplify_schedule(&a, launch, "first", 1, "xx");
    explained = amplify_schedule(&a, launch, "reverse", 0, "x.");
  }
  amplify_explain(&a, explained, &(db_explanation){.text = "it is the last one"});
  (void)amplify_schedule(&a, amplify_launch(&a, a.conv.kernels[0], 0, 64, ""), "reverse", 0, "x");
  amplify_end(&a);
  char *text = sentences(f, a.run, &plain);
  assert_int_equal(occurrences(text, "RACE in kernel scan"), 1);
  assert_contains(text, "launch 2 of suite/small: it is the last one");
  assert_contains(text, "the same under 5 more schedules, of 3 launches in all again: cltestcheck amplify --replay 6");
  assert_int_equal(occurrences(text, "RACE in kernel conv2d"), 1);
  assert_int_equal(occurrences(text, "again:"), 2);
  free(text);
}

/* --- other verdicts -------------------------------------------------------------------------------------------- */

static void test_a_deadlock(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  amplify_begin(&a, f->d, "small");
  int64_t row = amplify_schedule(&a, amplify_launch(&a, a.scan.kernels[0], 0, 8, ""), "first", 3, ".DD");
  static const db_explained seen[] = {{.role = "group", .group = 3, .construct = "barrier", .line = 4},
                                      {.role = "group", .group = 5, .construct = "loop", .line = 7},
                                      {.role = "group", .group = 6}};
  amplify_explain(&a, row,
                  &(db_explanation){.why = {.kind = "groups", .running = 5, .waiting = 2, .of_groups = 8},
                                    .places = seen,
                                    .place_count = 3,
                                    .file_name = "src/scan.cl",
                                    .line = 4});
  amplify_end(&a);
  char *text = sentences(f, a.run, &plain);
  assert_contains(text, "0 consistent, 0 race, 1 deadlock, 0 occupancy-bound, 0 crash");
  assert_contains(text, "3 first .DD deadlock");
  assert_contains(
      text,
      "DEADLOCK in kernel scan (src/scan.cl:2), launch 0 of suite/small: group 3 (at the barrier on line 4), "
      "group 5 (in the loop on line 7), group 6 and 2 more never ended: what is waited for is the work of "
      "groups that have not begun (2 of 8) src/scan.cl:4 4 | barrier(CLK_LOCAL_MEM_FENCE);");
  free(text);
}

static void test_occupancy_and_crash(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.scan.kernels[0], 0, 8, "");
  error e;
  int64_t row;
  const db_schedule bound = {
      .order = "first", .gate = "hardware", .target = 7, .verdict = "occupancy-bound", .outcomes = "ooo"};
  OK(db_put_schedule(f->d, launch, &bound, &row, &e));
  launch = amplify_launch(&a, a.conv.kernels[0], 0, 8, "");
  (void)amplify_schedule(&a, launch, "reverse", 0, "..!");
  amplify_end(&a);
  char *text = sentences(f, a.run, &plain);
  assert_contains(text, "0 consistent, 0 race, 0 deadlock, 1 occupancy-bound, 1 crash");
  assert_contains(text, "7 first, hardware gate ooo occupancy-bound");
  assert_contains(text, "reverse ..! crash");
  assert_contains(text, "CRASH in kernel conv2d (src/conv.cl:3), launch 0");
  assert_contains(text, "1 schedule could not be had (occupancy-bound)");
  assert_int_equal(occurrences(text, "again:"), 1); /* that the device lacks room is no fault of the kernel */
  assert_true(strstr(text, "conv2d, launch 0") < strstr(text, "scan, launch 0")); /* faults come first */
  free(text);
}

/* Listed as faults are, counted apart from them. */
static void test_order_dependent(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.scan.kernels[0], 0, 8, "");
  error e;
  int64_t row;
  const db_schedule last = {
      .order = "last", .gate = "ticket", .target = 7, .verdict = "order-dependent", .outcomes = "xx"};
  OK(db_put_schedule(f->d, launch, &last, &row, &e));
  amplify_explain(&a, row, &(db_explanation){.text = "slots[1] is 2 and 3"});
  (void)amplify_schedule(&a, launch, "reverse", 0, "..");
  amplify_end(&a);
  char *text = sentences(f, a.run, &plain);
  assert_contains(text, "1 consistent, 0 race, 0 deadlock, 0 occupancy-bound, 0 crash, 1 order-dependent");
  assert_contains(text, "7 last xx order-dependent");
  assert_contains(text, "ORDER-DEPENDENT in kernel scan (src/scan.cl:2), launch 0 of suite/small: slots[1] is 2 and 3");
  assert_int_equal(occurrences(text, "again:"), 1);
  free(text);
  view v;
  OK(db_load(f->d, &a.run, 1, &v, &e));
  text = render("json", &v, &plain);
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  free(text);
  const json_t *counts = json_object_get(root, "amplification");
  assert_int_equal(json_integer_value(json_object_get(counts, "order_dependent")), 1);
  assert_int_equal(json_integer_value(json_object_get(counts, "race")), 0);
  json_decref(root);
  view_free(&v);
}

static void test_what_is_meant_is_counted_apart(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.scan.kernels[0], 0, 8, "");
  int64_t race = amplify_schedule_meant(&a, launch, "first", 3, ".x");
  (void)amplify_schedule_meant(&a, launch, "reverse", 0, "..");
  (void)amplify_schedule_meant(&a, launch, "random", 4, "DD");
  amplify_explain(&a, race, &(db_explanation){.text = "the first to come wins"});
  (void)amplify_schedule(&a, amplify_launch(&a, a.conv.kernels[0], 0, 8, ""), "reverse", 0, "..");
  amplify_end(&a);
  char *text = sentences(f, a.run, &plain);
  assert_contains(text,
                  "4 schedules of 2 launches (2 kernels), 8 runs: 1 consistent, 0 race, 0 deadlock, 0 occupancy-bound, "
                  "0 crash; counted apart: 3 of kernels whose dependence on the order is meant");
  assert_contains(text,
                  "Meant: the kernel says that its result may depend on the order scan (src/scan.cl:2): 3 schedules, "
                  "1 deadlock, 1 race, 1 consistent the first to come wins");
  assert_contains(text, "that the order matters is meant 3 first .x race");
  assert_contains(text, "The 1 schedule gave the same result");
  assert_lacks(text, "What depends");
  assert_lacks(text, "again:");
  free(text);
  error e;
  view v;
  OK(db_load(f->d, &a.run, 1, &v, &e));
  amplification counted;
  amplification_totals(&v, NULL, &counted);
  assert_int_equal(counted.all.schedules, 4);
  assert_int_equal(counted.all.runs, 8);
  assert_int_equal(counted.all.meant, 3);
  assert_int_equal(counted.all.of[VERDICT_CONSISTENT], 1);
  assert_int_equal(counted.all.of[VERDICT_RACE] + counted.all.of[VERDICT_DEADLOCK], 0);
  assert_int_equal(counted.kernel_count, 2);
  assert_int_equal(counted.kernels[1].counts.meant, 3);
  amplification_free(&counted);
  view_free(&v);
}

/* --- long lists ------------------------------------------------------------------------------------------------ */

static void test_long_lists_of_rows_are_folded(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.scan.kernels[0], 0, 2048, "");
  for (uint32_t i = 0; i < 80; i++) { /* 0 to 2: consistent; 3: race; 4 to 45: consistent; 46 to 79: race */
    bool race = i == 3 || i > 45;
    (void)amplify_schedule(&a, launch, "first", i, race ? "x" : ".");
  }
  amplify_end(&a);
  char *text = report(f, a.run, "text", &plain);
  assert_contains(text,
                  "    0 first     .  consistent\n"
                  "    1 first     .  consistent\n"
                  "    2 first     .  consistent\n"
                  "    3 first     x  race   0.0 %\n"
                  "    42 more schedules: all consistent\n"
                  "    46 first    x  race   0.0 %\n");
  assert_contains(text, "    53 first    x  race   0.0 %\n    26 more schedules: 26 race\n"); /* after twelve rows */
  assert_int_equal(occurrences(text, "  x  race"), 9);
  free(text);
  const report_options all = {.show_missed = true};
  text = report(f, a.run, "text", &all);
  assert_int_equal(occurrences(text, "  x  race"), 35);
  assert_contains(text, "42 more schedules: all consistent");
  free(text);
}

static void test_some_launches_are_shown(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  amplify_begin(&a, f->d, "small");
  for (uint32_t i = 0; i < 6; i++)
    (void)amplify_schedule(&a, amplify_launch(&a, a.scan.kernels[0], i, 16, ""), "reverse", 0, "x");
  amplify_end(&a);
  char *text = sentences(f, a.run, &plain);
  assert_int_equal(occurrences(text, "reverse x race"), 4);
  assert_contains(text, "\xe2\x80\xa6 and 2 more; `cltestcheck report --show-missed` shows all");
  free(text);
  const report_options all = {.show_missed = true};
  text = sentences(f, a.run, &all);
  assert_int_equal(occurrences(text, "reverse x race"), 6);
  assert_lacks(text, "shows all");
  free(text);
}

static void test_many_runs_of_a_schedule(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  char outcomes[1001] = {0};
  memset(outcomes, '.', 1000);
  outcomes[999] = 'x';
  amplify_begin(&a, f->d, "small");
  (void)amplify_schedule(&a, amplify_launch(&a, a.scan.kernels[0], 0, 1u << 24, ""), "first", UINT32_MAX, outcomes);
  amplify_end(&a);
  char *text = sentences(f, a.run, &plain);
  assert_contains(text, ".\xe2\x80\xa6 race 99.9 %");
  assert_contains(text, "999 of 1000 runs gave the reference's result (99.9 %)");
  assert_contains(text, "scan 1 16M 2 1 1000"); /* the table */
  free(text);
}

/* --- names that are meant badly -------------------------------------------------------------------------------- */

/* `count` bytes of `c` between two words. */
static char *long_name(const char *begin, char c, size_t count, const char *end) {
  buffer name = {0};
  buffer_puts(&name, begin);
  for (size_t i = 0; i < count; i++) buffer_putc(&name, c);
  buffer_puts(&name, end);
  return buffer_take(&name);
}

static void test_hostile_names_stay_in_their_lines(void **state) {
  fixture *f = *state;
  error e;
  model m = {.options = mem_strdup("")};
  char *kernel = long_name("k\x1b[31m\n", 'k', 400, "\xff\x07");
  char *file_name = long_name("src/\x1b]0;", 'f', 300, ".cl");
  char *test = long_name("t\r", 't', 200, "\t");
  char *sentence = long_name("because \x1b[2J of ", 's', 250, " and so on");
  uint32_t file = fixture_file(&m, file_name, "kernel void k(global int *a) {\n\x1b[1m *a = 1;\n}\n");
  (void)fixture_function(&m, file, kernel, "kernel", "}", true);
  amplify_fixture a = {.d = f->d};
  OK(db_begin_run(f->d, "amplify", "0.1", &a.run, &e));
  OK(db_add_program(f->d, a.run, &m, &a.scan, &e));
  OK(db_begin_test_case(f->d, a.run, test, test, test, &a.test, &e));
  int64_t launch = amplify_launch(&a, a.scan.kernels[0], UINT32_MAX, UINT32_MAX, "");
  static const char *const outcomes[] = {"x.", "D", "o", "!", ".", "\x1b[", ""};
  int64_t first = 0;
  for (uint32_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++) {
    int64_t row = amplify_schedule(&a, launch, "first", UINT32_MAX - i, outcomes[i]);
    first = first == 0 ? row : first;
    amplify_explain(&a, row,
                    &(db_explanation){.text = sentence,
                                      .argument = test,
                                      .reference = kernel,
                                      .seen = kernel,
                                      .differing = UINT64_MAX,
                                      .last = UINT64_MAX,
                                      .unfinished = sentence,
                                      .file_name = file_name,
                                      .line = 2});
  }
  OK(db_add_reached(f->d, first, a.scan.sites[0], 0, &e));
  (void)amplify_schedule_meant(&a, launch, "reverse", 0, "x");
  (void)amplify_launch(&a, a.scan.kernels[0], 1, 1, sentence);
  amplify_end(&a);
  for (unsigned width = 64; width <= 160; width += 8) {
    const report_options options = {.width = width, .show_missed = width % 16 == 0};
    char *text = report(f, a.run, "text", &options);
    assert_fits(text, width);
    for (const char *c = text; *c != '\0'; c++) assert_true(*c == '\n' || (unsigned char)*c >= ' ');
    assert_contains(text, "RACE in kernel");
    free(text);
  }
  char *text = report(f, a.run, "json", &plain);
  assert_follows_schema(text);
  free(text);
  free(kernel);
  free(file_name);
  free(test);
  free(sentence);
  model_free(&m);
}

static void test_no_room_for_columns_of_verdicts(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.scan.kernels[0], 0, 8, "");
  static const char *const outcomes[] = {".", "x", "D", "o", "!", "."};
  for (uint32_t i = 0; i < 6; i++) (void)amplify_schedule(&a, launch, "first", i, outcomes[i]);
  amplify_end(&a);
  char *text = report(f, a.run, "text", &plain);
  assert_fits(text, 80);
  assert_contains(text,
                  "Kernel                             launches    groups in flight schedules   runs\n"
                  "scan                                      1         8         2         6      6\n"
                  "  2 consistent, 1 race, 1 deadlock, 1 occupancy-bound, 1 crash\n");
  free(text);
  const report_options wide = {.width = 110};
  text = report(f, a.run, "text", &wide);
  assert_contains(text, "   runs  same  race  deadlock  no room  crash\n");
  assert_contains(text, "      6     2     1         1        1      1\n");
  free(text);
}

static void test_columns_of_zeros_are_dim(void **state) {
  fixture *f = *state;
  const db_explanation x = {.text = "so it is"};
  const report_options options = {.colour = true};
  char *text = report(f, add_race(f, &x), "text", &options);
  assert_contains(text, "    \033[32m1\033[0m     \033[31m2\033[0m \033[2m0\033[0m \033[2m0\033[0m \033[2m0\033[0m\n");
  assert_contains(text, "    17 first    .\033[31mx\033[0m.\033[31mx\033[0m.\033[31mxx\033[0m.");
  assert_contains(text, "\033[31mRACE\033[0m in kernel");
  free(text);
}

/* --- the rest of the report ------------------------------------------------------------------------------------ */

static void test_what_only_some_schedules_reach(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  error e;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.conv.kernels[0], 4, 8, "");
  int64_t first = amplify_schedule(&a, launch, "first", 6, "..");
  int64_t random = amplify_schedule(&a, launch, "random", 9, "..");
  OK(db_add_reached(f->d, random, a.conv.sites[CONV_HELPER_IF], OUTCOME_TRUE, &e));
  OK(db_add_reached(f->d, first, a.conv.sites[CONV_HELPER_IF], OUTCOME_TRUE, &e));
  OK(db_add_reached(f->d, random, a.conv.sites[CONV_FOR], OUTCOME_ZERO, &e));
  amplify_end(&a);
  char *text = sentences(f, a.run, &plain);
  assert_contains(
      text,
      "Reached under some schedules, never by the program as it is src/conv.cl:8:3: for: 0 iterations, under "
      "random order 9 (schedule 2, launch 4 of suite/small) 8 | for (int k = 0; k < 3; k++) { | ^ "
      "src/common.h:2:3: if: true, under group 6 first (schedule 1, launch 4 of suite/small) and 1 more "
      "schedule 2 | if (i < 0) | ^");
  free(text);
}

static void test_coverage_follows_where_it_was_counted_and_asked_for(void **state) {
  fixture *f = *state;
  report_options asked = plain;
  asked.show_missed = true;
  static const model_term seen[] = {{SCAN_KERNEL, 0}};
  for (int counted = 0; counted < 2; counted++) {
    amplify_fixture a;
    amplify_begin(&a, f->d, "small");
    (void)amplify_schedule(&a, amplify_launch(&a, a.scan.kernels[0], 0, 8, ""), "reverse", 0, "..");
    if (counted == 1) fixture_evidence(f->d, a.test, &a.scan, 0, 1, seen, 1);
    amplify_end(&a);
    char *text = sentences(f, a.run, &asked);
    assert_int_equal(occurrences(text, "Coverage of run"), counted);
    free(text);
    text = sentences(f, a.run, &plain);
    assert_int_equal(occurrences(text, "Coverage of run"), 0);
    free(text);
  }
}

static void test_outputs_that_prove_nothing(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  error e;
  amplify_begin(&a, f->d, "small");
  (void)amplify_schedule(&a, amplify_launch(&a, a.scan.kernels[0], 0, 8, ""), "reverse", 0, "..");
  OK(db_add_unstable(f->d, a.test, "the output", 0.5, &e));
  amplify_end(&a);
  char *text = sentences(f, a.run, &plain);
  assert_contains(text,
                  "UNSTABLE: 1 output of the original, without any schedule, differs from run to run suite/small: "
                  "the output (50.0 % of its bytes)");
  free(text);
}

static void test_a_selection(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  amplify_begin(&a, f->d, "small");
  (void)amplify_schedule(&a, amplify_launch(&a, a.scan.kernels[0], 0, 8, ""), "reverse", 0, "xx");
  (void)amplify_schedule(&a, amplify_launch(&a, a.conv.kernels[0], 0, 8, ""), "reverse", 0, "..");
  (void)amplify_launch(&a, a.conv.kernels[1], 0, 1, "one work-group");
  amplify_end(&a);
  const char *const globs[] = {"conv*"};
  const report_options options = {.kernels = {.wanted = {(const char **)globs, 1, 1}}};
  char *text = sentences(f, a.run, &options);
  assert_contains(text, "1 schedule of 1 launch (1 kernel), 2 runs: 1 consistent, 0 race");
  assert_lacks(text, "scan");
  assert_lacks(text, "reduce_rows");
  free(text);
  text = report(f, a.run, "json", &options);
  assert_lacks(text, "\"race\": 1");
  assert_contains(text, "\"launches_skipped\": []");
  assert_follows_schema(text);
  free(text);
  const char *const none[] = {"nothing"};
  const report_options nothing = {.kernels = {.wanted = {(const char **)none, 1, 1}}};
  text = sentences(f, a.run, &nothing);
  assert_contains(text, "(no launch of a kernel that matches the selection)");
  free(text);
}

/* --- JSON ------------------------------------------------------------------------------------------------------ */

typedef struct json_ids {
  int64_t first, reverse;
} json_ids;

/* Four schedules of one launch, one of them explained and one meant, and a launch that was left out; the report. */
static json_t *json_report(fixture *f, json_ids *ids) {
  amplify_fixture a;
  error e;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.scan.kernels[0], 2, 64, "");
  ids->reverse = amplify_schedule(&a, launch, "reverse", 0, "...");
  ids->first = amplify_schedule(&a, launch, "first", 17, ".x.o");
  (void)amplify_schedule_meant(&a, launch, "random", 9, "xx");
  (void)amplify_schedule(&a, launch, "last", 3, "");
  amplify_explain(&a, ids->first,
                  &(db_explanation){.text = "so it is",
                                    .other = ids->reverse,
                                    .argument = "a",
                                    .first = 17,
                                    .last = 4095,
                                    .differing = 812,
                                    .reference = "4.25",
                                    .seen = "3.5",
                                    .file_name = "src/scan.cl",
                                    .line = 5});
  OK(db_add_reached(f->d, ids->first, a.scan.sites[SCAN_HELPER_IF], OUTCOME_TRUE, &e));
  (void)amplify_launch(&a, a.conv.kernels[1], 1, 1, "one work-group");
  amplify_end(&a);
  char *text = report(f, a.run, "json", &plain);
  assert_follows_schema(text);
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  free(text);
  return root;
}

static void assert_summary(const json_t *summary) {
  static const struct {
    const char *key;
    int value;
  } counts[] = {{"schedules", 4},       {"runs", 9},  {"consistent", 1}, {"race", 1},   {"deadlock", 0},
                {"occupancy_bound", 0}, {"crash", 0}, {"meant", 1},      {"pending", 1}};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    assert_int_equal(integer_at(summary, counts[i].key), counts[i].value);
}

static void assert_explained_schedule(const json_t *s, const json_ids *ids) {
  assert_int_equal(integer_at(s, "id"), ids->first);
  assert_string_equal(string_at(s, "kernel"), "scan");
  assert_string_equal(string_at(s, "file"), "src/scan.cl");
  assert_int_equal(integer_at(s, "line"), 2);
  assert_int_equal(integer_at(s, "test"), 0);
  assert_int_equal(integer_at(s, "launch"), 2);
  assert_int_equal(integer_at(s, "groups"), 64);
  assert_int_equal(integer_at(s, "in_flight"), 2);
  assert_string_equal(string_at(s, "gate"), "ticket");
  assert_string_equal(string_at(s, "order"), "first");
  assert_int_equal(integer_at(s, "target"), 17);
  assert_int_equal(integer_at(s, "seed"), 0);
  assert_int_equal(integer_at(s, "runs"), 4);
  assert_int_equal(integer_at(s, "reference"), 2);
  assert_string_equal(string_at(s, "outcomes"), ".x.o");
  assert_string_equal(string_at(s, "verdict"), "race");
  assert_true(json_is_false(json_object_get(s, "meant")));
  const json_t *x = json_object_get(s, "explanation");
  assert_int_equal(integer_at(x, "other"), ids->reverse);
  assert_int_equal(integer_at(x, "differing"), 812);
  assert_string_equal(string_at(x, "file"), "src/scan.cl");
  assert_int_equal(integer_at(x, "line"), 5);
  const json_t *reached = json_array_get(json_object_get(s, "reached"), 0);
  assert_string_equal(string_at(reached, "file"), "src/common.h");
  assert_string_equal(string_at(reached, "outcome"), "true");
}

static void test_json(void **state) {
  json_ids ids;
  json_t *root = json_report(*state, &ids);
  assert_summary(json_object_get(root, "amplification"));
  const json_t *schedules = json_object_get(root, "schedules");
  assert_int_equal(json_array_size(schedules), 4);
  assert_explained_schedule(json_array_get(schedules, 0), &ids);
  const json_t *s = json_array_get(schedules, 1);
  assert_string_equal(string_at(s, "verdict"), "pending");
  assert_int_equal(integer_at(s, "target"), 3);
  for (size_t i = 2; i < 4; i++) /* reverse, random */
    assert_true(json_is_null(json_object_get(json_array_get(schedules, i), "target")));
  s = json_array_get(schedules, 3);
  assert_int_equal(integer_at(s, "seed"), 9);
  assert_true(json_is_true(json_object_get(s, "meant")));
  assert_true(json_is_null(json_object_get(s, "explanation")));
  const json_t *skipped = json_array_get(json_object_get(root, "launches_skipped"), 0);
  assert_string_equal(string_at(skipped, "kernel"), "reduce_rows");
  assert_int_equal(integer_at(skipped, "launch"), 1);
  assert_int_equal(integer_at(skipped, "test"), 0);
  assert_string_equal(string_at(skipped, "reason"), "one work-group");
  json_decref(root);
}

static void test_other_reports_lack_it(void **state) {
  fixture *f = *state;
  char *text = render("json", &f->v, &plain);
  assert_lacks(text, "\"amplification\"");
  assert_lacks(text, "\"schedules\"");
  free(text);
  text = render("text", &f->v, &plain);
  assert_lacks(text, "schedule");
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_all_consistent),
      TEST(test_nothing_to_schedule),
      TEST(test_what_was_not_run),
      TEST(test_a_race),
      TEST(test_a_race_in_a_sentence),
      TEST(test_a_race_without_an_explanation),
      TEST(test_races_that_are_alike_are_told_once),
      TEST(test_a_deadlock),
      TEST(test_occupancy_and_crash),
      TEST(test_order_dependent),
      TEST(test_what_is_meant_is_counted_apart),
      TEST(test_long_lists_of_rows_are_folded),
      TEST(test_some_launches_are_shown),
      TEST(test_many_runs_of_a_schedule),
      TEST(test_hostile_names_stay_in_their_lines),
      TEST(test_no_room_for_columns_of_verdicts),
      TEST(test_columns_of_zeros_are_dim),
      TEST(test_what_only_some_schedules_reach),
      TEST(test_coverage_follows_where_it_was_counted_and_asked_for),
      TEST(test_outputs_that_prove_nothing),
      TEST(test_a_selection),
      TEST(test_json),
      TEST(test_other_reports_lack_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
