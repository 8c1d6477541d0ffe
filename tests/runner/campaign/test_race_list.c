/* Which races of a mutant the original does not have. Places are offsets in the original; what a mutant has changed is a
 * range of them. */
#include <stdlib.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "runner/campaign/internal.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define AT(offset) \
  { 0, offset, (offset) + 1 }
#define PAIR(first, second) \
  { 0, 0, AT(first), AT(second), true, false }
#define UNKNOWN(now) \
  { 0, 0, AT(now), {0, 0, 0}, false, false }

static const struct {
  const char *what;
  race_pair original, seen;
  bool new;
} cases[] = {
    {"the same pair", PAIR(10, 20), PAIR(10, 20), false},
    {"the other way round", PAIR(10, 20), PAIR(20, 10), false},
    {"another access", PAIR(10, 20), PAIR(10, 30), true},
    {"both others", PAIR(10, 20), PAIR(30, 40), true},
    {"a place with itself", PAIR(10, 10), PAIR(10, 10), false},
    {"a place with itself, where it races with another", PAIR(10, 20), PAIR(10, 10), true},
    {"in another file", PAIR(10, 20), {0, 0, {1, 10, 11}, {1, 20, 21}, true, false}, true},
    {"in another kernel", PAIR(10, 20), {0, 1, AT(10), AT(20), true, false}, true},
    {"in another program", PAIR(10, 20), {1, 0, AT(10), AT(20), true, false}, true},
    /* one of the two accesses is not known any more: it may be the same */
    {"half of it", PAIR(10, 20), UNKNOWN(10), false},
    {"the other half", PAIR(10, 20), UNKNOWN(20), false},
    {"half of another", PAIR(10, 20), UNKNOWN(30), true},
    {"more than half was known", UNKNOWN(10), PAIR(20, 10), false},
    {"more of another", UNKNOWN(10), PAIR(20, 30), true},
    {"a divergence", {0, 0, AT(10), {0, 0, 0}, false, true}, {0, 0, AT(10), {0, 0, 0}, false, true}, false},
    {"a divergence is no race", UNKNOWN(10), {0, 0, AT(10), {0, 0, 0}, false, true}, true},
    /* what stands where the mutant is may be any access that stood there */
    {"inside of what was replaced", PAIR(12, 20), {0, 0, {0, 10, 15}, AT(20), true, false}, false},
    {"beside it", PAIR(15, 20), {0, 0, {0, 10, 15}, AT(20), true, false}, true},
};

static void test_new(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(cases); i++) {
    race_pair original = cases[i].original, seen = cases[i].seen;
    const race_list of = {.items = &original, .count = 1}, now = {.items = &seen, .count = 1};
    if (races_are_new(&of, &now) != cases[i].new) fail_msg("%s", cases[i].what);
  }
}

static void test_lists(void **state) {
  (void)state;
  race_list all = {0};
  race_pair one = PAIR(10, 20), two = PAIR(30, 40);
  assert_false(races_are_new(&all, &all));
  assert_true(races_are_new(&all, &(race_list){.items = &one, .count = 1}));
  races_add(&all, &(race_list){.items = &one, .count = 1});
  assert_false(all.unclear);
  races_add(&all, &(race_list){.items = &two, .count = 1, .unclear = true});
  assert_true(all.unclear);
  race_pair both[] = {two, one};
  assert_false(races_are_new(&all, &(race_list){.items = both, .count = 2}));
  both[1] = (race_pair)PAIR(10, 30);
  assert_true(races_are_new(&all, &(race_list){.items = both, .count = 2}));
  free(all.items);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_new), cmocka_unit_test(test_lists)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
