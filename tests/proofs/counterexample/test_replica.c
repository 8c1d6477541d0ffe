/* Launches made from counterexamples: sizes and arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka needs these before it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "proofs/counterexample/replica.h"

static asked_source source;

static int set_up(void **state) {
  (void)state;
  error e;
  asked_source_init(&source,
                    "kernel void k(global int *a, global ushort *index, int n, local float *t) {}\n"
                    "kernel void image(read_only image2d_t i) {}\n",
                    SIZE_MAX, "", "/", NULL);
  const int result = asked_source_read(&source, &e);
  asked_source_choose(&source, &(kernel_choice){0});
  return result;
}

static int tear_down(void **state) {
  (void)state;
  asked_source_free(&source);
  return 0;
}

/* A race on a[4000], in two groups of four work-items. */
static answer_finding finding(void) {
  static const db_witness n = {.kind = "argument", .what = "n", .value = "-2"};
  static answer_cell cells[] = {{1, 3, 2}, {2, 65535, 2}, {6, 7, 1}};
  static answer_contents in_index = {"index", cells, 3};
  return (answer_finding){.row = {.rule = "data-race",
                                  .detail = {.object = "a", .space = "global", .element = {true, 4000}},
                                  .witness = &n,
                                  .witness_count = 1},
                          .local_size = {4, 1, 1},
                          .groups = {2, 1, 1},
                          .has_sizes = true,
                          .contents = &in_index,
                          .contents_count = 1};
}

static void test_arguments(void **state) {
  (void)state;
  answer_finding f = finding();
  replica r;
  assert_null(replica_make(&source, "k", &f, &r));
  assert_int_equal(r.count, 4);
  assert_int_equal(r.dimensions, 1);
  assert_int_equal(r.global[0], 8);
  assert_true(r.arguments[0].size >= 4001 * 4); /* room for the element */
  assert_memory_equal(r.arguments[2].bytes, "\xfe\xff\xff\xff", 4);
  assert_int_equal(r.arguments[3].size, 4 * sizeof(float)); /* one a work-item of the group */
  unsigned char *bytes = mem_calloc(r.arguments[1].size, 1);
  replica_fill(&r.arguments[1], bytes);
  assert_memory_equal(bytes, "\3\0\3\0\377\377\7\0", 8);
  free(bytes);
  replica_free(&r);
}

static void test_not_launchable(void **state) {
  (void)state;
  replica r;
  answer_finding f = finding();
  f.row.detail.element.value = UINT64_MAX / 8;
  assert_non_null(strstr(replica_make(&source, "k", &f, &r), "larger than 256 MiB"));
  replica_free(&r);
  f = finding();
  f.groups[1] = UINT64_C(1) << 40;
  assert_non_null(strstr(replica_make(&source, "k", &f, &r), "a million work-items"));
  replica_free(&r);
  f = finding();
  f.row.detail.element.value = UINT64_C(1) << 27;
  assert_non_null(strstr(replica_make(&source, "k", &f, &r), "larger than 256 MiB"));
  replica_free(&r);
  f = finding();
  f.has_sizes = false;
  assert_non_null(strstr(replica_make(&source, "k", &f, &r), "no sizes"));
  replica_free(&r);
  f = finding();
  f.row.rule = "out-of-bounds"; /* the size that the proof had is not known */
  assert_non_null(strstr(replica_make(&source, "k", &f, &r), "size of the buffer"));
  replica_free(&r);
  f = finding();
  assert_non_null(strstr(replica_make(&source, "image", &f, &r), "images"));
  replica_free(&r);
  assert_non_null(strstr(replica_make(&source, "other", &f, &r), "not known"));
  replica_free(&r);
}

static void test_observed(void **state) {
  (void)state;
  answer_finding f = finding();
  asked_kernel *k = asked_kernel_find(&source, "k");
  observed_argument arguments[] = {
      {.kind = OBSERVED_BUFFER, .parameter = 0, .size = 48, .memory = 0, .offset = 16},
      {.kind = OBSERVED_BUFFER, .parameter = 1, .size = 16, .memory = 0, .facts = {.distinct = true, .low = 5}},
  };
  observed_launch launch = {
      .dimensions = 1, .local = {4, 1, 1}, .groups = {2, 1, 1}, .arguments = arguments, .argument_count = 2};
  k->launches = &launch;
  k->launch_count = 1;
  f.contents_count = 0;
  f.row.rule = "out-of-bounds";
  replica r;
  assert_null(replica_make(&source, "k", &f, &r));
  assert_int_equal(r.arguments[0].size, 48);
  assert_int_equal(r.arguments[0].offset, 16);
  assert_int_equal(r.arguments[1].same_as, 0);
  unsigned char bytes[16] = {0};
  replica_fill(&r.arguments[1], bytes);
  assert_memory_equal(bytes, "\5\0\6\0\7\0\10\0", 8);
  replica_free(&r);
  k->launches = NULL;
  k->launch_count = 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arguments),
      cmocka_unit_test(test_not_launchable),
      cmocka_unit_test(test_observed),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
