/* Trials of schedules: when further runs would change nothing, which launches are gated together and when they are
 * taken apart, which schedules a launch gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "schedamp/schedule.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
enum { RUNS = 5 };

static void give_trials(gated_launch *l, size_t count) {
  for (size_t i = 0; i < count; i++) launch_add_trial(l, &(schedule){ORDER_FIRST, GATE_TICKET, (uint32_t)i, 0}, RUNS);
}

/* Outcomes as they come, of a launch of which another schedule has `other`; after how many the trial is settled (0:
 * never), what is kept in the end, and whether a run was slow. */
static const struct {
  const char *comes, *other;
  size_t settled;
  const char *kept;
  bool slow;
} stories[] = {
    {".....", "", 5, ".....", false},  {"....", "", 0, "....", false},
    {"......", "", 5, ".....", false}, /* no more than were asked for */
    {"xxxxx", "", 5, "xxxxx", false},  /* the share that differs is wanted */
    {".D.", "", 0, "..", true},        /* once, and never again with more time: no deadlock */
    {"D", "", 0, "D", true},           /* nothing says that it was not one */
    {"DD", "", 2, "DD", true},         {".D.D", "", 4, ".D.D", true},
    {"D", "DD", 1, "D", true}, /* the launch is known to hang */
    {".D.", "DD", 2, ".D.", true},     {"!!", "", 2, "!!", false},
    {"!.!", "", 3, "!.!", false},      {"ooooo", "", 5, "ooooo", false},
};

static void test_settled(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(stories); i++) {
    gated_launch l = {0};
    size_t settled = 0;
    give_trials(&l, 2);
    for (const char *at = stories[i].other; *at != '\0'; at++) trial_add(&l, &l.trials[1], (run_outcome)*at, RUNS);
    for (size_t n = 0; stories[i].comes[n] != '\0'; n++) {
      l.trials[0].recorded = true;
      trial_add(&l, &l.trials[0], (run_outcome)stories[i].comes[n], RUNS);
      settled = settled == 0 && l.trials[0].settled ? n + 1 : settled;
      assert_int_equal(l.trials[0].recorded, n >= RUNS); /* what the database has is not the same any more */
    }
    assert_int_equal(settled, stories[i].settled);
    assert_int_equal(l.trials[0].slow, stories[i].slow);
    trial_leave_out_slow(&l, &l.trials[0]);
    assert_string_equal(l.trials[0].outcomes, stories[i].kept);
    assert_int_equal(l.trials[0].count, strlen(stories[i].kept));
    trial_forget(&l.trials[0], RUNS);
    assert_string_equal(l.trials[0].outcomes, "");
    assert_false(l.trials[0].settled);
    launch_free(&l);
  }
}

/* Two schedules that hang once each: the run that shows the deadlock is known before it is made, and enough for both. */
static void test_a_launch_that_hangs(void **state) {
  (void)state;
  gated_launch l = {0};
  launch_add_trial(&l, &(schedule){ORDER_REVERSE, GATE_TICKET, 0, 0}, RUNS);
  launch_add_trial(&l, &(schedule){ORDER_RANDOM, GATE_TICKET, 0, 1}, RUNS);
  assert_false(trial_is_last_hang(&l, &l.trials[0]));
  trial_add(&l, &l.trials[0], RUN_DEADLOCK, RUNS);
  trial_add(&l, &l.trials[1], RUN_DEADLOCK, RUNS);
  assert_true(trial_is_last_hang(&l, &l.trials[0]));
  assert_false(l.trials[0].settled || l.trials[1].settled);
  trial_add(&l, &l.trials[0], RUN_DEADLOCK, RUNS);
  assert_true(l.trials[0].settled && l.trials[1].settled);
  assert_false(trial_is_last_hang(&l, &l.trials[1]));
  launch_free(&l);
}

