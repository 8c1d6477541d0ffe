/* The interval of a share, by values that were worked out apart from it, and what a draw of mutants is worth. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/interval.h"
#include "base/memory.h"
#include "runner/campaign/internal.h"

/* Wilson's interval solves (share - p)^2 = z^2 p (1 - p) / n: both ends must. */
static void assert_solves(double p, double share, double n) {
  const double z = 1.959964;
  assert_true(fabs((share - p) * (share - p) - z * z * p * (1 - p) / n) < 1e-9);
}

static void test_wilson(void **state) {
  (void)state;
  static const struct { size_t hits, drawn; } all[] = {{8, 10}, {1, 10}, {50, 100}, {999, 1000}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    const interval in = interval_of(all[i].hits, all[i].drawn, 0);
    assert_solves(in.low, (double)all[i].hits / (double)all[i].drawn, (double)all[i].drawn);
    assert_solves(in.high, (double)all[i].hits / (double)all[i].drawn, (double)all[i].drawn);
    assert_true(in.low < in.high);
  }
  /* 8 of 10, as textbooks have it: 49.0 % to 94.3 % */
  const interval eight = interval_of(8, 10, 0);
  assert_true(fabs(eight.low - 0.490) < 0.0005 && fabs(eight.high - 0.943) < 0.0005);
}

static void test_ends(void **state) {
  (void)state;
  interval i = interval_of(0, 5, 0);
  assert_true(i.low >= 0 && i.low < 1e-9 && i.high > 0.4 && i.high < 0.5); /* z^2 / (n + z^2) = 0.434 */
  i = interval_of(5, 5, 0);
  assert_true(i.high <= 1 && i.high > 1 - 1e-9);
  i = interval_of(3, 4, 4); /* all are drawn */
  assert_true(fabs(i.low - 0.75) < 1e-12 && fabs(i.high - 0.75) < 1e-12);
  i = interval_of(3, 4, 5); /* the last one may be either */
  assert_true(i.low >= 3 / 5.0 - 1e-12 && i.high <= 4 / 5.0 + 1e-12);
}

/* Of 4 drawn of 5 three count: the fifth may or may not. Of 2 drawn of 10 none counts. With k that do, the probability
 * of that is (10 - k) (9 - k) / 90: 7 give 6/90, 8 give 2/90, which is less than 2.5 %. */
static void test_of_few(void **state) {
  (void)state;
  interval i = interval_of(3, 4, 5);
  assert_true(fabs(i.low - 0.6) < 1e-12 && fabs(i.high - 0.8) < 1e-12);
  i = interval_of(0, 2, 10);
  assert_true(fabs(i.low) < 1e-12 && fabs(i.high - 0.7) < 1e-12);
  i = interval_of(2, 2, 10);
  assert_true(fabs(i.low - 0.3) < 1e-12 && fabs(i.high - 1) < 1e-12);
  /* of a very large population nearly what it is of an endless one */
  i = interval_of(500, 1000, 100000);
  const interval endless = interval_of(500, 1000, 0);
  assert_true(fabs(i.low - endless.low) < 0.002 && fabs(i.high - endless.high) < 0.002);
}

/* --- draws --- */

enum { KERNELS = 12, CAMPAIGNS = 200 };

/* A finished campaign: mutants of kernels that are tested well, badly and not at all. `killed` by index. */
typedef struct finished {
  draw_item *items;
  bool *killed;
  size_t count, kills;
} finished;

static uint32_t random_state = 2463534242u;

static double random_share(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state / 4294967296.0;
}

static finished make_finished(size_t count) {
  finished f = {mem_calloc(count, sizeof *f.items), mem_calloc(count, sizeof *f.killed), count, 0};
  for (size_t i = 0; i < count; i++) {
    const uint32_t kernel = (uint32_t)(i * KERNELS / count);
    f.items[i] = (draw_item){.program = kernel % 2,
                             .index = (uint32_t)i,
                             .id = (uint32_t)(i * 7919 + 13),
                             .kernel = kernel,
                             .op = (uint32_t)(random_share() * 5),
                             .line = 10 + (uint32_t)(i / 4)};
    const double share = kernel % 4 == 3 ? 0 : kernel % 4 == 2 ? 0.3 : f.items[i].op == 1 ? 0.6 : 0.95;
    f.killed[i] = random_share() < share;
    f.kills += f.killed[i] ? 1 : 0;
  }
  return f;
}

