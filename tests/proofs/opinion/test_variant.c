/* Which kernels are changed for a second opinion, and how: work-items that take turns, a last group that is smaller. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka needs these before it */
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proofs/opinion/opinion.h"

#define COUNTS "kernel void k(global int *out, local int *used, int n) { "

static char *changed(variant v, const char *text) {
  asked_source source;
  error e;
  asked_source_init(&source, text, SIZE_MAX, "-cl-std=CL2.0", "/", NULL);
  assert_int_equal(asked_source_read(&source, &e), 0);
  char *made = variant_text(v, &source, "k");
  asked_source_free(&source);
  return made;
}

static void check(variant v, const char *text, const char *const *expected, size_t count) {
  char *made = changed(v, text);
  if ((made != NULL) != (count > 0)) print_error("%s\n%s\n", text, made == NULL ? "-" : made);
  assert_int_equal(made != NULL, count > 0);
  for (size_t i = 0; i < count; i++) {
    if (strstr(made, expected[i]) == NULL) print_error("%s\n%s\n", text, made);
    assert_non_null(strstr(made, expected[i]));
  }
  free(made);
}

static void turns(const char *text, const char *expected) { check(VARIANT_TURNS, text, &expected, expected != NULL); }

static void test_turns(void **state) {
  (void)state;
  turns(COUNTS "out[atomic_inc(used)] = n; }", " = atomic_inc(used); } barrier(0); out[turn_given_");
  turns(COUNTS "for (int i = 0; i < n; i++) { int at = atomic_add(&used[i], 2); out[at] = i; } }",
        " = atomic_add(&used[i], 2); } barrier(0); int at = turn_given_");
  /* not all of a group come there, or not as often */
  turns(COUNTS "if (get_local_id(0) < n) { out[atomic_inc(used)] = n; } }", NULL);
  turns(COUNTS "for (int i = 0; i < (int)get_local_id(0); i++) { out[atomic_inc(used)] = n; } }", NULL);
  turns(COUNTS "if (out[get_global_id(0)] > n) { return; } out[atomic_inc(used)] = n; }", NULL);
  turns(COUNTS "out[n > 0 && atomic_inc(used) > 2] = n; }", NULL);
  turns(COUNTS "out[n > 0 ? atomic_inc(used) : 0] = n; }", NULL);
  /* what it gives is not used, or its arguments change in the statement */
  turns(COUNTS "atomic_inc(used); out[get_global_id(0)] = n; }", NULL);
  turns(COUNTS "out[atomic_add(used, n++)] = 1; }", NULL);
  turns(COUNTS "n = 3, out[atomic_add(used, n)] = 1; }", NULL);
  turns(COUNTS "int a = n, b = atomic_inc(&used[a]); out[b] = 1; }", NULL);
  /* a macro has a part in it */
  turns("#define NEXT atomic_inc(used)\n" COUNTS "out[NEXT] = n; }", NULL);
  /* a name of ours */
  turns(COUNTS "int turns_made = 0; out[atomic_inc(used)] = turns_made; }", NULL);
}

static void ragged(const char *text, const char *const *expected, size_t count) {
  check(VARIANT_RAGGED, text, expected, count);
}

static void test_ragged(void **state) {
  (void)state;
  static const char *const both[] = {
      ("{ if (get_local_id(0) >= get_local_size(0) - (get_group_id(0) + 1 == get_num_groups(0) ? get_local_size(0) / 2 "
       ": 0) || "),
      "(get_local_size(0) - (get_group_id(0) + 1 == get_num_groups(0) ? get_local_size(0) / 2 : 0))] = ",
      "(get_global_size(1) - get_local_size(1) / 2);"};
  ragged("kernel void k(global int *a) { a[get_local_size(0)] = get_global_size(1); }", both, 3);
  /* no size is asked for, or one that is not known; the others would wait at a barrier */
  ragged("kernel void k(global int *a) { a[get_global_id(0)] = 1; }", NULL, 0);
  ragged("kernel void k(global int *a, int d) { a[get_local_size(d)] = 1; }", NULL, 0);
  ragged("kernel void k(global int *a) { a[get_global_linear_id()] = get_local_size(0); }", NULL, 0);
  ragged("kernel void k(global int *a) { a[get_local_size(0)] = 1; barrier(CLK_GLOBAL_MEM_FENCE); }", NULL, 0);
  ragged("#define N get_local_size(0)\nkernel void k(global int *a) { a[N] = 1; }", NULL, 0);
  /* another kernel calls it: work-items would return there, and go on here */
  ragged("kernel void k(global int *a) { a[get_local_size(0)] = 1; }\nkernel void l(global int *a) { k(a); }", NULL, 0);
}

static void alone(const char *text, const char *expected) { check(VARIANT_ALONE, text, &expected, expected != NULL); }

#define LEFT \
  "kernel void k(global const int *in, global int *out, local int *t, int n) { int left = in[get_global_id(0)]; "
#define WAIT "barrier(CLK_LOCAL_MEM_FENCE); "

static void test_alone(void **state) {
  (void)state;
  alone(LEFT "while (left > 0) { " WAIT "left -= 3; if (left == n) { return; } } out[0] = 1; }",
        "(void)(barriers_passed = barriers_passed * 31u + 1u); left -= 3; if (left == n) { { barriers_come_to[0] = "
        "barriers_passed; return; } } } out[0] = 1;  barriers_come_to[0] = barriers_passed; }");
  alone(LEFT "for (int i = 0; i < 4; i++) { for (int j = 0; j < n; j++) { " WAIT
             "if (left == j) { goto out; } } } out: out[0] = n; }",
        "if (left == j) { goto out; }");
  /* all come there anyway; there is none */
  alone(LEFT "for (int i = 0; i < n; i++) { " WAIT "} out[0] = left; }", NULL);
  alone(LEFT "if (left > 0) { out[0] = left; } }", NULL);
  /* what decides may be what another work-item has done */
  alone(LEFT "while (t[0] > 0) { " WAIT "} out[0] = left; }", NULL);
  alone(LEFT "left = out[0]; while (left-- > 0) { " WAIT "} out[1] = n; }", NULL);
  alone(LEFT "left = in[out[0]]; while (left-- > 0) { " WAIT "} out[1] = n; }", NULL);
  alone(LEFT "left = atomic_inc(out); if (left > 3) { " WAIT "} }", NULL);
  alone(LEFT "int *p = &left; *p = out[1]; if (left > 3) { " WAIT "} }", NULL);
  alone("int f(global int *a) { return a[0]; } " LEFT "if (f(out) > 3) { " WAIT "} out[1] = n; }", NULL);
  /* barriers of helpers */
  alone("void wait(void) { " WAIT "} " LEFT "if (left > 3) { wait(); } out[1] = n; }", NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_turns), cmocka_unit_test(test_ragged),
                                     cmocka_unit_test(test_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
