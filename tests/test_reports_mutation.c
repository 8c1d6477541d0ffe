/* Reports of mutants: the counts by hand-counted examples, and each format read back. */
#include <jansson.h>
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

#include "base/memory.h"
#include "reports/mutation.h"
#include "reports/report.h"
#include "tests/ok.h"
#include "tests/report_checks.h"
#include "tests/report_fixture.h"

/* The view of fixture_mutation. */
static void load_mutation(fixture *f, view *v) {
  error e;
  int64_t run = fixture_mutation(f->d, 0, 1);
  OK(db_load(f->d, &run, 1, v, &e));
}

/* Counts in the order killed, undecided, survived, no coverage; equivalent, duplicate, invalid, suppressed, pending. */
static void assert_counts(const mutation_counts *c, const unsigned long expected_counts[9]) {
  static const mutant_status order[9] = {MUTANT_KILLED,      MUTANT_UNDECIDED,  MUTANT_SURVIVED,
                                         MUTANT_NO_COVERAGE, MUTANT_EQUIVALENT, MUTANT_DUPLICATE,
                                         MUTANT_INVALID,     MUTANT_SUPPRESSED, MUTANT_PENDING};
  for (size_t i = 0; i < 9; i++) {
    if (c->of[order[i]] != expected_counts[i]) {
      fail_msg("%lu are %s, not %lu", c->of[order[i]], mutant_status_name(order[i]), expected_counts[i]);
    }
  }
  assert_int_equal(c->total, expected_counts[0] + expected_counts[1] + expected_counts[2] + expected_counts[3]);
}

static void test_mutation_totals(void **state) {
  fixture *f = *state;
  view v;
  mutation m;
  load_mutation(f, &v);
  mutation_totals(&v, NULL, &m);
  assert_counts(&m.all, (const unsigned long[]){4, 1, 2, 3, 1, 1, 1, 1, 1});
  assert_int_equal(mutation_score(&m.all).covered, 4);
  assert_int_equal(mutation_score(&m.all).total, 10);
  assert_int_equal(m.kernel_count, 2);
  assert_string_equal(m.kernels[0].name, "conv2d");
  assert_counts(&m.kernels[0].counts, (const unsigned long[]){4, 1, 2, 1, 1, 1, 1, 1, 0});
  assert_counts(&m.kernels[1].counts, (const unsigned long[]){0, 0, 0, 2, 0, 0, 0, 0, 1});
  static const struct {
    const char *name;
    unsigned long counts[9];
  } operators[] = {
      {"arith", {2, 0, 0, 2, 0, 0, 1, 0, 0}}, {"barrier", {0, 0, 0, 1, 0, 0, 0, 0, 0}},
      {"const", {0, 0, 0, 0, 1, 0, 0, 0, 0}}, {"index", {0, 0, 0, 0, 0, 0, 0, 1, 0}},
      {"logic", {1, 0, 0, 0, 0, 0, 0, 0, 0}}, {"loop", {1, 0, 0, 0, 0, 0, 0, 0, 0}},
      {"rel", {0, 1, 2, 0, 0, 1, 0, 0, 1}},
  };
  assert_int_equal(m.operator_count, 7);
  for (size_t i = 0; i < 7; i++) {
    assert_string_equal(m.operators[i].name, operators[i].name);
    assert_counts(&m.operators[i].counts, operators[i].counts);
  }
  mutation_free(&m);
  coverage c;
  coverage_total(&v, NULL, &c);
  ASSERT_METRICS(&c, {"mutation", 4, 10});
  coverage_total(&f->v, NULL, &c);
  ASSERT_METRICS(&c, {"mutation", 0, 0});
  view_free(&v);
}

