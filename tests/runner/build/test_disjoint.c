/* Launches in which the order of work-items cannot show, by reading each kernel, and what that is known from: a launch
 * that is wrongly taken for such a one makes a verdict of one run that should have had many. */
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "runner/build/disjoint.h"
#include "tests/fixtures/mutants_fixture.h"

/* __kernel void k(__global float *a, __global float *b, int n, int m), launched with n = 6, m = 4. */
#define KERNEL(body) "__kernel void k(__global float *a, __global float *b, int n, int m) {\n" body "\n}\n"
#define I "int i = get_global_id(0); "
#define IJ "int i = get_global_id(1), j = get_global_id(0); "

typedef struct sample {
  bool disjoint;
  uint64_t global[2];
  const char *body;
} sample;

static const sample samples[] = {
    /* each its own */
    {true, {6, 1}, I "a[i] = b[i];"},
    {true, {6, 1}, I "a[i] = b[n - i] + b[0];"},
    {true, {6, 1}, I "a[i] *= 2; a[i] += a[i];"},
    {true, {6, 1}, I "*(a + i) = *b;"},
    {true, {6, 1}, "a[get_global_id(0)] = 1;"},
    {true, {6, 1}, "uint i = get_global_id(0); a[2 * i + 1] = 1;"},
    {true, {6, 1}, "a[get_global_size(0) - get_global_id(0)] = 1;"},
    {true, {4, 6}, IJ "a[i * m + j] = b[j * n + i];"},
    {true, {4, 6}, IJ "a[(i << 2) + j] = 1;"},
    {true, {4, 6}, IJ "int at = i * m; at = 0; a[i * m + j] = at;"},
    {true, {6, 1}, I "for (int k = 0; k < 9; k++) a[k * n + i] = b[k];"},
    {true, {6, 1}, I "for (int k = 0; k < 9; k++) a[i] += b[k];"},
    {true, {1, 1}, "a[0] = 1;"},
    {true, {6, 1}, I "int x = max(i, 3); a[i] = sqrt(b[x]);"},
    /* decisions around it leave fewer */
    {true, {8, 8}, IJ "if (i < n && j < m) a[i * m + j] = 1;"},
    {true, {8, 8}, IJ "if (m > j) { if (i < n) { a[i * m + j] = 1; } }"},
    {true, {8, 8}, IJ "if (i >= n || j >= m) return; a[i * m + j] = 1;"},
    {true, {8, 8}, IJ "if (j >= m) { return; } a[i * m + j] = 1;"},
    {true, {8, 1}, I "if (i == 3) a[0] = 1;"},
    {true, {8, 1}, I "if (i > 0) ; else a[0] = 1;"},
    {true, {8, 1}, I "if (i < n) { for (int k = 0; k < m; k++) a[k * n + i] = 1; }"},
    /* two meet */
    {false, {6, 1}, "a[0] = 1;"},
    {false, {6, 1}, I "a[i] = a[i + 1];"},
    {false, {6, 1}, I "a[i] = 1; a[n - i] = 2;"},
    {false, {6, 1}, I "a[i / 2] = 1;"},
    {false, {6, 1}, I "a[i & 3] = 1;"},
    {false, {6, 1}, I "a[i * 0] = 1;"},
    {false, {6, 1}, I "a[(char)(i * 64)] = 1;"},
    {false, {6, 1}, I "for (int k = 0; k < 9; k++) a[i + k] = 1;"},
    {false, {6, 1}, I "for (int k = 0; k < 9; k++) a[k * m + i] = 1;"},
    {false, {6, 1}, I "a[(int)b[i]] = 1;"},
    {false, {6, 1}, I "i = i / 2; a[i] = 1;"},
    {false, {6, 1}, I "int at = i; at++; at -= i; a[at] = 1;"},
    {false, {6, 1}, I "n = 0; a[n * i] = 1;"},
    {false, {6, 1}, I "float *none = 0; a[i] = 1; __global float *p = a; p[0] = 2;"},
    {false, {4, 6}, "int i = get_global_id(0); a[i] = 1;"},
    {false, {4, 6}, IJ "a[i + j] = 1;"},
    {false, {4, 6}, IJ "a[j * m + i] = 1;"},
    {false, {8, 8}, IJ "a[i * m + j] = 1;"},
    {false, {8, 8}, IJ "if (i < n || j < m) a[i * m + j] = 1;"},
    {false, {8, 8}, IJ "if (j <= m) a[i * m + j] = 1;"},
    {false, {8, 8}, IJ "if (i < n && j < m) a[i * m + j] = 1; else a[0] = 2;"},
    {false, {8, 8}, IJ "if (j < m) b[0] = 1; a[i * m + j] = 1;"},
    {false, {8, 1}, I "if (i != 3) a[0] = 1;"},
    {false, {8, 1}, I "if (i - 1 < 0) a[0] = 1; a[i] = 2;"},
    /* not understood */
    {false, {6, 1}, I "__local int l[8]; l[0] = i; a[i] = l[0];"},
    {false, {6, 1}, I "barrier(CLK_GLOBAL_MEM_FENCE); a[i] = 1;"},
    {false, {6, 1}, I "vstore4((float4)(1), i, a);"},
    {false, {6, 1}, I "atomic_inc((volatile __global int *)a); a[i] = 1;"},
    {false, {6, 1}, I "float w; a[i] = fract(b[i], &w); ((__global int *)a)[0] = 1;"},
};

