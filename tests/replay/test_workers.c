/* The loop of a worker, with functions such as the layer's that note what they are told. */
#include <CL/cl.h>
#include <string.h>

#include "checks.h"

enum { TURNS = 6 };

static const char source[] =
    "__kernel void one(__global int *to) { to[0] = to[0] * 2 + 1; }\n"
    "__kernel void two(__global int *to) { to[0] = to[0] * 3 + 1; }\n"
    "__kernel void out(__global int *to) { to[-1] = 1; }\n";

/* Six reads: after each of three launches of "one" and three of "two"; then one launch of "out". */
static script rounds(bool escapes) {
  int value = 5;
  script s = {0};
  const uint32_t program = script_program(&s, source, ""), memory = script_buffer(&s, 0, sizeof value, &value);
  const uint32_t kernels[] = {script_kernel(&s, program, "one"), script_kernel(&s, program, "two"),
                              script_kernel(&s, program, "out")};
  for (size_t i = 0; i < 3; i++) script_memory(&s, kernels[i], 0, memory);
  for (int i = 0; i < 6; i++) {
    value = value * (i < 3 ? 2 : 3) + 1;
    script_launch(&s, kernels[i / 3], 1, 1);
    script_read(&s, memory, 0, sizeof value, &value);
  }
  if (escapes) script_launch(&s, kernels[2], 1, 1);
  return s;
}

/* What the functions were told, and what they answer. */
static struct {
  replay_turn turns[TURNS];
  size_t count, asked;
  replay_result results[TURNS];
  uint64_t begun[TURNS];
  unsigned begins, overs;
  unsigned over_at; /* the question to which the answer is yes; 0: never */
} told;

static bool next(const replay_result *last, replay_turn *out) {
  if (told.asked > 0) told.results[told.asked - 1] = *last;
  if (told.asked == told.count) return false;
  *out = told.turns[told.asked++];
  return true;
}

static void begin(uint64_t reads) { told.begun[told.begins++] = reads; }

static bool over(void) { return ++told.overs == told.over_at; }

static const replay_functions functions = {next, begin, over};

static void work(bool escapes) {
  script s = rounds(escapes);
  replay *r = open_script(&s, NULL);
  replay_work(r, &functions);
  replay_close(r);
  script_free(&s);
}

static const char *const two[] = {"two"};

static void turns_of_a_worker(void **state) {
  (void)state;
  memset(&told, 0, sizeof told);
  told.count = 4;
  told.turns[0] = told.turns[3] = (replay_turn){.setup = 1, .keep = true};
  told.turns[1] = told.turns[2] = (replay_turn){.setup = 2, .keep = true, .kernels = two, .kernel_count = 1};
  work(false);
  const uint64_t begun[] = {0, 0, 3, 0};
  assert_int_equal(told.begins, 4);
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(told.begun[i], begun[i]);
    assert_true(told.results[i].complete);
    assert_false(told.results[i].escaped);
  }
  assert_int_equal(told.overs, 6 + 6 + 3 + 6);
}

static void a_turn_that_is_over(void **state) {
  (void)state;
  memset(&told, 0, sizeof told);
  told.count = 2;
  told.over_at = 2;
  told.turns[0] = told.turns[1] = (replay_turn){.setup = 1, .keep = true};
  const unsigned before = seen.launches;
  work(true);
  assert_int_equal(seen.launches - before, 2 + 7);
  assert_true(told.results[0].complete);
  assert_false(told.results[0].escaped);
  assert_true(told.results[1].complete);
  assert_true(told.results[1].escaped);
}

/* A place is not known by a turn that was over before it. */
static void over_before_a_place(void **state) {
  (void)state;
  memset(&told, 0, sizeof told);
  told.count = 3;
  told.over_at = 1;
  for (size_t i = 0; i < 3; i++)
    told.turns[i] = (replay_turn){.setup = 1, .keep = true, .kernels = two, .kernel_count = 1};
  work(false);
  const uint64_t begun[] = {0, 0, 3};
  for (size_t i = 0; i < 3; i++) assert_int_equal(told.begun[i], begun[i]);
}

int test_workers(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turns_of_a_worker),
      cmocka_unit_test(a_turn_that_is_over),
      cmocka_unit_test(over_before_a_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