static void test_mutants_of_selected_kernels(void **state) {
  fixture *f = *state;
  view v;
  mutation m;
  coverage c;
  load_mutation(f, &v);
  const report_options rows = {.kernels = (const char *[]){"reduce*"}, .kernel_count = 1};
  mutation_totals(&v, &rows, &m);
  assert_counts(&m.all, (const unsigned long[]){0, 0, 0, 2, 0, 0, 0, 0, 1});
  assert_int_equal(m.kernel_count, 1);
  assert_int_equal(m.operator_count, 3);
  mutation_free(&m);
  const report_options no_rows = {.exclude = (const char *[]){"reduce*"}, .exclude_count = 1};
  coverage_total(&v, &no_rows, &c);
  ASSERT_METRICS(&c, {"mutation", 4, 8});
  for (const report_writer *w = report_writers; w->name != NULL; w++) {
    char *text = render(w->name, &v, &rows);
    if (strcmp(w->name, "stryker") != 0 && strcmp(w->name, "html") != 0) { /* these have the whole source */
      assert_lacks(text, "conv2d");
    }
    assert_lacks(text, "1003");
    free(text);
  }
  static const char *const with_all[] = {"text", "json", "stryker"}; /* mutants, whatever became of them */
  for (size_t i = 0; i < sizeof with_all / sizeof with_all[0]; i++) {
    char *listed = render(with_all[i], &v, &rows);
    assert_contains(listed, "1009");
    free(listed);
  }
  const report_options none = {.kernels = (const char *[]){"nothing"}, .kernel_count = 1};
  char *text = render("text", &v, &none);
  assert_contains(text, "(no kernel matches the selection)\n");
  assert_contains(text, "total                             n/a        0          0         0            0\n");
  free(text);
  view_free(&v);
}

/* --- views made by hand */

/* One file, one kernel, `tests` test cases, no mutants yet. */
static void hand_made(view *v, const char *source, size_t tests) {
  *v = (view){.run = 1, .command = mem_strdup("mutate"), .device = mem_strdup(""), .version = mem_strdup("0.1")};
  v->started = mem_strdup("");
  v->files = mem_calloc(1, sizeof *v->files);
  v->files[0] = (view_file){.name = mem_strdup("k.cl"), .text = mem_strdup(source), .length = strlen(source)};
  v->file_count = 1;
  v->functions = mem_calloc(1, sizeof *v->functions);
  v->functions[0] =
      (view_function){.name = mem_strdup("k"), .line = 1, .end_line = 1, .site = MODEL_NONE, .kernel = true};
  v->function_count = 1;
  v->kernels = mem_calloc(1, sizeof *v->kernels);
  v->kernels[0] =
      (view_kernel){.name = mem_strdup("k"), .functions = mem_calloc(1, sizeof(uint32_t)), .function_count = 1};
  v->kernel_count = 1;
  v->test_cases = mem_calloc(tests, sizeof *v->test_cases);
  v->test_case_count = tests;
  for (size_t i = 0; i < tests; i++) {
    char name[32];
    (void)snprintf(name, sizeof name, "t%zu", i);
    v->test_cases[i] = (view_test_case){mem_strdup(""), mem_strdup(name), mem_strdup("./t"), 0, false};
  }
}

/* A mutant of the text `original` where it stands first in the source. */
static view_mutant *add_by_hand(view *v, const char *original, const char *replacement, mutant_status status) {
  v->mutants = mem_realloc(v->mutants, (v->mutant_count + 1) * sizeof *v->mutants);
  view_mutant *m = &v->mutants[v->mutant_count];
  const char *source = v->files[0].text;
  const char *at = strstr(source, original);
  assert_non_null(at);
  *m = (view_mutant){.id = (uint32_t)v->mutant_count + 1,
                     .operator_name = mem_strdup("arith"),
                     .line = 1,
                     .column = 1,
                     .end_line = 1,
                     .end_column = 1,
                     .offset = (uint32_t)(at - source),
                     .original = mem_strdup(original),
                     .replacement = mem_strdup(replacement),
                     .kernels = mem_calloc(1, sizeof(uint32_t)),
                     .kernel_count = 1,
                     .status = status,
                     .reason = mem_strdup(status == MUTANT_KILLED ? "output" : ""),
                     .duplicate_of = MODEL_NONE};
  m->end_offset = m->offset + (uint32_t)strlen(original);
  for (const char *c = source; c < at + strlen(original); c++) {
    uint32_t *line = c < at ? &m->line : &m->end_line;
    uint32_t *column = c < at ? &m->column : &m->end_column;
    *line += *c == '\n' ? 1 : 0;
    *column = *c == '\n' ? 1 : *column + 1;
    if (c < at) {
      m->end_line = m->line;
      m->end_column = m->column;
    }
  }
  v->mutant_count++;
  return m;
}

