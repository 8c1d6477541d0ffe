/* What launch mutants make of sizes and arguments, and which launches of a replay they are about. */
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

#include "layer/observe/change.h"
#include "runner/campaign/internal.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- sizes --------------------------------------------------------------------------------------------------------- */

static const struct {
  launch_change change;
  launch_sizes from;
  bool changes;
  size_t offset[3], global[3], local[3];
} sizes[] = {
    {{CHANGE_EXCHANGED, 0, 1, '-'}, {{0}, {64, 8, 1}, {0}, false, {1, 1, 1}}, true, {0}, {8, 64, 1}, {0}},
    {{CHANGE_EXCHANGED, 0, 2, '-'}, {{0}, {64, 8, 64}, {0}, false, {1, 1, 1}}, false, {0}, {64, 8, 64}, {0}},
    {{CHANGE_MORE, 1, 0, '-'}, {{0}, {64, 8, 1}, {16, 4, 1}, true, {16, 4, 1}}, true, {0}, {64, 12, 1}, {16, 4, 1}},
    {{CHANGE_LESS, 0, 0, '-'}, {{0}, {64, 8, 1}, {16, 4, 1}, true, {16, 4, 1}}, true, {0}, {48, 8, 1}, {16, 4, 1}},
    {{CHANGE_LESS, 0, 0, '-'}, {{0}, {64, 8, 1}, {0}, false, {1, 1, 1}}, true, {0}, {63, 8, 1}, {0}},
    /* the only group; a group that was not full */
    {{CHANGE_LESS, 1, 0, '-'}, {{0}, {64, 4, 1}, {16, 4, 1}, true, {16, 4, 1}}, true, {0}, {64, 0, 1}, {16, 4, 1}},
    {{CHANGE_LESS, 0, 0, '-'}, {{0}, {10, 1, 1}, {16, 1, 1}, true, {16, 1, 1}}, true, {0}, {0, 1, 1}, {16, 1, 1}},
    {{CHANGE_MORE, 0, 0, '-'}, {{0}, {SIZE_MAX, 1, 1}, {0}, false, {1, 1, 1}}, false, {0}, {0, 1, 1}, {0}},
    {{CHANGE_HALVED, 0, 0, '-'}, {{0}, {64, 8, 1}, {16, 4, 1}, true, {16, 4, 1}}, true, {0}, {64, 8, 1}, {8, 4, 1}},
    {{CHANGE_HALVED, 2, 0, '-'}, {{0}, {64, 8, 1}, {16, 4, 1}, true, {16, 4, 1}}, false, {0}, {64, 8, 1}, {16, 4, 0}},
    {{CHANGE_DOUBLED, 1, 0, '-'}, {{0}, {64, 8, 1}, {16, 4, 1}, true, {16, 4, 1}}, true, {0}, {64, 8, 1}, {16, 8, 1}},
    {{CHANGE_DOUBLED, 1, 0, '-'}, {{0}, {64, 8, 1}, {0}, false, {1, 1, 1}}, false, {0}, {64, 8, 1}, {0}},
    {{CHANGE_OFFSET, 2, 0, '-'}, {{5, 6, 7}, {64, 8, 1}, {0}, false, {1, 1, 1}}, true, {5, 6, 8}, {64, 8, 1}, {0}},
    {{CHANGE_OFFSET, 3, 0, '-'}, {{5, 6, 7}, {64, 8, 1}, {0}, false, {1, 1, 1}}, false, {5, 6, 7}, {64, 8, 1}, {0}},
    {{CHANGE_NONE, 0, 0, '-'}, {{5, 6, 7}, {64, 8, 1}, {0}, false, {1, 1, 1}}, false, {5, 6, 7}, {64, 8, 1}, {0}},
};

static void changes_sizes(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(sizes); i++) {
    launch_sizes s = sizes[i].from;
    assert_int_equal(change_sizes(&sizes[i].change, &s), sizes[i].changes);
    assert_memory_equal(s.offset, sizes[i].offset, sizeof s.offset);
    if (sizes[i].changes) {
      assert_memory_equal(s.global, sizes[i].global, sizeof s.global);
      assert_memory_equal(s.local, sizes[i].local, sizeof s.local);
    }
  }
}

/* --- arguments ----------------------------------------------------------------------------------------------------- */

#define VALUE(is, from, to, change, letter)                         \
  do {                                                              \
    is value = (from);                                              \
    const is expected = (to);                                       \
    const launch_change c = {.kind = (change), .type = (letter)};   \
    assert_int_equal(change_value(&c, &value, sizeof value), true); \
    assert_memory_equal(&value, &expected, sizeof value);           \
  } while (0)

static void changes_values(void **state) {
  (void)state;
  VALUE(int32_t, 60, 61, CHANGE_ADD, 'i');
  VALUE(int32_t, 0, -1, CHANGE_SUBTRACT, 'i');
  VALUE(int8_t, -128, 127, CHANGE_SUBTRACT, 'i');
  VALUE(uint16_t, 65535, 0, CHANGE_ADD, 'i');
  VALUE(uint64_t, UINT64_C(1) << 32, (UINT64_C(1) << 32) - 1, CHANGE_SUBTRACT, 'i');
  VALUE(int64_t, 7, 0, CHANGE_ZERO, 'i');
  VALUE(float, 1.5f, 2.5f, CHANGE_ADD, 'f');
  VALUE(float, 1.5f, 0.0f, CHANGE_ZERO, 'f');
  VALUE(double, -0.25, -1.25, CHANGE_SUBTRACT, 'f');
}

