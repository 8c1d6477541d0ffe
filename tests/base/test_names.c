/* Names in lists and arrays, and the last part of paths. */
#include <stdint.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/names.h"

static void test_numbers(void **state) {
  static const char *const names[] = {"first", "last", "first"};
  (void)state;
  assert_int_equal(name_number(names, 3, "first"), 0);
  assert_int_equal(name_number(names, 3, "last"), 1);
  assert_int_equal(name_number(names, 1, "last"), -1);
  assert_int_equal(name_number(names, 3, "firs"), -1);
  assert_int_equal(name_number(NULL, 0, "first"), -1);
}

static void test_items(void **state) {
  struct item {
    int number;
    char *name;
  } items[] = {{1, "a"}, {2, "b"}};
  (void)state;
  struct item *b = NAMED(items, 2, name, "b");
  assert_ptr_equal(b, &items[1]);
  assert_null(NAMED(items, 2, name, "c"));
  assert_null(NAMED(items, 1, name, "b"));
}

static void test_ends_of_paths(void **state) {
  (void)state;
  assert_string_equal(path_end("a/b.cl"), "b.cl");
  assert_string_equal(path_end("/b.cl"), "b.cl");
  assert_string_equal(path_end("b.cl"), "b.cl");
  assert_string_equal(path_end("a/"), "");
  assert_true(path_ends("a/b.cl", "b.cl") && path_ends("a/b.cl", "a/b.cl") && path_ends("b.cl", "b.cl"));
  assert_false(path_ends("ab.cl", "b.cl") || path_ends("b.cl", "a/b.cl"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_items),
      cmocka_unit_test(test_ends_of_paths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