/* `rows[i]` says which test cases kill the next mutant: a 1 in the i-th place. All have 20 runs. */
static void add_kills(view *v, const char *row) {
  view_mutant *m = add_by_hand(v, "+", "-", MUTANT_KILLED);
  m->verdicts = mem_calloc(strlen(row), sizeof *m->verdicts);
  for (uint32_t i = 0; row[i] != '\0'; i++) {
    m->verdicts[m->verdict_count++] = (view_verdict){i, 20, row[i] == '1' ? 20 : 0, 0, 0, 0, false};
  }
}

static void test_scores_are_rounded(void **state) {
  (void)state;
  static const struct {
    size_t killed, survived;
    const char *text, *json;
  } cases[] = {
      {0, 0, "    n/a ", "\"score\": null"},  {1, 0, "100.0 %", "\"score\": 100.0"},
      {0, 1, "  0.0 %", "\"score\": 0.0"},    {1, 2, " 33.3 %", "\"score\": 33.3"},
      {2, 1, " 66.7 %", "\"score\": 66.7"},   {1999, 1, " 99.9 %", "\"score\": 99.9"},
      {1, 2999, "  0.1 %", "\"score\": 0.1"}, {7, 1, " 87.5 %", "\"score\": 87.5"},
      {1, 15, "  6.3 %", "\"score\": 6.3"}, /* 6.25 */
  };
  const report_options options = {0};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    view v;
    hand_made(&v, "a + b", 1);
    for (size_t k = 0; k < cases[i].killed + cases[i].survived; k++) {
      (void)add_by_hand(&v, "+", "-", k < cases[i].killed ? MUTANT_KILLED : MUTANT_SURVIVED);
    }
    (void)add_by_hand(&v, "+", "-", MUTANT_EQUIVALENT); /* these do not count */
    (void)add_by_hand(&v, "+", "-", MUTANT_PENDING);
    char *text = render("text", &v, &options);
    char row[64];
    (void)snprintf(row, sizeof row, "total                         %s", cases[i].text);
    assert_contains(text, row);
    free(text);
    text = render("json", &v, &options);
    assert_contains(text, cases[i].json);
    free(text);
    view_free(&v);
  }
}

/* small kills three mutants, large three, of which one it alone; tiny kills one that both kill, and in 19 of 20 runs
 * another. */
static void test_superfluous_test_cases(void **state) {
  fixture *f = *state;
  error e;
  view v;
  mutation m;
  load_mutation(f, &v);
  mutation_totals(&v, NULL, &m);
  assert_null(mutation_superfluous(&v, &m)); /* one is pending */
  mutation_free(&m);
  int64_t run = v.run;
  view_free(&v);
  for (int64_t id = 1; id <= FIXTURE_MUTANTS; id++) {
    mutant_status status;
    OK(db_get_mutant(f->d, run, id, &status, &e));
    if (status == MUTANT_PENDING) {
      OK(db_set_mutant(f->d, run, id, MUTANT_NO_COVERAGE, "", 0, &e));
    }
  }
  OK(db_load(f->d, &run, 1, &v, &e));
  mutation_totals(&v, NULL, &m);
  bool *superfluous = mutation_superfluous(&v, &m);
  assert_non_null(superfluous);
  assert_false(superfluous[0]);
  assert_false(superfluous[1]);
  assert_true(superfluous[2]);
  free(superfluous);
  mutation_free(&m);
  const report_options options = {0};
  char *text = render("text", &v, &options);
  assert_contains(text, "\nTest cases that add no kill: the others kill the same mutants\n  suite/tiny: ./conv 1\n");
  assert_lacks(text, "--resume");
  free(text);
  text = render("json", &v, &options);
  assert_contains(text, "\"superfluous_tests\": [2]");
  free(text);
  view_free(&v);
}

static void test_superfluous_test_cases_are_found_greedily(void **state) {
  (void)state;
  view v;
  mutation m;
  hand_made(&v, "a + b", 4);
  /* t1 kills most (4); then t0 and t3 have one left each; t2's kills are all made by then. */
  static const char *const rows[] = {"0110", "0110", "0100", "0101", "1010", "0001"};
  for (size_t i = 0; i < 6; i++) {
    add_kills(&v, rows[i]);
  }
  v.mutants[5].verdicts[2] = (view_verdict){2, 3, 3, 0, 0, 0, false}; /* stopped after 3 of 20 runs: no kill */
  mutation_totals(&v, NULL, &m);
  bool *superfluous = mutation_superfluous(&v, &m);
  assert_memory_equal(superfluous, ((const bool[]){false, false, true, false}), 4 * sizeof(bool));
  free(superfluous);
  mutation_free(&m);
  view_free(&v);
  hand_made(&v, "a + b", 2);
  (void)add_by_hand(&v, "+", "-", MUTANT_SURVIVED);
  mutation_totals(&v, NULL, &m);
  assert_null(mutation_superfluous(&v, &m)); /* no kills at all */
  mutation_free(&m);
  view_free(&v);
}

