/* Turns that leave out what comes before the kernels in question: what they read is the same, and they launch less. */
#include <CL/cl.h>
#include <string.h>

#include "checks.h"

enum { ITEMS = 1024, SIZE = ITEMS * 4, STEPS = 3 };

static const char source[] =
    "__kernel void one(__global int *a, __global int *b, int n) {\n"
    "  size_t i = get_global_id(0); a[i] = a[i] * 3 + n; b[i] += a[i];\n"
    "}\n"
    "__kernel void two(__global int *a, __global int *b, int n) {\n"
    "  size_t i = get_global_id(0); b[i] = b[i] * 5 + a[i] + n;\n"
    "}\n"
    "__kernel void three(__global int *a, __global int *b, int n) {\n"
    "  size_t i = get_global_id(0); a[i] ^= b[i]; b[i] += n;\n"
    "}\n"
    "__kernel void never(__global int *a) { a[0] = 1; }\n";

/* The same on the host. */
typedef struct model {
  unsigned a[ITEMS], b[ITEMS];
} model;

static void step(model *m, int which, unsigned n) {
  for (size_t i = 0; i < ITEMS; i++) {
    if (which == 0) {
      m->a[i] = m->a[i] * 3 + n;
      m->b[i] += m->a[i];
    } else if (which == 1) {
      m->b[i] = m->b[i] * 5 + m->a[i] + n;
    } else {
      m->a[i] ^= m->b[i];
      m->b[i] += n;
    }
  }
}

/* Launches 0-2: one; 3-5: two; 6-8: three; 9-11: one, two, three. Two reads after each three, the one that is left out
 * in part by each place. */
static const int launches[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 1, 2};
enum { LAUNCHES = sizeof launches / sizeof *launches };

static void launch(script *s, uint32_t kernel, int which, int number, model *m, const uint32_t memory[2]) {
  script_int(s, kernel, 2, number);
  script_launch(s, kernel, ITEMS, 0);
  step(m, which, (unsigned)number);
  if (number % 3 == 2) {
    script_read(s, memory[0], 0, SIZE, m->a);
    script_read(s, memory[1], 0, SIZE, m->b);
  }
}

static script steps(void) {
  static const char *const names[] = {"one", "two", "three"};
  static model m;
  script s = {0};
  for (unsigned i = 0; i < ITEMS; i++) {
    m.a[i] = i * 17;
    m.b[i] = 0;
  }
  uint32_t kernels[STEPS];
  const uint32_t memory[] = {script_buffer(&s, CL_MEM_READ_WRITE, SIZE, m.a),
                             script_buffer(&s, CL_MEM_READ_WRITE, SIZE, NULL)};
  const uint32_t program = script_program(&s, source, "");
  for (size_t i = 0; i < STEPS; i++) {
    kernels[i] = script_kernel(&s, program, names[i]);
    script_memory(&s, kernels[i], 0, memory[0]);
    script_memory(&s, kernels[i], 1, memory[1]);
  }
  for (int i = 0; i < LAUNCHES; i++) launch(&s, kernels[launches[i]], launches[i], i, &m, memory);
  return s;
}

/* A turn about one kernel: how often it launched and which reads it did, all of them right. */
static unsigned turn_about(replay *r, const char *kernel, uint64_t first_read) {
  const replay_turn what = {.setup = 1, .keep = true, .kernels = &kernel, .kernel_count = kernel != NULL};
  const unsigned before = seen.launches;
  const outcome o = do_turn(r, &what, NULL, NULL);
  assert_int_equal(o.wrong, 0);
  assert_int_equal(o.next, 8);
  assert_int_equal(o.first, first_read);
  return seen.launches - before;
}

static void parts_are_left_out(const replay_options *o) {
  script s = steps();
  replay *r = open_script(&s, o);
  assert_int_equal(turn_about(r, "three", 0), 12); /* looks at what memory holds */
  assert_int_equal(turn_about(r, "three", 4), 6);
  assert_int_equal(turn_about(r, NULL, 0), 12);
  assert_int_equal(turn_about(r, "two", 0), 12);
  assert_int_equal(turn_about(r, "two", 2), 9);
  assert_int_equal(turn_about(r, "one", 0), 12);
  for (int i = 0; i < 20; i++) {
    assert_int_equal(turn_about(r, "three", 4), 6);
    assert_int_equal(turn_about(r, "two", 2), 9);
    assert_int_equal(turn_about(r, "one", 0), 12);
  }
  replay_close(r);
  script_free(&s);
}

static void on_the_device(void **state) {
  (void)state;
  parts_are_left_out(NULL);
}

static void with_little_memory(void **state) {
  const replay_options little = {.memory = 1};
  (void)state;
  parts_are_left_out(&little);
}

