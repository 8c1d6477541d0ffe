/* What a device defines, from what its driver says. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/opencl_compiler.h"

static bool has(const char *options, const char *word) {
  const char *at = strstr(options, word);
  const char *end = at == NULL ? NULL : at + strlen(word);
  return at != NULL && (at == options || at[-1] == ' ') && (*end == ' ' || *end == '\0');
}

static void test_of_a_device(void **state) {
  (void)state;
  char *o = opencl_device_options(
      "a\nb\nc\nOpenCL C 1.2 x\nOpenCL 2.1 x y\ncl_khr_fp64 cl_khr_command_buffer  odd;name \nimages");
  assert_true(has(o, "-D__OPENCL_VERSION__=210"));
  assert_true(has(o, "-Ucl_khr_fp16"));
  assert_null(strstr(o, "cl_khr_fp64")); /* clang defines it by itself */
  assert_true(has(o, "-Dcl_khr_command_buffer=1"));
  assert_null(strstr(o, "odd"));
  assert_null(strstr(o, "__IMAGE_SUPPORT__"));
  free(o);
}

static void test_without_images(void **state) {
  (void)state;
  char *o = opencl_device_options("a\nb\nc\nd\nOpenCL 1.2\n\n");
  assert_true(has(o, "-D__OPENCL_VERSION__=120"));
  assert_true(has(o, "-U__IMAGE_SUPPORT__"));
  assert_true(has(o, "-Ucl_khr_fp64"));
  free(o);
}

static void test_of_an_older_capture(void **state) {
  (void)state;
  static const char *const all[] = {"", "a\nb\nc\nOpenCL C 1.2 x", "a\nb\nc\nd\nnot a version\ncl_khr_fp64\nimages"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char *o = opencl_device_options(all[i]);
    assert_string_equal(o, "");
    free(o);
  }
}

static void test_option_macro(void **state) {
  (void)state;
  assert_string_equal(opencl_option_macro("-cl-fast-relaxed-math"), "-D__FAST_RELAXED_MATH__=1");
  assert_null(opencl_option_macro("-cl-mad-enable"));
}

static void test_who_asks_the_device(void **state) {
  (void)state;
  static const char *const asking[] = {"#if __OPENCL_VERSION__ >= 200\n",
                                       "#ifdef __IMAGE_SUPPORT__\n",
                                       "#ifdef cl_khr_fp64\n",
                                       "#ifdef __opencl_c_images\n",
                                       "#include \"sizes.h\"\n",
                                       "-include sizes.h",
                                       "#define A(x) __OPENCL_##x\n#if A(VERSION__) >= 200\n",
                                       "#if __OPENCL_\\\nVERSION__ >= 200\n"};
  for (size_t i = 0; i < sizeof asking / sizeof *asking; i++) assert_true(opencl_asks_device(asking[i]));
  assert_false(opencl_asks_device("#ifdef N\n#endif\nkernel void k(global int *a) { a[get_global_id(0)] = N; }\n"));
  assert_false(opencl_asks_device("-DN=4 -w"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_of_a_device), cmocka_unit_test(test_without_images),
                                     cmocka_unit_test(test_of_an_older_capture), cmocka_unit_test(test_option_macro),
                                     cmocka_unit_test(test_who_asks_the_device)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