/* --- text of mutants */

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
                      "1 mutant was not decided: go on with --resume\n"
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
  const char *first = strstr(text, "Mutation testing of 2 runs up to run 2: 5 test cases");
  assert_non_null(first);
  const char *second = strstr(first, "\nCoverage of 2 runs up to run 2: 5 test cases");
  assert_non_null(second);
  char *page = render("html", &v, &options);
  assert_contains(page, "<h1>cltestcheck: 2 runs up to run 2</h1>");
  free(page);
  char *summary = render("markdown", &v, &options);
  assert_contains(summary, "\n2 runs up to run 2: 5 test cases");
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

static size_t occurrences(const char *text, const char *part) {
  size_t count = 0;
  for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
    count++;
  }
  return count;
}

static void test_long_lists_are_cut(void **state) {
  (void)state;
  view v;
  hand_made(&v, "a + b", 1);
  for (size_t i = 0; i < 25; i++) {
    (void)add_by_hand(&v, "+", "-", MUTANT_SURVIVED);
  }
  for (size_t i = 0; i < 20; i++) {
    (void)add_by_hand(&v, "+", "*", MUTANT_NO_COVERAGE);
  }
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
  view_mutant *skipped = add_by_hand(&v, "loop {\r\n    body\r\n  }", "", MUTANT_SURVIVED);
  skipped->description = mem_strdup("loop skipped");
  view_mutant *turns = add_by_hand(&v, "body", "", MUTANT_SURVIVED);
  turns->description = mem_strdup("n-1 iterations");
  (void)add_by_hand(&v, "@", "#", MUTANT_SURVIVED);
  view_mutant *beyond = add_by_hand(&v, "@", "?", MUTANT_SURVIVED);
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

/* --- JSON of mutants */

static const json_t *json_mutant(const json_t *root, json_int_t id) {
  size_t i;
  const json_t *mutant;
  json_array_foreach(json_object_get(root, "mutants"), i, mutant) {
    if (integer_at(mutant, "id") == id) {
      return mutant;
    }
  }
  fail_msg("no mutant %lld", (long long)id);
  return NULL;
}

/* Two verdicts of MUTANT_PLUS, which all three test cases run, are an earlier run's. */
static void test_reused_verdicts(void **state) {
  fixture *f = *state;
  error e;
  view v;
  const report_options options = {0};
  int64_t run = fixture_mutation(f->d, 0, 1);
  OK(db_load(f->d, &run, 1, &v, &e));
  char *text = render("text", &v, &options);
  assert_lacks(text, "Reused");
  free(text);
  size_t verdicts = 0;
  for (size_t i = 0; i < v.mutant_count; i++) {
    verdicts += v.mutants[i].verdict_count;
    if (v.mutants[i].id == 1001 + MUTANT_PLUS) {
      v.mutants[i].verdicts[0].reused = v.mutants[i].verdicts[2].reused = true;
    }
  }
  char line[128];
  (void)snprintf(line, sizeof line, "\nReused: 2 of %zu verdicts, as nothing that they depend on has changed\n",
                 verdicts);
  text = render("text", &v, &options);
  assert_contains(text, line);
  free(text);
  text = render("json", &v, &options);
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  const json_t *summary = json_object_get(root, "mutation");
  assert_int_equal(integer_at(summary, "verdicts"), verdicts);
  assert_int_equal(integer_at(summary, "reused"), 2);
  const json_t *tests = json_object_get(json_mutant(root, 1001 + MUTANT_PLUS), "tests");
  for (size_t t = 0; t < 3; t++) {
    assert_int_equal(json_is_true(json_object_get(json_array_get(tests, t), "reused")), t != 1);
  }
  json_decref(root);
  free(text);
  view_free(&v);
}

static void test_json_of_mutants(void **state) {
  fixture *f = *state;
  error e;
  view v;
  int64_t run = fixture_mutation(f->d, 0, 1);
  OK(db_add_unstable(f->d, 4, "argument 1 of kernel conv2d, launch 3", 0.125, &e));
  OK(db_load(f->d, &run, 1, &v, &e));
  const report_options options = {0};
  char *text = render("json", &v, &options);
  assert_follows_schema(text);
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  const json_t *summary = json_object_get(root, "mutation");
  assert_true(json_real_value(json_object_get(summary, "score")) == 40.0);
  assert_int_equal(integer_at(summary, "total"), 10);
  assert_int_equal(integer_at(summary, "no_coverage"), 3);
  assert_int_equal(integer_at(summary, "pending"), 1);
  const json_t *arith = json_object_get(json_object_get(summary, "by_operator"), "arith");
  assert_int_equal(integer_at(arith, "total"), 4);
  assert_int_equal(integer_at(arith, "killed"), 2);
  const json_t *rows = json_array_get(json_object_get(summary, "by_kernel"), 1);
  assert_string_equal(string_at(rows, "name"), "reduce_rows");
  assert_int_equal(integer_at(rows, "line"), 19);
  assert_int_equal(integer_at(rows, "total"), 2);
  const json_t *unstable = json_array_get(json_object_get(summary, "unstable"), 0);
  assert_int_equal(integer_at(unstable, "test"), 1);
  assert_true(json_real_value(json_object_get(unstable, "share")) == 0.125);
  assert_true(json_is_null(json_object_get(summary, "superfluous_tests")));
  assert_int_equal(json_array_size(json_object_get(root, "mutants")), FIXTURE_MUTANTS);
  const json_t *times = json_mutant(root, 1001 + MUTANT_TIMES);
  assert_string_equal(string_at(times, "operator"), "arith");
  assert_string_equal(string_at(times, "file"), "src/conv.cl");
  assert_int_equal(integer_at(times, "line"), 9);
  assert_int_equal(integer_at(times, "column"), 28);
  assert_int_equal(integer_at(times, "end_column"), 29);
  assert_string_equal(string_at(times, "original"), "*");
  assert_string_equal(string_at(times, "replacement"), "/");
  assert_string_equal(string_at(times, "status"), "killed");
  assert_string_equal(string_at(times, "reason"), "crash");
  assert_string_equal(string_at(times, "function"), "conv2d");
  const json_t *test = json_array_get(json_object_get(times, "tests"), 1);
  assert_int_equal(integer_at(test, "test"), 1);
  assert_int_equal(integer_at(test, "runs"), 20);
  assert_int_equal(integer_at(test, "output"), 4);
  assert_int_equal(integer_at(test, "crash"), 16);
  assert_int_equal(integer_at(json_mutant(root, 1001 + MUTANT_SUM), "duplicate_of"), 1001 + MUTANT_PLUS);
  assert_string_equal(string_at(json_mutant(root, 1001 + MUTANT_LAST), "status"), "no-coverage");
  json_decref(root);
  free(text);
  view_free(&v);
}

/* --- Stryker: what of its published schema matters, in words of our own */

static void check_position(const json_t *p) {
  assert_true(integer_at(p, "line") >= 1);
  assert_true(integer_at(p, "column") >= 1);
}

static void check_ids(const json_t *list, const json_t *known) {
  size_t i;
  const json_t *id;
  assert_true(json_is_array(list));
  json_array_foreach(list, i, id) { assert_non_null(json_object_get(known, json_string_value(id))); }
}

static void check_stryker_mutant(const json_t *m, json_t *seen, const json_t *tests) {
  static const char *const statuses[] = {"Killed",       "Survived", "NoCoverage", "CompileError",
                                         "RuntimeError", "Timeout",  "Ignored",    "Pending"};
  const char *id = string_at(m, "id");
  assert_null(json_object_get(seen, id));
  assert_int_equal(json_object_set_new(seen, id, json_true()), 0);
  (void)string_at(m, "mutatorName");
  (void)string_at(m, json_object_get(m, "replacement") == NULL ? "description" : "replacement");
  (void)string_at(m, "statusReason");
  const char *status = string_at(m, "status");
  bool known = false;
  for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
    known = known || strcmp(status, statuses[i]) == 0;
  }
  assert_true(known);
  const json_t *description = json_object_get(m, "description");
  assert_true(description == NULL || json_is_string(description));
  const json_t *start = json_object_get(json_object_get(m, "location"), "start");
  const json_t *end = json_object_get(json_object_get(m, "location"), "end");
  check_position(start);
  check_position(end);
  json_int_t lines = integer_at(end, "line") - integer_at(start, "line");
  assert_true(lines > 0 || (lines == 0 && integer_at(end, "column") >= integer_at(start, "column")));
  check_ids(json_object_get(m, "coveredBy"), tests);
  check_ids(json_object_get(m, "killedBy"), tests);
  assert_true(json_is_number(json_object_get(m, "testsCompleted")));
}

