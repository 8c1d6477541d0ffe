/* Memory over many turns: each begins with what the first one began with, also where memory is short. */
#include <CL/cl.h>
#include <string.h>

#include "checks.h"

enum { ITEMS = 16384, SIZE = ITEMS * 4 };

static const char source[] =
    "__kernel void add(__global const int *a, __global const int *b, __global int *c) {\n"
    "  size_t i = get_global_id(0); c[i] += a[i] + b[i];\n"
    "}\n";

/* Three buffers and a launch; the last one accumulates. */
static script sums(uint64_t result_flags) {
  static int a[ITEMS], b[ITEMS], c[ITEMS];
  script s = {0};
  for (int i = 0; i < ITEMS; i++) {
    a[i] = i;
    b[i] = 3 * i + 1;
    c[i] = -i;
  }
  const uint32_t memory[] = {script_buffer(&s, CL_MEM_READ_ONLY, SIZE, a),
                             script_buffer(&s, CL_MEM_READ_ONLY, SIZE, NULL), script_buffer(&s, result_flags, SIZE, c)};
  script_write(&s, memory[1], 0, b, SIZE);
  const uint32_t kernel = script_kernel(&s, script_program(&s, source, ""), "add");
  for (uint32_t i = 0; i < 3; i++) script_memory(&s, kernel, i, memory[i]);
  script_launch(&s, kernel, ITEMS, 0);
  for (int i = 0; i < ITEMS; i++) c[i] = 3 * i + 1;
  script_read(&s, memory[2], 0, SIZE, c);
  return s;
}

static void a_thousand_turns(void **state) {
  script s = sums(CL_MEM_READ_WRITE);
  (void)state;
  expect_turns(&s, 1000);
}

/* A program that says CL_MEM_READ_ONLY of what its kernel writes: the first turn shows it. */
static void false_promises(void **state) {
  script s = sums(CL_MEM_READ_ONLY);
  (void)state;
  expect_turns(&s, 5);
}

/* Objects that are not released when the next one is made would not fit. */
static script one_after_another(void) {
  script s = {0};
  int sum[4] = {0};
  const uint32_t kernel = script_kernel(&s, script_program(&s, source, ""), "add");
  const uint32_t total = script_buffer(&s, CL_MEM_READ_WRITE, sizeof sum, NULL);
  script_memory(&s, kernel, 2, total);
  for (int i = 0; i < 20; i++) {
    const int values[4] = {i, 2 * i, 3 * i, 4 * i};
    const uint32_t part = script_buffer(&s, CL_MEM_READ_WRITE, sizeof values, values);
    script_memory(&s, kernel, 0, part);
    script_memory(&s, kernel, 1, part);
    script_launch(&s, kernel, 4, 0);
    script_release_memory(&s, part);
    for (int k = 0; k < 4; k++) sum[k] += 2 * values[k];
  }
  script_read(&s, total, 0, sizeof sum, sum);
  return s;
}

static void released_memory(void **state) {
  script s = one_after_another();
  (void)state;
  expect_turns(&s, 3);
}

/* The device refuses the buffers when they are all made: then they go where the program released them. */
static void short_at_the_beginning(void **state) {
  script s = one_after_another();
  (void)state;
  seen = (calls){.refused = 2}; /* with guard zones, and without */
  replay *r = open_script(&s, NULL);
  assert_int_equal(seen.refused, 0);
  assert_int_equal(seen.buffers, 0);
  const replay_turn what = {.setup = 1, .keep = true};
  for (unsigned turn = 1; turn <= 3; turn++) {
    assert_int_equal(do_turn(r, &what, NULL, NULL).wrong, 0);
    assert_int_equal(seen.buffers, turn * 21);
  }
  replay_close(r);
  script_free(&s);
}

/* The turn fails, and the next one is right. */
static void short_in_a_turn(void **state) {
  const replay_options little = {.memory = 1};
  const replay_turn what = {.setup = 1, .keep = true};
  script s = one_after_another();
  error e = {0};
  replay_result result;
  (void)state;
  replay *r = open_script(&s, &little);
  seen = (calls){.refused = 2};
  assert_int_equal(replay_do(r, &what, NULL, &result, &e), -1);
  assert_int_equal(e.code, EXIT_INTERNAL);
  assert_false(result.complete);
  assert_int_equal(do_turn(r, &what, NULL, &result).wrong, 0);
  replay_close(r);
  script_free(&s);
}

int test_memories(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_thousand_turns),       cmocka_unit_test(false_promises),  cmocka_unit_test(released_memory),
      cmocka_unit_test(short_at_the_beginning), cmocka_unit_test(short_in_a_turn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
