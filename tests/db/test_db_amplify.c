/* The database on schedule amplification: what is stored comes back, is replaced, migrated, merged, laid together. */
#include <sqlite3.h>
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

#include "base/memory.h"
#include "db/internal.h"
#include "tests/fixtures/add_finding.h"
#include "tests/fixtures/amplify_fixture.h"
#include "tests/fixtures/db_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_fixture.h"

enum { KERNEL_CONV, KERNEL_ROWS, KERNEL_SCAN }; /* in source order: of conv.cl, conv.cl, scan.cl */

static const db_explained explained[] = {{.role = "write", .file = 1, .line = 3},
                                         {.role = "group", .group = 4, .construct = "barrier", .file = 0, .line = 12}};

static const db_explanation race = {.why = {.kind = "memory",
                                            .unit = "pixel",
                                            .width = 640,
                                            .height = 480,
                                            .in_order = true,
                                            .rest = "others",
                                            .race = "unknown",
                                            .race_why = "no room",
                                            .read_kernel = "k",
                                            .read_argument = 3,
                                            .read_launch = 5,
                                            .read_number = 6,
                                            .running = 7,
                                            .waiting = 8,
                                            .of_groups = 9},
                                    .places = explained,
                                    .place_count = 2,
                                    .text = "two groups add to rows without an atomic",
                                    .argument = "rows",
                                    .first = 17,
                                    .last = UINT64_C(5000000000),
                                    .differing = 812,
                                    .reference = "4.25",
                                    .seen = "3.5",
                                    .file_name = "src/common.h",
                                    .line = 3,
                                    .unfinished = "group 4"};

/* Names of a launch's schedules in the order of the view: "first 3,reverse 0". */
static void name_schedules(const db_launch *l, char *to, size_t size) {
  size_t length = 0;
  to[0] = '\0';
  for (size_t i = 0; i < l->schedule_count; i++) {
    const db_schedule *s = &l->schedules[i];
    length += (size_t)snprintf(to + length, size - length, "%s%s %s %u", i == 0 ? "" : ",", s->order, s->gate,
                               s->target + s->seed);
  }
}

static void expect_record(const view *v, const db_explanation *x) {
  const db_why *is = &x->why, *was = &race.why;
  const char *const texts[][2] = {{is->kind, was->kind},         {is->unit, was->unit},
                                  {is->rest, was->rest},         {is->race, was->race},
                                  {is->race_why, was->race_why}, {is->read_kernel, was->read_kernel}};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) assert_string_equal(texts[i][0], texts[i][1]);
  const uint64_t numbers[][2] = {{is->width, was->width},
                                 {is->height, was->height},
                                 {is->in_order, was->in_order},
                                 {is->read_argument, was->read_argument},
                                 {is->read_launch, was->read_launch},
                                 {is->read_number, was->read_number},
                                 {is->running, was->running},
                                 {is->waiting, was->waiting},
                                 {is->of_groups, was->of_groups}};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) assert_true(numbers[i][0] == numbers[i][1]);
  static const char *const files[] = {"src/common.h", "src/conv.cl"};
  assert_int_equal(x->place_count, 2);
  for (size_t i = 0; i < 2; i++) {
    assert_string_equal(x->places[i].role, explained[i].role);
    assert_string_equal(x->places[i].construct, explained[i].construct == NULL ? "" : explained[i].construct);
    assert_int_equal(x->places[i].group, explained[i].group);
    assert_int_equal(x->places[i].line, explained[i].line);
    assert_string_equal(v->files[x->places[i].file].name, files[i]);
  }
}

/* --- there and back ------------------------------------------------------------------------------------------- */

