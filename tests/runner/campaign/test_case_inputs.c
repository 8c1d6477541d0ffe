/* What a test case does on the device: captures made by hand, in which kernels `a` and `b` each work on memory of their
 * own, and whether their digest stays when something changes. */
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "tests/fixtures/capture_world.h"

static void end(world *w) {
  launch(w, A, 4);
  launch(w, B, 4);
  read_from(w, 0, 10);
  read_from(w, 1, 11);
}

/* --- what changes ----------------------------------------------------------------------------------------------------
 */

static void nothing(world *w) {
  begin_with_objects(w);
  end(w);
}

static void other_numbers(world *w) {
  begin(w);
  program_of(w, 1);
  program_of(w, 0);
  buffer_of(w, 2);
  buffer_of(w, 1);
  buffer_of(w, 0);
  kernel_of(w, 1, "b");
  kernel_of(w, 1, "a");
  memory_argument(w, 0, 1);
  memory_argument(w, 1, 2);
  launch(w, 0, 4);
  launch(w, 1, 4);
  read_from(w, 2, 10);
  read_from(w, 1, 11);
}

static void other_contents(world *w) {
  begin(w);
  program_of(w, 0);
  buffer_of(w, 2);
  buffer_of(w, 1);
  kernel_of(w, 0, "a");
  kernel_of(w, 0, "b");
  memory_argument(w, A, 0);
  memory_argument(w, B, 1);
  end(w);
}

static void a_write(world *w) {
  begin_with_objects(w);
  write_to(w, 0, 2);
  end(w);
}

static void a_write_behind_a_launch(world *w) {
  begin_with_objects(w);
  end(w);
  write_to(w, 0, 2);
}

static void a_value(world *w) {
  begin_with_objects(w);
  value_argument(w, A);
  end(w);
}

static void another_range(world *w) {
  begin_with_objects(w);
  launch(w, A, 5);
  launch(w, B, 4);
  read_from(w, 0, 10);
  read_from(w, 1, 11);
}

static void a_local_size(world *w) {
  begin_with_objects(w);
  capture_command *c = launch(w, A, 4);
  c->u.launch.has_local = true;
  c->u.launch.local[0] = 2;
  launch(w, B, 4);
  read_from(w, 0, 10);
  read_from(w, 1, 11);
}

static void once_more(world *w) {
  begin_with_objects(w);
  launch(w, A, 4);
  end(w);
}

static void another_order(world *w) {
  begin_with_objects(w);
  launch(w, B, 4);
  read_from(w, 1, 11);
  launch(w, A, 4);
  read_from(w, 0, 10);
}

static void other_bytes_read(world *w) {
  begin_with_objects(w);
  launch(w, A, 4);
  launch(w, B, 4);
  read_from(w, 0, 12);
  read_from(w, 1, 11);
}

static void an_edit(world *w) {
  nothing(w);
  w->digests[A] = (char *)"another digest";
}

static void a_copy(world *w) {
  begin_with_objects(w);
  copy_from(w, 0, 1);
  end(w);
}

static void a_part(world *w) {
  begin_with_objects(w);
  sub_buffer_of(w, 0);
  memory_argument(w, B, 2);
  end(w);
}

static void a_clone(world *w) {
  begin_with_objects(w);
  capture_command *c = add_command(w, CAPTURE_CLONE);
  c->u.clone.kernel = A;
  memory_argument(w, 2, 1);
  launch(w, 2, 4);
  end(w);
}

static void a_kernel_of_a_stranger(world *w) {
  begin_with_objects(w);
  program_of(w, 1);
  kernel_of(w, 1, "c");
  end(w);
}

/* From `before` to `after`: does the digest stay? */
static const struct {
  const char *what;
  void (*before)(world *), (*after)(world *);
  bool stays;
} changes[] = {
    {"nothing", nothing, nothing, true},
    {"nothing, with a copy", a_copy, a_copy, true},
    {"numbers of objects", nothing, other_numbers, false},
    {"first contents", nothing, other_contents, false},
    {"a write", nothing, a_write, false},
    {"a write after the launch", nothing, a_write_behind_a_launch, false},
    {"when it is written", a_write, a_write_behind_a_launch, false},
    {"a value", nothing, a_value, false},
    {"the range", nothing, another_range, false},
    {"the size of work-groups", nothing, a_local_size, false},
    {"a launch more", nothing, once_more, false},
    {"the order of launches", nothing, another_order, false},
    {"what is read", nothing, other_bytes_read, false},
    {"a kernel", nothing, an_edit, false},
    {"a copy", nothing, a_copy, false},
    {"a sub-buffer", nothing, a_part, false},
    {"a clone of a kernel", nothing, a_clone, false},
    {"a kernel of an unknown program that is not launched", nothing, a_kernel_of_a_stranger, true},
};

