/* A switch with many cases that records which places are executed: exactly those of the case that was taken, and the
 * device's compiler takes not much longer than without the record. CTest turns PoCL's cache off, for the times. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/buffer.h"
#include "schema_support.h"

enum { CASES = 600, FIRST_LINE = 4 };
static const double limit = 4;

static double seconds(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Case c stands in line FIRST_LINE + c. */
static char *source(void) {
  buffer b = {0};
  buffer_puts(&b,
              "__kernel void test(__global int *out, __global int *in) {\n  int x = in[1], y = in[2];\n"
              "  switch (in[0]) {\n");
  for (int c = 0; c < CASES; c++)
    buffer_printf(&b, "    case %d: out[x] = in[(y + %d) & 127] * %d; break;\n", c, c, 2 * c + 7);
  buffer_puts(&b, "  }\n}\n");
  return buffer_take(&b);
}

static void check_case(const mutate_result *r, const outcome *o, const int32_t *in) {
  const int taken = in[0];
  if (!o->ran || o->out[in[1]] != in[(in[2] + taken) & 127] * (2 * taken + 7)) fail("case %d: another result", taken);
  size_t places = 0;
  for (size_t i = 0; i < r->mutant_count; i++) {
    const mutant *m = &r->mutants[i];
    const bool inside = m->line >= FIRST_LINE && m->line < FIRST_LINE + CASES;
    const bool wanted = !inside || m->line == FIRST_LINE + (uint32_t)taken;
    const bool reached = (o->flags[MUTATE_WORD_REACHED + m->place / 32] >> (m->place % 32) & 1) != 0;
    places += inside && reached ? 1 : 0;
    if (m->form == MUTANT_SELECTED && reached != wanted)
      fail("case %d: mutant %u in line %u is %sreached", taken, m->number, m->line, reached ? "" : "not ");
  }
  if (places == 0) fail("case %d: nothing of it is reached", taken);
}

/* Builds the text and runs cases of it; returns the time until the first has run. */
static double build_and_run(device *d, const mutate_result *clone, const mutate_result *r, const char *options) {
  static const int taken[] = {0, 1, 31, 32, CASES - 1};
  const double start = seconds();
  double spent = 0;
  build *b = build_schema(d, clone, options);
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
    int32_t in[VALUES] = {taken[i], 3, 5};
    for (int k = 3; k < VALUES; k++) in[k] = k;
    const outcome o = run_clone(b, "test", in, true, 0, NO_LIMIT);
    spent = i == 0 ? seconds() - start : spent;
    if (r != NULL) check_case(r, &o, in);
  }
  build_free(b);
  return spent;
}

void test_wide(device *d) {
  const uint32_t original = 0;
  char *text = source();
  mutate_result r = mutate_text(text, "", NULL, 0);
  mutate_result clone = mutate_text(text, "", &original, 1);
  (void)build_and_run(d, &clone, NULL, "-DWARM"); /* the device's compiler is loaded */
  const double without = build_and_run(d, &clone, NULL, "");
  const double with = build_and_run(d, &clone, &r, "-DCLTC_REACH");
  printf("%d cases: %.2f s, %.2f s with the record, ratio %.2f\n", CASES, without, with, with / without);
  if (with > limit * without) fail("the record takes the compiler too long");
  mutate_free(&r);
  mutate_free(&clone);
  free(text);
}
