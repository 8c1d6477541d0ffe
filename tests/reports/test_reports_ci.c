/* Formats for CI: structure by readers of our own, figures by hand, text that is hostile. */
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

#include "base/buffer.h"
#include "base/memory.h"
#include "tests/fixtures/add_finding.h"
#include "tests/fixtures/amplify_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_checks.h"
#include "tests/fixtures/xml_check.h"

static const report_options plain = {0};

static void load(fixture *f, int64_t run, view *v) {
  error e;
  OK(db_load(f->d, &run, 1, v, &e));
}

static json_t *parse(const char *text) {
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  if (root == NULL) fail_msg("not JSON: %s at line %d", problem.text, problem.line);
  return root;
}

/* --- cobertura ----------------------------------------------------------------------------------------------- */

/* As coverage-04.dtd has it. */
static const xml_rule cobertura_rules[] = {
    {"coverage", "",
     "line-rate branch-rate lines-covered lines-valid branches-covered branches-valid complexity version timestamp"},
    {"sources", "coverage", ""},
    {"source", "sources", ""},
    {"packages", "coverage", ""},
    {"package", "packages", "name line-rate branch-rate complexity"},
    {"classes", "package", ""},
    {"class", "classes", "name filename line-rate branch-rate complexity"},
    {"methods", "class", ""},
    {"method", "methods", "name signature line-rate branch-rate complexity"},
    {"lines", "class method", ""},
    {"line", "lines", "number hits branch? condition-coverage?"},
    {"conditions", "line", ""},
    {"condition", "conditions", "number type coverage"},
    {NULL, NULL, NULL},
};

/* What the lines of classes add up to, against what the root says. */
typedef struct cobertura_sums {
  bool in_method;
  unsigned lines, hit, outcomes, taken, classes;
  unsigned lines_valid, lines_covered, branches_valid, branches_covered;
} cobertura_sums;

static unsigned number_of(const xml_element *e, const char *attribute) {
  return (unsigned)strtoul(xml_get(e, attribute), NULL, 10);
}

static void sum_cobertura(const xml_element *e, void *context) {
  cobertura_sums *s = context;
  if (strcmp(e->name, "coverage") == 0) {
    s->lines_valid = number_of(e, "lines-valid");
    s->lines_covered = number_of(e, "lines-covered");
    s->branches_valid = number_of(e, "branches-valid");
    s->branches_covered = number_of(e, "branches-covered");
  } else if (strcmp(e->name, "lines") == 0) {
    s->in_method = strcmp(e->parent, "method") == 0;
  } else if (strcmp(e->name, "class") == 0) {
    s->classes++;
  } else if (strcmp(e->name, "line") == 0 && !s->in_method) {
    unsigned percent, taken, outcomes;
    s->lines++;
    s->hit += number_of(e, "hits") > 0 ? 1 : 0;
    if (strcmp(xml_get(e, "branch"), "true") == 0) {
      assert_int_equal(sscanf(xml_get(e, "condition-coverage"), "%u%% (%u/%u)", &percent, &taken, &outcomes), 3);
      assert_int_equal(percent, taken * 100 / outcomes);
      s->taken += taken;
      s->outcomes += outcomes;
    }
  }
}

static void test_cobertura(void **state) {
  fixture *f = *state;
  cobertura_sums s = {0};
  char *text = render("cobertura", &f->v, &plain);
  xml_follows(text, cobertura_rules);
  xml_check(text, sum_cobertura, &s);
  /* lines and outcomes as counted by hand for the totals of test_reports.c */
  assert_int_equal(s.lines, 22);
  assert_int_equal(s.hit, 12);
  assert_int_equal(s.outcomes, 11);
  assert_int_equal(s.taken, 5);
  assert_int_equal(s.classes, 3);
  assert_int_equal(s.lines_valid, 22);
  assert_int_equal(s.lines_covered, 12);
  assert_int_equal(s.branches_valid, 11);
  assert_int_equal(s.branches_covered, 5);
  assert_contains(text, "<coverage line-rate=\"0.545455\" branch-rate=\"0.454545\"");
  assert_contains(text, "<package name=\"src\" line-rate=\"0.545455\"");
  assert_contains(text, "<class name=\"conv.cl\" filename=\"src/conv.cl\"");
  assert_contains(text, "<method name=\"reduce_rows\" signature=\"kernel\" line-rate=\"0\" branch-rate=\"0\"");
  assert_contains(text,
                  "<line number=\"6\" hits=\"2\" branch=\"true\" condition-coverage=\"50% (1/2)\"><conditions>"
                  "<condition number=\"0\" type=\"jump\" coverage=\"50%\"/></conditions></line>");
  assert_contains(text, "type=\"switch\" coverage=\"0%\"");
  free(text);
  const report_options scan = {.kernels = {.wanted = {(const char *[]){"scan"}, 1, 1}}};
  text = render("cobertura", &f->v, &scan);
  xml_follows(text, cobertura_rules);
  assert_lacks(text, "conv.cl");
  free(text);
}