/* No change: it is 0 already, is too large for + 1 to matter, a structure, a pointer, half a number. */
static void leaves_values(void **state) {
  (void)state;
  static const struct {
    launch_change change;
    size_t size;
  } all[] = {{{CHANGE_ZERO, 0, 0, 'i'}, 4}, {{CHANGE_ADD, 0, 0, 'i'}, 3},  {{CHANGE_ADD, 0, 0, 'f'}, 2},
             {{CHANGE_ADD, 0, 0, '-'}, 8},  {{CHANGE_ADD, 0, 0, 'i'}, 16}, {{CHANGE_ZERO, 0, 0, 'f'}, 8}};
  for (size_t i = 0; i < COUNT(all); i++) {
    unsigned char value[16] = {0};
    const unsigned char before[16] = {0};
    assert_int_equal(change_value(&all[i].change, value, all[i].size), false);
    assert_memory_equal(value, before, sizeof value);
  }
  float large = 1e30f;
  assert_int_equal(change_value(&(launch_change){CHANGE_ADD, 0, 0, 'f'}, &large, sizeof large), false);
}

/* --- launches ------------------------------------------------------------------------------------------------------ */

/* Two kernels, `a` launched at two places, `b` at one. */
static char name_a[] = "a", name_b[] = "b", module[] = "host";
static launch_site sites[] = {{.kernel = name_a, .module = module, .offset = 16},
                              {.kernel = name_a, .module = module, .offset = 32},
                              {.kernel = name_b, .module = module, .offset = 48}};
static launch_mutant mutants[] = {{.site = 0}, {.site = 1}, {.site = 2}};

static void finds_launches(void **state) {
  (void)state;
  /* a at the first place (0, 1, 2), b (0), a at the second (3), at the first again (4 …) */
  launch_moment moments[] = {{0, 0, 9}, {0, 1, 9}, {2, 0, 9}, {1, 3, 9}, {0, 4, 9}};
  test_state test = {.moments = moments, .moment_count = COUNT(moments)};
  const campaign c = {.tests = &test, .sites = {.list = sites, .count = COUNT(sites)}};
  const campaign_program p = {.launches = mutants, .launch_count = COUNT(mutants)};
  static const struct {
    size_t count;
    launch_range ranges[2];
  } expected[] = {{2, {{0, 3}, {4, UINT64_MAX}}}, {1, {{3, 4}}}, {1, {{0, UINT64_MAX}}}};
  for (uint32_t m = 0; m < COUNT(mutants); m++) {
    size_t count = 0;
    launch_range *ranges = launch_ranges(&c, 0, &p, m, &count);
    assert_int_equal(count, expected[m].count);
    assert_memory_equal(ranges, expected[m].ranges, count * sizeof *ranges);
    assert_true(launch_is_ordered(&c, 0, &p, m));
    free(ranges);
  }
}

/* Threads decide which launch of `a` is which; of `b` there is one place only. */
static void knows_order(void **state) {
  (void)state;
  launch_moment moments[] = {{0, 0, 1}, {1, 1, 2}, {2, 0, 1}, {2, 1, 2}};
  test_state test = {.moments = moments, .moment_count = COUNT(moments)};
  const campaign c = {.tests = &test, .sites = {.list = sites, .count = COUNT(sites)}};
  const campaign_program p = {.launches = mutants, .launch_count = COUNT(mutants)}, kernels = {0};
  assert_false(launch_is_ordered(&c, 0, &p, 0));
  assert_false(launch_is_ordered(&c, 0, &p, 1));
  assert_true(launch_is_ordered(&c, 0, &p, 2));
  assert_true(launch_is_ordered(&c, 0, &kernels, 0));
  moments[1].thread = 1;
  assert_true(launch_is_ordered(&c, 0, &p, 0));
  moments[1].number = SITE_UNORDERED;
  assert_false(launch_is_ordered(&c, 0, &p, 0));
  test.moment_count = 0;
  assert_false(launch_is_ordered(&c, 0, &p, 2));
}

/* What the layer reads: kind, dimensions, type, offset, kernel, module. */
static void says_changes(void **state) {
  (void)state;
  launch_mutant one = {.site = 1, .change = {CHANGE_ZERO, 4, 0, 'f'}};
  const campaign c = {.sites = {.list = sites, .count = COUNT(sites)}};
  const campaign_program p = {.launches = &one, .launch_count = 1}, kernels = {0};
  char *text = launch_change_text(&c.sites, &p, 0);
  assert_string_equal(text, "9 4 0 f 20 a host");
  assert_null(launch_change_text(&c.sites, &kernels, 0));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(changes_sizes),  cmocka_unit_test(changes_values), cmocka_unit_test(leaves_values),
      cmocka_unit_test(finds_launches), cmocka_unit_test(knows_order),    cmocka_unit_test(says_changes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
