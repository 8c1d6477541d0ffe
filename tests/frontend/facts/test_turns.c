/* How often a loop turns: the numbers are those that a person counts. */
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
#include "frontend/facts/launch.h"
#include "tests/fixtures/tree_fixture.h"

/* Bodies of k(__global int *a, int n, uint u, int unseen), launched with n = 10 and u = 3: 128 work-items in groups of 32. */
static const struct {
  const char *body;
  int64_t turns; /* of its first loop */
} samples[] = {
    {"for (int i = 0; i < 7; i++) a[i] = 0;", 7},
    {"for (int i = 0; i < n; i += 3) a[i] = 0;", 4},
    {"for (int i = n - 1; i >= 0; --i) a[i] = 0;", 10},
    {"for (uint i = u; i != 0; i--) a[i] = 0;", 3},
    {"for (int s = get_local_size(0) / 2; s > 0; s >>= 1) a[s] = 0;", 5},
    {"for (int s = 1; s < get_local_size(0); s *= 2) a[s] = 0;", 5},
    {"for (size_t i = get_global_id(0); i < 1000; i += get_global_size(0)) a[i] = 0;", 8},
    {"int i; for (i = 2; i <= n; i = i + 2) a[i] = 0;", 5},
    {"int i = 0; while (i < n) { a[i] = 0; i++; }", 10},
    {"int i = 100; do { a[i] = 0; i++; } while (i < n);", 1},
    {"int i = 8; do { a[i] = 0; i++; } while (i < n);", 2},
    {"const int m = n * 2; for (int i = 0; i < m; i++) a[i] = 0;", 20},
    {"for (int i = 0; i < min(n, 4); i++) a[i] = 0;", 4},
    {"for (int i = 0; i < n && i < 6; i++) a[i] = 0;", 6},
    {"for (int i = 0; i < (n > 5 ? 2 : 3); i++) a[i] = 0;", 2},
    {"for (int i = n; i < n; i++) a[i] = 0;", 0},
    {"for (uchar i = 250; i >= 250; i++) a[i] = 0;", 6},
    {"for (int i = 0; i < get_num_groups(0); i++) a[i] = 0;", 4},
    {"for (int i = 0; i < 8; i++) { if (a[i] < 0) continue; a[i] = 0; }", 8},
    /* what does not follow */
    {"for (int i = 0; i < unseen; i++) a[i] = 0;", -1},
    {"for (int i = 0; i < a[0]; i++) a[i] = 0;", -1},
    {"for (int i = 0; i < n; i++) if (a[i] < 0) i++;", -1},
    {"for (int i = 0; i < n;) if (a[i] < 0) i++;", -1},
    {"for (;;) { if (a[0] < 0) break; }", -1},
    {"int i = 0; i = a[0]; while (i < n) i++;", -1},
    {"int m = 3; if (a[0] < 0) m = 4; for (int i = 0; i < m; i++) a[i] = 0;", -1},
    {"int i = 0, *p = &i; while (i < n) ++*p;", -1},
    {"for (float f = 0; f < 3; f++) a[0] = 0;", -1},
    {"for (int i = 0; i < n / (n - 10); i++) a[i] = 0;", -1},
    /* without an end */
    {"for (int i = 0; i < 2; i += 0) a[i] = 0;", TURNS_MOST},
};

/* The turns of each execution in any launch, as a reader counts them; 2 for more. */
static const struct {
  const char *body;
  int64_t turns;
} always[] = {
    {"for (int i = 0; i < 5; i++) a[i] = 0;", 2},
    {"for (int i = 0; i < 1; i++) a[i] = 0;", 1},
    {"for (int i = 3; i < 3; i++) a[i] = 0;", 0},
    {"int i; for (i = 4; i > 0; i /= 2) a[i] = 0;", 2},
    {"const int m = 7; for (int i = 0; i < m; i++) { if (a[i] < 0) continue; a[i] = 0; }", 2},
    {"for (int i = 0; i < ROWS; i++) a[i] = 0;", 2},
    /* by the launch */
    {"for (int i = 0; i < n; i++) a[i] = 0;", -1},
    {"for (int i = get_local_id(0); i < 5; i++) a[i] = 0;", -1},
    {"for (int i = 0; i < 5 && i < n; i++) a[i] = 0;", -1},
    {"for (int i = 0; i < get_local_size(0); i++) a[i] = 0;", -1},
    /* left otherwise, or changed by the body */
    {"for (int i = 0; i < 5; i++) if (a[i] < 0) break;", -1},
    {"for (int i = 0; i < 5; i++) if (a[i] < 0) return;", -1},
    {"for (int i = 0; i < 5; i++) { if (a[i] < 0) goto out; } out: a[0] = 1;", -1},
    {"for (int i = 0; i < 5; i++) if (a[i] < 0) i = 9;", -1},
    {"for (int i = 0; i < 5; i++) { int *p = &i; *p = a[i]; }", -1},
    /* its variable goes on where it was, or belongs to all functions */
    {"int i = 0; for (; i < 5; i++) a[i] = 0;", -1},
    {"for (int i = 0; i < shared; i++) a[i] = 0;", -1},
    {"int m = 3; if (a[0] < 0) m = 0; for (int i = 0; i < m; i++) a[i] = 0;", -1},
};

static void test_always(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
    buffer text = {0};
    buffer_printf(&text,
                  "#define ROWS (2 + 3)\n__global int shared = 5;\n"
                  "__kernel void k(__global int *a, int n) { %s }\n",
                  always[i].body);
    tree_fixture f = tree_fixture_open(buffer_text(&text), "-cl-std=CL2.0");
    const tree_node *kernel = f.tree->functions[0], *loop = kernel;
    while (loop != NULL && !tree_is_loop(loop->kind)) loop = tree_next(kernel, loop);
    assert_non_null(loop);
    const int64_t turns = turns_always(loop, kernel);
    if (turns != always[i].turns) fail_msg("%s: %lld", always[i].body, (long long)turns);
    tree_fixture_close(&f);
    buffer_free(&text);
  }
}

static void test_samples(void **state) {
  (void)state;
  const facts_argument arguments[] = {{0}, {.known = true, .value = 10}, {.known = true, .value = 3}, {0}};
  const facts_launch launch = {.dimensions = 1,
                               .global = {128, 1, 1},
                               .local = {32, 1, 1},
                               .arguments = arguments,
                               .argument_count = sizeof arguments / sizeof arguments[0]};
  for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
    buffer text = {0};
    buffer_printf(&text, "__kernel void k(__global int *a, int n, uint u, int unseen) { %s }\n", samples[i].body);
    tree_fixture f = tree_fixture_open(buffer_text(&text), "");
    const tree_node *kernel = f.tree->functions[0], *loop = kernel;
    while (loop != NULL && !tree_is_loop(loop->kind)) loop = tree_next(kernel, loop);
    assert_non_null(loop);
    const int64_t turns = turns_of_loop(loop, kernel, &launch);
    if (turns != samples[i].turns) fail_msg("%s: %lld", samples[i].body, (long long)turns);
    tree_fixture_close(&f);
    buffer_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples), cmocka_unit_test(test_always)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
