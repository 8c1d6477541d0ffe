/* What a launch must be like for a fault behind two conditions on numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka needs these before it */
#include <cmocka.h>

#include "proofs/opinion/draw.h"

enum { LAUNCHES = 24 };

/* How many of the launches that are drawn for a kernel of two numbers have these. */
static unsigned count_launches(const char *text, uint64_t seed, int n, int m) {
  asked_source s;
  error e;
  terms none = {0};
  unsigned count = 0;
  asked_source_init(&s, text, SIZE_MAX, "", ".", NULL);
  assert_int_equal(asked_source_read(&s, &e), 0);
  const signature *of = asked_signature(&s, "k");
  terms_read(&(premises){0}, NULL, of, &none);
  drawing d = {.source = &s, .kernel = "k", .terms = &none, .seed = seed};
  draw_begin(&d);
  for (unsigned i = 0; i < LAUNCHES; i++) {
    replica r;
    int got[2];
    if (!draw_launch(&d, i, &r)) continue;
    memcpy(&got[0], r.arguments[1].bytes, sizeof got[0]);
    memcpy(&got[1], r.arguments[2].bytes, sizeof got[1]);
    count += got[0] == n && got[1] == m ? 1 : 0;
    replica_free(&r);
  }
  draw_end(&d);
  terms_free(&none);
  asked_source_free(&s);
  return count;
}

static void test_compared(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int n, m;
  } rows[] = {
      {"kernel void k(global int *out, int n, int m) { if (n == 77 && m == 1999) out[0] = get_global_id(0); }", 77,
       1999},
      {"kernel void k(global int *out, int n, int m) { if (n > 300 && m == 64) out[0] = 1; }", 301, 64},
      {"kernel void k(global int *out, int n, int m) { if (n != 1234567) return; if (m >= -70000 && m <= -70000) "
       "out[0] = 1; }",
       1234567, -70000},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (uint64_t seed = 0; seed < 5; seed++) assert_true(count_launches(rows[i].text, seed, rows[i].n, rows[i].m) > 0);
}

/* What is no comparison with a number is none. */
static void test_no_number(void **state) {
  (void)state;
  assert_int_equal(
      count_launches("kernel void k(global int *out, int n, int m) { if (n == m) out[n << 777] = 888 > n; n = 999; }",
                     0, 777, 999),
      0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_compared), cmocka_unit_test(test_no_number)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
