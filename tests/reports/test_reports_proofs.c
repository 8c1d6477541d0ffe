/* Proofs in the reports: every format says verdict, preconditions and counterexample. */
/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "reports/common/coverage.h"
#include "reports/common/report.h"
#include "reports/compare/diff.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/proof_fixture.h"
#include "tests/fixtures/report_checks.h"
#include "tests/fixtures/xml_check.h"

static const report_options plain = {0};

/* The view of the run of `verify` alone. */
static view proofs_of(fixture *f) {
  error e;
  view v;
  const int64_t run = fixture_proofs(f->d);
  OK(db_load(f->d, &run, 1, &v, &e));
  return v;
}

static void pass_over(const xml_element *e, void *context) {
  (void)e;
  (void)context;
}

/* --- counts ---------------------------------------------------------------------------------------------------- */

static void test_totals(void **state) {
  view v = proofs_of(*state);
  verification all;
  coverage c;
  const char *scan[] = {"scan"};
  const report_options only_scan = {.kernels = {.wanted = {scan, 1, 1}}};
  verification_totals(&v, &plain, &all);
  assert_int_equal(all.kernels, 3);
  assert_int_equal(all.of[PROOF_VERIFIED], 1);
  assert_int_equal(all.of[PROOF_DIVERGENCE], 1);
  assert_int_equal(all.of[PROOF_OUT_OF_BOUNDS], 1);
  assert_int_equal(all.suppressed, 0);
  coverage_total(&v, &plain, &c);
  ASSERT_METRICS(&c, {"verified", 1, 3});
  coverage_total(&v, &only_scan, &c);
  ASSERT_METRICS(&c, {"verified", 0, 1});
  assert_true(report_measures(&v, "verified"));
  assert_false(report_measures(&v, "line")); /* nothing was run */
  assert_int_equal(verification_confirmed(&v, PROOF_OF_ROWS), CONFIRMED_YES);
  assert_int_equal(verification_confirmed(&v, PROOF_OF_SCAN), CONFIRMED_NOT_LAUNCHABLE);
  assert_int_equal(verification_confirmed(&v, PROOF_OF_CONV), CONFIRMED_UNKNOWN);
  view_free(&v);
}

/* A kernel that is built with two sets of options has two proofs, and is one kernel: as good as the worse of them. */
static void test_options(void **state) {
  view v = proofs_of(*state);
  verification all;
  db_proof *rows = &v.proofs[PROOF_OF_ROWS];
  rows->name = v.proofs[PROOF_OF_CONV].name;
  rows->line = v.proofs[PROOF_OF_CONV].line;
  verification_totals(&v, &plain, &all);
  assert_int_equal(all.kernels, 2);
  assert_int_equal(all.of[PROOF_VERIFIED], 0);
  assert_int_equal(all.of[PROOF_DIVERGENCE], 1);
  assert_int_equal(all.of[PROOF_OUT_OF_BOUNDS], 1);
  rows->line++; /* another kernel of that name */
  verification_totals(&v, &plain, &all);
  assert_int_equal(all.kernels, 3);
  view_free(&v);
}

/* One of the two findings of scan leaves its proof where it is; both take it out of the counts. */
static void test_suppressed(void **state) {
  view v = proofs_of(*state);
  verification all;
  char race[] = "race";
  char outside[] = "out-of-bounds";
  char why[] = "looked at";
  const suppression both[] = {{.rule = race, .reason = why}, {.rule = outside, .reason = why}};
  suppress_apply(&v, both, 1);
  verification_totals(&v, &plain, &all);
  assert_int_equal(all.of[PROOF_OUT_OF_BOUNDS], 1);
  suppress_apply(&v, both, 2);
  verification_totals(&v, &plain, &all);
  assert_int_equal(all.of[PROOF_OUT_OF_BOUNDS], 0);
  assert_int_equal(all.suppressed, 1);
  assert_int_equal(all.kernels, 3);
  char *text = render("text", &v, &plain);
  assert_contains(text, "1 of 3 kernels verified, 1 divergence, 1 suppressed\n");
  assert_lacks(text, "src/scan.cl:5:3");
  free(text);
  text = render("junit", &v, &plain);
  xml_check(text, pass_over, NULL);
  assert_contains(text,
                  "skipped message=\"out-of-bounds: the race depends on contents of index; suppressed: looked at\"");
  free(text);
  view_free(&v);
}