static void check_threshold(const json_t *thresholds, const char *key) {
  json_int_t value = integer_at(thresholds, key);
  assert_true(value >= 0 && value <= 100);
}

static json_t *check_stryker(const char *text) {
  json_error_t problem;
  json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &problem);
  assert_non_null(root);
  assert_string_equal(string_at(root, "schemaVersion"), "2");
  check_threshold(json_object_get(root, "thresholds"), "high");
  check_threshold(json_object_get(root, "thresholds"), "low");
  json_t *tests = json_object();
  const char *key;
  json_t *file;
  size_t i;
  const json_t *item;
  json_object_foreach(json_object_get(root, "testFiles"), key, file) {
    json_array_foreach(json_object_get(file, "tests"), i, item) {
      (void)string_at(item, "name");
      assert_null(json_object_get(tests, string_at(item, "id")));
      assert_int_equal(json_object_set_new(tests, string_at(item, "id"), json_true()), 0);
    }
  }
  json_t *seen = json_object();
  assert_true(json_is_object(json_object_get(root, "files")));
  json_object_foreach(json_object_get(root, "files"), key, file) {
    (void)string_at(file, "language");
    (void)string_at(file, "source");
    assert_true(json_is_array(json_object_get(file, "mutants")));
    json_array_foreach(json_object_get(file, "mutants"), i, item) { check_stryker_mutant(item, seen, tests); }
  }
  json_decref(seen);
  json_decref(tests);
  return root;
}

