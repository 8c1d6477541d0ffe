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
#include "tree_fixture.h"

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
    {"__global int *p = a; *p = 1;", "!a"},
    {"h(b); a[0] = 1;", "a:w !b"},
    {"vstore4(vload4(0, b), 0, a);", "b:r a:w"},
    {"atomic_inc(a);", "a:r a:w"},
    {"int s = sizeof(a[0]); (void)s;", ""},
};

static void test_samples(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
    buffer text = {0}, seen = {0};
    buffer_printf(
        &text, "void h(__global int *p) { *p = 1; }\n__kernel void k(__global int *a, __global int *b, int n) { %s }\n",
        samples[i].body);
    tree_fixture f = tree_fixture_open(buffer_text(&text), "");
    const tree_node *kernel = f.tree->functions[f.tree->function_count - 1];
    parameter_accesses all = read_accesses(kernel);
    for (size_t k = 0; k < all.count; k++) {
      buffer_printf(&seen, "%s%s:%c", seen.length > 0 ? " " : "",
                    kernel->children[all.items[k].parameter]->symbol->name, all.items[k].writes ? 'w' : 'r');
    }
    for (uint32_t k = 0; k + 1 < kernel->child_count; k++) {
      if (all.escapes[k]) {
        buffer_printf(&seen, "%s!%s", seen.length > 0 ? " " : "", kernel->children[k]->symbol->name);
      }
    }
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