static case_inputs *inputs_of(void (*make)(world *), world *w) {
  make(w);
  case_inputs *i = case_inputs_of(&w->campaign, &w->capture);
  assert_non_null(i);
  assert_string_equal(i->device, "device");
  assert_int_equal(strlen(i->all), 64);
  assert_true(i->items[0][A] > 0 && i->items[0][B] > 0);
  return i;
}

static void digests_change_with_what_is_done(void **state) {
  (void)state;
  for (size_t n = 0; n < sizeof changes / sizeof changes[0]; n++) {
    world before, after;
    case_inputs *x = inputs_of(changes[n].before, &before);
    case_inputs *y = inputs_of(changes[n].after, &after);
    if ((strcmp(x->all, y->all) == 0) != changes[n].stays)
      fail_msg("%s: it %s", changes[n].what, changes[n].stays ? "changes" : "stays");
    case_inputs_free(x);
    case_inputs_free(y);
    world_free(&before);
    world_free(&after);
  }
}

/* --- what is not known -----------------------------------------------------------------------------------------------
 */

static void assert_unknown(world *w) {
  assert_null(case_inputs_of(&w->campaign, &w->capture));
  world_free(w);
}

static void nothing_is_known_of_strangers(void **state) {
  (void)state;
  world w;
  a_kernel_of_a_stranger(&w);
  launch(&w, 2, 4);
  assert_unknown(&w);
  nothing(&w);
  w.program.request.others = 1; /* linked with what has no source */
  assert_unknown(&w);
  nothing(&w);
  w.other = w.program; /* two programs of one text, built in other folders: which is it? */
  w.campaign.programs.count = 2;
  assert_unknown(&w);
  nothing(&w);
  w.capture.unsuitable = (char *)"shared virtual memory";
  assert_unknown(&w);
  nothing(&w);
  w.sources[0].options = (char *)"-DX";
  assert_unknown(&w);
}

static void a_kernel_that_is_not_launched_has_no_work_items(void **state) {
  (void)state;
  world w;
  begin_with_objects(&w);
  launch(&w, A, 4);
  case_inputs *i = case_inputs_of(&w.campaign, &w.capture);
  assert_non_null(i);
  assert_true(i->items[0][A] == 4 && i->items[0][B] == 0);
  world_free(&w);
  case_inputs_free(i);
}

/* Work-items of all launches, each with the iterations of the busiest: whatever the machine does beside. */
static void turns_are_counted(void **state) {
  (void)state;
  world w;
  begin_with_objects(&w);
  launch(&w, A, 4);
  capture_command *c = launch(&w, A, 5);
  c->u.launch.dimensions = 2;
  c->u.launch.global[1] = 3;
  kernel_iterations busy[] = {[A] = {.launched = true, .most = 9}, [B] = {.launched = true, .most = 7}};
  kernel_iterations *all[] = {busy};
  test_state t = {.inputs = case_inputs_of(&w.campaign, &w.capture), .iterations = all, .iteration_count = 1};
  w.campaign.tests = &t;
  assert_true(campaign_turns(&w.campaign, 0, 0, A) == (4 + 5 * 3) * 10);
  assert_true(campaign_turns(&w.campaign, 0, 0, B) == 0);
  busy[A].waits = true; /* how often depends on others */
  assert_true(campaign_turns(&w.campaign, 0, 0, A) == 4 + 5 * 3);
  case_inputs_free(t.inputs);
  t.inputs = NULL;
  assert_true(campaign_turns(&w.campaign, 0, 0, A) == 0);
  w.campaign.tests = NULL;
  world_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turns_are_counted),
      cmocka_unit_test(digests_change_with_what_is_done),
      cmocka_unit_test(nothing_is_known_of_strangers),
      cmocka_unit_test(a_kernel_that_is_not_launched_has_no_work_items),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