/* Against the published schema, where CLTESTCHECK_STRYKER_SCHEMA names a copy and python3 has jsonschema. */
static void check_published_schema(const fixture *f, const char *text) {
  const char *schema = getenv("CLTESTCHECK_STRYKER_SCHEMA");
  if (schema == NULL || system("python3 -c 'import jsonschema' 2>/dev/null") != 0) {
    return;
  }
  char path[300];
  (void)snprintf(path, sizeof path, "%s-stryker.json", f->path);
  FILE *out = fopen(path, "w");
  assert_true(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0);
  char command[1024];
  (void)snprintf(
      command, sizeof command,
      "python3 -c 'import json, jsonschema, sys; jsonschema.validate(*[json.load(open(n, encoding=\"utf-8\")) "
      "for n in sys.argv[1:]])' '%s' \"$CLTESTCHECK_STRYKER_SCHEMA\"",
      path);
  assert_int_equal(system(command), 0);
  print_message("valid by %s\n", schema);
}

static void test_stryker(void **state) {
  fixture *f = *state;
  view v;
  load_mutation(f, &v);
  const report_options options = {0};
  char *text = render("stryker", &v, &options);
  json_t *root = check_stryker(text);
  check_published_schema(f, text);
  static const struct {
    uint32_t mutant;
    const char *status, *reason; /* that it begins with */
    size_t covered, killed;
  } expected_mutants[] = {
      {MUTANT_PLUS, "Killed", "the output differed in 20 of 20 runs of suite/small", 3, 3},
      {MUTANT_TIMES, "Killed", "the output differed in 4, it crashed in 16 of 20 runs of suite/large", 3, 1},
      {MUTANT_FOR, "Survived", "no run differed", 3, 0},
      {MUTANT_X, "Survived", "undecided: the output differed in 7 of 20 runs of suite/small", 2, 0},
      {MUTANT_AND, "Timeout", "it ran out of time in 20 of 20 runs of suite/small", 3, 1},
      {MUTANT_ZERO, "Ignored", "equivalent", 0, 0},
      {MUTANT_LAST, "NoCoverage", "no test case", 0, 0},
      {MUTANT_WHILE, "Pending", "not decided", 0, 0},
      {MUTANT_SUM, "Ignored", "duplicate: compiles to the same device code as an earlier mutant, 1001", 0, 0},
      {MUTANT_MODULO, "CompileError", "does not compile", 0, 0},
      {MUTANT_GLOBAL_ID, "Ignored", "suppressed", 0, 0},
      {MUTANT_SKIP, "Killed", "the output differed in 20 of 20 runs of suite/small", 3, 2},
  };
  const json_t *conv = json_object_get(json_object_get(root, "files"), "src/conv.cl");
  const json_t *common = json_object_get(json_object_get(root, "files"), "src/common.h");
  assert_string_equal(string_at(conv, "source"), fixture_conv_text);
  assert_int_equal(json_array_size(json_object_get(conv, "mutants")), FIXTURE_MUTANTS - 2);
  for (size_t i = 0; i < sizeof expected_mutants / sizeof expected_mutants[0]; i++) {
    char id[16];
    (void)snprintf(id, sizeof id, "%u", 1001 + expected_mutants[i].mutant);
    const json_t *found = NULL;
    size_t k;
    const json_t *m;
    json_array_foreach(json_object_get(conv, "mutants"), k, m) {
      found = strcmp(string_at(m, "id"), id) == 0 ? m : found;
    }
    json_array_foreach(json_object_get(common, "mutants"), k, m) {
      found = strcmp(string_at(m, "id"), id) == 0 ? m : found;
    }
    assert_string_equal(string_at(found, "status"), expected_mutants[i].status);
    const char *reason = expected_mutants[i].reason;
    assert_memory_equal(string_at(found, "statusReason"), reason, strlen(reason));
    assert_int_equal(json_array_size(json_object_get(found, "coveredBy")), expected_mutants[i].covered);
    assert_int_equal(json_array_size(json_object_get(found, "killedBy")), expected_mutants[i].killed);
    assert_int_equal(integer_at(found, "testsCompleted"), expected_mutants[i].covered);
    /* A loop that is skipped: what would stand there does not say it. */
    assert_int_equal(json_object_get(found, "replacement") == NULL, expected_mutants[i].mutant == MUTANT_SKIP);
  }
  json_decref(root);
  free(text);
  view_free(&v);
}

