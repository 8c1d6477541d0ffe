/* Schedules: what is packed, permuted, drawn and said; what repeated runs prove. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "schedamp/schedule.h"
#include "tests/fixtures/order_reference.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- packing ------------------------------------------------------------------------------------------------------ */

static void test_pack(void **state) {
  (void)state;
  const struct {
    schedule s;
    uint64_t packed;
  } cases[] = {
      {{ORDER_NONE, GATE_TICKET, 0, 0}, 0},
      {{ORDER_FIRST, GATE_TICKET, 17, 0}, UINT64_C(0x100000011)},
      {{ORDER_LAST, GATE_HARDWARE, 0x7fffffff, 0}, UINT64_C(0xa7fffffff)},
      {{ORDER_REVERSE, GATE_HARDWARE, 0, 0}, UINT64_C(0xb00000000)},
      {{ORDER_RANDOM, GATE_TICKET, 0, 0xffffff}, UINT64_C(0x0ffffff400000000)},
      {{ORDER_ASCENDING, GATE_TICKET, 0, 0}, UINT64_C(0x500000000)},
      {{ORDER_OCCUPANCY, GATE_TICKET, 0, 0}, UINT64_C(0x600000000)},
  };
  for (size_t i = 0; i < COUNT(cases); i++) assert_int_equal(schedule_pack(&cases[i].s), cases[i].packed);
}

static void test_names(void **state) {
  (void)state;
  static const char *const orders[] = {"none", "first", "last", "reverse", "random", "ascending", "occupancy"};
  for (int i = ORDER_NONE; i <= ORDER_OCCUPANCY; i++) {
    assert_string_equal(schedule_order_name((schedule_order)i), orders[i]);
    assert_int_equal(schedule_order_find(orders[i]), i);
  }
  assert_string_equal(schedule_gate_name(GATE_TICKET), "ticket");
  assert_string_equal(schedule_gate_name(GATE_HARDWARE), "hardware");
  assert_int_equal(schedule_gate_find("hardware"), GATE_HARDWARE);
  assert_int_equal(schedule_gate_find("ticket"), GATE_TICKET);
  assert_int_equal(schedule_gate_find("first"), -1);
  assert_int_equal(schedule_order_find(""), -1);
  assert_int_equal(schedule_order_find("firs"), -1);
}

/* --- permutations ------------------------------------------------------------------------------------------------- */

static void check_bijection(uint32_t seed, uint32_t groups) {
  unsigned char *met = calloc(groups, 1);
  for (uint32_t p = 0; p < groups; p++) {
    const uint32_t group = order_permute(seed, groups, p);
    assert_true(group < groups);
    assert_false(met[group]);
    met[group] = 1;
  }
  free(met);
}

static void test_permutation(void **state) {
  (void)state;
  for (uint32_t groups = 1; groups <= 2000; groups++)
    check_bijection(groups * 7919 % (1u << SCHEDULE_SEED_BITS), groups);
  static const uint32_t seeds[] = {0, 1, 0xffffff};
  static const uint32_t sizes[] = {65535, 65536, 65537, 262145};
  for (size_t i = 0; i < COUNT(seeds); i++)
    for (size_t k = 0; k < COUNT(sizes); k++) check_bijection(seeds[i], sizes[k]);
}

/* Computed apart, with integers that do not overflow. */
static void test_permutation_values(void **state) {
  (void)state;
  static const uint32_t ten[] = {7, 2, 1, 8, 4, 5, 0, 9, 6, 3};
  static const uint32_t thousand[] = {741, 486, 896, 222, 219};
  for (uint32_t p = 0; p < COUNT(ten); p++) assert_int_equal(order_permute(9, 10, p), ten[p]);
  for (uint32_t p = 0; p < COUNT(thousand); p++) assert_int_equal(order_permute(0xffffff, 1000, p), thousand[p]);
  const uint32_t most = UINT32_C(0x7fffffff);
  assert_int_equal(order_permute(77, most, 0), 1262720381);
  assert_int_equal(order_permute(77, most, most - 1), 794338190);
}

