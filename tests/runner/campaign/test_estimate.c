/* How long the mutants take that are left: each kind by its own mean, whatever order they come in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "runner/campaign/internal.h"

/* 50 kernels, 10 mutants each, two at a time: the first mutant of a kernel takes 2 seconds, others a twentieth. */
static void first_ones_wait_for_the_compiler(void **state) {
  (void)state;
  /* 40 are done, 35 of them the first ones of their kernels: 70.25 seconds of runs in 35.125. 15 first ones and 445
   * others are left: 52.25 seconds of runs, in half as many. By the rate of all so far it would be 404. */
  mutant_costs c = {.seconds = {0.25, 0, 70}, .done = {5, 0, 35}, .left = {445, 0, 15}};
  const double left = estimate_left(&c, 35.125);
  assert_true(left > 26.1 && left < 26.2);
}

static void clones_are_built_each(void **state) {
  (void)state;
  mutant_costs c = {.seconds = {1, 10, 0}, .done = {10, 10, 0}, .left = {100, 5, 0}}; /* one at a time */
  const double left = estimate_left(&c, 11);
  assert_true(left > 14.9 && left < 15.1);
}

/* A kind that none of those done is of takes as long as the others do in the mean. */
static void unknown_kinds(void **state) {
  (void)state;
  mutant_costs c = {.seconds = {4, 0, 0}, .done = {2, 0, 0}, .left = {0, 3, 0}};
  const double left = estimate_left(&c, 4);
  assert_true(left > 5.9 && left < 6.1);
}

static void nothing_known(void **state) {
  (void)state;
  mutant_costs c = {.left = {5, 5, 5}};
  assert_true(estimate_left(&c, 20) < 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(first_ones_wait_for_the_compiler),
                                     cmocka_unit_test(clones_are_built_each), cmocka_unit_test(unknown_kinds),
                                     cmocka_unit_test(nothing_known)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