/* Columns are JavaScript's: a character outside the first plane is two, a byte that is no UTF-8 one. */
static void test_stryker_columns(void **state) {
  (void)state;
  view v;
  const report_options options = {0};
  hand_made(&v, "\n\xc3\xa9\xf0\x9f\x98\x80\xff + 1", 1); /* e acute, a face, a stray byte */
  (void)add_by_hand(&v, "+", "-", MUTANT_SURVIVED);
  v.mutants[0].id = 7;
  (void)add_by_hand(&v, "+", "*", MUTANT_SURVIVED);
  v.mutants[1].id = 7; /* alike by chance */
  char *text = render("stryker", &v, &options);
  json_t *root = check_stryker(text);
  const json_t *m =
      json_array_get(json_object_get(json_object_get(json_object_get(root, "files"), "k.cl"), "mutants"), 0);
  const json_t *start = json_object_get(json_object_get(m, "location"), "start");
  const json_t *end = json_object_get(json_object_get(m, "location"), "end");
  assert_int_equal(integer_at(start, "line"), 2);
  assert_int_equal(integer_at(start, "column"), 1 + 1 + 2 + 1 + 1);
  assert_int_equal(integer_at(end, "column"), 1 + 1 + 2 + 1 + 1 + 1);
  json_decref(root);
  free(text);
  view_free(&v);
}

/* --- all writers */

#define HOSTILE "\"'\\</script>\033[2J\x01\xff\xc3\n\t%s\xe2\x80\xa8"

static char *hostile(const char *name) {
  char text[128];
  (void)snprintf(text, sizeof text, "%s%s", name, HOSTILE);
  return mem_strdup(text);
}