/* Different seeds give different orders. */
static void test_permutation_seeds(void **state) {
  (void)state;
  size_t same = 0;
  for (uint32_t seed = 0; seed < 200; seed++) {
    uint32_t p = 0;
    while (p < 20 && order_permute(seed, 20, p) == order_permute(seed + 1, 20, p)) p++;
    same += p == 20 ? 1 : 0;
  }
  assert_int_equal(same, 0);
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

static void test_positions(void **state) {
  (void)state;
  const struct {
    schedule s;
    uint32_t groups[5];
  } cases[] = {
      {{ORDER_FIRST, GATE_TICKET, 0, 0}, {0, 1, 2, 3, 4}},     {{ORDER_FIRST, GATE_TICKET, 2, 0}, {2, 0, 1, 3, 4}},
      {{ORDER_FIRST, GATE_TICKET, 4, 0}, {4, 0, 1, 2, 3}},     {{ORDER_LAST, GATE_TICKET, 0, 0}, {1, 2, 3, 4, 0}},
      {{ORDER_LAST, GATE_TICKET, 2, 0}, {0, 1, 3, 4, 2}},      {{ORDER_LAST, GATE_TICKET, 4, 0}, {0, 1, 2, 3, 4}},
      {{ORDER_REVERSE, GATE_TICKET, 0, 0}, {4, 3, 2, 1, 0}},   {{ORDER_NONE, GATE_TICKET, 0, 0}, {0, 1, 2, 3, 4}},
      {{ORDER_ASCENDING, GATE_TICKET, 0, 0}, {0, 1, 2, 3, 4}},
  };
  for (size_t i = 0; i < COUNT(cases); i++)
    for (uint32_t p = 0; p < 5; p++) assert_int_equal(order_group(&cases[i].s, 5, p), cases[i].groups[p]);
  const schedule random = {ORDER_RANDOM, GATE_TICKET, 0, 9};
  assert_int_equal(order_group(&random, 10, 3), 8);
}

static void test_positions_of_many(void **state) {
  (void)state;
  const uint32_t most = UINT32_C(0x7fffffff);
  const schedule first = {ORDER_FIRST, GATE_TICKET, most - 1, 0};
  const schedule last = {ORDER_LAST, GATE_TICKET, 0, 0};
  const schedule reverse = {ORDER_REVERSE, GATE_TICKET, 0, 0};
  assert_int_equal(order_group(&first, most, 0), most - 1);
  assert_int_equal(order_group(&first, most, most - 1), most - 2);
  assert_int_equal(order_group(&last, most, most - 1), 0);
  assert_int_equal(order_group(&last, most, most - 2), most - 1);
  assert_int_equal(order_group(&reverse, most, most - 1), 0);
}

/* --- targets ------------------------------------------------------------------------------------------------------ */

static void check_targets(uint32_t groups, uint32_t set, uint64_t seed) {
  size_t count = 0;
  size_t again_count = 0;
  uint32_t *targets = schedule_targets(groups, set, seed, &count);
  uint32_t *again = schedule_targets(groups, set, seed, &again_count);
  assert_int_equal(count, (groups + set - 1) / set);
  assert_int_equal(again_count, count);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(targets[i] / set, i);
    assert_true(targets[i] < groups);
    assert_int_equal(targets[i], again[i]);
  }
  free(targets);
  free(again);
}

static void test_targets(void **state) {
  (void)state;
  for (uint32_t groups = 1; groups < 300; groups++)
    for (uint32_t set = 1; set < 13; set++) check_targets(groups, set, groups * 13 + set);
  static const uint32_t expected[] = {9, 17, 28, 38, 42, 52, 60};
  size_t count = 0;
  uint32_t *targets = schedule_targets(64, 10, 1, &count);
  assert_int_equal(count, COUNT(expected));
  assert_memory_equal(targets, expected, sizeof expected);
  free(targets);
}

static void test_targets_of_many(void **state) {
  (void)state;
  size_t count = 0;
  const uint32_t most = UINT32_C(0x7fffffff);
  uint32_t *targets = schedule_targets(most, UINT32_C(0x40000000), 5, &count);
  assert_int_equal(count, 2);
  assert_true(targets[0] < UINT32_C(0x40000000));
  assert_true(targets[1] >= UINT32_C(0x40000000) && targets[1] < most);
  free(targets);
}

/* Every place of a set is drawn about as often as any other. */
static void test_targets_are_spread(void **state) {
  (void)state;
  size_t count = 0;
  size_t drawn[10] = {0};
  uint32_t *targets = schedule_targets(100000, 10, 42, &count);
  for (size_t i = 0; i < count; i++) drawn[targets[i] % 10]++;
  for (size_t i = 0; i < COUNT(drawn); i++)
    assert_in_range(drawn[i], 850, 1150); /* five times the standard deviation of 30 */
  free(targets);
}

