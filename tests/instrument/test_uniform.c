/* Which barriers are met by all work-items of a group or by none, whatever they do, so that they need no comparing, and
 * for which of the others bits are enough: one that is wrongly taken for such a barrier loses evidence. The
 * expectations come from reading each kernel. */
#include <stdio.h>
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
#include "instrument/instrument.h"

#define LID "get_local_id(0)"
#define B "barrier(1);"

/* For each barrier in source order: 'u' if it is uniform by construction; else work-items are compared, 's': by the
 * bits that they leave anyway, 'c': by hashes and counts. */
typedef struct sample {
  const char *expected;
  const char *body;   /* of __kernel void k(__global int *a, int n, __local int *l, float x) */
  const char *before; /* the kernel; NULL: nothing */
} sample;

static const sample samples[] = {
    /* What all work-items of a group have in common. */
    {"u", B, NULL},
    {"u", "if (n > 3) " B, NULL},
    {"u", "for (int i = 0; i < n; i++) { " B " }", NULL},
    {"uu", B " for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) { if (" LID " < s) a[0] = 1; " B " }", NULL},
    {"u", "int i = 0; while (i < n) { i++; " B " }", NULL},
    {"u", "int i; for (i = n; i--;) " B, NULL},
    {"u", "do { n -= 2; " B " } while (n > 0 && get_group_id(0) < 5u);", NULL},
    {"u", "int m = n ? (int)get_num_groups(0) : 7; if (m == 7) " B, NULL},
    {"uu", "switch (n) { case 1: " B " break; default: " B " }", NULL},
    {"u", "for (int i = 0; i < n; i++) { if (i == 3) break; " B " }", NULL},
    {"u", "for (int i = 0; i < n; i++) { if (" LID " == 3) continue; a[i] = 1; } " B, NULL},
    {"u", B " if (" LID " > 1) return; a[0] = 1;", NULL},
    {"u", "int d = 1; for (int i = 0; i < max(n, 3); i++) { d *= 2; } for (int i = 0; i < d; i++) " B, NULL},
    {"u", "if (add_sat(n, 3) + hadd(n, 7) > (int)get_global_offset(0)) " B, NULL},
    {"uu", "for (int i = 0; i < n; i++) for (int j = i; j < n; j++) { " B " } " B, NULL},
    {"u", "h(a); if (n) " B, "void h(__global int *a) { if (a[0]) a[1] = 2; }\n"},
    {"u", "h(a);", "void h(__global int *a) { " B " a[0] = 1; }\n"},
    {"u", "if (n > 2) h(a, n);", "void h(__global int *a, int n) { a[n] = 1; " B " }\n"},
    {"u", "for (" B " a[n] > 3; n++) a[0] = 1;", NULL}, /* a loop's first part runs before the loop decides */
    {"u", "int v; if (n) { int v = " LID "; a[0] = v; } if ((v = n)) " B, NULL}, /* another variable of that name */
    {"u", "if (n > (int)sizeof(x) + FOUR) " B, "enum { FOUR = 4 };\n"},
    /* A condition that work-items may see differently. */
    {"s", "if (" LID " > 3) " B, NULL},
    {"s", "if (get_global_id(0) > 3) " B, NULL},
    {"s", "if (max(n, (int)get_local_id(1)) > 3) " B, NULL},
    {"s", "if (mad24(n, 2, (int)get_global_id(0)) > 3) " B, NULL},
    {"s", "if (a[0] > 3) " B, NULL},
    {"s", "if (*a) " B, NULL},
    {"s", "if (l[n]) " B, NULL},
    {"s", "if (atomic_inc(a) > 3) " B, NULL},
    {"s", "if (h(n)) " B, "int h(int n) { return n; }\n"},
    {"s", "if (max(n, 3) > 5) " B, "int __attribute__((overloadable)) max(int n, int m) { return get_local_id(0); }\n"},
    {"s", "if (x > 1.0f) " B, NULL},
    {"c", "for (float f = 0.0f; f < 3.0f; f += 0.1f) " B, NULL},
    {"s", "if (n > 1.5) " B, NULL},
    {"s", "if (*(int *)(size_t)n) " B, NULL},
    {"c", "while (n < 5 && a[n]) { n++; " B " }", NULL},
    {"c", "switch (" LID ") { case 1: " B " }", NULL},
    {"s", "if (n > 3 ? " LID " : 1) " B, NULL},
    {"c", "int i = 0; do { " B " } while (i++ < (int)" LID ");", NULL},
    /* A variable that becomes different. */
    {"s", "int v = n; if (" LID " == 0) v = 5; if (v) " B, NULL},
    {"s", "int v = n; if (" LID " == 0) { v++; } if (v) " B, NULL},
    {"s", "int v = n; int *p = &v; *p = " LID "; if (v) " B, NULL},
    {"s", "int v = n; (v) = " LID "; if (v) " B, NULL},
    {"s", "int v = n; v += a[1]; if (v) " B, NULL},
    {"s", "int v = n; int w = v + " LID "; v = w; if (v) " B, NULL},
    {"c", "int v = 0; for (int i = 0; i < n; i++) { if (v) { " B " } v = " LID "; }", NULL},
    {"c", "int v = 0, w = 0; for (int i = 0; i < n; i++) { if (v) { " B " } v = w; w = a[i]; }", NULL},
    {"s", "int v = 0; while (v < (int)" LID ") v++; if (v) " B, NULL},
    {"s", "int v = 0; for (int i = 0; i < n; i++) { if (a[i]) break; v++; } if (v) " B, NULL},
    {"s", "int v = 0; for (int i = 0; i < n; i++) { if (a[i]) continue; v++; } if (v) " B, NULL},
    {"s", "int v = 0; a[0] > 1 && (v = 1); if (v) " B, NULL},
    {"s", "int v = 0; a[0] > 1 ? (v = 1) : 0; if (v) " B, NULL},
    {"s", "int v = 0; switch (a[0]) { case 1: v = 1; break; default: break; } if (v) " B, NULL},
    {"s", "{ int v = n; a[0] = v; } int v = " LID "; if (v) " B, NULL},
    {"s", "n = " LID "; if (n) " B, NULL},
    {"s", "volatile int v = n; if (v) " B, NULL},
    {"s", "__local int v; v = " LID "; if (v) " B, NULL},
    {"s", "int v[1]; v[0] = " LID "; if (v[0]) " B, NULL},
    {"s", "int2 v = (int2)(" LID "); if (v.x) " B, NULL},
    {"s", "struct s { int n; } v; v.n = " LID "; if (v.n) " B, NULL},
    {"s", "int v = n; h(&v); if (v) " B, "void h(int *p) { *p = get_local_id(0); }\n"},
    {"s", "int v = n; float f = fract(x, (float *)&v); a[1] = f; if (v) " B, NULL},
    {"c", "int v = ({ int w = " LID "; w; }); if (v) " B, NULL},
    {"c", "int v = n; int w = ({ v = " LID "; 1; }); if (v) " B, NULL},
    {"c", "int v = n; _Generic(1, int: v) = " LID "; if (v) " B, NULL},
    {"s", "{ int g = n; a[0] = g; } if (g) " B, "__constant int g = 3;\n"},
    {"s", "if (unknown) " B, "__constant int unknown = 3;\n"},
    /* Code that not all work-items come to. */
    {"s", "if (" LID " > 3) return; " B, NULL},
    {"ss", "if (" LID " > 3) return; if (n) { " B " } " B, NULL},
    {"us", B " if (a[0]) return; " B, NULL},
    {"c", "for (int i = 0; i < n; i++) { if (a[i]) return; } " B, NULL},
    {"c", "for (int i = 0; i < n; i++) { " B " if (a[i]) break; }", NULL},
    {"c", "for (int i = 0; i < n; i++) { if (a[i]) continue; " B " }", NULL},
    {"cu", "for (int i = 0; i < n; i++) { if (a[i]) break; " B " } " B, NULL},
    {"s", "if (a[0]) { if (n) " B " }", NULL},
    {"c", "for (;;) { if (a[0]) break; if (n) " B " }", NULL},
    {"c", "int v = n; again: if (v-- > 0) { " B " goto again; }", NULL},
    {"c", "switch (n) { case 0: do { n++; " B " case 1: n++; } while (n < 5); }", NULL},
    /* Where they part, and what those do that stay together. */
    {"c", "int m = n; if (a[0]) m = 3; for (int i = 0; i < m; i++) " B, NULL},
    {"cc", "int m = n; if (a[0]) { m = 3; " B " } for (int i = 0; i < m; i++) " B, NULL},
    {"ss", "int m = n; if (a[0]) { m = 3; " B " } else { m = 4; for (int i = 0; i < m; i++) " B " }", NULL},
    {"s", "int m = n; if (a[0]) { m = 3; return; } for (int i = 0; i < m; i++) " B, NULL},
    {"s", "if (a[0]) return; else a[1] = 1; for (int i = 0; i < n; i++) " B, NULL},
    {"ss", "if (a[0]) { " B " } else return; for (int i = 0; i < n; i++) " B, NULL},
    {"s", "if (get_global_id(0) >= 7 || a[0]) return; " B, NULL},
    {"c", "int m = n; if (a[0]) { if (a[1]) return; m = 3; } for (int i = 0; i < m; i++) " B, NULL},
    {"c", "if (a[0]) { if (a[1]) return; } for (int i = 0; i < n; i++) " B, NULL},
    {"c", "int m = n; if (a[0]) return; if (" LID " == 3) m = 1; for (int i = 0; i < m; i++) " B, NULL},
    {"c", "switch (n) { case 0: if (a[0]) return; case 1: for (int i = 0; i < n; i++) " B " }", NULL},
    {"c", "do { if (a[0]) return; " B " } while (0);", NULL},
    {"c", "if (a[0]) return; for (int i = 0; i < n; i++) { if (a[i]) break; " B " }", NULL},
    {"cc", "if (a[0]) return; a[1] = 1; h(); " B, "void h(void) { " B " }\n"},
    /* Functions. */
    {"c", "h(n);", "void h(int n) { if (n) " B " }\n"},
    {"c", "if (a[0]) h();", "void h(void) { " B " }\n"},
    {"c", "if (a[0]) h();", "void g(void) { " B " }\nvoid h(void) { g(); }\n"},
    {"c", "h(); if (a[0]) h();", "void h(void) { " B " }\n"},
    {"c", "int v = a[0] && h();", "int h(void) { " B " return 1; }\n"},
    {"u", "h();", "int h(void) { " B " return get_local_id(0); }\n"},
    {"c", "if (a[0]) other(a, n);", "__kernel void other(__global int *a, int n) { " B " }\n"},
    {"c", "other(a, a[0]);", "__kernel void other(__global int *a, int n) { if (n) " B " }\n"},
};