static void test_hostile_mutants(void **state) {
  fixture *f = *state;
  view v;
  hand_made(&v, "a + b \033[2J\xff \"quoted\"\n", 2);
  char **const texts[] = {&v.files[0].name,
                          &v.functions[0].name,
                          &v.kernels[0].name,
                          &v.test_cases[0].name,
                          &v.test_cases[0].suite,
                          &v.test_cases[1].command_line,
                          &v.device,
                          &v.version,
                          &v.started};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    free(*texts[i]);
    *texts[i] = hostile("x");
  }
  for (unsigned status = 0; status < MUTANT_STATUSES; status++) {
    view_mutant *m = add_by_hand(&v, "+", HOSTILE, (mutant_status)status);
    free(m->operator_name);
    free(m->original);
    free(m->reason);
    m->operator_name = hostile("op");
    m->original = hostile("original");
    m->reason = hostile("reason");
    m->description = status % 2 == 0 ? hostile("description") : NULL;
    m->duplicate_of = status == MUTANT_DUPLICATE ? 0 : MODEL_NONE;
    m->verdicts = mem_calloc(2, sizeof *m->verdicts);
    m->verdicts[0] = (view_verdict){0, 20, 5, 5, 10, 0, false};
    m->verdict_count = status == MUTANT_KILLED || status == MUTANT_UNDECIDED ? 1 : 0;
  }
  v.unstable = mem_calloc(1, sizeof *v.unstable);
  v.unstable[0] = (view_unstable){0, hostile("what"), 0.00001};
  v.unstable_count = 1;
  const report_options options = {.show_missed = true};
  char *text = render("text", &v, &options);
  assert_fits(text, 80);
  assert_lacks(text, "\033");
  assert_lacks(text, "\x01");
  assert_lacks(text, "\xff");
  assert_contains(text, "(0.1 % of its bytes)");
  assert_contains(text, "description\"'\\</script>\xef\xbf\xbd[2J");
  free(text);
  text = render("json", &v, &options);
  assert_follows_schema(text);
  assert_lacks(text, "\xff");
  free(text);
  text = render("stryker", &v, &options);
  json_decref(check_stryker(text));
  assert_lacks(text, "\xff");
  check_published_schema(f, text);
  free(text);
  text = render("lcov", &v, &options);
  free(text);
  view_free(&v);
}

/* The time that this takes is looked at by hand: 0.5 s or so, for all formats. */
static void test_ten_thousand_mutants(void **state) {
  (void)state;
  view v;
  const report_options options = {.show_missed = true};
  hand_made(&v, "", 20);
  free(v.files[0].text);
  v.files[0].length = 200000;
  v.files[0].text = mem_calloc(v.files[0].length + 1, 1);
  memset(v.files[0].text, '+', v.files[0].length);
  for (size_t i = 79; i < v.files[0].length; i += 80) {
    v.files[0].text[i] = '\n';
  }
  v.mutants = NULL;
  for (uint32_t i = 0; i < 10000; i++) {
    if (i % 2 == 0) {
      add_kills(&v, "01000000000000000100");
    } else {
      (void)add_by_hand(&v, "+", "-", MUTANT_SURVIVED);
    }
    view_mutant *m = &v.mutants[i];
    m->offset = i * 20 + 3;
    m->end_offset = m->offset + 1;
    m->line = m->end_line = m->offset / 80 + 1;
    m->column = m->offset % 80 + 1;
    m->end_column = m->column + 1;
  }
  for (const report_writer *w = report_writers; w->name != NULL; w++) {
    char *text = render(w->name, &v, &options);
    if (strcmp(w->name, "text") == 0) {
      assert_int_equal(occurrences(text, " becomes "), 5000);
      assert_int_equal(occurrences(text, "(mutant "), 5000);
      assert_int_equal(occurrences(text, "\n  t"), 19); /* t1 is enough */
    }
    free(text);
  }
  view_free(&v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_mutation_totals),
      TEST(test_reused_verdicts),
      TEST(test_mutants_of_selected_kernels),
      cmocka_unit_test(test_scores_are_rounded),
      TEST(test_superfluous_test_cases),
      cmocka_unit_test(test_superfluous_test_cases_are_found_greedily),
      TEST(test_text_of_mutants),
      TEST(test_text_of_mutants_with_coverage),
      cmocka_unit_test(test_text_of_a_run_without_mutants),
      cmocka_unit_test(test_long_lists_are_cut),
      cmocka_unit_test(test_diffs),
      TEST(test_json_of_mutants),
      TEST(test_stryker),
      cmocka_unit_test(test_stryker_columns),
      TEST(test_hostile_mutants),
      cmocka_unit_test(test_ten_thousand_mutants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