/* --- junit --------------------------------------------------------------------------------------------------- */

/* What we write of junit-10.xsd, which knows no `skipped` of the whole and no `file` of a test case. */
static const xml_rule junit_rules[] = {
    {"testsuites", "", "name tests failures errors"},
    {"testsuite", "testsuites", "name tests failures errors skipped timestamp?"},
    {"testcase", "testsuite", "classname name"},
    {"failure", "testcase", "message type"},
    {"skipped", "testcase", "message"},
    {NULL, NULL, NULL},
};

typedef struct junit_sums {
  unsigned tests, failures, skipped;
} junit_sums;

static void sum_junit(const xml_element *e, void *context) {
  junit_sums *s = context;
  s->tests += strcmp(e->name, "testcase") == 0 ? 1 : 0;
  s->failures += strcmp(e->name, "failure") == 0 ? 1 : 0;
  s->skipped += strcmp(e->name, "skipped") == 0 ? 1 : 0;
}

/* Checks the report and what it adds up to; `text` is freed. */
static void assert_junit(char *text, unsigned tests, unsigned failures, unsigned skipped) {
  junit_sums s = {0};
  char head[128];
  xml_follows(text, junit_rules);
  xml_check(text, sum_junit, &s);
  assert_int_equal(s.tests, tests);
  assert_int_equal(s.failures, failures);
  assert_int_equal(s.skipped, skipped);
  (void)snprintf(head, sizeof head, "<testsuites name=\"cltestcheck\" tests=\"%u\" failures=\"%u\" errors=\"0\">",
                 tests, failures);
  assert_contains(text, head);
  free(text);
}

/* small passes, large fails; barrier-divergence; of conv2d, reduce_rows, scan and the total, only scan has 80 % lines.
 */
static void test_junit_of_coverage(void **state) {
  fixture *f = *state;
  assert_junit(render("junit", &f->v, &plain), 3, 2, 0);
  const report_threshold lines = {"line", 80};
  const report_options options = {.thresholds = &lines, .threshold_count = 1};
  assert_junit(render("junit", &f->v, &options), 3 + 4, 2 + 3, 0);
  char *text = render("junit", &f->v, &options);
  assert_contains(text, "line coverage is 54.5 % (12 of 22), below 80 %");
  free(text);
}

/* 3 test cases and 15 mutants: 2 survived, 1 undecided, 3 not covered; 5 without a verdict (report_fixture.c). */
static void test_junit_of_mutants(void **state) {
  fixture *f = *state;
  view v;
  load(f, fixture_mutation(f->d, 0, 1), &v);
  assert_junit(render("junit", &v, &plain), 3 + 15, 6, 5);
  view_free(&v);
}

static void test_junit_of_schedules(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  view v;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.conv.kernels[0], 0, 32, "");
  (void)amplify_schedule(&a, launch, "first", 7, "...");
  (void)amplify_schedule(&a, launch, "first", 12, ".x.");
  (void)amplify_schedule(&a, launch, "reverse", 0, "ooo");
  (void)amplify_schedule(&a, launch, "random", 5, ".D.");
  int64_t meant = amplify_launch(&a, a.scan.kernels[0], 0, 32, "");
  (void)amplify_schedule_meant(&a, meant, "reverse", 0, "xxx");
  amplify_end(&a);
  load(f, a.run, &v);
  assert_junit(render("junit", &v, &plain), 1 + 5, 2, 2);
  v.launches[0].schedules[1].suppressed = "benign";
  char *text = render("junit", &v, &plain);
  assert_contains(text, "<skipped message=\"benign\"/>");
  assert_junit(text, 1 + 5, 1, 3);
  view_free(&v);
}

