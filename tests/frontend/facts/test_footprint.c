/* Which bytes a launch touches at most, worked out by hand: 8 work-items, elements of 4 bytes. */
#include <stdlib.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/buffer.h"
#include "frontend/facts/launch.h"
#include "tests/fixtures/tree_fixture.h"

#define ID "get_global_id(0)"

/* Bodies of k(__global int *a, __global int *b). Of each parameter reads r, writes w, atomics @ with their bytes; *: any.
 */
static const struct {
  const char *body, *touched;
} samples[] = {
    {"a[" ID "] = b[" ID " + 2];", "a: w0-32 b: r8-40"},
    {"*(a + 1) = b[3];", "a: w4-8 b: r12-16"},
    {"atomic_inc(&a[2]);", "a: @8-12 b:"},
    {"vstore4((int4)(1), 0, a);", "a: w* b:"},
    {"vstore4((int4)(1), 0, &a[3]);", "a: w* b:"}, /* the four after a[3], not it alone */
    {"a[0] = vload2(1, &b[2]).x;", "a: w0-4 b: r*"},
    {"get(b); a[0] = 1;", "a: w0-4 b: r*"},
    {"get(&b[1]);", "a: b: r*"},
    {"put(&a[1], b[0]);", "a: w* b: r0-4"},
    {"__global int *p = a + 5; p[0] = 1;", "a: w* b:"}, /* p's index is not a's */
    {"int x = a == b;", "a: b:"},
    {"__global int *p = a; *(&p) = b; p[0] = 1;", "a: r* w* b: r* w*"},
};

static void put_touches(const tree_node *kernel, const parameter_touches *all, buffer *out) {
  static const char letters[] = "rw@";
  for (uint32_t i = 0; i + 1 < kernel->child_count; i++) {
    buffer_printf(out, "%s%s:", i > 0 ? " " : "", kernel->children[i]->symbol->name);
    for (int k = 0; k < TOUCH_KINDS; k++) {
      const touch *t = &all[i].by[k];
      if (t->may && t->bounded)
        buffer_printf(out, " %c%lld-%lld", letters[k], (long long)t->low, (long long)t->high);
      else if (t->may)
        buffer_printf(out, " %c*", letters[k]);
    }
  }
}

static void test_samples(void **state) {
  (void)state;
  static const facts_argument none[2] = {{.buffer = 0}, {.buffer = 1}};
  const facts_launch launch = {.dimensions = 1, .global = {8}, .arguments = none, .argument_count = 2};
  for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
    buffer text = {0}, seen = {0};
    buffer_printf(&text,
                  "int get(__global const int *p) { return p[7]; }\nvoid put(__global int *p, int x) { p[x] = 1; }\n"
                  "__kernel void k(__global int *a, __global int *b) { %s }\n",
                  samples[i].body);
    tree_fixture f = tree_fixture_open(buffer_text(&text), "");
    const tree_node *kernel = f.tree->functions[2];
    parameter_touches *all = read_footprint(kernel, &launch);
    put_touches(kernel, all, &seen);
    assert_string_equal(buffer_text(&seen), samples[i].touched);
    free(all);
    tree_fixture_close(&f);
    buffer_free(&text);
    buffer_free(&seen);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