static void test_seeds(void **state) {
  (void)state;
  assert_int_equal(schedule_seed(5, 0), 3904992);
  assert_int_equal(schedule_seed(5, 1), 2022339);
  assert_int_equal(schedule_seed(5, 2), 8546556);
  for (uint64_t i = 0; i < 1000; i++) assert_true(schedule_seed(i, i) < (1u << SCHEDULE_SEED_BITS));
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static void test_describe(void **state) {
  (void)state;
  const struct {
    schedule s;
    const char *text;
  } cases[] = {
      {{ORDER_FIRST, GATE_TICKET, 17, 0}, "group 17 first, ticket gate"},
      {{ORDER_LAST, GATE_HARDWARE, 2147483646, 0}, "group 2147483646 last, hardware gate"},
      {{ORDER_REVERSE, GATE_HARDWARE, 0, 0}, "reverse order, hardware gate"},
      {{ORDER_RANDOM, GATE_TICKET, 0, 9}, "random order (seed 9), ticket gate"},
      {{ORDER_ASCENDING, GATE_TICKET, 0, 0}, "ascending order, ticket gate"},
      {{ORDER_NONE, GATE_TICKET, 0, 0}, "any order"},
      {{ORDER_OCCUPANCY, GATE_TICKET, 0, 0}, "any order, groups in flight counted"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    char text[SCHEDULE_TEXT];
    schedule_describe(&cases[i].s, text);
    assert_string_equal(text, cases[i].text);
  }
}

/* --- verdicts ----------------------------------------------------------------------------------------------------- */

/* By hand: C(5, 3) / C(10, 3) is 10 / 120, C(5, 5) / C(10, 5) is 1 / 252, C(20, 6) / C(40, 6) is 0.0101 and
 * C(20, 7) / C(40, 7) is 0.0042. */
static void test_agree(void **state) {
  static const struct {
    const char *one, *other;
    bool agree;
  } cases[] = {
      {".....", ".....", true},
      {"x.x..", "xxxxx", true}, /* one verdict, whatever the shares */
      {"..xxx", ".....", true},
      {".....", "..xxx", true},
      {"xxxxx", ".....", false},
      {"DD", "..", true}, /* 1 / 6: too few runs to tell */
      {"xx", "DD", false},
      {"xD...", "xx...", false},
      {"ooooo", ".....", false},
      {"o.o.x", ".....", true},
      {"xxxxxx..............", "....................", true},
      {"xxxxxxx.............", "....................", false},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(schedule_agree(cases[i].one, cases[i].other), cases[i].agree);
    assert_int_equal(schedule_agree(cases[i].other, cases[i].one), cases[i].agree);
  }
}

static void test_judge(void **state) {
  (void)state;
  static const struct {
    const char *outcomes;
    schedule_verdict verdict;
  } cases[] = {
      {"", VERDICT_PENDING},      {".", VERDICT_CONSISTENT},   {"....................", VERDICT_CONSISTENT},
      {"...x", VERDICT_RACE},     {"xxxx", VERDICT_RACE},      {".x.D", VERDICT_DEADLOCK},
      {"D", VERDICT_DEADLOCK},    {".xD!", VERDICT_CRASH},     {"!", VERDICT_CRASH},
      {"ooo", VERDICT_OCCUPANCY}, {"oo.", VERDICT_CONSISTENT}, {"oox", VERDICT_RACE},
      {"o!", VERDICT_CRASH},
  };
  for (size_t i = 0; i < COUNT(cases); i++) assert_int_equal(schedule_judge(cases[i].outcomes), cases[i].verdict);
  assert_int_equal(schedule_count(".x.x!", RUN_DIFFERS), 2);
  assert_int_equal(schedule_count(".x.x!", RUN_REFERENCE), 2);
  assert_int_equal(schedule_count("", RUN_CRASH), 0);
}

static void test_verdict_names(void **state) {
  (void)state;
  static const char *const names[] = {"pending", "consistent",      "race",   "deadlock", "occupancy-bound",
                                      "crash",   "order-dependent", "differs"};
  assert_int_equal(COUNT(names), VERDICTS);
  for (int i = 0; i < VERDICTS; i++) {
    assert_string_equal(schedule_verdict_name((schedule_verdict)i), names[i]);
    assert_int_equal(schedule_verdict_find(names[i]), i);
  }
  assert_int_equal(schedule_verdict_find("occupancy"), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pack),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_permutation),
      cmocka_unit_test(test_permutation_values),
      cmocka_unit_test(test_permutation_seeds),
      cmocka_unit_test(test_positions),
      cmocka_unit_test(test_positions_of_many),
      cmocka_unit_test(test_targets),
      cmocka_unit_test(test_targets_of_many),
      cmocka_unit_test(test_targets_are_spread),
      cmocka_unit_test(test_seeds),
      cmocka_unit_test(test_describe),
      cmocka_unit_test(test_judge),
      cmocka_unit_test(test_agree),
      cmocka_unit_test(test_verdict_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