/* --- sarif --------------------------------------------------------------------------------------------------- */

static void assert_location(const json_t *location) {
  const json_t *physical = json_object_get(location, "physicalLocation");
  const json_t *region = json_object_get(physical, "region");
  const char *uri = string_at(json_object_get(physical, "artifactLocation"), "uri");
  assert_true(strlen(uri) > 0 && strpbrk(uri, " \"<>\\^`{|}") == NULL);
  assert_true(integer_at(region, "startLine") >= 1 && integer_at(region, "startColumn") >= 1);
  assert_true(integer_at(region, "endLine") >= integer_at(region, "startLine"));
  if (integer_at(region, "endLine") == integer_at(region, "startLine"))
    assert_true(integer_at(region, "endColumn") >= integer_at(region, "startColumn"));
}

/* What GitHub requires of rules and results; returns the results, lent. */
static const json_t *sarif_results(const json_t *root) {
  size_t i;
  const json_t *item;
  assert_string_equal(string_at(root, "version"), "2.1.0");
  const json_t *run = json_array_get(json_object_get(root, "runs"), 0);
  const json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
  const json_t *rules = json_object_get(driver, "rules");
  assert_string_equal(string_at(driver, "name"), "cltestcheck");
  assert_string_equal(string_at(run, "columnKind"), "utf16CodeUnits");
  json_array_foreach(rules, i, item) {
    assert_true(strlen(string_at(json_object_get(item, "help"), "text")) > 0);
    assert_true(strlen(string_at(json_object_get(item, "help"), "markdown")) > 0);
    assert_in_range(strlen(string_at(json_object_get(item, "shortDescription"), "text")), 1, 1024);
    assert_in_range(strlen(string_at(json_object_get(item, "fullDescription"), "text")), 1, 1024);
    assert_in_range(strlen(string_at(item, "name")), 1, 255);
  }
  const json_t *results = json_object_get(run, "results");
  json_array_foreach(results, i, item) {
    const json_t *rule = json_array_get(rules, (size_t)integer_at(item, "ruleIndex"));
    assert_string_equal(string_at(rule, "id"), string_at(item, "ruleId"));
    assert_true(strlen(string_at(json_object_get(item, "message"), "text")) > 0);
    assert_int_equal(json_array_size(json_object_get(item, "locations")), 1);
    assert_location(json_array_get(json_object_get(item, "locations"), 0));
    (void)string_at(json_object_get(item, "partialFingerprints"), "primaryLocationLineHash");
  }
  return results;
}

static const json_t *region_of(const json_t *result) {
  const json_t *location = json_array_get(json_object_get(result, "locations"), 0);
  return json_object_get(json_object_get(location, "physicalLocation"), "region");
}

static void test_sarif_of_a_finding(void **state) {
  fixture *f = *state;
  char *text = render("sarif", &f->v, &plain);
  json_t *root = parse(text);
  const json_t *results = sarif_results(root);
  assert_int_equal(json_array_size(results), 1);
  const json_t *result = json_array_get(results, 0);
  assert_string_equal(string_at(result, "ruleId"), "barrier-divergence");
  assert_string_equal(string_at(result, "level"), "error");
  /* `  barrier(CLK_LOCAL_MEM_FENCE);` */
  assert_int_equal(integer_at(region_of(result), "startLine"), 4);
  assert_int_equal(integer_at(region_of(result), "startColumn"), 3);
  assert_int_equal(integer_at(region_of(result), "endColumn"), 32);
  assert_null(json_object_get(result, "suppressions"));
  assert_contains(text, "\"uri\": \"src/scan.cl\", \"uriBaseId\": \"%SRCROOT%\"");
  json_decref(root);
  free(text);
  f->v.findings[0].suppressed = "looked at";
  text = render("sarif", &f->v, &plain);
  root = parse(text);
  const json_t *suppressed = json_object_get(json_array_get(sarif_results(root), 0), "suppressions");
  assert_string_equal(string_at(json_array_get(suppressed, 0), "kind"), "external");
  assert_string_equal(string_at(json_array_get(suppressed, 0), "justification"), "looked at");
  json_decref(root);
  free(text);
}

