/* Facts about contents, sizes of launches, and which launches are looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka needs these before it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "proofs/sources/observe.h"
#include "proofs/sources/source.h"
#include "tests/fuzz/random.h"

enum { ROUNDS = 4000, NUMBERS = 6 };

/* --- facts -------------------------------------------------------------------------------------------------------- */

/* By definition: each pair is compared. */
static contents_facts by_definition(const int64_t *n, size_t count) {
  contents_facts f = {
      .distinct = true, .ascending = true, .identity = true, .bounded = true, .low = n[0], .high = n[0]};
  for (size_t i = 0; i < count; i++) {
    f.identity = f.identity && n[i] == (int64_t)i;
    f.ascending = f.ascending && (i == 0 || n[i] >= n[i - 1]);
    f.low = n[i] < f.low ? n[i] : f.low;
    f.high = n[i] > f.high ? n[i] : f.high;
    for (size_t k = 0; k < i; k++) f.distinct = f.distinct && n[i] != n[k];
  }
  return f;
}

static void test_facts_by_definition(void **state) {
  (void)state;
  random_state r = {3};
  for (size_t round = 0; round < ROUNDS; round++) {
    const uint32_t element = 1u << fuzz_below(&r, 4);
    const bool is_unsigned = fuzz_below(&r, 2) == 0;
    const size_t count = 2 + fuzz_below(&r, NUMBERS - 1);
    const int64_t first = is_unsigned ? 0 : -(int64_t)fuzz_below(&r, 3);
    int64_t numbers[NUMBERS];
    unsigned char bytes[NUMBERS * 8] = {0};
    for (size_t i = 0; i < count; i++) {
      numbers[i] = fuzz_below(&r, 3) == 0 ? (int64_t)i : first + (int64_t)fuzz_below(&r, 8);
      memcpy(bytes + i * element, &numbers[i], element);
    }
    const contents_facts expected = by_definition(numbers, count), f = facts_of(bytes, count, element, is_unsigned);
    assert_int_equal(f.distinct, expected.distinct);
    assert_int_equal(f.ascending, expected.ascending);
    assert_int_equal(f.identity, expected.identity);
    assert_true(f.bounded);
    assert_int_equal(f.low, expected.low);
    assert_int_equal(f.high, expected.high);
  }
}

/* 255 is a large number, or -1. */
static void test_signs(void **state) {
  (void)state;
  static const unsigned char bytes[] = {0, 255};
  const contents_facts u = facts_of(bytes, 2, 1, true), s = facts_of(bytes, 2, 1, false);
  assert_true(u.ascending && u.high == 255 && u.low == 0);
  assert_true(!s.ascending && s.high == 0 && s.low == -1);
  static const uint64_t large[] = {1, UINT64_MAX};
  const contents_facts l = facts_of((const unsigned char *)large, 2, 8, true);
  assert_true(l.ascending && l.distinct && !l.bounded); /* no int64_t has its upper bound */
}

static void test_nothing_to_say(void **state) {
  (void)state;
  static const unsigned char bytes[] = {0};
  const contents_facts none = facts_of(bytes, 0, 1, true), one = facts_of(bytes, 1, 1, true);
  assert_false(none.bounded || none.distinct || none.ascending || none.identity);
  assert_true(one.bounded && !one.distinct && !one.ascending && !one.identity);
}

/* --- what is known of memory -------------------------------------------------------------------------------------- */