static void on_the_host(void **state) {
  const replay_options host = {.snapshots = 1}, both = {.snapshots = SIZE, .host_snapshots = 3 * SIZE};
  (void)state;
  parts_are_left_out(&host);
  parts_are_left_out(&both);
}

static void discrete_devices(void **state) {
  const replay_options discrete = {.discrete = true};
  (void)state;
  parts_are_left_out(&discrete);
}

static void without_room(void **state) {
  const replay_options none = {.snapshots = 1, .host_snapshots = 1};
  script s = steps();
  (void)state;
  replay *r = open_script(&s, &none);
  for (int i = 0; i < 3; i++) assert_int_equal(turn_about(r, "three", 0), 12);
  replay_close(r);
  script_free(&s);
}

/* There is room for one place: the other gives way. */
static void room_for_one(void **state) {
  const replay_options one = {.snapshots = 2 * SIZE, .host_snapshots = 1};
  script s = steps();
  (void)state;
  replay *r = open_script(&s, &one);
  assert_int_equal(turn_about(r, "three", 0), 12);
  assert_int_equal(turn_about(r, "three", 4), 6);
  assert_int_equal(turn_about(r, "two", 0), 12);
  assert_int_equal(turn_about(r, "two", 2), 9);
  assert_int_equal(turn_about(r, "three", 2), 9); /* from the place of "two", which then gives way */
  assert_int_equal(turn_about(r, "three", 4), 6);
  assert_int_equal(turn_about(r, "two", 0), 12);
  replay_close(r);
  script_free(&s);
}

/* The place of "two" is on the way to that of "three". */
static void from_an_earlier_place(void **state) {
  script s = steps();
  (void)state;
  replay *r = open_script(&s, NULL);
  assert_int_equal(turn_about(r, "two", 0), 12);
  assert_int_equal(turn_about(r, "three", 2), 9);
  assert_int_equal(turn_about(r, "three", 4), 6);
  replay_close(r);
  script_free(&s);
}

static void several_kernels(void **state) {
  const char *const kernels[] = {"nobody", "three", "two"};
  const replay_turn what = {.setup = 1, .keep = true, .kernels = kernels, .kernel_count = 3};
  script s = steps();
  (void)state;
  replay *r = open_script(&s, NULL);
  (void)do_turn(r, &what, NULL, NULL);
  const outcome o = do_turn(r, &what, NULL, NULL);
  assert_int_equal(o.first, 2);
  assert_int_equal(o.wrong, 0);
  replay_close(r);
  script_free(&s);
}

/* What no launch can change needs no launches at all. */
static void a_kernel_that_is_never_launched(void **state) {
  const char *kernel = "never";
  const replay_turn what = {.setup = 1, .keep = true, .kernels = &kernel, .kernel_count = 1};
  script s = steps();
  (void)state;
  replay *r = open_script(&s, NULL);
  const unsigned launched = seen.launches, built = seen.builds;
  assert_int_equal(do_turn(r, &what, NULL, NULL).reads, 0);
  assert_int_equal(seen.launches, launched);
  assert_int_equal(seen.builds, built);
  replay_close(r);
  script_free(&s);
}

static const char kernels_text[] =
    "__kernel void early(__global int *a, int n) { a[get_global_id(0)] += n; }\n"
    "__kernel void late(__global int *a, __global const int *b, int n) {\n"
    "  size_t i = get_global_id(0); a[i] += b[i] * n;\n"
    "}\n";

/* Arguments, clones and objects from before the place; things that are gone by then. */
static script tangled(void) {
  int a[8] = {0}, b[8] = {1, 2, 3, 4, 5, 6, 7, 8}, c[8] = {0};
  script s = {0};
  const uint32_t program = script_program(&s, kernels_text, ""), early = script_kernel(&s, program, "early");
  const uint32_t late = script_kernel(&s, program, "late");
  const uint32_t memory = script_buffer(&s, CL_MEM_READ_WRITE, sizeof a, NULL);
  const uint32_t gone = script_buffer(&s, CL_MEM_READ_WRITE, sizeof a, NULL);
  const uint32_t factors = script_buffer(&s, CL_MEM_READ_ONLY, sizeof b, NULL);
  script_memory(&s, late, 0, gone);
  script_memory(&s, late, 1, gone);
  script_int(&s, late, 2, 3);
  script_memory(&s, early, 0, gone);
  script_int(&s, early, 1, 1);
  script_launch(&s, early, 8, 0);
  script_memory(&s, early, 0, memory);
  script_launch(&s, early, 8, 0);
  script_copy(&s, gone, memory, 0, 0, 4);
  script_release_memory(&s, gone);
  const uint32_t clone = script_clone(&s, late);
  script_memory(&s, clone, 0, memory);
  script_write(&s, factors, 0, b, sizeof b);
  script_memory(&s, clone, 1, factors);
  script_release_kernel(&s, early);
  script_release_kernel(&s, late);
  script_read(&s, memory, 0, 4, NULL);
  script_launch(&s, clone, 8, 0);
  const uint32_t after = script_buffer(&s, CL_MEM_READ_WRITE, sizeof c, c);
  script_int(&s, clone, 2, 10);
  script_memory(&s, clone, 0, after);
  script_launch(&s, clone, 8, 0);
  for (int i = 0; i < 8; i++) {
    a[i] = 1 + 3 * b[i];
    c[i] = 10 * b[i];
  }
  script_read(&s, memory, 0, sizeof a, a);
  script_read(&s, after, 0, sizeof c, c);
  return s;
}