static void test_threshold(void **state) {
  view v = proofs_of(*state);
  coverage c;
  const report_threshold half = {"verified", 50};
  buffer words = {0};
  coverage_total(&v, &plain, &c);
  assert_true(threshold_below(&half, &c));
  threshold_say(&half, &c, &words);
  assert_string_equal(buffer_text(&words), "verified share is 33.3 % (1 of 3), below 50 %");
  buffer_free(&words);
  view_free(&v);
}

/* --- text ------------------------------------------------------------------------------------------------------ */

static void test_text(void **state) {
  view v = proofs_of(*state);
  char *text = render("text", &v, &plain);
  assert_fits(text, 80);
  assert_contains(text,
                  "conv2d                verified            for all 2 launches seen, and for all\n"
                  "                                          others if n == get_global_size(0) and\n"
                  "                                          n > 2\n");
  assert_contains(text, "reduce_rows           divergence          see below\n");
  assert_contains(text, "scan                  out-of-bounds       the race depends on contents of index\n");
  assert_contains(text, "1 of 3 kernels verified, 1 divergence, 1 out-of-bounds\n");
  assert_contains(text, "  conv2d: no overflow of signed arithmetic\n");
  assert_contains(text,
                  "  src/conv.cl:27: conv2d: this barrier\n    27 |     barrier(CLK_LOCAL_MEM_FENCE);\n"
                  "       |     ^\n");
  assert_lacks(text, "src/conv.cl:26: conv2d"); /* a barrier of which nothing is known */
  assert_contains(text, "  src/conv.cl:8: conv2d: k >= 0\n");
  assert_contains(
      text,
      "src/scan.cl:5:3: possible data race in kernel scan: work-items 3 and 4 of\n    work-group 0 meet at a[12]\n");
  assert_contains(text,
                  "  src/scan.cl:5:3: first write by work-item 3 of work-group 0\n     5 |   a[i] = i;\n"
                  "       |   ^\n");
  assert_contains(text,
                  "  src/common.h:4:10: second read by work-item 4 of work-group 0, where i < n\n"
                  "     4 |   return i < n ? i : n - 1;\n       |          ^\n  src/scan.cl:3:11: called here\n");
  assert_contains(text,
                  "  path of work-item 4 of work-group 0:\n    src/common.h:2:7: condition of the if is false\n"
                  "    src/common.h:4:12: condition of the ?: is true\n");
  assert_contains(text, "  with array: a; element: 12\n  it may be impossible: it depends on contents of index\n");
  assert_contains(text, "  cannot be launched on the device: a work-group of 65 is larger than the\n    device's\n");
  assert_contains(text, "decision of work-item (0, 1) of work-group (2, 0), where n\n    > 1 is true\n");
  assert_contains(text, "  confirmed on the device\n");
  assert_lacks(text, "Coverage");
  free(text);
  view_free(&v);
}

/* With coverage on the same sources both are there. */
static void test_beside_coverage(void **state) {
  fixture *f = *state;
  error e;
  view v;
  (void)fixture_proofs(f->d);
  OK(db_load(f->d, NULL, 0, &v, &e));
  assert_int_equal(v.run_count, 2);
  char *text = render("text", &v, &plain);
  assert_contains(text, "Verification of run 2\n");
  assert_contains(text, "Coverage of run 1: 2 test cases");
  free(text);
  view_free(&v);
}

/* --- json, sarif ------------------------------------------------------------------------------------------------- */

static json_t *parse(const char *format, const view *v) {
  char *text = render(format, v, &plain);
  json_error_t problem;
  if (strcmp(format, "json") == 0) assert_follows_schema(text);
  json_t *root = json_loads(text, 0, &problem);
  assert_non_null(root);
  free(text);
  return root;
}