static void test_everything_comes_back(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  error e;
  view v;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.conv.kernels[1], 3, 128, "");
  (void)amplify_launch(&a, a.scan.kernels[0], 0, 1, "one work-group");
  int64_t reverse = amplify_schedule(&a, launch, "reverse", 0, "..x");
  int64_t first = amplify_schedule(&a, launch, "first", UINT32_MAX, "x.x!");
  (void)amplify_schedule_meant(&a, launch, "random", 9, "xx");
  db_explanation x = race;
  x.other = reverse;
  amplify_explain(&a, first, &x);
  OK(db_add_reached(f->d, first, a.conv.sites[CONV_SWITCH], 2, &e));
  OK(db_add_reached(f->d, first, a.conv.sites[CONV_IF], OUTCOME_FALSE, &e));
  OK(db_add_reached(f->d, first, a.conv.sites[CONV_IF], OUTCOME_FALSE, &e));
  OK(db_add_reached(f->d, first, a.conv.sites[CONV_BARRIER], OUTCOME_DIVERGED, &e)); /* nothing to reach */
  amplify_end(&a);

  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_string_equal(v.command, "amplify");
  assert_int_equal(v.launch_count, 2);
  const db_launch *l = &v.launches[0];
  assert_int_equal(l->test_case, 0);
  assert_int_equal(l->kernel, KERNEL_ROWS);
  assert_string_equal(v.kernels[l->kernel].name, "reduce_rows");
  assert_int_equal(l->number, 3);
  assert_int_equal(l->groups, 128);
  assert_int_equal(l->local, 64);
  assert_int_equal(l->together, 2);
  assert_string_equal(l->skipped, "");
  assert_int_equal(l->schedule_count, 3);
  const db_schedule *s = &l->schedules[0];
  assert_int_equal(s->id, first);
  assert_string_equal(s->order, "first");
  assert_string_equal(s->gate, "ticket");
  assert_true(s->target == UINT32_MAX);
  assert_int_equal(s->seed, 0);
  assert_string_equal(s->verdict, "crash");
  assert_string_equal(s->outcomes, "x.x!");
  assert_false(s->meant);
  const db_explanation *y = s->explanation;
  assert_non_null(y);
  assert_string_equal(y->text, race.text);
  assert_int_equal(y->other, reverse);
  assert_string_equal(y->argument, "rows");
  assert_int_equal(y->first, 17);
  assert_true(y->last == UINT64_C(5000000000));
  assert_int_equal(y->differing, 812);
  assert_string_equal(y->reference, "4.25");
  assert_string_equal(y->seen, "3.5");
  assert_string_equal(v.files[y->file].name, "src/common.h");
  assert_int_equal(y->line, 3);
  assert_string_equal(y->unfinished, "group 4");
  expect_record(&v, y);
  assert_int_equal(s->reached_count, 2);
  assert_int_equal(v.sites[s->reached[0].site].kind, SITE_IF);
  assert_string_equal(v.sites[s->reached[0].site].outcomes[s->reached[0].outcome].label, "false");
  assert_int_equal(v.sites[s->reached[1].site].kind, SITE_SWITCH);
  assert_string_equal(v.sites[s->reached[1].site].outcomes[s->reached[1].outcome].label, "default");
  assert_null(l->schedules[1].explanation);
  assert_true(l->schedules[2].meant);
  assert_int_equal(l->schedules[2].seed, 9);
  assert_int_equal(l->schedules[2].target, 0);
  assert_int_equal(v.launches[1].kernel, KERNEL_SCAN);
  assert_string_equal(v.launches[1].skipped, "one work-group");
  assert_int_equal(v.launches[1].schedule_count, 0);
  view_free(&v);
}

static void test_schedules_come_in_their_order(void **state) {
  fixture *f = *state;
  static const struct {
    const char *order, *gate;
    uint32_t target, seed;
  } put[] = {{"random", "ticket", 0, 9}, {"first", "hardware", 2, 0}, {"zigzag", "ticket", 0, 0},
             {"first", "ticket", 20, 0}, {"reverse", "ticket", 0, 0}, {"first", "ticket", 3, 0},
             {"last", "ticket", 1, 0},   {"random", "ticket", 0, 4}};
  amplify_fixture a;
  error e;
  view v;
  char names[256];
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.conv.kernels[0], 0, 32, "");
  for (size_t i = 0; i < sizeof put / sizeof put[0]; i++) {
    int64_t row;
    const db_schedule s = {.order = put[i].order,
                           .gate = put[i].gate,
                           .target = put[i].target,
                           .seed = put[i].seed,
                           .verdict = "pending",
                           .outcomes = ""};
    OK(db_put_schedule(f->d, launch, &s, &row, &e));
  }
  amplify_end(&a);
  OK(db_load(f->d, NULL, 0, &v, &e));
  name_schedules(&v.launches[0], names, sizeof names);
  assert_string_equal(names,
                      "first ticket 3,first ticket 20,first hardware 2,last ticket 1,reverse ticket 0,"
                      "random ticket 4,random ticket 9,zigzag ticket 0");
  view_free(&v);
}

