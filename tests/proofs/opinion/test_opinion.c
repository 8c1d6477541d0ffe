/* Of what several launches show the first is told, whatever order it was found in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs these before it */
#include <cmocka.h>

#include "proofs/opinion/opinion.h"

static void assert_first(const watched_finding *all, size_t count, size_t expected) {
  watched_finding turned[4];
  for (size_t begin = 0; begin < count; begin++) {
    for (size_t i = 0; i < count; i++) turned[i] = all[(begin + i) % count];
    const watched w = {.items = turned, .count = count};
    const watched_finding *first = watched_first(&w);
    assert_int_equal(first->launch, all[expected].launch);
    assert_int_equal(first->divergence, all[expected].divergence);
    assert_memory_equal(first->lines, all[expected].lines, sizeof first->lines);
  }
}

static void test_first(void **state) {
  (void)state;
  const watched none = {.launches = 3};
  assert_null(watched_first(&none));
  assert_first((watched_finding[]){{.launch = 1, .lines = {2, 3}}, {.launch = 0, .lines = {9, 9}}}, 2, 1);
  assert_first((watched_finding[]){{.lines = {2, 3}}, {.divergence = true, .lines = {9, 0}}}, 2, 1);
  assert_first((watched_finding[]){{.lines = {7, 8}}, {.lines = {4, 9}}, {.lines = {4, 8}}}, 3, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_first)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