static void test_json(void **state) {
  view v = proofs_of(*state);
  json_t *root = parse("json", &v);
  const json_t *all = json_object_get(root, "verification");
  assert_int_equal(integer_at(all, "kernels"), 3);
  assert_int_equal(integer_at(all, "verified"), 1);
  assert_int_equal(integer_at(all, "out_of_bounds"), 1);
  const json_t *proofs = json_object_get(root, "proofs");
  assert_int_equal(json_array_size(proofs), 3);
  const json_t *conv = json_array_get(proofs, PROOF_OF_CONV);
  assert_string_equal(string_at(conv, "verdict"), "verified");
  assert_string_equal(string_at(conv, "file"), "src/conv.cl");
  assert_string_equal(json_string_value(json_array_get(json_object_get(conv, "preconditions"), 1)), "n > 2");
  assert_int_equal(integer_at(json_object_get(conv, "launches"), "given"), 2);
  assert_true(json_is_null(json_object_get(conv, "confirmed")));
  const json_t *barriers = json_object_get(conv, "barriers");
  assert_true(json_is_false(json_object_get(json_array_get(barriers, 0), "needed")));
  assert_true(json_is_null(json_object_get(json_array_get(barriers, 1), "needed")));
  assert_true(json_is_true(json_object_get(json_array_get(proofs, PROOF_OF_ROWS), "confirmed")));
  assert_true(json_is_null(json_object_get(json_array_get(proofs, PROOF_OF_ROWS), "launches")));
  const json_t *race = json_array_get(json_object_get(root, "findings"), 0);
  assert_true(json_is_false(json_object_get(race, "definite")));
  assert_null(json_object_get(race, "confirmed"));
  const json_t *second = json_array_get(json_object_get(race, "places"), 1);
  assert_int_equal(json_integer_value(json_array_get(json_object_get(second, "local"), 0)), 4);
  assert_int_equal(json_array_size(json_object_get(second, "group")), 3);
  assert_string_equal(string_at(second, "condition"), "i < n");
  assert_int_equal(integer_at(json_array_get(json_object_get(second, "inlined"), 0), "column"), 11);
  const json_t *step = json_array_get(json_object_get(race, "path"), 1);
  assert_int_equal(integer_at(step, "thread"), 2);
  assert_string_equal(string_at(step, "text"), "condition of the if is false");
  json_decref(root);
  view_free(&v);
}

static const json_t *steps_of(const json_t *result, size_t thread) {
  const json_t *flow = json_array_get(json_object_get(result, "codeFlows"), 0);
  return json_object_get(json_array_get(json_object_get(flow, "threadFlows"), thread), "locations");
}

static const char *words_of(const json_t *steps, size_t i) {
  const json_t *location = json_object_get(json_array_get(steps, i), "location");
  return string_at(json_object_get(location, "message"), "text");
}

static void test_sarif(void **state) {
  view v = proofs_of(*state);
  json_t *root = parse("sarif", &v);
  const json_t *results = json_object_get(json_array_get(json_object_get(root, "runs"), 0), "results");
  assert_int_equal(json_array_size(results), 3);
  const json_t *race = json_array_get(results, 0);
  assert_string_equal(string_at(race, "ruleId"), "data-race");
  assert_string_equal(string_at(race, "level"), "warning");
  assert_int_equal(json_array_size(steps_of(race, 0)), 2); /* a step and the write */
  const json_t *second = steps_of(race, 1);
  assert_int_equal(json_array_size(second), 4); /* two steps, the call, the read */
  assert_string_equal(words_of(second, 0), "condition of the if is false");
  assert_string_equal(words_of(second, 2), "call");
  assert_string_equal(words_of(second, 3), "second read by work-item 4 of work-group 0, where i < n");
  const json_t *outside = json_array_get(results, 1);
  assert_string_equal(string_at(outside, "ruleId"), "out-of-bounds");
  assert_string_equal(string_at(outside, "level"), "error");
  json_decref(root);
  view_free(&v);
}