static void test_launches_come_in_their_order(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  error e;
  view v;
  amplify_begin(&a, f->d, "small");
  amplify_test_case(&a, "large");
  (void)amplify_launch(&a, a.scan.kernels[0], 1, 4, "");
  (void)amplify_launch(&a, a.conv.kernels[0], 10, 4, "");
  (void)amplify_launch(&a, a.conv.kernels[0], 2, 4, "");
  amplify_test_case(&a, "tiny");
  (void)amplify_launch(&a, a.conv.kernels[0], 0, 4, "");
  amplify_end(&a);
  OK(db_load(f->d, NULL, 0, &v, &e));
  static const uint32_t order[][3] = {
      {1, KERNEL_CONV, 2}, {1, KERNEL_CONV, 10}, {1, KERNEL_SCAN, 1}, {2, KERNEL_CONV, 0}};
  assert_int_equal(v.launch_count, 4);
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(v.launches[i].test_case, order[i][0]);
    assert_int_equal(v.launches[i].kernel, order[i][1]);
    assert_int_equal(v.launches[i].number, order[i][2]);
  }
  view_free(&v);
}

/* --- replacing ------------------------------------------------------------------------------------------------- */

static void test_what_is_put_again_is_replaced(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  error e;
  view v;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.conv.kernels[0], 0, 32, "not looked at yet");
  int64_t schedule = amplify_schedule(&a, launch, "first", 7, ".");
  (void)amplify_schedule(&a, launch, "first", 8, ".");
  amplify_explain(&a, schedule, &race);
  OK(db_add_reached(f->d, schedule, a.conv.sites[CONV_IF], OUTCOME_FALSE, &e));

  assert_int_equal(amplify_launch(&a, a.conv.kernels[0], 0, 48, ""), launch);
  assert_int_equal(amplify_schedule_meant(&a, launch, "first", 7, ".x"), schedule);
  amplify_explain(&a, schedule, &(db_explanation){.text = "better known"});
  OK(db_add_reached(f->d, schedule, a.conv.sites[CONV_IF], OUTCOME_FALSE, &e));
  amplify_end(&a);

  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.launch_count, 1);
  assert_int_equal(v.launches[0].groups, 48);
  assert_int_equal(v.launches[0].together, 2);
  assert_string_equal(v.launches[0].skipped, "");
  assert_int_equal(v.launches[0].schedule_count, 2);
  const db_schedule *s = &v.launches[0].schedules[0];
  assert_string_equal(s->outcomes, ".x");
  assert_string_equal(s->verdict, "race");
  assert_true(s->meant);
  assert_string_equal(s->explanation->text, "better known");
  assert_string_equal(s->explanation->argument, "");
  assert_int_equal(s->explanation->differing, 0);
  assert_int_equal(s->explanation->other, 0);
  assert_true(s->explanation->file == MODEL_NONE);
  assert_int_equal(s->reached_count, 1);
  assert_string_equal(v.launches[0].schedules[1].outcomes, ".");
  view_free(&v);
}

static void test_a_place_in_no_file_of_the_program(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  error e;
  view v;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.scan.kernels[0], 0, 32, "");
  int64_t schedule = amplify_schedule(&a, launch, "first", 7, "x");
  db_explanation x = race;
  x.file_name = "src/conv.cl"; /* of the other program */
  amplify_explain(&a, schedule, &x);
  amplify_end(&a);
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_true(v.launches[0].schedules[0].explanation->file == MODEL_NONE);
  assert_int_equal(v.launches[0].schedules[0].explanation->line, 0);
  view_free(&v);
}