static void test_sarif_of_mutants(void **state) {
  fixture *f = *state;
  view v;
  load(f, fixture_mutation(f->d, 0, 1), &v);
  char *text = render("sarif", &v, &plain);
  json_t *root = parse(text);
  const json_t *results = sarif_results(root);
  size_t i;
  const json_t *item;
  assert_int_equal(json_array_size(results), 3); /* 2 survived, 1 undecided */
  json_array_foreach(results, i, item) { assert_string_equal(string_at(item, "level"), "note"); }
  json_decref(root);
  free(text);
  view_free(&v);
}

static void test_sarif_of_a_race(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  view v;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.conv.kernels[0], 0, 32, "");
  int64_t other = amplify_schedule(&a, launch, "first", 3, "...");
  int64_t race = amplify_schedule(&a, launch, "first", 12, ".x.");
  static const db_explained written[] = {{.role = "write", .line = 13}, {.role = "write", .line = 15}};
  amplify_explain(&a, race,
                  &(db_explanation){.why = {.kind = "memory", .unit = "element", .rest = "others", .race = "unknown"},
                                    .places = written,
                                    .place_count = 2,
                                    .other = other,
                                    .argument = "out",
                                    .differing = 1,
                                    .reference = "1",
                                    .seen = "2",
                                    .file_name = "src/conv.cl",
                                    .line = 13,
                                    .unfinished = ""});
  amplify_end(&a);
  load(f, a.run, &v);
  char *text = render("sarif", &v, &plain);
  json_t *root = parse(text);
  const json_t *result = json_array_get(sarif_results(root), 0);
  assert_string_equal(string_at(result, "ruleId"), "race");
  const json_t *related = json_object_get(result, "relatedLocations");
  assert_int_equal(json_array_size(related), 2);
  static const json_int_t lines[] = {13, 15};
  for (size_t i = 0; i < 2; i++) {
    const json_t *location = json_array_get(related, i);
    assert_location(location);
    assert_int_equal(integer_at(location, "id"), i + 1);
    assert_int_equal(integer_at(json_object_get(json_object_get(location, "physicalLocation"), "region"), "startLine"),
                     lines[i]);
  }
  assert_contains(string_at(json_object_get(result, "message"), "text"), "[with group 3 first](1)");
  assert_contains(
      string_at(json_object_get(result, "message"), "text"),
      "out[0] is 1 with group 3 first, ticket gate, and 2 with group 12 first, ticket gate; written at lines "
      "13, 15 and others; whether accesses of it race is not known: there was no time to check them");
  const json_t *flows = json_object_get(json_array_get(json_object_get(result, "codeFlows"), 0), "threadFlows");
  assert_int_equal(json_array_size(flows), 2);
  assert_string_equal(string_at(json_array_get(flows, 0), "id"), "group 3 first");
  assert_string_equal(string_at(json_array_get(flows, 1), "id"), "group 12 first");
  assert_int_equal(json_array_size(json_object_get(json_array_get(flows, 1), "locations")), 2);
  json_decref(root);
  free(text);
  view_free(&v);
}