/* --- others ------------------------------------------------------------------------------------------------------ */

static void test_junit(void **state) {
  view v = proofs_of(*state);
  char *text = render("junit", &v, &plain);
  xml_check(text, pass_over, NULL);
  assert_contains(text, "<testsuite name=\"cltestcheck.proofs\" tests=\"3\" failures=\"2\" errors=\"0\" skipped=\"0\"");
  assert_contains(text, "<testcase classname=\"src/conv.cl\" name=\"conv2d\"/>");
  assert_contains(text,
                  "<failure message=\"divergence: work-items of work-group 2 disagree about the loop around this "
                  "barrier\" type=\"divergence\">");
  assert_lacks(text, "cltestcheck.findings"); /* the kernel's test case says it */
  free(text);
  view_free(&v);
}

static void test_github(void **state) {
  view v = proofs_of(*state);
  v.proofs[PROOF_OF_CONV].verdict = "unknown";
  v.proofs[PROOF_OF_CONV].reason = "30 s were not enough";
  char *text = render("github", &v, &plain);
  assert_contains(text, "::error file=src/scan.cl,line=5,col=3,endColumn=12,title=Out of bounds in kernel scan::");
  assert_contains(text,
                  "::warning file=src/scan.cl,line=5,col=3,endColumn=12,title=Possible data race in kernel scan::");
  assert_contains(text,
                  "::notice file=src/conv.cl,line=3,title=Kernel conv2d is not verified::unknown: 30 s were not "
                  "enough\n");
  free(text);
  view_free(&v);
}

static void test_markdown(void **state) {
  view v = proofs_of(*state);
  char *text = render("markdown", &v, &plain);
  assert_contains(text, "## cltestcheck: verification\n\nRun 2.\n");
  assert_contains(text, "| verified | 1 | 3 | 33.3 % |");
  assert_contains(text,
                  "| `conv2d` | `src/conv.cl:3` | verified | for all 2 launches seen, and for all others if n == "
                  "get&#95;global&#95;size(0) and n &#62; 2 |\n");
  assert_contains(text, "| `reduce_rows` | `src/conv.cl:19` | **divergence** |");
  assert_contains(text, "- **Possible data race in kernel scan**, `src/scan.cl:5`: ");
  assert_contains(text, "```text\nsrc/scan.cl:5:3: first write by work-item 3 of work-group 0\n");
  free(text);
  view_free(&v);
}

/* --- the page ---------------------------------------------------------------------------------------------------- */

static void test_html(void **state) {
  view v = proofs_of(*state);
  char *page = render("html", &v, &plain);
  assert_contains(page, "<title>src/conv.cl, src/scan.cl, ");
  assert_contains(page, "</b> kernels verified <small>1/3</small>");
  assert_contains(page, "<td data-c=\"Proof\"><a class=\"st sk\" href=\"#proofs\">verified</a>");
  assert_contains(page,
                  "<td data-c=\"Holds, or why not\">for all 2 launches seen, and for all others if n == "
                  "get_global_size(0) and n &gt; 2<br>Rests on: no overflow of signed arithmetic<br>");
  assert_contains(page, "<br>No race without the barrier at <a href=\"#f0-27\">conv.cl:27</a>");
  assert_contains(page, "<span class=\"st su\">possible data race</span> in kernel scan</h3>");
  assert_contains(page,
                  "<p><a href=\"#f1-4\">common.h:4</a>: second read by work-item 4 of work-group 0, where i &lt; n\n"
                  "<pre class=x><b>4</b>   return i &lt; n");
  assert_contains(page, "<p>Path of work-item 4 of work-group 0:\n<ol>\n<li>");
  assert_contains(page, "<p>Confirmed on the device\n");
  /* at the lines: the verdict at the kernel's, the race at both accesses */
  assert_int_equal(occurrences(page, "<div class=q><a class=\"st sk\" href=\"#proofs\">verified</a></div>"), 1);
  assert_int_equal(occurrences(page, "<div class=q><a class=\"st su\" href=\"#d0\">possible data race</a>"), 2);
  assert_lacks(page, "<h3 id=coverage>");
  free(page);
  view_free(&v);
}