static const char *way_of(const instrument_result *r, uint32_t site) {
  for (size_t k = 0; k < r->model.kernel_count; k++) {
    for (size_t i = 0; i < r->kernels[k].plane_count; i++)
      if (r->kernels[k].planes[i].barrier && r->kernels[k].planes[i].site == site)
        return r->kernels[k].planes_in_slots ? "s" : "c";
  }
  return "u";
}

/* `found`: room for 8 characters. */
static void read_barriers(const instrument_result *r, char *found) {
  for (uint32_t s = 0; s < r->model.site_count; s++)
    if (r->model.sites[s].kind == SITE_BARRIER && strlen(found) < 7) (void)strcat(found, way_of(r, s));
}

static void check(const sample *s, const char *gate, const char *expected) {
  buffer text = {0};
  buffer_printf(&text, "%s__kernel void k(__global int *a, int n, __local int *l, float x) { %s }\n",
                s->before == NULL ? "" : s->before, s->body);
  const pp_input input = {.name = "k.cl", .text = buffer_text(&text), .length = text.length, .options = ""};
  instrument_result r;
  error e = {0};
  char found[8] = "";
  if (instrument_program(&input, 1, gate == NULL ? KERNEL_COUNTED : KERNEL_GATED, gate, &r, &e) != 0)
    fail_msg("%s\n%s", buffer_text(&text), e.text);
  read_barriers(&r, found);
  if (strcmp(found, expected) != 0) fail_msg("%s\nexpected %s, found %s", buffer_text(&text), expected, found);
  instrument_free(&r);
  buffer_free(&text);
}

static void test_samples(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) check(&samples[i], NULL, samples[i].expected);
}

/* A gate wants to know of every decision that a barrier waits after. */
static void test_gated(void **state) {
  (void)state;
  check(&(sample){.body = "for (int i = 0; i < n; i++) " B}, "", "c");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples), cmocka_unit_test(test_gated)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
