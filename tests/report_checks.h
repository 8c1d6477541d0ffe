/* What the tests of reports/ share: a view to report on, reports as text, and checks of them. */
#ifndef CLTC_TESTS_REPORT_CHECKS_H
#define CLTC_TESTS_REPORT_CHECKS_H

#include <jansson.h>

#include "reports/common/report.h"
#include "tests/report_fixture.h"

/* A database with fixture_run in it, and its view. */
typedef struct fixture {
  char *path;
  db *d;
  view v;
} fixture;

int setup(void **state);
int teardown(void **state);

/* A test that gets one as its state. */
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* A report as a string, to be freed. */
char *render(const char *format, const view *v, const report_options *options);
void assert_contains(const char *text, const char *part);
void assert_lacks(const char *text, const char *part);
/* How often a part is in a text. */
size_t occurrences(const char *text, const char *part);
/* No line is wider than `width`. */
void assert_fits(const char *text, size_t width);

typedef struct expected {
  const char *metric;
  unsigned long covered, total;
} expected;

void assert_metrics(const coverage *c, const expected *list, size_t count);
#define ASSERT_METRICS(c, ...) \
  assert_metrics((c), (const expected[]){__VA_ARGS__}, sizeof((const expected[]){__VA_ARGS__}) / sizeof(expected))

/* Members that must be there. */
const char *string_at(const json_t *object, const char *key);
json_int_t integer_at(const json_t *object, const char *key);
/* JSON against docs/schema.json; skips the test when that is not in reach. */
void assert_follows_schema(const char *text);

#endif
