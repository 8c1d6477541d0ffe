/* Digests of kernels and of changes: an edit changes those of the kernels that it can touch, and no others. */
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "mutate/mutate.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define ONE "kernel void one(global int *p) { p[0] = p[1] + 2; }\n"
#define TWO "kernel void two(global int *p) { p[0] = helper(p[1]) - 2; }\n"
#define HELPER "int helper(int v) { return v * 3; }\n"
#define BASE ONE HELPER TWO

static void make(const char *source, const char *options, mutate_result *out) {
  error e = {0};
  const pp_input input = {.name = "kernel.cl", .text = source, .length = strlen(source), .options = options};
  if (mutate_program(&input, 1, NULL, 0, NULL, out, &e) != 0 || out->question_count > 0)
    fail_msg("%s: %s", source, e.text);
}

/* The digest of a kernel by its name. */
static const char *kernel_digest(const mutate_result *r, const char *name) {
  assert_int_equal(r->kernel_digest_count, r->model.kernel_count);
  for (size_t k = 0; k < r->model.kernel_count; k++)
    if (strcmp(r->model.kernels[k].name, name) == 0) return r->kernel_digests[k];
  fail_msg("no kernel %s", name);
  return NULL;
}

/* The change from an operator to another one in the function `in`; NULL if there is none. */
static const char *change_in(const mutate_result *r, const char *in, const char *from, const char *to) {
  for (size_t i = 0; i < r->mutant_count; i++) {
    const mutant *m = &r->mutants[i];
    if (strcmp(r->model.functions[m->function].name, in) == 0 && strcmp(m->original, from) == 0 &&
        strcmp(m->replacement, to) == 0)
      return m->change;
  }
  return NULL;
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static const struct {
  const char *what, *source, *options;
  bool one, two; /* stays */
} edits[] = {
    {"nothing", BASE, "", true, true},
    {"comments, lines, spaces", "\n// text\n" ONE "/* + */ " HELPER "\t" TWO, "", true, true},
    {"another kernel", "kernel void one(global int *p) { p[0] = p[1] + 1; }\n" HELPER TWO, "", false, true},
    {"another kernel's parameters", "kernel void one(global int *p, int n) { p[0] = n; }\n" HELPER TWO, "", false,
     true},
    {"a function that one of them calls", ONE "int helper(int v) { return v * 4; }\n" TWO, "", true, false},
    {"a kernel more", BASE "kernel void three(global int *p) { p[0] = 1; }\n", "", true, true},
    {"a kernel less", HELPER TWO, "", false, true},
    {"outside of functions", "constant int table[] = {1};\n" BASE, "", false, false},
    {"a declaration", "int helper(int v);\n" BASE, "", false, false},
    {"a macro that nobody uses", "#define N 1\n" BASE, "-DM=2", true, true},
    {"a macro that says the same", "#define N 2\nkernel void one(global int *p) { p[0] = p[1] + N; }\n" HELPER TWO, "",
     true, true},
    {"a macro that says something else",
     "#define N 3\nkernel void one(global int *p) { p[0] = p[1] + N; }\n" HELPER TWO, "", false, true},
    {"a macro of the command line", BASE, "-Dhelper=twice", true, false},
    {"another option", BASE, "-cl-fast-relaxed-math", false, false},
    {"a pragma between them", ONE "#pragma OPENCL FP_CONTRACT OFF\n" HELPER TWO, "", false, false},
    {"a pragma in one of them",
     "kernel void one(global int *p) {\n#pragma OPENCL FP_CONTRACT OFF\np[0] = p[1] + 2; }\n" HELPER TWO, "", false,
     false},
};

static void kernels_keep_their_digests(void **state) {
  (void)state;
  mutate_result base;
  make(BASE, "", &base);
  assert_int_equal(strlen(kernel_digest(&base, "one")), 64);
  for (size_t i = 0; i < COUNT(edits); i++) {
    mutate_result edited;
    make(edits[i].source, edits[i].options, &edited);
    bool one = strstr(edits[i].source, "void one") != NULL &&
               strcmp(kernel_digest(&base, "one"), kernel_digest(&edited, "one")) == 0;
    bool two = strcmp(kernel_digest(&base, "two"), kernel_digest(&edited, "two")) == 0;
    if (one != edits[i].one || two != edits[i].two)
      fail_msg("%s: one %s, two %s", edits[i].what, one ? "stays" : "changes", two ? "stays" : "changes");
    mutate_free(&edited);
  }
  mutate_free(&base);
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

static void changes_stay_where_they_are(void **state) {
  (void)state;
  mutate_result base, edited;
  make(BASE, "", &base);
  make("// one line more\nkernel void one(global int *p) { p[0] = p[1] + 2 + 2; }\n" HELPER TWO, "", &edited);
  assert_string_equal(change_in(&base, "two", "-", "+"), change_in(&edited, "two", "-", "+"));
  assert_string_equal(change_in(&base, "helper", "*", "/"), change_in(&edited, "helper", "*", "/"));
  assert_string_not_equal(change_in(&base, "helper", "*", "/"), change_in(&base, "helper", "*", "-"));
  mutate_free(&edited);
  make(ONE HELPER "kernel void two(global int *p) { p[0] = 1; p[0] = helper(p[1]) - 2; }\n", "", &edited);
  assert_string_not_equal(change_in(&base, "two", "-", "+"), change_in(&edited, "two", "-", "+"));
  mutate_free(&edited);
  mutate_free(&base);
}

/* Whether no two mutants of a source have one digest. */
static void assert_all_different(const char *source) {
  mutate_result r;
  make(source, "", &r);
  assert_true(r.mutant_count > 1);
  for (size_t i = 0; i < r.mutant_count; i++) {
    for (size_t k = i + 1; k < r.mutant_count; k++)
      if (strcmp(r.mutants[i].change, r.mutants[k].change) == 0)
        fail_msg("%s: mutants %zu and %zu have the same digest", source, i, k);
  }
  mutate_free(&r);
}

static void changes_differ(void **state) {
  (void)state;
  assert_all_different(BASE);
  assert_all_different("kernel void k(global int *p) { p[0] = p[1] + p[2] + p[3]; p[0] += p[1] + p[2]; }\n");
  assert_all_different(
      "kernel void k(global int *p) { barrier(CLK_LOCAL_MEM_FENCE); p[0] = get_global_id(0); "
      "mem_fence(CLK_GLOBAL_MEM_FENCE); barrier(CLK_GLOBAL_MEM_FENCE); }\n");
  assert_all_different(
      "kernel void k(read_only image2d_t i, sampler_t s, int2 c, global float4 *p) { "
      "p[0] = read_imagef(i, s, c); p[1] = read_imagef(i, s, c); }\n");
  assert_all_different(
      "int __attribute__((overloadable)) f(int v) { return v + 1; }\n"
      "float __attribute__((overloadable)) f(float v) { return v + 1; }\n"
      "kernel void k(global int *p, global float *q) { p[0] = f(p[1]); q[0] = f(q[1]); }\n");
  assert_all_different(
      "#define ADD(a, b) ((a) + (b))\n#define MORE(a, b) ((a) + (b))\n"
      "kernel void k(global int *p) { p[0] = ADD(p[1], 2) + MORE(p[2], ADD(p[3], 1)); }\n");
}

/* A place in a macro changes every use of it. */
static void changes_of_macros_are_those_of_their_uses(void **state) {
  (void)state;
  static const char *const before =
      "#define ADD(a, b) ((a) + (b))\n"
      "kernel void one(global int *p) { p[0] = ADD(p[1], 2); }\n";
  static const char *const after =
      "#define ADD(a, b) ((a) + (b))\n"
      "kernel void one(global int *p) { p[0] = ADD(p[1], 2); }\n"
      "kernel void two(global int *p) { p[0] = ADD(p[1], 2); }\n";
  mutate_result base, edited;
  make(before, "", &base);
  make(after, "", &edited);
  assert_string_equal(kernel_digest(&base, "one"), kernel_digest(&edited, "one"));
  assert_string_not_equal(change_in(&base, "one", "+", "-"), change_in(&edited, "one", "+", "-"));
  mutate_free(&base);
  mutate_free(&edited);
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

static void parameters_are_listed(void **state) {
  (void)state;
  static const char *const source =
      "typedef float real;\n"
      "kernel void none(void) {}\n"
      "kernel void all(global int *a, const int n, real alpha, float4 v, uchar c, local int *l, sampler_t s, ulong w) "
      "{\n"
      "  a[0] = n + (int)alpha + (int)v.x + c + (int)w;\n"
      "}\n";
  mutate_result r;
  make(source, "", &r);
  assert_int_equal(r.kernel_parameter_count, 2);
  assert_string_equal(r.kernel_parameters[0], "");
  assert_string_equal(r.kernel_parameters[1], "-a\nin\nfalpha\n-v\nic\n-l\n-s\niw\n");
  mutate_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_keep_their_digests),
      cmocka_unit_test(changes_stay_where_they_are),
      cmocka_unit_test(changes_differ),
      cmocka_unit_test(changes_of_macros_are_those_of_their_uses),
      cmocka_unit_test(parameters_are_listed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
