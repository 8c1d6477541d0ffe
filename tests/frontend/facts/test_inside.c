/* Whether all accesses of a launch stay inside, worked out by hand: 64 work-items in groups of 16, `a` has 64 elements of 4
 * bytes, `b` 64 and may not be written, `l` is local and has 16, n is 64, and m is not known. */
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

#define ID "int i = get_global_id(0); "
#define LANE "int i = get_global_id(0), k = get_local_id(0); "

static const struct {
  const char *body;
  bool inside;
} samples[] = {
    {ID "a[i] = b[i];", true},
    {ID "a[i] = b[i + 1];", false},
    {ID "if (i + 1 < n) a[i] = b[i + 1];", true},
    {ID "if (i < n - 1) a[i] = b[i + 1];", true},
    {ID "if (i <= n - 1) a[i] = b[i + 1];", false},
    {ID "if (i >= 63) return; a[i] = b[i + 1];", true},
    {ID "if (i > 63) return; a[i] = b[i + 1];", false},
    {ID "if (i < m) a[i] = b[i];", true},
    {ID "a[m] = 1;", false},
    {ID "if (m >= 0 && m < n) a[m] = 1;", true},
    {ID "if (m < n) a[m] = 1;", false},
    {ID "if ((uint)m < (uint)n) a[m] = 1;", true},
    {ID "if (m < 0 || m >= 64) a[0] = 1; else a[m] = 2;", true},
    {ID "if (!(m >= 0 && m < 64)) return; a[m] = 2;", true},
    {ID "b[i] = 1;", false}, /* it must not be written */
    /* loops */
    {"for (int j = 0; j < n; j++) a[j] = b[n - 1 - j];", true},
    {"for (int j = 0; j <= n; j++) a[j] = 1;", false},
    {"for (uint j = 0; j < n; j += 4) { a[j] = 1; a[j + 3] = 2; }", true},
    {"for (uint j = 1; j < n; j += 4) { a[j] = 1; a[j + 3] = 2; }", false},
    {"for (int j = n - 1; j >= 0; j--) a[j] = 1;", true},
    {"for (int j = n; j >= 0; j--) a[j] = 1;", false},
    {"int j = 0; while (j < n) { a[j++] = 1; }", true},
    {"int j = 0; while (j < n) { a[++j] = 1; }", false},
    {"int j = 0; do { a[j] = 1; j++; } while (j < n);", true},
    {"int j = 0; do { j++; a[j] = 1; } while (j < n);", false},
    {"int j = 0; for (;;) { a[j] = 1; j += 16; if (j >= n) break; }", true},
    {"int j = 0; for (;;) { a[j + 15] = 1; j += 16; if (j >= n) break; }", true},
    {"int j = 0; for (;;) { a[j + 16] = 1; j += 16; if (j >= n) break; }", false},
    {"int j = 0; for (;;) { if (j == 5) { j = 70; continue; } if (j > 63) break; a[j] = 1; j++; }", true},
    {"int j = 0; for (;;) { if (j == 5) { j = 70; break; } if (j > 63) break; a[j] = 1; j++; } a[j] = 1;", false},
    {ID "for (int j = i; j < n; j += get_global_size(0)) a[j] = 1;", true},
    {ID "for (int j = i; j < n; j++) for (int k = j + 1; k < n; k++) a[k] = b[j];", true},
    {"int j = 0; for (int k = 0; k < m; k++) j++; a[j] = 1;", false},
    {"for (int j = 0; j < 8; j++) for (int k = 0; k < 8; k++) a[j * 8 + k] = 1;", true},
    {"for (int j = 0; j < 8; j++) for (int k = 0; k <= 8; k++) a[j * 8 + k] = 1;", false},
    /* local memory, orders */
    {LANE "l[k] = b[i];", true},
    {LANE "l[i] = b[i];", false},
    {LANE "for (int s = 1; s < 16; s *= 2) { if (k >= s) l[k] += l[k - s]; }", true},
    {LANE "for (int s = 1; s < 16; s *= 2) { if (k >= s - 1) l[k] += l[k - s]; }", false},
    {LANE "for (int s = 1; s < 16; s *= 2) { if (k >= s) { k--; l[k] += l[k - s]; } }", false},
    {LANE "for (int s = get_local_size(0) / 2; s > 0; s >>= 1) { if (k < s) l[k] += l[k + s]; }", true},
    {LANE "for (int s = get_local_size(0); s > 0; s >>= 1) { if (k < s) l[k] += l[k + s]; }", false},
    {"local int t[2][16]; uint k = get_local_id(0), f = 0; for (uint d = 1; d < 16; d *= 2) { t[1 - f][k] = "
     "k >= d ? t[f][k - d] : 0; f = 1 - f; } a[get_global_id(0)] = t[f][k];",
     true},
    {"local int t[2][16]; uint k = get_local_id(0), f = 0; for (uint d = 1; d < 16; d *= 2) { t[1 - f][k] = "
     "k >= d ? t[f][k - d] : 0; f = 2 - f; } a[get_global_id(0)] = t[f][k];",
     false},
    /* integers */
    {ID "a[i / 2 * 2] = b[i % 8];", true},
    {ID "a[i * 2 / 2 + 1] = 1;", false},
    {ID "a[m & 63] = 1;", true},
    {ID "a[m & 127] = 1;", false},
    {ID "a[m % 64] = 1;", false},
    {ID "a[(uint)m % 64] = 1;", true},
    {ID "a[min(max(m, 0), n - 1)] = 1;", true},
    {ID "a[clamp(m, 0, 63)] = b[clamp(m, 0, 63)];", true},
    {ID "a[min(m, n - 1)] = 1;", false},
    {ID "uchar c = m; a[c >> 2] = 1;", true},
    {ID "uchar c = m; a[c >> 1] = 1;", false},
    {ID "uint u = i - 1; a[u + 1] = 1;", false}, /* wraps: not followed */
    {ID "int j = i << 26; a[j >> 26] = 1;", false},
    {ID "int x = i > 5 ? i - 5 : 0; a[x] = 1;", true},
    {ID "int x; if (m) x = 3; else x = 63; a[x] = 1;", true},
    {ID "int x; if (m) x = 3; a[x] = 1;", false},
    {ID "switch (m) { case 0: i = 3; break; case 1: i = 63; default: break; } a[i] = 1;", true},
    {ID "switch (m) { case 0: i = 3; case 1: i += 1; break; default: break; } a[i] = 1;", false},
    {ID "switch (m) { case 0: i = 64; break; case 1: i = 2; } a[i] = 1;", false},
    {ID "int *p = &i; *p = 70; a[i] = 1;", false},
    {ID "a[b[i]] = 1;", false},
    {ID "if (b[i] >= 0 && b[i] < 64) a[b[i]] = 1;", false}, /* memory may change between the two */
    {ID "int x = b[i]; if (x >= 0 && x < 64) a[x] = 1;", true},
    {ID "goto end; a[i + 1] = 1; end: ;", false},
    /* pointers, functions */
    {ID "global int *p = a + i; p[0] = 1; p[-i] = 2;", false},
    {ID "global int *p = a + 8; if (i < 56) p[i] = 1;", true},
    {ID "global int *p = a + 8; p[i] = 1;", false},
    {ID "global int *p = i < 5 ? a : b; *p = 1;", false},
    {ID "put(a, i);", true},
    {ID "put(a, i + 1);", false},
    {ID "put(a + 1, i - 1);", true},
    {ID "put(a + 1, i);", false},
    {ID "a[third(i)] = 1;", true},
    {ID "a[third(i * 4)] = 1;", false},
    {ID "vstore4(vload4(i, b), 0, a);", false},
    {"int i = get_group_id(0); vstore4(vload4(i, b), i, a);", true},
    {ID "global int4 *p = (global int4 *)a; p[0] = 1;", false}, /* alignment is not followed */
    {ID "global char *p = (global char *)a; p[i * 4 + 3] = 1;", true},
    {ID "global char *p = (global char *)a; p[i * 4 + 4] = 1;", false},
    {ID "atomic_inc(&a[i]); atomic_add(a + 1, 2);", true},
    {ID "atomic_inc(&a[i + 1]);", false},
    {ID "int t[4]; t[i & 3] = 1; a[i] = t[m & 3];", true},
    {ID "int t[4]; t[i & 4] = 1; a[i] = t[0];", false},
    {ID "struct { int x, y[2]; } s; s.y[1] = 1; a[i] = s.x;", true},
    {ID "struct { int x, y[2]; } s; s.y[2] = 1; a[i] = s.x;", false},
    {ID "struct { int x, y; } s; s.y = 1; a[i] = s.x;", true},
    {ID "int4 v = 0; v.y = 1; a[i] = v.z;", true},
    {ID "event_t e = async_work_group_copy(l, b, 16, 0); wait_group_events(1, &e);", false}, /* not followed */
};

static bool judge(const char *body) {
  const facts_argument given[] = {
      {.bytes = 256}, {.bytes = 256, .no_write = true}, {.bytes = 64}, {.known = true, .value = 64}, {.known = false}};
  const facts_launch launch = {.dimensions = 1, .global = {64}, .local = {16}, .arguments = given, .argument_count = 5};
  buffer text = {0};
  buffer_printf(
      &text,
      "void put(global int *p, int x) { p[x] = 1; }\nint third(int x) { if (x < 3) return 0; return x / 3; }\n"
      "kernel void k(global int *a, global int *b, local int *l, int n, int m) { %s }\n",
      body);
  tree_fixture f = tree_fixture_open(buffer_text(&text), "");
  const tree_node *kernel = f.tree->functions[2];
  const bool inside = launch_stays_inside(kernel, &launch);
  tree_fixture_close(&f);
  buffer_free(&text);
  return inside;
}

static void test_samples(void **state) {
  (void)state;
  unsigned wrong = 0;
  for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
    if (judge(samples[i].body) != samples[i].inside) {
      print_error("%s: %s\n", samples[i].body, samples[i].inside ? "stays inside" : "may leave");
      wrong++;
    }
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
