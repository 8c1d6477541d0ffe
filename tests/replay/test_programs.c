/* Programs: headers and linking, and which of them are kept for later turns. */
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "checks.h"

static const char plain[] = "__kernel void one(__global int *to) { to[0] += N; }\n";

/* Two compiled sources, one with a header, linked. */
static uint32_t linked(script *s) {
  capture_command *c = script_add(s, CAPTURE_PROGRAM);
  c->u.program.linked = true;
  c->u.program.link_options = mem_strdup("");
  c->u.program.source_count = 2;
  c->u.program.sources = mem_calloc(2, sizeof *c->u.program.sources);
  capture_source *kernel = &c->u.program.sources[0], *helper = &c->u.program.sources[1];
  kernel->text = mem_strdup("#include \"part/helper.h\"\n__kernel void one(__global int *to) { to[0] = helper(N); }\n");
  kernel->options = mem_strdup("-DN=4");
  kernel->header_count = 1;
  kernel->headers = mem_calloc(1, sizeof *kernel->headers);
  kernel->headers[0] = (capture_header){mem_strdup("part/helper.h"), mem_strdup("int helper(int n);\n")};
  helper->text = mem_strdup("int helper(int n) { return n * 11; }\n");
  helper->options = mem_strdup("");
  return s->programs++;
}

static void links(void **state) {
  const int expected = 44;
  script s = {0};
  (void)state;
  const uint32_t b = script_buffer(&s, CL_MEM_READ_WRITE, sizeof expected, NULL);
  const uint32_t kernel = script_kernel(&s, linked(&s), "one");
  script_memory(&s, kernel, 0, b);
  script_launch(&s, kernel, 1, 1);
  script_read(&s, b, 0, sizeof expected, &expected);
  expect_turns(&s, 2);
}

static script two_programs(void) {
  const int expected = 8;
  script s = {0};
  const uint32_t b = script_buffer(&s, CL_MEM_READ_WRITE, sizeof expected, NULL);
  const uint32_t unused = script_program(&s, plain, "-DN=2");
  const uint32_t first = script_program(&s, plain, "-DN=3"), second = script_program(&s, plain, "-DN=5");
  (void)unused; /* it has no kernel: nobody notices that it is not built */
  const uint32_t kernels[] = {script_kernel(&s, second, "one"), script_kernel(&s, first, "one")};
  for (size_t i = 0; i < 2; i++) {
    script_memory(&s, kernels[i], 0, b);
    script_launch(&s, kernels[i], 1, 1);
  }
  script_read(&s, b, 0, sizeof expected, &expected);
  return s;
}

/* Builds in a turn of this setup. */
static unsigned builds(replay *r, uint64_t setup, bool keep) {
  const replay_turn what = {.setup = setup, .keep = keep};
  const unsigned before = seen.builds;
  assert_int_equal(do_turn(r, &what, NULL, NULL).wrong, 0);
  return seen.builds - before;
}

static void setups(void **state) {
  script s = two_programs();
  (void)state;
  replay *r = open_script(&s, NULL);
  assert_int_equal(builds(r, 1, true), 2);
  assert_int_equal(builds(r, 1, true), 0);
  assert_int_equal(builds(r, 2, false), 2);
  assert_int_equal(builds(r, 2, false), 2); /* it was not kept */
  assert_int_equal(builds(r, 1, true), 0);
  for (uint64_t setup = 10; setup < 17; setup++) {
    assert_int_equal(builds(r, setup, true), 2);
    assert_int_equal(builds(r, 1, true), 0); /* used in between, so it stays */
  }
  assert_int_equal(builds(r, 17, true), 2);
  assert_int_equal(builds(r, 10, true), 2); /* 11 to 17 and 1 are eight */
  assert_int_equal(builds(r, 17, true), 0);
  replay_close(r);
  script_free(&s);
}

/* What is built twice with the same options is one program; a turn that names kernels has programs of its own for these
 * alone. */
static void shared(void **state) {
  const char other[] = "__kernel void two(__global int *to) { to[0] *= N; }\n", *const changed = "two";
  const int expected = (3 + 3) * 5;
  script s = {0};
  (void)state;
  const uint32_t b = script_buffer(&s, CL_MEM_READ_WRITE, sizeof expected, NULL);
  const uint32_t programs[] = {script_program(&s, plain, "-DN=3"), script_program(&s, plain, "-DN=3"),
                               script_program(&s, other, "-DN=5")};
  for (size_t i = 0; i < 3; i++) {
    const uint32_t kernel = script_kernel(&s, programs[i], i < 2 ? "one" : "two");
    script_memory(&s, kernel, 0, b);
    script_launch(&s, kernel, 1, 1);
  }
  script_read(&s, b, 0, sizeof expected, &expected);
  replay *r = open_script(&s, NULL);
  const replay_turn named = {.setup = 1, .keep = true, .kernels = &changed, .kernel_count = 1};
  assert_int_equal(builds(r, 0, true), 2);
  assert_int_equal(builds(r, 0, true), 0);
  for (unsigned i = 0; i < 2; i++) {
    const unsigned before = seen.builds;
    assert_int_equal(do_turn(r, &named, NULL, NULL).wrong, 0);
    assert_int_equal(seen.builds - before, i == 0 ? 1 : 0);
  }
  assert_int_equal(builds(r, 2, true), 2); /* no kernel is named: any may be another */
  replay_close(r);
  script_free(&s);
}

static void refused_source(void **state) {
  script s = {0};
  error e = {0};
  replay_result result;
  (void)state;
  const replay_turn what = {.setup = 1, .keep = true};
  const uint32_t kernel = script_kernel(&s, script_program(&s, "__kernel void one(int a) { nonsense; }\n", ""), "one");
  script_launch(&s, kernel, 1, 1);
  replay *r = open_script(&s, NULL);
  assert_int_equal(replay_do(r, &what, NULL, &result, &e), -1);
  assert_false(result.complete);
  assert_int_equal(e.code, EXIT_BASELINE);
  assert_non_null(strstr(e.text, "does not build"));
  replay_close(r);
  script_free(&s);
}

int test_programs(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(links),
      cmocka_unit_test(setups),
      cmocka_unit_test(shared),
      cmocka_unit_test(refused_source),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