static void what_was_set_before(void **state) {
  const char *kernel = "late";
  const replay_options tries[] = {{0}, {.memory = 1}, {.discrete = true}, {.snapshots = 1}};
  const replay_turn what = {.setup = 1, .keep = true, .kernels = &kernel, .kernel_count = 1}, all = {.setup = 1};
  (void)state;
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    script s = tangled();
    replay *r = open_script(&s, &tries[i]);
    assert_int_equal(do_turn(r, &what, NULL, NULL).wrong, 0);
    for (int turn = 0; turn < 3; turn++) {
      const unsigned before = seen.launches;
      const outcome o = do_turn(r, &what, NULL, NULL);
      assert_int_equal(o.wrong, 0);
      assert_int_equal(o.first, 1);
      assert_int_equal(seen.launches - before, 2);
      assert_int_equal(do_turn(r, &all, NULL, NULL).wrong, 0);
    }
    replay_close(r);
    script_free(&s);
  }
}

static const char flat[] =
    "__kernel void one(__write_only image2d_t to) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imageui(to, at, (uint4)(at.x, at.y, 7, 8));\n"
    "}\n"
    "__kernel void two(__write_only image2d_t to) { write_imageui(to, (int2)(1, 1), (uint4)(9, 9, 9, 9)); }\n";

static script images(void) {
  script s = {0};
  unsigned char expected[4 * 3 * 4];
  for (size_t i = 0; i < 12; i++) {
    const unsigned char element[4] = {(unsigned char)(i % 4), (unsigned char)(i / 4), 7, 8};
    memcpy(expected + i * 4, element, 4);
  }
  memset(expected + 5 * 4, 9, 4);
  capture_command image = {.kind = CAPTURE_IMAGE};
  image.u.image.order = CL_RGBA;
  image.u.image.data_type = CL_UNSIGNED_INT8;
  image.u.image.type = CL_MEM_OBJECT_IMAGE2D;
  image.u.image.width = 4;
  image.u.image.height = 3;
  image.u.image.buffer = CAPTURE_NONE;
  const uint32_t number = script_image(&s, &image, NULL, 0), program = script_program(&s, flat, "");
  const uint32_t one = script_kernel(&s, program, "one"), two = script_kernel(&s, program, "two");
  script_memory(&s, one, 0, number);
  script_memory(&s, two, 0, number);
  capture_command *c = script_add(&s, CAPTURE_LAUNCH);
  c->u.launch.kernel = one;
  c->u.launch.dimensions = 2;
  c->u.launch.global[0] = 4;
  c->u.launch.global[1] = 3;
  script_launch(&s, two, 1, 1);
  const capture_command all = {.u.transfer = {.at = {.memory = number}, .region = {4, 3, 1}}};
  script_area(&s, CAPTURE_READ_IMAGE, &all, expected, sizeof expected);
  return s;
}

static void images_too(void **state) {
  const char *kernel = "two";
  const replay_options tries[] = {{0}, {.memory = 1}, {.discrete = true}, {.snapshots = 1}};
  const replay_turn what = {.setup = 1, .keep = true, .kernels = &kernel, .kernel_count = 1};
  (void)state;
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    script s = images();
    replay *r = open_script(&s, &tries[i]);
    assert_int_equal(do_turn(r, &what, NULL, NULL).wrong, 0);
    const unsigned before = seen.launches;
    assert_int_equal(do_turn(r, &what, NULL, NULL).wrong, 0);
    assert_int_equal(seen.launches - before, 1);
    replay_close(r);
    script_free(&s);
  }
}

int test_checkpoints(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_the_device),
      cmocka_unit_test(with_little_memory),
      cmocka_unit_test(on_the_host),
      cmocka_unit_test(discrete_devices),
      cmocka_unit_test(without_room),
      cmocka_unit_test(room_for_one),
      cmocka_unit_test(from_an_earlier_place),
      cmocka_unit_test(several_kernels),
      cmocka_unit_test(a_kernel_that_is_never_launched),
      cmocka_unit_test(what_was_set_before),
      cmocka_unit_test(images_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
