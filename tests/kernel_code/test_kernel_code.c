/* Digests of single kernels' code. The objects are built of object.c with other names, constants and callees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "runner/experiment/kernel_code.h"

#define MARK "__cltc_m"

static const char first[] = "work__cltc_m0000000001";   /* sin(x) + 3 */
static const char same[] = "work__cltc_m0000000002";    /* sin(x) + 3 */
static const char other[] = "work__cltc_m0000000003";   /* sin(x) + 4 */
static const char callee[] = "work__cltc_m0000000004";  /* cos(x) + 3 */
static const char renamed[] = "play__cltc_m0000000005"; /* sin(x) + 3 */

static buffer container;

static void append_object(const char *name) {
  char path[1024];
  (void)snprintf(path, sizeof path, "%s/%s.so", OBJECTS, name);
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  buffer bytes = {0};
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) {
    buffer_append(&bytes, part, n);
  }
  (void)fclose(f);
  const uint32_t size = (uint32_t)bytes.length;
  const unsigned char count[4] = {(unsigned char)size, (unsigned char)(size >> 8), (unsigned char)(size >> 16),
                                  (unsigned char)(size >> 24)};
  buffer_printf(&container, "poclbin/%s/0-0-0/%s.so", name, name);
  buffer_append(&container, count, sizeof count);
  buffer_append(&container, bytes.data, bytes.length);
  buffer_free(&bytes);
}

static int set_up(void **state) {
  (void)state;
  const char *const all[] = {first, same, other, callee, renamed};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    append_object(all[i]);
  }
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  buffer_free(&container);
  return 0;
}

static bool digest_in(const void *bytes, size_t size, const char *kernel, char digest[65]) {
  return kernel_code_digest(bytes, size, &kernel, 1, MARK, digest);
}

static void digest_of(const char *kernel, char digest[65]) {
  assert_true(digest_in(container.data, container.length, kernel, digest));
  assert_int_equal(strlen(digest), 64);
}

static void test_numbers_do_not_count(void **state) {
  (void)state;
  char a[65], b[65];
  digest_of(first, a);
  digest_of(same, b);
  assert_string_equal(a, b);
}

static void test_code_counts(void **state) {
  (void)state;
  char a[65], b[65];
  digest_of(first, a);
  digest_of(other, b);
  assert_string_not_equal(a, b);
}

static void test_callees_count(void **state) {
  (void)state;
  char a[65], b[65];
  digest_of(first, a);
  digest_of(callee, b); /* the machine code is the same, the relocation is not */
  assert_string_not_equal(a, b);
}

static void test_names_count(void **state) {
  (void)state;
  char a[65], b[65];
  digest_of(first, a);
  digest_of(renamed, b);
  assert_string_not_equal(a, b);
}

static void test_lists_of_kernels(void **state) {
  (void)state;
  const char *const one[] = {first, other}, *const two[] = {same, other}, *const three[] = {first, callee};
  char a[65], b[65], c[65];
  assert_true(kernel_code_digest((const unsigned char *)container.data, container.length, one, 2, MARK, a));
  assert_true(kernel_code_digest((const unsigned char *)container.data, container.length, two, 2, MARK, b));
  assert_true(kernel_code_digest((const unsigned char *)container.data, container.length, three, 2, MARK, c));
  assert_string_equal(a, b);
  assert_string_not_equal(a, c);
}

static void test_not_there(void **state) {
  (void)state;
  char a[65];
  assert_false(digest_in(container.data, container.length, "work__cltc_m0000000009", a));
  assert_false(digest_in("", 0, first, a));
  assert_false(kernel_code_digest((const unsigned char *)container.data, container.length, NULL, 0, MARK, a));
}

/* Whatever is in it: nothing is read behind its end (which the sanitizer build sees). */
static void test_broken(void **state) {
  (void)state;
  char digest[65];
  srand(1);
  for (int i = 0; i < 4000; i++) {
    size_t size = i % 4 == 0 ? (size_t)rand() % container.length : container.length;
    unsigned char *copy = malloc(size + 1); /* of this size, so that its end is known */
    assert_non_null(copy);
    memcpy(copy, container.data, size);
    for (int k = 0; k < 8 && size > 256; k++) {
      const size_t near_headers = (size_t)rand() % 2 == 0 ? 256 : size;
      copy[(size_t)rand() % near_headers] = (unsigned char)rand();
    }
    unsigned char *exact = realloc(copy, size > 0 ? size : 1);
    assert_non_null(exact);
    (void)digest_in(exact, size, first, digest);
    free(exact);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers_do_not_count),
      cmocka_unit_test(test_code_counts),
      cmocka_unit_test(test_callees_count),
      cmocka_unit_test(test_names_count),
      cmocka_unit_test(test_lists_of_kernels),
      cmocka_unit_test(test_not_there),
      cmocka_unit_test(test_broken),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