static void test_what_belongs_to_nothing_is_refused(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  error e;
  int64_t row;
  view v;
  amplify_begin(&a, f->d, "small");
  const db_schedule s = {.order = "first", .gate = "ticket", .verdict = "pending", .outcomes = ""};
  const db_launch l = {.skipped = ""};
  assert_int_equal(db_put_schedule(f->d, 99, &s, &row, &e), -1);
  assert_int_equal(db_put_launch(f->d, a.test, 99, &l, &row, &e), -1);
  assert_int_equal(db_put_explanation(f->d, 99, &race, &e), -1);
  assert_int_equal(db_add_reached(f->d, 99, a.conv.sites[0], 0, &e), -1);
  amplify_end(&a);
  OK(db_load(f->d, NULL, 0, &v, &e)); /* and nothing of it stays */
  assert_int_equal(v.launch_count, 0);
  view_free(&v);
}

static void test_a_program_with_launches_stays(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  error e;
  view v;
  amplify_begin(&a, f->d, "small");
  (void)amplify_launch(&a, a.scan.kernels[0], 0, 32, "");
  OK(db_drop_program(f->d, a.run, a.scan.id, &e));
  OK(db_drop_program(f->d, a.run, a.conv.id, &e));
  amplify_end(&a);
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.kernel_count, 1);
  assert_string_equal(v.kernels[0].name, "scan");
  assert_int_equal(v.launch_count, 1);
  view_free(&v);
}

/* --- once more ------------------------------------------------------------------------------------------------- */

static void test_a_schedule_to_run_again(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  error e;
  db_replay r;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.scan.kernels[0], 5, 32, "");
  int64_t random = amplify_schedule(&a, launch, "random", 9, "x");
  int64_t last = amplify_schedule(&a, launch, "last", 31, "x");
  OK(db_get_replay(f->d, random, &r, &e));
  assert_string_equal(r.suite, "suite");
  assert_string_equal(r.name, "small");
  assert_string_equal(r.command_line, "./small");
  assert_string_equal(r.kernel, "scan");
  assert_int_equal(r.launch, 5);
  assert_string_equal(r.order, "random");
  assert_string_equal(r.gate, "ticket");
  assert_int_equal(r.target, 0);
  assert_int_equal(r.seed, 9);
  assert_string_equal(r.settings, "");
  db_free_replay(&r);
  db_free_replay(&r); /* of nothing */
  OK(db_set_settings(f->d, a.run, "runs=20", &e));
  OK(db_get_replay(f->d, last, &r, &e));
  assert_string_equal(r.order, "last");
  assert_int_equal(r.target, 31);
  assert_string_equal(r.settings, "runs=20");
  db_free_replay(&r);
  assert_int_equal(db_get_replay(f->d, 99, &r, &e), -1);
  assert_int_equal(e.code, EXIT_USAGE);
  assert_non_null(strstr(e.text, f->path));
  assert_non_null(strstr(e.text, "99"));
  db_free_replay(&r);
  amplify_end(&a);
}

/* --- an older file --------------------------------------------------------------------------------------------- */

/* --- several runs ---------------------------------------------------------------------------------------------- */

static void test_the_newest_run_says_what_is_known_of_a_launch(void **state) {
  fixture *f = *state;
  amplify_fixture old, new;
  error e;
  view v;
  amplify_begin(&old, f->d, "small");
  int64_t launch = amplify_launch(&old, old.conv.kernels[0], 0, 32, "");
  (void)amplify_schedule(&old, launch, "first", 1, "xxx");
  (void)amplify_schedule(&old, launch, "first", 2, "xxx");
  launch = amplify_launch(&old, old.conv.kernels[0], 1, 32, "");
  (void)amplify_schedule(&old, launch, "reverse", 0, "x.x");
  amplify_test_case(&old, "large");
  (void)amplify_schedule(&old, amplify_launch(&old, old.conv.kernels[0], 0, 64, ""), "reverse", 0, "D");
  amplify_end(&old);
  amplify_begin(&new, f->d, "small");
  launch = amplify_launch(&new, new.conv.kernels[0], 0, 33, "");
  (void)amplify_schedule(&new, launch, "first", 1, "...");
  amplify_end(&new);

  OK(db_load(f->d, (const int64_t[]){new.run, old.run}, 2, &v, &e));
  assert_int_equal(v.test_case_count, 2);
  assert_int_equal(v.launch_count, 3);
  assert_int_equal(v.launches[0].groups, 33); /* small, launch 0: the new run's, all of it */
  assert_int_equal(v.launches[0].schedule_count, 1);
  assert_string_equal(v.launches[0].schedules[0].outcomes, "...");
  assert_int_equal(v.launches[1].number, 1); /* the old run's, as the new one has none */
  assert_string_equal(v.launches[1].schedules[0].outcomes, "x.x");
  assert_int_equal(v.launches[2].test_case, 1);
  assert_int_equal(v.launches[2].groups, 64);
  view_free(&v);
  OK(db_load(f->d, &old.run, 1, &v, &e));
  assert_int_equal(v.launch_count, 3);
  assert_int_equal(v.launches[0].schedule_count, 2);
  view_free(&v);
}

