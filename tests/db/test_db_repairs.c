/* Repairs in the database and in reports: what was stored comes back, the newest run counts, merging keeps it, and a
 * patch says which lines it changes. */
/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <stdlib.h>
#include <string.h>

#include "reports/common/report.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_checks.h"
#include "tests/fixtures/report_fixture.h"

/* Line 3 goes, something new stands in front of 4; in the second part, a line is put in after 21. */
#define PATCH                                                                          \
  "--- a/src/conv.cl\n+++ b/src/conv.cl\n@@ -2,3 +2,3 @@\n two\n-three\n+new\n four\n" \
  "@@ -20,2 +20,3 @@\n twenty\n twenty one\n+more\n"

static int64_t add_run(db *d, const char *outcome, const char *text) {
  model m = {0};
  db_program program;
  error e;
  int64_t run = 0;
  fixture_conv(&m);
  OK(db_begin_run(d, "repair", "0", &run, &e));
  OK(db_add_program(d, run, &m, &program, &e));
  const db_repair r = {
      .run = run, .name = "src/conv.cl", .outcome = outcome, .report = "one <line>\n  another\n", .patch = text};
  OK(db_add_repair(d, program.id, &r, &e));
  OK(db_end_run(d, run, "", 0, &e));
  db_program_free(&program);
  model_free(&m);
  return run;
}

static void expect(db *d, int64_t run, const char *outcome, const char *text) {
  view v;
  error e;
  OK(db_load(d, &run, 1, &v, &e));
  assert_int_equal(v.repair_count, 1);
  assert_string_equal(v.repairs[0].name, "src/conv.cl");
  assert_string_equal(v.files[v.repairs[0].file].name, "src/conv.cl");
  assert_string_equal(v.repairs[0].outcome, outcome);
  assert_string_equal(v.repairs[0].report, "one <line>\n  another\n");
  assert_string_equal(v.repairs[0].patch, text);
  view_free(&v);
}

static void test_rows(void **state) {
  fixture *f = *state;
  const int64_t first = add_run(f->d, "remains", ""), second = add_run(f->d, "repaired", PATCH);
  expect(f->d, first, "remains", "");
  expect(f->d, second, "repaired", PATCH);
  const int64_t both[] = {first, second};
  view v;
  error e;
  OK(db_load(f->d, both, 2, &v, &e));
  assert_int_equal(v.repair_count, 1);
  assert_string_equal(v.repairs[0].outcome, "repaired");
  view_free(&v);
}

static void test_merging(void **state) {
  fixture *f = *state;
  char *path = fixture_path("into.db");
  db *into;
  error e;
  size_t merged = 0, count = 0, found = 0;
  run_summary *runs;
  (void)add_run(f->d, "part", PATCH);
  OK(db_open(&into, path, DB_WRITE, &e));
  for (int i = 0; i < 2; i++) OK(db_merge(into, f->d, &merged, &e));
  OK(db_list_runs(into, &runs, &count, &e));
  for (size_t i = 0; i < count; i++) {
    if (strcmp(runs[i].command, "repair") == 0) {
      expect(into, runs[i].id, "part", PATCH);
      found++;
    }
  }
  assert_int_equal(found, 1);
  db_free_runs(runs, count);
  db_close(into);
  fixture_forget(path);
}

static void test_lines(void **state) {
  (void)state;
  const db_repair r = {.patch = PATCH};
  const uint32_t touched[] = {3, 4};
  for (uint32_t line = 1; line < 30; line++)
    assert_int_equal(repair_touches(&r, line), line == touched[0] || line == touched[1]);
}

static void test_reports(void **state) {
  fixture *f = *state;
  static const char *const wanted[][2] = {{"text", "src/conv.cl: repaired\n"},
                                          {"text", "+new\n"},
                                          {"json", "\"outcome\": \"repaired\""},
                                          {"json", "\"report\": [\"one <line>\", \"  another\"]"},
                                          {"markdown", "```diff\n--- a/src/conv.cl\n"},
                                          {"markdown", "## cltestcheck: repairs"},
                                          {"html", "<ins>+new</ins>"},
                                          {"html", "<ul>\n<li>one &lt;line&gt;\n<br>another\n</ul>"},
                                          {"html", "href=\"#repairs\">patch</a>"}};
  const int64_t run = add_run(f->d, "repaired", PATCH);
  const report_options plain = {0};
  view v;
  error e;
  OK(db_load(f->d, &run, 1, &v, &e));
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    char *text = render(wanted[i][0], &v, &plain);
    if (strstr(text, wanted[i][1]) == NULL) fail_msg("%s is without %s:\n%s", wanted[i][0], wanted[i][1], text);
    free(text);
  }
  view_free(&v);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(test_rows), TEST(test_merging), cmocka_unit_test(test_lines),
                                     TEST(test_reports)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
