/* Which memory a kernel touches through its parameters: what each use of a name reads, writes, or lets escape. */
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/buffer.h"
#include "frontend/facts/accesses.h"
#include "tests/fixtures/tree_fixture.h"

/* Bodies of k(__global int *a, __global int *b, int n); accesses in source order, `!` and what escapes. */
static const struct {
  const char *body;
  const char *accesses;
} samples[] = {
    {"a[n] = b[0];", "a:w b:r !n"},
    {"a[n]++;", "a:r a:w !n"},
    {"*a += *b;", "a:r a:w b:r"},
    {"*(a + 1) = 2;", "a:w"},
    {"a[b[0]] = 1;", "a:w b:r"},
    {"if (a == b) a[0] = 1;", "a:w"},
    /* Copies. */
    {"__global int *p = a; *p = 1;", "a:w"},
    {"__global int *p = a + 1, *q = p; q[0] = q[1];", "a:w a:r"},
    {"__global int *p; p = a; for (; p < a + 9; p++) *p = 1;", "a:w"},
    {"__global int *p = a; p = b; *p = 1;", "!a !b"}, /* one or the other */
    {"__global int *p = n ? a : b; *p = 1;", "!a !b"},
    {"__global int *p = a, **q = &p; **q = 1;", "!a"},
    {"__global int *p[2] = {a, b}; p[0][0] = 1;", "!a !b"},
    {"__global int *p = (__global int *)(ulong)a; *p = 1;", "!a"},
    {"shared = a; *shared = 1;", "!a"}, /* other functions see it */
    {"__global int *p = &a[3]; if (p == &b[1]) *p = 1;", "a:w"},
    /* Functions of the program. */
    {"h(b); a[0] = 1;", "b:w a:w"},
    {"a[0] = get(&b[3]);", "a:w b:r"},
    {"move(a, b);", "a:w b:r"},
    {"twice(a);", "a:r a:w"},
    {"none(a); __global int *p = b; h(p);", "b:w"},
    {"*same(a) = 1;", "!a"},
    {"again(a, n);", "!a !n"},
    {"elsewhere(a);", "!a"},
    {"vstore4(vload4(0, b), 0, a);", "b:r a:w"},
    {"atomic_inc(a);", "a:r a:w"},
    {"int s = sizeof(a[0]); (void)s;", ""},
};

static const char functions[] =
    "__global int *shared;\n"
    "void h(__global int *p) { *p = 1; }\n"
    "int get(__global const int *p) { return p[1]; }\n"
    "void move(__global int *to, __global int *from) { __global int *p = to; p[0] = get(from); }\n"
    "void twice(__global int *p) { h(p); (void)get(p); }\n"
    "void none(__global int *p) { bool b = p == 0; }\n"
    "__global int *same(__global int *p) { return p; }\n"
    "void again(__global int *p, int n) { if (n) again(p + 1, n - 1); }\n"
    "void elsewhere(__global int *p);\n";

static void test_samples(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
    buffer text = {0}, seen = {0};
    buffer_printf(&text, "%s__kernel void k(__global int *a, __global int *b, int n) { %s }\n", functions,
                  samples[i].body);
    tree_fixture f = tree_fixture_open(buffer_text(&text), "-cl-std=CL2.0");
    const tree_node *kernel = f.tree->functions[f.tree->function_count - 1];
    parameter_accesses all = read_accesses(kernel);
    for (size_t k = 0; k < all.count; k++) {
      buffer_printf(&seen, "%s%s:%c", seen.length > 0 ? " " : "",
                    kernel->children[all.items[k].parameter]->symbol->name, all.items[k].writes ? 'w' : 'r');
    }
    for (uint32_t k = 0; k + 1 < kernel->child_count; k++)
      if (all.escapes[k]) buffer_printf(&seen, "%s!%s", seen.length > 0 ? " " : "", kernel->children[k]->symbol->name);
    assert_string_equal(buffer_text(&seen), samples[i].accesses);
    accesses_free(&all);
    tree_fixture_close(&f);
    buffer_free(&seen);
    buffer_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