static void test_counts(void **state) {
  (void)state;
  gated_launch launches[2] = {{0}, {.meant = true}};
  launch_add_trial(&launches[0], &(schedule){ORDER_RANDOM, GATE_TICKET, 0, 1}, RUNS);
  launch_add_trial(&launches[0], &(schedule){ORDER_FIRST, GATE_TICKET, 3, 0}, RUNS);
  launch_add_trial(&launches[1], &(schedule){ORDER_REVERSE, GATE_TICKET, 0, 0}, RUNS);
  trial_add(&launches[0], &launches[0].trials[0], RUN_DIFFERS, RUNS);
  trial_add(&launches[0], &launches[0].trials[1], RUN_DIFFERS, RUNS);
  trial_add(&launches[1], &launches[1].trials[0], RUN_DIFFERS, RUNS);
  assert_int_equal(trials_count(launches, 2, VERDICT_DIFFERS, true), 3); /* nothing was checked */
  assert_int_equal(trials_count(launches, 2, VERDICT_DIFFERS, false), 2);
  assert_int_equal(trials_count(launches, 2, VERDICT_RACE, true), 0);
  launches[0].accesses = ACCESSES_RACE;
  assert_int_equal(trials_count(launches, 2, VERDICT_RACE, true), 2);
  assert_int_equal(trials_count(launches, 2, VERDICT_DIFFERS, true), 1);
  assert_int_equal(trials_count(launches, 2, VERDICT_CRASH, true), 0);
  assert_ptr_equal(trial_with(&launches[0], VERDICT_RACE), &launches[0].trials[1]);
  assert_null(trial_with(&launches[0], VERDICT_DEADLOCK));
  trial_add(&launches[0], &launches[0].trials[1], RUN_CRASH, RUNS);
  launches[0].accesses = ACCESSES_RACELESS; /* a crash stays one */
  assert_int_equal(trials_count(launches, 2, VERDICT_ORDER, false), 1);
  assert_int_equal(trials_count(launches, 2, VERDICT_RACE, true), 0);
  assert_int_equal(trials_count(launches, 2, VERDICT_CRASH, true), 1);
  assert_ptr_equal(trial_with(&launches[0], VERDICT_ORDER), &launches[0].trials[0]);
  launch_free(&launches[0]);
  launch_free(&launches[1]);
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

/* Launches a0, a1 of one kernel with two schedules, b0 of another with one, c0 without any. */
static void make_launches(gated_launch launches[4]) {
  memset(launches, 0, 4 * sizeof *launches);
  launches[1].number = 1;
  launches[2].kernel = 1;
  launches[3].kernel = 2;
  give_trials(&launches[0], 2);
  give_trials(&launches[1], 2);
  give_trials(&launches[2], 1);
}

/* Makes the runs that the groups want, all as the reference, and counts them. */
static size_t run_all(launch_groups *set) {
  size_t runs = 0;
  for (launch_group *g = groups_next(set); g != NULL; g = groups_next(set)) {
    for (size_t i = 0; i < g->count; i++) {
      gated_launch *l = &set->launches[g->launches[i]];
      if (g->schedule < l->trial_count) trial_add(l, &l->trials[g->schedule], RUN_REFERENCE, set->runs);
    }
    groups_step(g);
    runs++;
  }
  return runs;
}

static void test_together(void **state) {
  (void)state;
  gated_launch launches[4];
  launch_groups set;
  make_launches(launches);
  groups_begin(&set, launches, 4, RUNS);
  assert_int_equal(set.count, 1);
  assert_int_equal(set.items[0].count, 3);
  assert_int_equal(groups_left(&set), 2 * RUNS); /* the kernel with one schedule is in the runs of the first */
  assert_int_equal(run_all(&set), 2 * RUNS);
  for (size_t i = 0; i < 3; i++) assert_true(launches[i].trials[0].settled);
  assert_int_equal(groups_left(&set), 0);
  groups_free(&set);
  for (size_t i = 0; i < 4; i++) launch_free(&launches[i]);
}

static void test_taken_apart(void **state) {
  (void)state;
  gated_launch launches[4];
  launch_groups set;
  make_launches(launches);
  groups_begin(&set, launches, 4, RUNS);
  trial_add(&launches[0], &launches[0].trials[0], RUN_REFERENCE, RUNS);
  groups_split(&set, 0); /* by kernels: a and b; what was cleared stays */
  assert_int_equal(set.count, 3);
  assert_true(set.items[0].guilty);
  assert_int_equal(set.items[1].count, 2);
  assert_int_equal(set.items[2].count, 1);
  assert_int_equal(launches[0].trials[0].count, 1);
  groups_split(&set, 1); /* by launches, which begin anew */
  assert_int_equal(set.count, 5);
  assert_int_equal(launches[0].trials[0].count, 0);
  assert_int_equal(groups_left(&set), 2 * RUNS + 2 * RUNS + RUNS);
  assert_int_equal(run_all(&set), 5 * RUNS);
  groups_free(&set);
  for (size_t i = 0; i < 4; i++) launch_free(&launches[i]);
}

/* --- plans -------------------------------------------------------------------------------------------------------- */

static void test_obstacles(void **state) {
  (void)state;
  static const struct {
    gated_launch launch;
    bool gated;
  } cases[] = {
      {{.seen = true, .groups = 2}, true},
      {{.seen = false, .groups = 2}, false},
      {{.seen = true, .groups = 1}, false},
      {{.seen = true, .groups = 2, .uneven = true}, false},
      {{.seen = true, .groups = SCHEDULE_GROUPS_CAP}, false},
      {{.seen = true, .groups = SCHEDULE_GROUPS_CAP - 1}, true},
  };
  for (size_t i = 0; i < COUNT(cases); i++)
    assert_int_equal(schedule_obstacle(&cases[i].launch)[0] == '\0', cases[i].gated);
}

static uint32_t listed[] = {1, 40, 7};

/* How many schedules a launch of `groups` groups gets. */
static void test_number_of_trials(void **state) {
  (void)state;
  static const struct {
    schedule_choice targets;
    bool reverse, random, first, last, ascending;
    size_t count; /* of targets, where that is said */
    uint32_t groups;
    size_t trials;
  } cases[] = {
      {TARGETS_SETS, false, false, true, false, false, 0, 35, 4}, /* a target of each set of ten */
      {TARGETS_SETS, true, true, true, false, false, 0, 35, 6},
      {TARGETS_SETS, true, true, true, true, false, 0, 35, 10},
      {TARGETS_ALL, false, false, true, false, false, 0, 35, 35},
      {TARGETS_COUNT, false, false, true, false, false, 7, 35, 7},
      {TARGETS_COUNT, false, false, true, false, false, 7, 3, 3},
      {TARGETS_LIST, false, false, true, false, false, 3, 35, 2},
      {TARGETS_LIST, false, false, true, false, false, 3, 1, 0},
      {TARGETS_LIST, true, false, true, true, false, 3, 64, 7},
      {TARGETS_SETS, true, true, true, false, true, 0, 35, 7},
      {TARGETS_LIST, false, false, false, false, true, 3, 64, 1},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    schedule_plan p = {.gate = GATE_HARDWARE, .targets = cases[i].targets, .target_list = listed};
    p.target_count = cases[i].count;
    p.orders[ORDER_REVERSE] = cases[i].reverse;
    p.orders[ORDER_RANDOM] = cases[i].random;
    p.orders[ORDER_FIRST] = cases[i].first;
    p.orders[ORDER_LAST] = cases[i].last;
    p.orders[ORDER_ASCENDING] = cases[i].ascending;
    gated_launch l = {.seen = true, .groups = cases[i].groups};
    schedule_add_trials(&p, &l, 9, RUNS);
    assert_int_equal(l.trial_count, cases[i].trials);
    for (size_t t = 0; t < l.trial_count; t++) {
      assert_true(l.trials[t].schedule.target < l.groups);
      assert_int_equal(l.trials[t].schedule.gate, GATE_HARDWARE);
    }
    launch_free(&l);
  }
}

/* The first launches of a kernel tell how many groups are in flight in the others. */
static void test_groups_in_flight(void **state) {
  (void)state;
  gated_launch launches[] = {{.groups = 64, .together = 8},
                             {.groups = 64},
                             {.groups = 4},
                             {.kernel = 1, .groups = 64},
                             {.groups = 64, .together = 6}};
  static const uint32_t expected[] = {8, 8, 4, 0, 6};
  schedule_fill_together(launches, COUNT(launches));
  for (size_t i = 0; i < COUNT(launches); i++) assert_int_equal(launches[i].together, expected[i]);
}

static void test_launch_seeds(void **state) {
  (void)state;
  const uint64_t seed = schedule_launch_seed(1, "k", 0);
  assert_true(seed == schedule_launch_seed(1, "k", 0));
  assert_true(seed != schedule_launch_seed(2, "k", 0));
  assert_true(seed != schedule_launch_seed(1, "l", 0));
  assert_true(seed != schedule_launch_seed(1, "k", 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_settled),          cmocka_unit_test(test_a_launch_that_hangs),
      cmocka_unit_test(test_counts),           cmocka_unit_test(test_together),
      cmocka_unit_test(test_taken_apart),      cmocka_unit_test(test_obstacles),
      cmocka_unit_test(test_number_of_trials), cmocka_unit_test(test_groups_in_flight),
      cmocka_unit_test(test_launch_seeds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