typedef struct setting {
  facts_argument arguments[4];
  facts_launch launch;
} setting;

/* With a and b in these buffers. */
static void set(setting *s, const uint64_t *global, uint32_t a, uint32_t b) {
  *s = (setting){.arguments = {{.buffer = a},
                               {.buffer = b},
                               {.known = true, .value = 6, .buffer = FACTS_NO_BUFFER},
                               {.known = true, .value = 4, .buffer = FACTS_NO_BUFFER}},
                 .launch = {.dimensions = 2, .argument_count = 4}};
  memcpy(s->launch.global, global, 2 * sizeof *global);
  s->launch.arguments = s->arguments;
}

static char *kernel_with(const char *body) {
  buffer text = {0};
  buffer_printf(&text, "__kernel void k(__global float *a, __global float *b, int n, int m) {\n%s\n}\n", body);
  return buffer_take(&text);
}

static disjoint *read_text(const char *text) {
  const pp_input in = {.name = "kernel.cl", .text = text, .length = strlen(text)};
  disjoint *a = disjoint_read(&in, 1);
  assert_non_null(a);
  return a;
}

static void test_samples(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(samples); i++) {
    char *text = kernel_with(samples[i].body);
    disjoint *a = read_text(text);
    setting s;
    set(&s, samples[i].global, 0, 1);
    if (disjoint_holds(a, "k", &s.launch) != samples[i].disjoint)
      fail_msg("%s: expected %d", samples[i].body, samples[i].disjoint);
    disjoint_free(a);
    free(text);
  }
}

/* The same kernel, by what it is launched with. */
static void test_arguments(void **state) {
  (void)state;
  disjoint *a = read_text(KERNEL(IJ "a[i * m + j] = b[i * m + j];"));
  static const uint64_t fits[2] = {4, 6}, wide[2] = {5, 6};
  setting s;
  set(&s, fits, 0, 1);
  assert_true(disjoint_holds(a, "k", &s.launch));
  s.arguments[3].value = 5; /* rows further apart than they are wide */
  assert_true(disjoint_holds(a, "k", &s.launch));
  s.arguments[3].value = 3;
  assert_false(disjoint_holds(a, "k", &s.launch));
  s.arguments[3].known = false;
  assert_false(disjoint_holds(a, "k", &s.launch));
  set(&s, wide, 0, 1);
  assert_false(disjoint_holds(a, "k", &s.launch));
  set(&s, fits, 0, 0); /* one buffer under two names */
  assert_false(disjoint_holds(a, "k", &s.launch));
  set(&s, fits, FACTS_NO_BUFFER, 1);
  assert_false(disjoint_holds(a, "k", &s.launch));
  set(&s, fits, 0, 1);
  s.launch.argument_count = 1;
  assert_false(disjoint_holds(a, "k", &s.launch));
  assert_false(disjoint_holds(a, "other", &s.launch));
  disjoint_free(a);
}

/* Of the mutants of a kernel those that change something that the proof needs. */
static void check_rests(const char *body, const uint64_t *global, const char *expected) {
  char *text = kernel_with(body);
  const pp_input in = {.name = "kernel.cl", .text = text, .length = strlen(text)};
  mutate_result r;
  error e;
  assert_int_equal(mutate_program(&in, 1, NULL, 0, NULL, &r, &e), 0);
  disjoint *a = read_text(text);
  setting s;
  set(&s, global, 0, 1);
  assert_true(disjoint_holds(a, "k", &s.launch));
  buffer seen = {0};
  for (size_t i = 0; i < r.mutant_count; i++) {
    const bool paper =
        r.mutants[i].op == MUTATE_ARITH || r.mutants[i].op == MUTATE_REL || r.mutants[i].op == MUTATE_LOGIC;
    if (paper && disjoint_rests_on(a, &r.model, &r.mutants[i]))
      buffer_printf(&seen, "%u:%s ", r.mutants[i].column, r.mutants[i].replacement);
  }
  assert_string_equal(buffer_text(&seen), expected);
  buffer_free(&seen);
  disjoint_free(a);
  mutate_free(&r);
  free(text);
}

static void test_what_it_rests_on(void **state) {
  (void)state;
  static const uint64_t fits[2] = {4, 6}, wide[2] = {8, 8};
  const char *guarded =
      "int i = get_global_id(1), j = get_global_id(0); if (i < n && j < m) a[i * m + j] = b[i - j] * 2;";
  /* the launch is as large as the guard lets through: nothing rests on it, nor on what is read or computed */
  check_rests(guarded, fits, "73:/ 73:+ 73:- 77:- 77:* 77:/ ");
  /* here the guard matters, all of it */
  check_rests(guarded, wide, "55:> 55:>= 55:<= 59:|| 64:> 64:>= 64:<= 73:/ 73:+ 73:- 77:- 77:* 77:/ ");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples), cmocka_unit_test(test_arguments),
                                     cmocka_unit_test(test_what_it_rests_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