/* Whatever the parts of a proof hold, it stays text. */
static void test_hostile(void **state) {
  static const char *const formats[] = {"html", "junit", "markdown"};
  view v = proofs_of(*state);
  char *const attack = "<script>alert(1)</script>";
  const void *const texts[] = {
      &v.proofs[PROOF_OF_CONV].name,
      &v.proofs[PROOF_OF_CONV].parts[PROOF_PRECONDITION].list[0].text,
      &v.proofs[PROOF_OF_CONV].parts[PROOF_ASSUMPTION].list[0].text,
      &v.proofs[PROOF_OF_SCAN].reason,
      &v.findings[0].places[1].condition,
      &v.findings[0].places[1].local,
      &v.findings[0].path[0].text,
      &v.findings[0].witness[0].value,
      &v.findings[1].confirmation,
  };
  const char *text_of_attack = attack;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    memcpy((void *)texts[i], &text_of_attack, sizeof text_of_attack);
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
    char *text = render(formats[i], &v, &plain);
    if (strcmp(formats[i], "markdown") == 0) /* in a block of code it is one */
      assert_lacks(text, "| <script>");
    else
      assert_lacks(text, attack);
    free(text);
  }
  view_free(&v);
}

/* --- what changed ------------------------------------------------------------------------------------------------ */

static char *compared(const view *old, const view *new, const char *format, bool *worse) {
  char *text = NULL;
  size_t length = 0;
  error e;
  diff d;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  diff_make(old, new, &plain, &d);
  d.old_name = "old";
  d.new_name = "new";
  *worse = diff_is_worse(&d);
  OK(diff_find(format)->write(&d, &plain, out, &e));
  diff_free(&d);
  assert_int_equal(fclose(out), 0);
  return text;
}

static void set_verdict(view *v, size_t proof, const char *verdict) { v->proofs[proof].verdict = verdict; }

static void test_diff(void **state) {
  fixture *f = *state;
  view old = proofs_of(f);
  error e;
  view new;
  bool worse;
  OK(db_load(f->d, &old.run, 1, &new, &e));
  char *text = compared(&old, &new, "text", &worse);
  assert_contains(text, "Worse: nothing. Better: nothing.");
  assert_false(worse);
  free(text);
  set_verdict(&new, PROOF_OF_CONV, "unknown");
  set_verdict(&new, PROOF_OF_ROWS, "verified");
  new.findings[0].possible = false; /* the possible race is a definite one now */
  text = compared(&old, &new, "text", &worse);
  assert_true(worse);
  assert_contains(text, "Worse: 1 finding, 1 proof. Better: 1 finding, 1 proof.");
  assert_contains(text, "\nKernels newly not verified: 1\n  src/conv.cl:3: conv2d: unknown, was verified\n");
  assert_contains(text,
                  "\nKernels newly verified: 1\n  src/conv.cl:19: reduce_rows: verified, was divergence: for all "
                  "sizes and arguments\n");
  assert_contains(text, "verified            33.3 %     33.3 %\n");
  free(text);
  text = compared(&old, &new, "json", &worse);
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  assert_non_null(root);
  assert_true(json_is_true(json_object_get(json_object_get(root, "compared"), "proofs")));
  assert_int_equal(integer_at(json_object_get(root, "worse"), "proofs"), 1);
  json_decref(root);
  free(text);
  text = compared(&old, &f->v, "text", &worse); /* with a run of coverage */
  assert_contains(text, "Not compared, as not both have it: coverage, mutants, schedules, proofs\n");
  assert_false(worse);
  free(text);
  view_free(&old);
  view_free(&new);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_totals),          TEST(test_options), TEST(test_suppressed), TEST(test_threshold), TEST(test_text),
      TEST(test_beside_coverage), TEST(test_json),    TEST(test_sarif),      TEST(test_junit),     TEST(test_github),
      TEST(test_markdown),        TEST(test_html),    TEST(test_hostile),    TEST(test_diff),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