/* Both accesses that checks have seen follow the two orders. */
static void test_sarif_of_racing_accesses(void **state) {
  fixture *f = *state;
  amplify_fixture a;
  error e;
  view v;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.conv.kernels[0], 0, 32, "");
  int64_t race = amplify_schedule(&a, launch, "first", 12, ".x.");
  amplify_explain(&a, race, &(db_explanation){.text = "out[0] is 1", .file_name = "src/conv.cl", .line = 13});
  const db_place places[] = {{.role = "first", .access = "write", .line = 13, .column = 1, .group = "0"},
                             {.role = "second", .access = "read", .line = 15, .column = 1, .group = "4"}};
  const db_finding finding = {.of.run = a.run,
                              .of.test_case = a.test,
                              .of.program = a.conv.id,
                              .of.kernel = a.conv.kernels[0],
                              .rule = "data-race",
                              .message = "out[0]",
                              .places = places,
                              .place_count = 2};
  OK(db_put_finding(f->d, &finding, &e));
  int64_t ordered = amplify_launch(&a, a.scan.kernels[0], 0, 32, "");
  const db_schedule last = {
      .order = "last", .gate = "ticket", .target = 7, .verdict = "order-dependent", .outcomes = "x"};
  OK(db_put_schedule(f->d, ordered, &last, &race, &e));
  amplify_end(&a);
  load(f, a.run, &v);
  char *text = render("sarif", &v, &plain);
  json_t *root = parse(text);
  const json_t *results = sarif_results(root), *result = json_array_get(results, 0);
  assert_int_equal(json_array_size(results), 2);
  const json_t *related = json_object_get(result, "relatedLocations");
  assert_int_equal(json_array_size(related), 4);
  assert_int_equal(integer_at(json_array_get(related, 3), "id"), 4);
  assert_contains(string_at(json_object_get(json_array_get(related, 3), "message"), "text"), "read by work-group 4");
  assert_contains(string_at(json_object_get(result, "message"), "text"), "Race: [write](3) and [read](4).");
  assert_string_equal(string_at(json_array_get(results, 1), "ruleId"), "order-dependent");
  assert_string_equal(string_at(json_array_get(results, 1), "level"), "warning");
  json_decref(root);
  free(text);
  assert_junit(render("junit", &v, &plain), 1 + 2, 1, 1);
  view_free(&v);
}

