/* Mutants as text: survivors, lists, diffs. */
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/memory.h"
#include "reports/common/report.h"
#include "tests/fixtures/mutation_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_checks.h"
#include "tests/fixtures/report_fixture.h"

static void test_text_of_mutants(void **state) {
  fixture *f = *state;
  error e;
  view v;
  int64_t run = fixture_mutation(f->d, 0, 1);
  OK(db_add_unstable(f->d, 4, "argument 1 of kernel conv2d, launch 3", 0.125, &e));
  OK(db_load(f->d, &run, 1, &v, &e));
  report_options options = {0};
  char *text = render("text", &v, &options);
  assert_string_equal(text,
                      "Mutation testing of run 2: 3 test cases on Test Device\n"
                      "\n"
                      "UNSTABLE: 1 output of the original, without any mutant, differs from run to run\n"
                      "  suite/large: argument 1 of kernel conv2d, launch 3 (12.5 % of its bytes)\n"
                      "Those bytes are no evidence: what only they would show of a mutant is not seen.\n"
                      "\n"
                      "Kernel                          score   killed  undecided  survived  no coverage\n"
                      "conv2d                         50.0 %        4          1         2            1\n"
                      "reduce_rows                     0.0 %        0          0         0            2\n"
                      "--------------------------------------------------------------------------------\n"
                      "total                          40.0 %        4          1         2            3\n"
                      "Not counted: 1 equivalent, 1 duplicate, 1 invalid, 1 suppressed\n"
                      "Partial: 1 of 15 mutants is not decided. The others were drawn at random: the\n"
                      "score of all is 36.4 to 45.5 % (95 % interval); --resume goes on\n"
                      "\n"
                      "Operator                        score   killed  undecided  survived  no coverage\n"
                      "arith                          50.0 %        2          0         0            2\n"
                      "barrier                         0.0 %        0          0         0            1\n"
                      "const                             n/a        0          0         0            0\n"
                      "index                             n/a        0          0         0            0\n"
                      "logic                         100.0 %        1          0         0            0\n"
                      "loop                          100.0 %        1          0         0            0\n"
                      "rel                             0.0 %        0          1         2            0\n"
                      "\n"
                      "Survived: no test case noticed\n"
                      "  src/conv.cl:8:21: conv2d: rel: < becomes <= (mutant 1003, run by 3 test cases)\n"
                      "     8 -         for (int k = 0; k < 3; k++) {\n"
                      "     8 +         for (int k = 0; k <= 3; k++) {\n"
                      "  src/common.h:2:9: clamp_index: rel: < becomes <= (mutant 1007, run by 1 test\n"
                      "    case)\n"
                      "     2 -   if (i < 0)\n"
                      "     2 +   if (i <= 0)\n"
                      "\n"
                      "Undecided: a test case noticed in some of its runs\n"
                      "  src/conv.cl:6:8: conv2d: rel: < becomes > (mutant 1004, run by 2 test cases):\n"
                      "    the output differed in 7 of 20 runs of suite/small\n"
                      "     6 -     if (x < n && y < n) {\n"
                      "     6 +     if (x > n && y < n) {\n"
                      "\n"
                      "No coverage: no test case executes the place\n"
                      "  src/conv.cl:26:11: reduce_rows: arith: / becomes * (mutant 1009)\n"
                      "  src/conv.cl:27:5: reduce_rows: barrier: barrier(CLK_LOCAL_MEM_FENCE) deleted\n"
                      "    (mutant 1010)\n"
                      "  src/common.h:4:24: clamp_index: arith: - becomes + (mutant 1008)\n");
  options.colour = true;
  char *colour = render("text", &v, &options);
  assert_contains(colour, "\033[31mUNSTABLE: ");
  assert_contains(colour, "\033[1mSurvived");
  free(colour);
  free(text);
  view_free(&v);
}

/* Coverage follows where the run counted launches, and where other runs are asked for, too. */
static void test_text_of_mutants_with_coverage(void **state) {
  fixture *f = *state;
  error e;
  view v;
  const int64_t runs[] = {1, fixture_mutation(f->d, 0, 1)};
  OK(db_load(f->d, runs, 2, &v, &e));
  const report_options options = {0};
  char *text = render("text", &v, &options);
  assert_fits(text, 80);
  const char *first = strstr(text, "Mutation testing of run 2: 3 test cases");
  assert_non_null(first);
  const char *second = strstr(first, "\nCoverage of run 1: 2 test cases");
  assert_non_null(second);
  char *page = render("html", &v, &options);
  assert_contains(page, "<dt>Of<dd>2 runs up to run 2</div>");
  free(page);
  char *summary = render("markdown", &v, &options);
  assert_contains(summary, "\n2 runs up to run 2: 3 test cases");
  free(summary);
  assert_contains(second, "conv2d                                     3   50.0 %      2/4      n/a   75.0 %\n");
  free(text);
  view_free(&v);
}

