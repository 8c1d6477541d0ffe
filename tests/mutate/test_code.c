/* Equal code: what computes the same for every input, and what only undefined behaviour would make equal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "mutate/code.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static mutate_code *compile(const char *text, const char *options) {
  char *texts[] = {(char *)text}, *all[] = {(char *)options};
  return mutate_code_compile(texts, all, 1);
}

static void digest(const mutate_code *c, const char *kernel, char out[65]) {
  assert_true(mutate_code_digest(c, &kernel, 1, out));
}

/* Two bodies of `kernel void k(global int *p, int n, int m)`. */
static const struct {
  const char *first, *second;
  bool same;
} pairs[] = {
    {"p[0] = n;", "p[0] = n;", true},
    {"p[0] = n;", "p[0] = m;", false},
    {"p[0] = n * 2;", "p[0] = n + n;", true},
    {"p[0] = !(n < m);", "p[0] = n >= m;", true},
    {"p[0] = n < m;", "p[0] = n <= m;", false},
    {"if (n > 0 && n < 0) p[1] = 2;", "", true},
    {"for (int i = p[n]; i < p[n]; i++) p[i] = atomic_inc(&p[m]);", "", true}, /* it wrote, before it was found out */
    {"if (m > n) p[0] = n;", "if (n <= m - 1) p[0] = n;", true},               /* the least m minus 1 is not defined */
    {"for (int i = 0; i < n; i++) p[i] = m;", "for (int i = 0; i < n; ++i) p[i] = m;", true},
    {"for (int i = 0; i < n; i++) p[i] = m;", "for (int i = 0; i <= n; i++) p[i] = m;", false},
    {"local int t[8]; t[n] = m; barrier(CLK_LOCAL_MEM_FENCE); p[0] = t[m];",
     "local int t[8]; t[n] = m; barrier(CLK_LOCAL_MEM_FENCE); p[0] = t[m];", true},
    {"local int t[8]; t[n] = m; barrier(CLK_LOCAL_MEM_FENCE); p[0] = t[m];", "local int t[8]; t[n] = m; p[0] = t[m];",
     false},
    {"p[0] = m; barrier(CLK_LOCAL_MEM_FENCE); p[1] = n;", "p[0] = m; barrier(CLK_GLOBAL_MEM_FENCE); p[1] = n;", false},
    {"atomic_add(p, n);", "p[0] += n;", false},
    /* undefined behaviour is no licence */
    {"p[0] = n / 0;", "", false},
    {"p[0] = n / 0; p[1] = n;", "p[1] = n;", false},
    {"int x; p[0] = x;", "", false},
    {"int x; p[0] = x;", "p[0] = n;", false},
    {"while (n) {}", "", false},
    {"int t[2] = {n, m}; p[0] = t[2];", "", false},
    {"p[0] = (int)1e20f;", "", false},
    /* functions that are called */
    {"p[0] = twice(n);", "p[0] = also_twice(n);", true},
    {"p[0] = twice(n);", "p[0] = thrice(n);", false},
    {"p[0] = kept(n);", "p[0] = kept_too(n);", true},
    {"p[0] = kept(n);", "p[0] = kept_otherwise(n);", false},
    {"p[0] = kept(n);", "p[0] = twice(n);", false}, /* may compute the same, but is not seen */
    {"p[0] = table[n];", "p[0] = other_table[n];", false},
    {"p[0] = table[n];", "p[0] = same_table[n];", true},
};

static const char helpers[] =
    "int twice(int a) { return 2 * a; }\n"
    "int also_twice(int a) { return a + a; }\n"
    "int thrice(int a) { return 3 * a; }\n"
    "__attribute__((noinline)) int kept(int a) { return 2 * a; }\n"
    "__attribute__((noinline)) int kept_too(int a) { return a * 2; }\n"
    "__attribute__((noinline)) int kept_otherwise(int a) { return a / 2; }\n"
    "constant int table[3] = {1, 2, 3};\n"
    "constant int other_table[3] = {1, 2, 4};\n"
    "constant int same_table[3] = {1, 2, 3};\n";

static void put_kernel(buffer *text, const char *name, const char *body) {
  buffer_printf(text, "kernel void %s(global int *p, int n, int m) { %s }\n", name, body);
}

static void test_pairs(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(pairs); i++) {
    buffer text = {0};
    char first[65];
    char second[65];
    buffer_puts(&text, helpers);
    put_kernel(&text, "k__cltc_m8", pairs[i].first);
    put_kernel(&text, "k__cltc_m170", pairs[i].second);
    mutate_code *c = compile(buffer_text(&text), "");
    assert_non_null(c);
    digest(c, "k__cltc_m8", first);
    digest(c, "k__cltc_m170", second);
    print_message("%s | %s\n", pairs[i].first, pairs[i].second);
    assert_int_equal(strcmp(first, second) == 0, pairs[i].same);
    mutate_code_free(c);
    buffer_free(&text);
  }
}