/* The fingerprints of the mutants `x = a + b` of a kernel that stands after some text. */
static void fingerprints_behind(fixture *f, const char *before, char prints[2][64]) {
  error e;
  int64_t run, test, ids[2];
  db_program p;
  view v;
  buffer source = {0};
  buffer_printf(&source, "%skernel void k(int a, int b) {\n  a = a + b;\n  a = a + b;\n}\n", before);
  model m = {.options = mem_strdup("")};
  uint32_t file = fixture_file(&m, "k.cl", buffer_text(&source));
  uint32_t function = fixture_function(&m, file, "k", "kernel", "}", true);
  uint32_t kernel = 0;
  uint32_t line = fixture_line_of(&m, file, "a = a + b");
  uint32_t offset = (uint32_t)(strstr(buffer_text(&source), "+ b") - buffer_text(&source));
  db_mutant mutants[2];
  for (uint32_t i = 0; i < 2; i++) {
    mutants[i] = (db_mutant){.id = 1 + i,
                             .operator_name = "arith",
                             .file = file,
                             .function = function,
                             .line = line + i,
                             .column = 9,
                             .offset = offset + 13 * i,
                             .end_line = line + i,
                             .end_column = 10,
                             .end_offset = offset + 13 * i + 1,
                             .original = "+",
                             .replacement = "-",
                             .kernels = &kernel,
                             .kernel_count = 1};
  }
  OK(db_begin_run(f->d, "mutate", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_begin_test_case(f->d, run, "", "t", "", &test, &e));
  OK(db_add_mutants(f->d, &p, &m, mutants, 2, ids, &e));
  OK(db_set_mutant(f->d, run, ids[0], MUTANT_SURVIVED, "", 0, &e));
  OK(db_set_mutant(f->d, run, ids[1], MUTANT_SURVIVED, "", 0, &e));
  load(f, run, &v);
  char *text = render("sarif", &v, &plain);
  json_t *root = parse(text);
  const json_t *results = sarif_results(root);
  assert_int_equal(json_array_size(results), 2);
  for (size_t i = 0; i < 2; i++) {
    const json_t *all = json_object_get(json_array_get(results, i), "partialFingerprints");
    (void)snprintf(prints[i], sizeof prints[i], "%s", string_at(all, "primaryLocationLineHash"));
  }
  json_decref(root);
  free(text);
  view_free(&v);
  db_program_free(&p);
  model_free(&m);
  buffer_free(&source);
}

static void test_sarif_fingerprints_are_stable(void **state) {
  fixture *f = *state;
  char before[2][64], after[2][64];
  fingerprints_behind(f, "", before);
  fingerprints_behind(f, "/* new */\n\n\n", after);
  assert_string_equal(before[0], after[0]);
  assert_string_equal(before[1], after[1]);
  assert_string_not_equal(before[0], before[1]);
}

/* --- github -------------------------------------------------------------------------------------------------- */

static size_t count_lines(const char *text, const char *start) {
  size_t count = 0;
  for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
    count += strncmp(line, start, strlen(start)) == 0 ? 1 : 0;
  return count;
}

static void test_github(void **state) {
  fixture *f = *state;
  char *text = render("github", &f->v, &plain);
  assert_contains(text,
                  "::error file=src/scan.cl,line=4,col=3,endColumn=32,title=Barrier divergence in kernel scan::7 of "
                  "64 work-items of a work-group executed this barrier\n");
  assert_contains(text, "::notice file=src/conv.cl,line=13,endLine=15,title=Never executed::");
  assert_int_equal(count_lines(text, "::error "), 2); /* and the test case that failed */
  free(text);
  f->v.findings[0].suppressed = "looked at";
  text = render("github", &f->v, &plain);
  assert_int_equal(count_lines(text, "::error "), 1);
  free(text);
}

static void test_github_escapes(void **state) {
  fixture *f = *state;
  f->v.findings[0].message = "100% of it:\r\n::error::, done\x1b[31m";
  f->v.files[f->v.findings[0].file].name = "a:b,c%.cl";
  char *text = render("github", &f->v, &plain);
  assert_contains(text, "::error file=a%3Ab%2Cc%25.cl,line=4,");
  assert_contains(text, "::100%25 of it:%0D%0A::error::, done\xef\xbf\xbd[31m\n");
  assert_int_equal(count_lines(text, "::error"), 2);
  free(text);
}

/* 14 findings: those on changed lines first, ten in all. */
static void test_github_shows_ten_changed_first(void **state) {
  fixture *f = *state;
  error e;
  view v;
  static const char source[] =
      "kernel void k(void) {\n1;\n2;\n3;\n4;\n5;\n6;\n7;\n8;\n9;\n10;\n11;\n12;\n13;\n14;\n}\n";
  int64_t run, test;
  db_program p;
  model m = {.options = mem_strdup("")};
  uint32_t file = fixture_file(&m, "src/k.cl", source);
  uint32_t function = fixture_function(&m, file, "k", "kernel", "}", true);
  uint32_t sites[14];
  for (uint32_t i = 0; i < 14; i++) {
    char needle[16];
    (void)snprintf(needle, sizeof needle, "\n%u;", i + 1);
    sites[i] = fixture_site(&m, file, function, SITE_BARRIER, needle);
    m.sites[sites[i]].line++; /* after the line's end */
  }
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  OK(db_begin_test_case(f->d, run, "", "t", "", &test, &e));
  for (uint32_t i = 0; i < 14; i++)
    OK(add_finding(f->d, test, p.kernels[0], p.sites[sites[i]], "barrier-divergence", "it diverges", &e));
  OK(db_end_test_case(f->d, test, 0, false, &e));
  load(f, run, &v);
  const line_range changes[] = {{(char *)"k.cl", 13, 14}, {(char *)"other.cl", 1, 99}, {(char *)"src/k.cl", 15, 15}};
  const report_options options = {.changes = changes, .change_count = 3};
  char *text = render("github", &v, &options);
  assert_int_equal(count_lines(text, "::error "), 10);
  assert_contains(text, "cltestcheck: not shown as annotations: 4 errors");
  static const unsigned order[] = {13, 14, 15, 2, 3, 4, 5, 6, 7, 8};
  const char *at = text;
  for (size_t i = 0; i < 10; i++) {
    char line[32];
    (void)snprintf(line, sizeof line, ",line=%u,", order[i]);
    at = strstr(at, line);
    assert_non_null(at);
  }
  free(text);
  view_free(&v);
  db_program_free(&p);
  model_free(&m);
}

/* --- markdown ------------------------------------------------------------------------------------------------ */

static void test_markdown(void **state) {
  fixture *f = *state;
  const report_threshold lines = {"line", 80};
  const report_options options = {.thresholds = &lines, .threshold_count = 1};
  char *text = render("markdown", &f->v, &options);
  assert_contains(text, "| line | 12 | 22 | 54.5 % | at least 80 %: **below** |\n");
  assert_contains(text, "**1 of them failed**");
  assert_contains(text, "- **Barrier divergence in kernel scan**, `src/scan.cl:4`: 7 of 64 work-items");
  /* worst first: reduce_rows was never launched; conv2d covers 15 of 24, scan 7 of 11 */
  const char *rows = strstr(text, "| `reduce_rows` | `src/conv.cl:19` | **never** |");
  assert_non_null(rows);
  const char *conv = strstr(rows, "| `conv2d` |");
  assert_non_null(conv);
  assert_non_null(strstr(conv, "| `scan` |"));
  free(text);
}

static void test_markdown_shows_survivors(void **state) {
  fixture *f = *state;
  view v;
  load(f, fixture_mutation(f->d, 0, 1), &v);
  char *text = render("markdown", &v, &plain);
  assert_contains(text, "| mutation | 4 | 10 | 40.0 % |");
  assert_contains(text, "```diff\n-  if (i < 0)\n+  if (i <= 0)\n```\n");
  assert_contains(text, "&#60; becomes &#60;=");
  free(text);
  view_free(&v);
}

/* --- all of them --------------------------------------------------------------------------------------------- */

#define HOSTILE "a|b`c``<script>alert(1)</script>]]>&#1;\x01\xff\xed\xa0\x80\xef\xbf\xbf\n@all #1 ![x](y)"

static void test_hostile_text(void **state) {
  fixture *f = *state;
  view *v = &f->v;
  v->findings[0].message = HOSTILE;
  v->device = HOSTILE;
  v->version = HOSTILE;
  v->skipped[0].reason = HOSTILE;
  for (size_t i = 0; i < v->kernel_count; i++) v->kernels[i].name = HOSTILE;
  for (size_t i = 0; i < v->function_count; i++) v->functions[i].name = HOSTILE;
  for (size_t i = 0; i < v->file_count; i++) v->files[i].name = HOSTILE;
  for (size_t i = 0; i < v->test_case_count; i++) v->test_cases[i].name = HOSTILE;
  const report_threshold lines = {"line", 80};
  const report_options options = {.thresholds = &lines, .threshold_count = 1};
  char *text = render("cobertura", v, &options);
  xml_follows(text, cobertura_rules);
  free(text);
  text = render("junit", v, &options);
  xml_follows(text, junit_rules);
  free(text);
  text = render("sarif", v, &options);
  json_t *root = parse(text);
  assert_int_equal(json_array_size(sarif_results(root)), 1);
  json_decref(root);
  free(text);
  text = render("github", v, &options);
  for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
    assert_true(strncmp(line, "::", 2) == 0);
  free(text);
  text = render("markdown", v, &options);
  for (const char *at = text; (at = strstr(at, "<script>")) != NULL; at++)
    assert_memory_equal(at - 3, "c``", 3); /* only in code spans, whose fence is longer than what they hold */
  assert_contains(text, "``` a\\|b`c``<script>");
  assert_contains(text, "&#60;script&#62;");
  free(text);
}

static void test_nothing(void **state) {
  (void)state;
  view v = {.command = "coverage", .device = "", .version = "0.1", .started = "2026-01-02T03:04:05Z"};
  char *text = render("cobertura", &v, &plain);
  xml_follows(text, cobertura_rules);
  assert_contains(text, "line-rate=\"1\""); /* nothing to cover */
  assert_contains(text, "timestamp=\"1767323045000\"");
  free(text);
  assert_junit(render("junit", &v, &plain), 0, 0, 0);
  text = render("sarif", &v, &plain);
  json_t *root = parse(text);
  assert_int_equal(json_array_size(sarif_results(root)), 0);
  json_decref(root);
  free(text);
  text = render("github", &v, &plain);
  assert_string_equal(text, "");
  free(text);
  text = render("markdown", &v, &plain);
  assert_contains(text, "| line | 0 | 0 | n/a |");
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_cobertura),
      TEST(test_junit_of_coverage),
      TEST(test_junit_of_mutants),
      TEST(test_junit_of_schedules),
      TEST(test_sarif_of_a_finding),
      TEST(test_sarif_of_mutants),
      TEST(test_sarif_of_a_race),
      TEST(test_sarif_of_racing_accesses),
      TEST(test_sarif_fingerprints_are_stable),
      TEST(test_github),
      TEST(test_github_escapes),
      TEST(test_github_shows_ten_changed_first),
      TEST(test_markdown),
      TEST(test_markdown_shows_survivors),
      TEST(test_hostile_text),
      cmocka_unit_test(test_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
