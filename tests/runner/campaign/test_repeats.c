/* Launches whose repeats cannot differ: which are, that each is looked at once, and that a crash of the front end is
 * survived. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/buffer.h"
#include "tests/fixtures/capture_world.h"

static void all_of_a(world *w) {
  begin_with_objects(w);
  launch(w, A, 4);
}

static void one_group_of_b(world *w) {
  all_of_a(w);
  capture_command *c = launch(w, B, 4);
  c->u.launch.has_local = true;
  c->u.launch.local[0] = 4;
}

static void groups_that_meet(world *w) {
  all_of_a(w);
  launch(w, B, 4);
}

static void one_memory_twice(world *w) {
  all_of_a(w);
  launch(w, B, 1);
  memory_argument(w, B, 0);
  launch(w, B, 2);
}

static void repeats_that_cannot_differ(void **state) {
  (void)state;
  static const struct {
    void (*make)(world *);
    bool steady;
  } all[] = {{all_of_a, true}, {one_group_of_b, true}, {groups_that_meet, false}, {one_memory_twice, false}};
  for (size_t n = 0; n < sizeof all / sizeof all[0]; n++) {
    world w;
    all[n].make(&w);
    case_inputs *i = case_inputs_of(&w.campaign, &w.capture);
    assert_non_null(i);
    assert_int_equal(i->steady, all[n].steady);
    case_inputs_free(i);
    world_free(&w);
  }
}

/* A launch is looked at once, and what was seen holds for the next case. */
static void what_was_seen_is_kept(void **state) {
  (void)state;
  world w;
  all_of_a(&w);
  for (int round = 0; round < 2; round++) {
    case_inputs *i = case_inputs_of(&w.campaign, &w.capture);
    assert_non_null(i);
    assert_true(i->steady);
    assert_int_equal(w.program.noted_count, 1);
    case_inputs_free(i);
    w.source.input.text = "this is no program"; /* nor need it be read again */
    w.source.input.length = strlen(w.source.input.text);
  }
  launch(&w, A, 8);
  case_inputs *i = case_inputs_of(&w.campaign, &w.capture);
  assert_non_null(i);
  assert_false(i->steady);
  case_inputs_free(i);
  world_free(&w);
}

/* A sum so long that reading it takes more stack than a process may have: the front end dies of it, the campaign knows
 * less of the launch. */
static void a_crash_of_the_front_end_costs_one_answer(void **state) {
  (void)state;
  enum { TERMS = 20000, STACK = 1 << 20 };
  buffer text = {0};
  buffer_puts(&text, "kernel void a(global int *p, uchar v) { p[get_global_id(0)] = v");
  for (int i = 0; i < TERMS; i++) buffer_puts(&text, "+v");
  buffer_puts(&text, "; }\nkernel void b(global int *p, uchar v) { }\n");
  const struct rlimit small = {STACK, STACK}; /* of no use to others: the last test */
  assert_int_equal(setrlimit(RLIMIT_STACK, &small), 0);
  world w;
  all_of_a(&w);
  w.source.input.text = text.data;
  w.source.input.length = text.length;
  case_inputs *i = case_inputs_of(&w.campaign, &w.capture);
  assert_non_null(i);
  assert_false(i->steady);
  case_inputs_free(i);
  world_free(&w);
  buffer_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(repeats_that_cannot_differ),
      cmocka_unit_test(what_was_seen_is_kept),
      cmocka_unit_test(a_crash_of_the_front_end_costs_one_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