/* A kernel of the same source with other options is the same kernel: in two runs the newer one's launch counts, in one
 * run both do, since each program has its own. */
static void test_a_kernel_of_two_programs(void **state) {
  fixture *f = *state;
  amplify_fixture old, new;
  error e;
  view v;
  model m;
  db_program other, again;
  amplify_begin(&old, f->d, "small");
  (void)amplify_schedule(&old, amplify_launch(&old, old.conv.kernels[0], 0, 32, ""), "reverse", 0, "xxx");
  amplify_end(&old);
  amplify_begin(&new, f->d, "small");
  fixture_conv(&m);
  free(m.options);
  m.options = mem_strdup("-DN=4");
  OK(db_add_program(f->d, new.run, &m, &other, &e));
  (void)amplify_schedule(&new, amplify_launch(&new, other.kernels[0], 0, 8, ""), "reverse", 0, "..");
  amplify_end(&new);
  const int64_t both[] = {old.run, new.run};
  OK(db_load(f->d, both, 2, &v, &e));
  assert_int_equal(v.launch_count, 1);
  assert_int_equal(v.launches[0].groups, 8);
  view_free(&v);

  amplify_begin(&new, f->d, "small");
  OK(db_add_program(f->d, new.run, &m, &again, &e));
  assert_int_equal(again.id, other.id);
  db_program_free(&again);
  (void)amplify_schedule(&new, amplify_launch(&new, new.conv.kernels[0], 0, 16, ""), "reverse", 0, ".x");
  (void)amplify_schedule(&new, amplify_launch(&new, other.kernels[0], 0, 24, ""), "reverse", 0, "x.");
  amplify_end(&new);
  OK(db_load(f->d, (const int64_t[]){old.run, new.run}, 2, &v, &e));
  assert_int_equal(v.launch_count, 2);
  assert_int_equal(v.launches[0].groups, 16);
  assert_int_equal(v.launches[1].groups, 24);
  view_free(&v);
  db_program_free(&other);
  model_free(&m);
}

static void test_with_a_run_of_coverage(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  error e;
  view v;
  int64_t coverage = fixture_run(f->d);
  amplify_begin(&a, f->d, "small");
  int64_t schedule = amplify_schedule(&a, amplify_launch(&a, a.conv.kernels[0], 0, 32, ""), "reverse", 0, "xx");
  OK(db_add_reached(f->d, schedule, a.conv.sites[CONV_HELPER_IF], OUTCOME_TRUE, &e));
  amplify_end(&a);
  OK(db_load(f->d, &coverage, 1, &v, &e));
  assert_int_equal(v.launch_count, 0);
  view_free(&v);
  OK(db_load(f->d, (const int64_t[]){coverage, a.run}, 2, &v, &e));
  assert_int_equal(v.test_case_count, 3); /* executions under coverage count apart */
  assert_int_equal(v.launch_count, 1);
  assert_int_equal(v.launches[0].test_case, 2);
  const view_reached *r = &v.launches[0].schedules[0].reached[0];
  assert_string_equal(v.files[v.sites[r->site].file].name, "src/common.h");
  assert_int_equal(v.sites[r->site].kind, SITE_IF);
  assert_string_equal(v.sites[r->site].outcomes[r->outcome].label, "true");
  assert_int_equal(v.sites[r->site].outcomes[r->outcome].tests, 0);
  view_free(&v);
}

/* --- merging --------------------------------------------------------------------------------------------------- */