static void test_text_of_a_run_without_mutants(void **state) {
  (void)state;
  view v;
  const report_options options = {0};
  hand_made(&v, "kernel void k() { }", 1);
  char *text = render("text", &v, &options);
  assert_contains(text, "k                                 n/a        0          0         0            0\n");
  assert_lacks(text, "Coverage");
  assert_lacks(text, "Operator");
  free(text);
  text = render("json", &v, &options);
  assert_contains(text, "\"score\": null");
  assert_follows_schema(text);
  free(text);
  view_free(&v);
}

static void test_long_lists_are_cut(void **state) {
  (void)state;
  view v;
  hand_made(&v, "a + b", 1);
  for (size_t i = 0; i < 25; i++) (void)add_by_hand(&v, "+", "-", MUTANT_SURVIVED);
  for (size_t i = 0; i < 20; i++) (void)add_by_hand(&v, "+", "*", MUTANT_NO_COVERAGE);
  report_options options = {.database = "x.db"};
  char *text = render("text", &v, &options);
  assert_int_equal(occurrences(text, "+ becomes -"), 20);
  assert_contains(text, "(mutant 20, run by 0 test cases)\n");
  assert_lacks(text, "(mutant 21,");
  assert_contains(text, "  \xe2\x80\xa6 and 5 more; `cltestcheck report --show-missed --db x.db` shows all\n");
  assert_int_equal(occurrences(text, "+ becomes *"), 20); /* not one too many */
  assert_int_equal(occurrences(text, "shows all"), 1);
  free(text);
  options.show_missed = true;
  text = render("text", &v, &options);
  assert_int_equal(occurrences(text, "+ becomes -"), 25);
  assert_lacks(text, "shows all");
  free(text);
  view_free(&v);
}

static void test_diffs(void **state) {
  (void)state;
  view v;
  const report_options options = {0};
  hand_made(
      &v,
      "first\r\n"
      "  barrier(F); x += 1;\r\n"
      "  loop {\r\n"
      "    body\r\n"
      "  }\r\n"
      "  last line of the file, which is so long that the place of the mutant on it is far out of sight: here @ it is",
      1);
  (void)add_by_hand(&v, "barrier(F)", "", MUTANT_SURVIVED);
  (void)add_by_hand(&v, "loop {\r\n    body\r\n  }", "one\n  two", MUTANT_SURVIVED);
  db_mutant *skipped = add_by_hand(&v, "loop {\r\n    body\r\n  }", "", MUTANT_SURVIVED);
  skipped->description = "loop skipped";
  db_mutant *turns = add_by_hand(&v, "body", "", MUTANT_SURVIVED);
  turns->description = "n-1 iterations";
  (void)add_by_hand(&v, "@", "#", MUTANT_SURVIVED);
  db_mutant *beyond = add_by_hand(&v, "@", "?", MUTANT_SURVIVED);
  beyond->end_offset = 9999;
  (void)add_by_hand(&v, "first", "", MUTANT_SURVIVED);
  char *text = render("text", &v, &options);
  assert_fits(text, 80);
  assert_contains(text,
                  "  k.cl:2:3: k: arith: barrier(F) deleted (mutant 1, run by 0 test cases)\n"
                  "     2 -   barrier(F); x += 1;\n"
                  "     2 +   ; x += 1;\n");
  assert_contains(text,
                  "     3 -   loop {\n"
                  "     4 -     body\n"
                  "     5 -   }\n"
                  "     3 +   one\n"
                  "     4 +   two\n");
  assert_contains(text,
                  "  k.cl:3:3: k: arith: loop skipped (mutant 3, run by 0 test cases)\n"
                  "     3 |   loop {\n"
                  "       |   ^~~~~~\n");
  assert_contains(text,
                  "  k.cl:4:5: k: arith: n-1 iterations (mutant 4, run by 0 test cases)\n"
                  "     4 |     body\n"
                  "       |     ^~~~\n");
  assert_contains(text, "here @ it is\n     6 + ");
  assert_contains(text, "here # it is\n");
  assert_contains(text, "@ becomes ? (mutant 6, run by 0 test cases)\n  k.cl:1:1:"); /* no such text: no excerpt */
  assert_contains(text, "     1 - first\n     1 +\n");
  free(text);
  view_free(&v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_text_of_mutants),
      TEST(test_text_of_mutants_with_coverage),
      cmocka_unit_test(test_text_of_a_run_without_mutants),
      cmocka_unit_test(test_long_lists_are_cut),
      cmocka_unit_test(test_diffs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