/* How many of 200 campaigns that are cut off after `drawn` mutants have the final score in their interval. */
static size_t count_inside(const finished *f, size_t drawn) {
  const double score = (double)f->kills / (double)f->count;
  size_t inside = 0;
  for (uint64_t seed = 0; seed < CAMPAIGNS; seed++) {
    size_t hits = 0;
    draw_order(f->items, f->count, seed);
    for (size_t i = 0; i < drawn; i++) hits += f->killed[f->items[i].index] ? 1 : 0;
    const interval i = interval_of(hits, drawn, f->count);
    inside += i.low <= score && score <= i.high ? 1 : 0;
  }
  return inside;
}

static void test_intervals_hold(void **state) {
  (void)state;
  static const size_t counts[] = {40, 300, 1700}, shares[] = {5, 20, 50, 90};
  for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
    finished f = make_finished(counts[c]);
    for (size_t s = 0; s < sizeof shares / sizeof shares[0]; s++) {
      const size_t drawn = counts[c] * shares[s] / 100;
      const size_t inside = count_inside(&f, drawn);
      print_message("%zu of %zu mutants: %zu of %d inside\n", drawn, counts[c], inside, CAMPAIGNS);
      assert_true(inside >= CAMPAIGNS * 9 / 10);
    }
    free(f.items);
    free(f.killed);
  }
}

/* Each mutant is as likely as any other to be drawn first: over 13 * 400 orders each of 13 about 400 times (variance
 * 13 * 400 * 1/13 * 12/13 = 369, so five standard deviations are 96). */
static void test_order_is_fair(void **state) {
  (void)state;
  enum { MUTANTS = 13, ORDERS = MUTANTS * 400 };
  size_t first[MUTANTS] = {0}, third[MUTANTS] = {0};
  for (uint64_t seed = 0; seed < ORDERS; seed++) {
    draw_item items[MUTANTS] = {{0}};
    for (uint32_t i = 0; i < MUTANTS; i++) items[i] = (draw_item){.index = i, .id = i + 100, .line = i};
    draw_order(items, MUTANTS, seed);
    first[items[0].index]++;
    third[items[2].index]++;
  }
  for (size_t i = 0; i < MUTANTS; i++) {
    assert_in_range(first[i], 400 - 96, 400 + 96);
    assert_in_range(third[i], 400 - 96, 400 + 96);
  }
}

/* Of each stratum about as many as its share. Drawn without strata, a third of these 400 numbers would be further away:
 * their variance would be 64 * 1/8 * 7/8 * 256/319 = 5.6. */
static void test_order_is_even(void **state) {
  (void)state;
  enum { STRATA = 8, EACH = 40, DRAWN = 64 };
  for (uint64_t seed = 0; seed < 50; seed++) {
    draw_item items[STRATA * EACH];
    size_t seen[STRATA] = {0};
    for (uint32_t i = 0; i < STRATA * EACH; i++) items[i] = (draw_item){.index = i, .id = i + 1, .kernel = i % STRATA};
    draw_order(items, STRATA * EACH, seed);
    for (size_t i = 0; i < DRAWN; i++) seen[items[i].kernel]++;
    for (size_t s = 0; s < STRATA; s++) assert_in_range(seen[s], DRAWN / STRATA - 2, DRAWN / STRATA + 2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wilson),         cmocka_unit_test(test_ends),          cmocka_unit_test(test_of_few),
      cmocka_unit_test(test_intervals_hold), cmocka_unit_test(test_order_is_fair), cmocka_unit_test(test_order_is_even),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