/* What is compiled apart, at another time, has the same digest; options count where they change what is computed. */
static void test_digests_last(void **state) {
  (void)state;
  static const char one[] = "kernel void k__cltc_m1(global float *p) { p[0] *= 0.1; }";
  static const char more[] =
      "constant int unused[2] = {1, 2};\n"
      "kernel void other(global float *p, global int *q) { p[1] = q[0]; }\n"
      "kernel void k__cltc_m2(global float *p) { p[0] *= 0.1; }";
  char digests[3][65];
  mutate_code *c[] = {compile(one, ""), compile(more, "-cl-std=CL1.2"), compile(one, "-cl-single-precision-constant")};
  digest(c[0], "k__cltc_m1", digests[0]);
  digest(c[1], "k__cltc_m2", digests[1]);
  digest(c[2], "k__cltc_m1", digests[2]);
  assert_string_equal(digests[0], digests[1]);
  assert_string_not_equal(digests[0], digests[2]);
  for (size_t i = 0; i < 3; i++) mutate_code_free(c[i]);
}

static void test_several_kernels(void **state) {
  (void)state;
  static const char text[] =
      "kernel void a(global int *p) { p[0] = 1; }\n"
      "kernel void b(global int *p) { p[0] = 2; }\n"
      "kernel void c(global int *p) { p[0] = 3; }\n";
  const char *const ab[] = {"a", "b"}, *const ac[] = {"a", "c"}, *const ax[] = {"a", "x"};
  char first[65];
  char second[65];
  mutate_code *c = compile(text, "");
  assert_true(mutate_code_digest(c, ab, 2, first));
  assert_true(mutate_code_digest(c, ac, 2, second));
  assert_string_not_equal(first, second);
  assert_false(mutate_code_digest(c, ax, 2, second));
  mutate_code_free(c);
}

/* A function of another source of a linked program. */
static void test_linked(void **state) {
  (void)state;
  static char *const kernel = "int f(int); kernel void k(global int *p) { p[0] = f(p[1]); }";
  char digests[3][65];
  char *bodies[] = {"int f(int a) { return a + 1; }", "int f(int b) { return 1 + b; }", "int f(int a) { return a; }"};
  for (size_t i = 0; i < COUNT(bodies); i++) {
    char *texts[] = {kernel, bodies[i]}, *options[] = {"", ""};
    mutate_code *c = mutate_code_compile(texts, options, 2);
    digest(c, "k", digests[i]);
    mutate_code_free(c);
  }
  assert_string_equal(digests[0], digests[1]);
  assert_string_not_equal(digests[0], digests[2]);
}

static void test_refused(void **state) {
  (void)state;
  assert_null(compile("kernel void k(global int *p) { p[0] = ; }", ""));
  assert_null(compile("kernel void k(global int *p) { nobody(p); }", "-cl-std=CL2.0"));
}

/* Attributes and metadata count by what they say, not by their numbers; what was found out does not count. */
static void test_attributes(void **state) {
  (void)state;
  char *assembly = mem_strdup(
      "define void @a() #0 !m !1 {\n  ret void ; here\n}\n"
      "define void @b() #1 !m !2 {\n  ret void\n}\n"
      "define void @c() #2 !m !1 {\n  ret void\n}\n"
      "define void @d() #0 !m !3 {\n  ret void\n}\n"
      "attributes #0 = { convergent nounwind memory(none) \"x\"=\"1\" }\n"
      "attributes #1 = { convergent \"x\"=\"1\" }\n"
      "attributes #2 = { \"x\"=\"1\" }\n"
      "!1 = distinct !{!1, !4}\n"
      "!2 = distinct !{!2, !5}\n"
      "!3 = distinct !{!3, !6}\n"
      "!4 = !{!\"n\", i32 1}\n"
      "!5 = !{!\"n\", i32 1}\n"
      "!6 = !{!\"n\", i32 2}\n");
  mutate_code *c = mutate_code_read(&assembly, 1);
  char digests[4][65];
  for (size_t i = 0; i < 4; i++) {
    const char name[] = {(char)('a' + i), '\0'};
    digest(c, name, digests[i]);
  }
  assert_string_equal(digests[0], digests[1]);
  assert_string_not_equal(digests[0], digests[2]);
  assert_string_not_equal(digests[0], digests[3]);
  mutate_code_free(c);
}

int main(void) {
  assert_true(mutate_code_available());
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs),           cmocka_unit_test(test_digests_last),
                                     cmocka_unit_test(test_several_kernels), cmocka_unit_test(test_linked),
                                     cmocka_unit_test(test_refused),         cmocka_unit_test(test_attributes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