static void test_memory(void **state) {
  (void)state;
  unsigned char counting[] = {0, 1, 2, 3, 4, 5, 6, 7}, two[] = {9, 9};
  capture_blob blobs[] = {{counting, 8}, {two, 2}};
  const capture c = {.blobs = blobs, .blob_count = 2};
  contents m = {0};
  capture_command command = {.kind = CAPTURE_BUFFER};
  command.u.buffer.size = 8;
  command.u.buffer.blob = 0;
  contents_take(&m, &c, &command); /* 0: 0 1 … 7 */
  command.u.buffer.blob = CAPTURE_NONE;
  contents_take(&m, &c, &command); /* 1: not known */
  command = (capture_command){.kind = CAPTURE_SUB_BUFFER};
  command.u.sub_buffer.parent = 0;
  command.u.sub_buffer.origin = 2;
  command.u.sub_buffer.size = 4;
  contents_take(&m, &c, &command); /* 2: 2 3 4 5 of 0 */
  assert_true(contents_of(&m, 0, 1, true).identity);
  assert_false(contents_of(&m, 1, 1, true).bounded);
  assert_int_equal(contents_of(&m, 2, 1, true).low, 2);
  assert_int_equal(contents_of(&m, 2, 1, true).high, 5);
  command = (capture_command){.kind = CAPTURE_WRITE};
  command.u.transfer.at.memory = 2;
  command.u.transfer.at.offset = 1;
  command.u.transfer.size = 2;
  command.u.transfer.blob = 1;
  contents_take(&m, &c, &command); /* 0: 0 1 2 9 9 5 6 7 */
  assert_false(contents_of(&m, 0, 1, true).distinct);
  assert_int_equal(contents_of(&m, 0, 1, true).high, 9);
  command = (capture_command){.kind = CAPTURE_COPY};
  command.u.transfer.at.memory = 0;
  command.u.transfer.to.memory = 1;
  command.u.transfer.at.offset = 3;
  command.u.transfer.to.offset = 0;
  command.u.transfer.size = 2;
  contents_take(&m, &c, &command); /* 1: 9 9, the rest is not known */
  assert_false(contents_of(&m, 1, 1, true).bounded);
  command = (capture_command){.kind = CAPTURE_FILL};
  command.u.transfer.at.memory = 1;
  command.u.transfer.at.offset = 2;
  command.u.transfer.size = 6;
  command.u.transfer.pattern[0] = 3;
  command.u.transfer.pattern[1] = 4;
  command.u.transfer.pattern_size = 2;
  contents_take(&m, &c, &command); /* 1: 9 9 3 4 3 4 3 4 */
  assert_int_equal(contents_of(&m, 1, 1, true).low, 3);
  assert_int_equal(contents_of(&m, 1, 2, true).high, 0x909); /* as shorts */
  contents_forget(&m, 2);
  assert_false(contents_of(&m, 0, 1, true).bounded); /* a part of it is not known */
  contents_free(&m);
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static void test_sizes(void **state) {
  (void)state;
  observed_launch l = {0};
  assert_true(launches_size(&l, 2, (const uint64_t[]){12, 6, 99}, (const uint64_t[]){4, 3, 99}));
  assert_true(l.local[0] == 4 && l.local[1] == 3 && l.local[2] == 1);
  assert_true(l.groups[0] == 3 && l.groups[1] == 2 && l.groups[2] == 1 && !l.local_chosen);
  assert_false(launches_size(&l, 1, (const uint64_t[]){10}, (const uint64_t[]){4})); /* 4 + 4 + 2 */
  assert_false(launches_size(&l, 1, (const uint64_t[]){0}, (const uint64_t[]){4}));
  assert_true(launches_size(&l, 1, (const uint64_t[]){96}, NULL)); /* the largest divisor up to 64 is 48 */
  assert_true(l.local_chosen && l.local[0] == 48 && l.groups[0] == 2);
  assert_true(launches_size(&l, 2, (const uint64_t[]){7, 5}, NULL));
  assert_true(l.local[0] == 7 && l.groups[0] == 1 && l.local[1] == 1 && l.groups[1] == 5);
}

static observed_launch launch_of(uint64_t groups, int64_t n) {
  observed_launch l = {.dimensions = 1, .local = {1, 1, 1}, .groups = {groups, 1, 1}};
  *ARRAY_ADD(l.arguments, l.argument_count, l.argument_capacity) =
      (observed_argument){.kind = OBSERVED_INTEGER, .parameter = 0, .integer = n};
  return l;
}

static void free_kernel(asked_kernel *k) {
  for (size_t i = 0; i < k->launch_count; i++) observed_launch_free(&k->launches[i]);
  free(k->launches);
}

static void test_equal_launches_are_one(void **state) {
  (void)state;
  asked_kernel k = {0};
  for (int i = 0; i < 10; i++) {
    observed_launch l = launch_of(4, i % 2);
    launches_add(&k, &l);
  }
  assert_int_equal(k.launch_count, 2);
  assert_int_equal(k.made, 10);
  assert_int_equal(k.distinct, 2);
  assert_int_equal(k.launches[0].count, 5);
  launches_narrow(&k);
  assert_int_equal(k.launch_count, 2);
  free_kernel(&k);
}

/* A thousand launches differ in one number, three in two: these are among those that are kept. */
static void test_the_most_different_are_kept(void **state) {
  (void)state;
  asked_kernel k = {0};
  for (int i = 0; i < 1000; i++) {
    observed_launch l = launch_of(4, i);
    launches_add(&k, &l);
    if (i % 300 == 200) {
      l = launch_of(5 + (uint64_t)i, 5000 + i);
      launches_add(&k, &l);
    }
  }
  assert_int_equal(k.distinct, 1003);
  launches_narrow(&k);
  assert_int_equal(k.launch_count, LAUNCHES_MOST);
  size_t other = 0;
  for (size_t i = 0; i < k.launch_count; i++) {
    other += k.launches[i].groups[0] != 4 ? 1 : 0;
    for (size_t j = 0; j < i; j++) assert_true(launches_apart(&k.launches[i], &k.launches[j]) > 0);
  }
  assert_int_equal(other, 3);
  free_kernel(&k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_facts_by_definition),
      cmocka_unit_test(test_signs),
      cmocka_unit_test(test_nothing_to_say),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_equal_launches_are_one),
      cmocka_unit_test(test_the_most_different_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