/* A run with one launch of scan, whose first schedule is explained by its second. */
static void fill(db *d, const char *name, const char *outcomes) {
  amplify_fixture a;
  error e;
  amplify_begin(&a, d, name);
  int64_t launch = amplify_launch(&a, a.scan.kernels[0], 0, 32, "");
  int64_t first = amplify_schedule(&a, launch, "first", 7, outcomes);
  db_explanation x = race;
  x.other = amplify_schedule(&a, launch, "reverse", 0, "..");
  amplify_explain(&a, first, &x);
  OK(db_add_reached(d, first, a.scan.sites[SCAN_HELPER_IF], OUTCOME_TRUE, &e));
  OK(add_finding(d, a.test, a.scan.kernels[0], 0, "data-race", "it depends", &e));
  amplify_end(&a);
}

static db *fresh(char **path) {
  error e;
  db *d;
  *path = fixture_path("part.db");
  OK(db_open(&d, *path, DB_WRITE, &e));
  return d;
}

/* What a launch of fill() must be in a view, wherever its rows are. */
static void check_filled(const view *v, size_t i, const char *outcomes) {
  const db_launch *l = &v->launches[i];
  assert_string_equal(v->kernels[l->kernel].name, "scan");
  assert_int_equal(l->schedule_count, 2);
  assert_string_equal(l->schedules[0].outcomes, outcomes);
  const db_explanation *x = l->schedules[0].explanation;
  assert_non_null(x);
  assert_int_equal(x->other, l->schedules[1].id);
  assert_int_equal(x->differing, 812);
  assert_string_equal(v->files[x->file].name, "src/common.h");
  assert_int_equal(l->schedules[0].reached_count, 1);
  const model_site *s = &v->sites[l->schedules[0].reached[0].site];
  assert_string_equal(v->files[s->file].name, "src/common.h");
  assert_string_equal(s->outcomes[l->schedules[0].reached[0].outcome].label, "true");
}

static void test_merging_copies_schedules_once_in_any_order(void **state) {
  (void)state;
  for (int order = 0; order < 2; order++) {
    error e;
    view v;
    size_t merged;
    char *paths[3];
    db *parts[2] = {fresh(&paths[0]), fresh(&paths[1])};
    db *whole = fresh(&paths[2]);
    fill(parts[0], "small", "x.");
    fill(parts[1], "large", "xx");
    for (size_t i = 0; i < 2; i++) /* of equal age: the order of their ids counts, also where a second has passed */
      OK(sqlite3_exec(parts[i]->handle, "UPDATE run SET started = '2026-01-02T03:04:05Z'", NULL, NULL, NULL));
    OK(db_merge(whole, parts[order], &merged, &e));
    assert_int_equal(merged, 1);
    OK(db_merge(whole, parts[1 - order], &merged, &e));
    assert_int_equal(merged, 1);
    for (size_t i = 0; i < 2; i++) {
      OK(db_merge(whole, parts[i], &merged, &e));
      assert_int_equal(merged, 0);
    }
    OK(db_load(whole, (const int64_t[]){1, 2}, 2, &v, &e));
    assert_int_equal(v.launch_count, 2);
    assert_int_equal(v.finding_count, 1); /* of one rule, kernel and place */
    assert_string_equal(v.test_cases[0].name, order == 0 ? "small" : "large");
    check_filled(&v, 0, order == 0 ? "x." : "xx");
    check_filled(&v, 1, order == 0 ? "xx" : "x.");
    view_free(&v);
    db_close(whole);
    for (size_t i = 0; i < 2; i++) db_close(parts[i]);
    for (size_t i = 0; i < 3; i++) fixture_forget(paths[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_everything_comes_back),
      TEST(test_schedules_come_in_their_order),
      TEST(test_launches_come_in_their_order),
      TEST(test_what_is_put_again_is_replaced),
      TEST(test_a_place_in_no_file_of_the_program),
      TEST(test_what_belongs_to_nothing_is_refused),
      TEST(test_a_program_with_launches_stays),
      TEST(test_a_schedule_to_run_again),
      TEST(test_the_newest_run_says_what_is_known_of_a_launch),
      TEST(test_a_kernel_of_two_programs),
      TEST(test_with_a_run_of_coverage),
      cmocka_unit_test(test_merging_copies_schedules_once_in_any_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
