/* Kernels: arguments of every kind, clones, shapes of launches. */
#include <CL/cl.h>
#include <string.h>

#include "checks.h"

enum { ITEMS = 64 };

static const char source[] =
    "__kernel void add(__global int *to, __global const int *from, int more) {\n"
    "  size_t i = get_global_id(0);\n"
    "  to[i] = to[i] + (from ? from[i] : 1000) + more;\n"
    "}\n"
    "__kernel void sums(__global int *to, __global const int *from, __local int *all, __local int *none) {\n"
    "  size_t l = get_local_id(0), n = get_local_size(0);\n"
    "  all[l] = from[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (l == 0) { none[0] = 0; for (size_t i = 0; i < n; i++) none[0] += all[i]; to[get_group_id(0)] = none[0]; }\n"
    "}\n"
    "__kernel void shape(__global int *to) {\n"
    "  size_t i = (get_global_id(2) * 4 + get_global_id(1)) * 4 + get_global_id(0);\n"
    "  to[i] = (int)(get_local_size(0) * 10000 + get_local_size(1) * 1000 + get_local_size(2) * 100\n"
    "                + get_work_dim() * 10 + get_global_size(0));\n"
    "}\n";

static void count_up(int *values, int first) {
  for (int i = 0; i < ITEMS; i++) values[i] = first + i;
}

static void arguments(void **state) {
  int from[ITEMS], to[ITEMS];
  script s = {0};
  (void)state;
  count_up(from, 7);
  count_up(to, 100);
  const uint32_t a = script_buffer(&s, CL_MEM_READ_ONLY, sizeof from, from);
  const uint32_t b = script_buffer(&s, CL_MEM_READ_WRITE, sizeof to, to);
  const uint32_t kernel = script_kernel(&s, script_program(&s, source, ""), "add");
  script_memory(&s, kernel, 0, b);
  script_memory(&s, kernel, 1, a);
  script_int(&s, kernel, 2, 5);
  script_launch(&s, kernel, ITEMS, 0);
  script_int(&s, kernel, 2, 50); /* the last one counts */
  script_int(&s, kernel, 2, 60);
  script_launch(&s, kernel, ITEMS, 16);
  script_memory(&s, kernel, 1, CAPTURE_NONE);
  script_launch(&s, kernel, ITEMS, 0);
  for (int i = 0; i < ITEMS; i++) to[i] += 2 * from[i] + 5 + 60 + 1000 + 60;
  script_read(&s, b, 0, sizeof to, to);
  script_release_kernel(&s, kernel);
  expect_turns(&s, 4);
}

static void local_memory(void **state) {
  int from[ITEMS], to[4] = {0};
  script s = {0};
  (void)state;
  count_up(from, 3);
  for (int i = 0; i < ITEMS; i++) to[i / 16] += from[i];
  const uint32_t a = script_buffer(&s, CL_MEM_READ_ONLY, sizeof from, from);
  const uint32_t b = script_buffer(&s, CL_MEM_WRITE_ONLY, sizeof to, NULL);
  const uint32_t kernel = script_kernel(&s, script_program(&s, source, ""), "sums");
  script_memory(&s, kernel, 0, b);
  script_memory(&s, kernel, 1, a);
  script_local(&s, kernel, 2, 16 * sizeof(int));
  script_local(&s, kernel, 3, sizeof(int));
  script_launch(&s, kernel, ITEMS, 16);
  script_read(&s, b, 0, sizeof to, to);
  expect_turns(&s, 2);
}

/* A clone has the arguments that the original has then, and neither changes the other's later. */
static void clones(void **state) {
  int from[ITEMS], to[ITEMS] = {0};
  script s = {0};
  (void)state;
  count_up(from, 1);
  const uint32_t a = script_buffer(&s, CL_MEM_READ_ONLY, sizeof from, from);
  const uint32_t b = script_buffer(&s, CL_MEM_READ_WRITE, sizeof to, to);
  const uint32_t kernel = script_kernel(&s, script_program(&s, source, ""), "add");
  script_memory(&s, kernel, 0, b);
  script_memory(&s, kernel, 1, a);
  const uint32_t early = script_clone(&s, kernel);
  script_int(&s, kernel, 2, 10);
  const uint32_t clone = script_clone(&s, kernel);
  script_int(&s, kernel, 2, 20);
  script_int(&s, early, 2, 400);
  script_release_kernel(&s, kernel);
  script_launch(&s, clone, ITEMS, 0);
  script_launch(&s, early, ITEMS, 0);
  const uint32_t third = script_clone(&s, clone);
  script_int(&s, clone, 2, 9);
  script_launch(&s, third, ITEMS, 0);
  for (int i = 0; i < ITEMS; i++) to[i] += 3 * from[i] + 10 + 400 + 10;
  script_read(&s, b, 0, sizeof to, to);
  expect_turns(&s, 3);
}

static void shapes(void **state) {
  int to[ITEMS] = {0};
  script s = {0};
  (void)state;
  const uint32_t b = script_buffer(&s, CL_MEM_READ_WRITE, sizeof to, to);
  const uint32_t kernel = script_kernel(&s, script_program(&s, source, ""), "shape");
  script_memory(&s, kernel, 0, b);
  capture_command *c = script_add(&s, CAPTURE_LAUNCH);
  c->u.launch.kernel = kernel;
  c->u.launch.dimensions = 3;
  c->u.launch.has_local = c->u.launch.has_offset = true;
  for (size_t i = 0; i < 3; i++) {
    c->u.launch.global[i] = 2;
    c->u.launch.local[i] = i == 1 ? 2 : 1;
    c->u.launch.offset[i] = i == 2 ? 1 : 2;
  }
  script_add(&s, CAPTURE_LAUNCH)->u.launch.kernel = kernel;
  s.capture.commands[s.capture.command_count - 1].u.launch.task = true;
  to[0] = 11111;
  for (int z = 1; z < 3; z++) {
    for (int y = 2; y < 4; y++)
      for (int x = 2; x < 4; x++) to[(z * 4 + y) * 4 + x] = 12132;
  }
  script_read(&s, b, 0, sizeof to, to);
  expect_turns(&s, 2);
}

int test_kernels(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arguments),
      cmocka_unit_test(local_memory),
      cmocka_unit_test(clones),
      cmocka_unit_test(shapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
