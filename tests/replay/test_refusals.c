/* Captures and devices that do not go together: refused with one sentence. */
#include <CL/cl.h>
#include <string.h>

#include "checks.h"

static void refused(const script *s, const replay_options *o, int code, const char *words) {
  static const replay_options defaults;
  replay *r = NULL;
  error e = {0};
  assert_int_equal(replay_open(&r, &s->capture, o == NULL ? &defaults : o, &e), -1);
  assert_null(r);
  assert_int_equal(e.code, code);
  if (strstr(e.text, words) == NULL || strchr(e.text, '\n') != NULL)
    fail_msg("not a sentence with \"%s\": %s", words, e.text);
}

static void unsuitable_captures(void **state) {
  char reason[] = "shared virtual memory";
  script s = {.capture.unsuitable = reason};
  (void)state;
  refused(&s, NULL, EXIT_USAGE, reason);
}

static void too_large(void **state) {
  script s = {0};
  char device[] = "a large device\nits vendor\n1\n2";
  (void)state;
  s.capture.device = device;
  (void)script_buffer(&s, 0, UINT64_C(1) << 60, NULL);
  refused(&s, NULL, EXIT_USAGE, "it was made on: a large device");
  script_free(&s);
}

static void unaligned(void **state) {
  script s = {0};
  (void)state;
  (void)script_sub_buffer(&s, script_buffer(&s, 0, 4096, NULL), 0, 4, 16);
  refused(&s, NULL, EXIT_USAGE, "multiples of");
  script_free(&s);
}

static void too_much_local_memory(void **state) {
  script s = {0};
  (void)state;
  const uint32_t kernel = script_kernel(&s, script_program(&s, "__kernel void k(__local int *l) {}", ""), "k");
  script_local(&s, kernel, 0, (size_t)1 << 40);
  refused(&s, NULL, EXIT_USAGE, "local memory");
  script_free(&s);
}

static void too_large_groups(void **state) {
  script s = {0};
  (void)state;
  const uint32_t kernel = script_kernel(&s, script_program(&s, "__kernel void k(void) {}", ""), "k");
  script_launch(&s, kernel, 1 << 24, 1 << 24);
  refused(&s, NULL, EXIT_USAGE, "work-groups");
  script_free(&s);
}

static void too_many_arguments(void **state) {
  script s = {0};
  (void)state;
  const uint32_t kernel = script_kernel(&s, script_program(&s, "__kernel void k(int a) {}", ""), "k");
  script_int(&s, kernel, UINT32_MAX, 3);
  refused(&s, NULL, EXIT_USAGE, "kernel k");
  script_free(&s);
}

static void no_such_device(void **state) {
  const script s = {0};
  const replay_options platform = {.chosen = true, .platform = 99}, device = {.chosen = true, .device = 99};
  (void)state;
  refused(&s, &platform, EXIT_USAGE, "99:0");
  refused(&s, &device, EXIT_USAGE, "0:99");
}

/* No command at all is no reason to refuse. */
static void empty_captures(void **state) {
  script s = {0};
  (void)state;
  expect_turns(&s, 2);
}

/* A command that the device refuses ends the turn; the next one is right. */
static void refused_commands(void **state) {
  script s = {0};
  const replay_turn what = {.setup = 1, .keep = true};
  replay_result result;
  error e = {0};
  (void)state;
  const uint32_t kernel = script_kernel(&s, script_program(&s, "__kernel void k(int a) {}", ""), "k");
  script_launch(&s, kernel, 1, 1); /* its argument is not set */
  replay *r = open_script(&s, NULL);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(replay_do(r, &what, NULL, &result, &e), -1);
    assert_int_equal(e.code, EXIT_BASELINE);
    assert_non_null(strstr(e.text, "command 2 of the capture (launch of kernel k)"));
    assert_non_null(strstr(e.text, "CL_INVALID_KERNEL_ARGS"));
  }
  replay_close(r);
  script_free(&s);
}

int test_refusals(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unsuitable_captures),   cmocka_unit_test(too_large),        cmocka_unit_test(unaligned),
      cmocka_unit_test(too_much_local_memory), cmocka_unit_test(too_large_groups), cmocka_unit_test(too_many_arguments),
      cmocka_unit_test(no_such_device),        cmocka_unit_test(empty_captures),   cmocka_unit_test(refused_commands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
