/* Findings with several places and a witness, as `races` makes them, in the formats. */
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

#include "base/buffer.h"
#include "reports/common/report.h"
#include "tests/fixtures/amplify_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_checks.h"
#include "tests/fixtures/report_fixture.h"

static const report_options plain = {0};

/* A write in scan (`  a[i] = …`) and a read in common.h. */
static const db_place places[] = {
    {.role = "first", .access = "write", .file = 0, .line = 5, .column = 3, .local = "0", .group = "2"},
    {.role = "second", .access = "read", .file = 1, .line = 2, .column = 5, .local = "1", .group = "2"}};
/* The message says the first five. */
static const db_witness witness[] = {
    {.what = "launch", .value = "0"},          {.what = "element", .value = "a[7]"},
    {.what = "first", .value = "work-item 0"}, {.what = "second", .value = "work-item 1"},
    {.what = "times", .value = "3"},           {.what = "barriers passed", .value = "1"},
    {.what = "value before", .value = "0x01"}, {.what = "value after", .value = "0x02"}};

/* A report, in `format`, of a run that has that finding with the first `count` places. To be freed. */
static char *text_of(fixture *f, const char *format, const char *rule, size_t count) {
  model m;
  db_program p;
  error e;
  view v;
  int64_t run;
  fixture_scan(&m);
  OK(db_begin_run(f->d, "races", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  const db_finding race = {.of.run = run,
                           .of.program = p.id,
                           .of.kernel = p.kernels[0],
                           .rule = rule,
                           .message = "Two work-items meet.",
                           .places = places,
                           .place_count = count,
                           .witness = witness,
                           .witness_count = sizeof witness / sizeof witness[0]};
  OK(db_put_finding(f->d, &race, &e));
  OK(db_load(f->d, &run, 1, &v, &e));
  char *text = render(format, &v, &plain);
  view_free(&v);
  db_program_free(&p);
  model_free(&m);
  return text;
}

static json_t *report_of(fixture *f, const char *format, const char *rule, size_t count) {
  char *text = text_of(f, format, rule, count);
  if (strcmp(format, "json") == 0) assert_follows_schema(text);
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  assert_non_null(root);
  free(text);
  return root;
}

static void test_json(void **state) {
  json_t *root = report_of(*state, "json", "data-race", 2);
  const json_t *findings = json_object_get(root, "findings");
  assert_int_equal(json_array_size(findings), 1);
  const json_t *finding = json_array_get(findings, 0);
  assert_string_equal(string_at(finding, "file"), "src/scan.cl");
  assert_int_equal(integer_at(finding, "line"), 5);
  const json_t *list = json_object_get(finding, "places");
  assert_int_equal(json_array_size(list), 2);
  assert_string_equal(string_at(json_array_get(list, 0), "role"), "first");
  assert_string_equal(string_at(json_array_get(list, 0), "access"), "write");
  assert_string_equal(string_at(json_array_get(list, 1), "role"), "second");
  assert_string_equal(string_at(json_array_get(list, 1), "file"), "src/common.h");
  assert_int_equal(integer_at(json_array_get(list, 1), "line"), 2);
  assert_int_equal(integer_at(json_array_get(list, 1), "column"), 5);
  const json_t *part = json_array_get(json_object_get(finding, "witness"), 1);
  assert_string_equal(string_at(part, "what"), "element");
  assert_string_equal(string_at(part, "value"), "a[7]");
  json_decref(root);
}

static const json_t *result_of(const json_t *root) {
  const json_t *run = json_array_get(json_object_get(root, "runs"), 0);
  assert_int_equal(json_array_size(json_object_get(run, "results")), 1);
  return json_array_get(json_object_get(run, "results"), 0);
}

static void test_sarif(void **state) {
  json_t *root = report_of(*state, "sarif", "data-race", 2);
  const json_t *result = result_of(root);
  assert_string_equal(string_at(result, "ruleId"), "data-race");
  assert_string_equal(string_at(result, "level"), "error");
  assert_string_equal(
      string_at(json_object_get(result, "message"), "text"),
      "Data race in kernel scan: Two work-items meet. (places: [first write](1), [second read](2)) With barriers "
      "passed: 1; value before: 0x01; value after: 0x02.");
  const json_t *related = json_object_get(result, "relatedLocations");
  assert_int_equal(json_array_size(related), 2);
  static const struct {
    const char *uri, *words;
    int line;
  } wanted[] = {{"src/scan.cl", "first write by work-item 0 of work-group 2", 5},
                {"src/common.h", "second read by work-item 1 of work-group 2", 2}};
  for (size_t i = 0; i < 2; i++) {
    const json_t *location = json_array_get(related, i);
    const json_t *physical = json_object_get(location, "physicalLocation");
    assert_int_equal(integer_at(location, "id"), (int)i + 1);
    assert_string_equal(string_at(json_object_get(location, "message"), "text"), wanted[i].words);
    assert_string_equal(string_at(json_object_get(physical, "artifactLocation"), "uri"), wanted[i].uri);
    assert_int_equal(integer_at(json_object_get(physical, "region"), "startLine"), wanted[i].line);
  }
  json_decref(root);
}

/* One place is the result's own. */
static void test_sarif_of_one_place(void **state) {
  json_t *root = report_of(*state, "sarif", "data-race", 1);
  const json_t *result = result_of(root);
  assert_string_equal(string_at(json_object_get(result, "message"), "text"),
                      "Data race in kernel scan: Two work-items meet. With barriers passed: 1; value before: 0x01; "
                      "value after: 0x02.");
  assert_null(json_object_get(result, "relatedLocations"));
  json_decref(root);
}

/* Both accesses with their lines and columns; then what the message does not say. */
static void test_text(void **state) {
  char *text = text_of(*state, "text", "data-race", 2);
  assert_fits(text, 80);
  assert_contains(text,
                  "Findings\n"
                  "src/scan.cl:5:3: data race in kernel scan: Two work-items meet.\n"
                  "  src/scan.cl:5:3: first write by work-item 0 of work-group 2\n"
                  "     5 |   a[i] = i;\n"
                  "       |   ^\n"
                  "  src/common.h:2:5: second read by work-item 1 of work-group 2\n"
                  "     2 |   if (i < 0)\n"
                  "       |     ^\n"
                  "  with barriers passed: 1; value before: 0x01; value after: 0x02\n");
  free(text);
}

/* The accesses lead to their lines, and both lines to the finding. */
static void test_html(void **state) {
  char *page = text_of(*state, "html", "data-race", 2);
  assert_contains(page, "<span class=\"st ss\">data race</span> in kernel scan</h3> Two work-items meet.");
  assert_contains(page,
                  "<p><a href=\"#f0-5\">scan.cl:5</a>: first write by work-item 0 of work-group 2\n"
                  "<pre class=x><b>5</b>   a[i] = i;</pre>\n");
  assert_contains(page,
                  "<p><a href=\"#f1-2\">common.h:2</a>: second read by work-item 1 of work-group 2\n"
                  "<pre class=x><b>2</b>   if (i &lt; 0)</pre>\n");
  assert_contains(page, "<p>With barriers passed: 1; value before: 0x01; value after: 0x02\n");
  assert_int_equal(occurrences(page, "<div class=q><a class=\"st ss\" href=\"#d0\">data race</a></div>"), 2);
  free(page);
}

/* What a format shows of any finding: places, then the part of the witness that its message does not say. */
static void test_plain_formats(void **state) {
  static const char *const shown[] = {"src/scan.cl:5:3: first write by work-item 0 of work-group 2",
                                      "src/common.h:2:5: second read by work-item 1 of work-group 2",
                                      "with barriers passed: 1; value before: 0x01; value after: 0x02"};
  static const struct {
    const char *format, *before, *between, *behind;
  } formats[] = {{"junit", ">src/scan.cl:5: Two work-items meet.&#10;", "&#10;", "</failure>"},
                 {"github", "::Two work-items meet.%0A", "%0A", "\n"},
                 {"markdown", "`src/scan.cl:5`: Two work-items meet.\n```text\n", "\n", "\n```\n"}};
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
    buffer wanted = {0};
    buffer_printf(&wanted, "%s%s%s%s%s%s%s", formats[i].before, shown[0], formats[i].between, shown[1],
                  formats[i].between, shown[2], formats[i].behind);
    char *text = text_of(*state, formats[i].format, "data-race", 2);
    assert_contains(text, buffer_text(&wanted));
    free(text);
    buffer_free(&wanted);
  }
}

/* Divergence that was seen has places, too: the barrier, and what was decided differently. */
static void test_divergence(void **state) {
  char *text = text_of(*state, "text", "barrier-divergence", 2);
  assert_contains(text,
                  "  src/scan.cl:5: barrier divergence in kernel scan: Two work-items meet.\n"
                  "    src/scan.cl:5:3: first write by work-item 0 of work-group 2\n"
                  "     5 |   a[i] = i;\n"
                  "       |   ^\n"
                  "    src/common.h:2:5: second read by work-item 1 of work-group 2\n"
                  "     2 |   if (i < 0)\n"
                  "       |     ^\n"
                  "    with launch: 0; element: a[7]; first: work-item 0; second: work-item 1;\n"
                  "      times: 3; barriers passed: 1; value before: 0x01; value after: 0x02\n");
  free(text);
  text = text_of(*state, "html", "barrier-divergence", 2);
  assert_contains(text, "<p><a href=\"#f0-5\">scan.cl:5</a>: first write by work-item 0 of work-group 2\n");
  assert_contains(text, "<p><a href=\"#f1-2\">common.h:2</a>: second read by work-item 1 of work-group 2\n");
  assert_contains(text, "<p>With launch: 0; element: a[7];");
  free(text);
}

/* A schedule gives another result, and checks have seen the race: its accesses are shown with the schedule. */
static void test_fault(void **state) {
  static const struct {
    const char *format, *text;
  } wanted[] = {
      {"text",
       "  RACE in kernel scan (src/scan.cl:2), launch 0 of suite/small: another value\n"
       "    src/scan.cl:5:3: first write by work-item 0 of work-group 2\n"
       "     5 |   a[i] = i;\n"
       "       |   ^\n"
       "    src/common.h:2:5: second read by work-item 1 of work-group 2\n"
       "     2 |   if (i < 0)\n"
       "       |     ^\n"
       "    with barriers passed: 1; value before: 0x01; value after: 0x02\n"
       "    reverse order (schedule 1) against the program as it is: 0 of 2 runs gave\n"},
      {"html", "<p><a href=\"#f1-2\">common.h:2</a>: second read by work-item 1 of work-group 2\n"},
      {"html", "<p>With barriers passed: 1; value before: 0x01; value after: 0x02\n"},
      {"junit", "another value&#10;src/scan.cl:5:3: first write by work-item 0 of work-group 2&#10;src/common.h:2:5:"},
      {"github",
       "amplify --replay 1%0Asrc/scan.cl:5:3: first write by work-item 0 of work-group 2%0Asrc/common.h:2:5:"},
      {"markdown", "amplify --replay 1\n```text\nsrc/scan.cl:5:3: first write by work-item 0 of work-group 2\n"},
      {"sarif", " With barriers passed: 1; value before: 0x01; value after: 0x02."},
  };
  fixture *f = *state;
  amplify_fixture a;
  error e;
  view v;
  amplify_begin(&a, f->d, "small");
  const int64_t launch = amplify_launch(&a, a.scan.kernels[0], 0, 8, "");
  const int64_t schedule = amplify_schedule(&a, launch, "reverse", 0, "xx");
  amplify_explain(&a, schedule, &(db_explanation){.text = "another value", .file_name = "src/scan.cl", .line = 5});
  const db_finding race = {.of.test_case = a.test,
                           .of.program = a.scan.id,
                           .of.kernel = a.scan.kernels[0],
                           .rule = "data-race",
                           .message = "not shown: the schedule's explanation is",
                           .places = places,
                           .place_count = 2,
                           .witness = witness,
                           .witness_count = sizeof witness / sizeof witness[0]};
  OK(db_put_finding(f->d, &race, &e));
  amplify_end(&a);
  OK(db_load(f->d, &a.run, 1, &v, &e));
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    char *text = render(wanted[i].format, &v, &plain);
    assert_contains(text, wanted[i].text);
    assert_lacks(text, race.message);
    free(text);
  }
  view_free(&v);
}

/* Work-items that write the same value are a warning, and no failure. */
static void test_benign(void **state) {
  json_t *root = report_of(*state, "sarif", "benign-race", 2);
  assert_string_equal(string_at(result_of(root), "ruleId"), "benign-race");
  assert_string_equal(string_at(result_of(root), "level"), "warning");
  json_decref(root);
  char *text = text_of(*state, "junit", "benign-race", 2);
  assert_contains(text,
                  "<testsuite name=\"cltestcheck.findings\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\"");
  free(text);
  text = text_of(*state, "github", "benign-race", 2);
  assert_contains(text, "::warning file=src/scan.cl,line=5");
  assert_contains(text, "title=Benign race in kernel scan::Two work-items meet.");
  free(text);
  text = text_of(*state, "html", "benign-race", 2);
  assert_contains(text, "<span class=\"st su\">benign race</span> in kernel scan");
  free(text);
}

/* --- seen and proved --------------------------------------------------------------------------------------------- */

/* A run in which the race was seen and, in its other order and told from other columns, proved: of a read in `line`. */
static void load_both(fixture *f, uint32_t line, bool possible, view *v) {
  const db_place proved[] = {
      {.role = "first", .access = "read", .file = 1, .line = line, .column = 9, .local = "4,0,0", .group = "0,0,0"},
      {.role = "second", .access = "write", .file = 0, .line = 5, .column = 8, .local = "3,0,0", .group = "0,0,0"}};
  const db_witness values[] = {{.kind = "argument", .what = "n", .value = "12"},
                               {.kind = "doubt", .what = "", .value = "what a holds"}};
  const db_detail detail = {
      .object = "a", .space = "global", .element = {true, 7}, .element_size = {true, 4}, .local_size = "64,1,1"};
  model m;
  db_program p;
  error e;
  int64_t run, proof;
  fixture_scan(&m);
  OK(db_begin_run(f->d, "races", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  const db_proof row = {.run = run, .name = "scan", .line = 2, .verdict = "race", .reason = ""};
  OK(db_add_proof(f->d, p.id, p.kernels[0], &row, &proof, &e));
  db_finding race = {.of.run = run,
                     .of.program = p.id,
                     .of.kernel = p.kernels[0],
                     .rule = "data-race",
                     .detail = {.object = "a",
                                .space = "global",
                                .element = {true, 7},
                                .element_size = {true, 4},
                                .launch = {true, 0},
                                .count = {true, 3}},
                     .places = places,
                     .place_count = 2};
  OK(db_put_finding(f->d, &race, &e));
  race.detail = detail;
  race.places = proved;
  race.witness = values;
  race.witness_count = possible ? 2 : 1;
  race.possible = possible;
  race.of.proof = proof;
  OK(db_put_finding(f->d, &race, &e));
  OK(db_load(f->d, &run, 1, v, &e));
  db_program_free(&p);
  model_free(&m);
}

static const char *kind_at(const json_t *finding, size_t i) {
  return string_at(json_array_get(json_object_get(finding, "evidence"), i), "kind");
}

/* One race, known in two ways: each report tells it once, with both. */
static void test_seen_and_proved(void **state) {
  static const struct {
    const char *format, *race;
  } once[] = {{"text", "data race in kernel scan: "},
              {"html", "data race</span> in kernel scan</h3>"},
              {"github", "title=Data race in kernel scan::"},
              {"markdown", "**Data race in kernel scan**"},
              {"sarif", "Data race in kernel scan: "}};
  view v;
  load_both(*state, 2, false, &v);
  for (size_t i = 0; i < sizeof once / sizeof once[0]; i++) {
    char *text = render(once[i].format, &v, &plain);
    assert_int_equal(occurrences(text, once[i].race), 1);
    free(text);
  }
  char *text = render("text", &v, &plain);
  assert_contains(text, "(launch 1, seen 3 times)\n");
  assert_contains(text, "  proved, too: work-item 4 of work-group 0 reads a[7] (line 2), and ");
  assert_contains(text, "    with element: a[7]; local size: 64,1,1; n: 12\n  again: cltestcheck races --replay ");
  free(text);
  text = render("junit", &v, &plain); /* the proof has a test case of its own */
  assert_contains(text, "name=\"Data race in kernel scan, line 5\"");
  assert_contains(text, "message=\"race: work-item 4 of work-group 0 reads a[7] (line 2)");
  free(text);
  text = render("json", &v, &plain);
  assert_follows_schema(text);
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  const json_t *list = json_object_get(root, "findings"), *finding = json_array_get(list, 0);
  assert_int_equal(json_array_size(list), 1);
  assert_int_equal(json_array_size(json_object_get(finding, "evidence")), 2);
  assert_string_equal(kind_at(finding, 0), "seen");
  assert_string_equal(kind_at(finding, 1), "proved");
  assert_int_equal(integer_at(json_object_get(finding, "object"), "element"), 7);
  assert_true(json_is_true(json_object_get(finding, "definite")));
  json_decref(root);
  free(text);
  char rule[] = "data-race", line[] = "a[i] = i;", why[] = "known";
  suppress_apply(&v, &(suppression){.rule = rule, .line = line, .reason = why}, 1); /* the line of one of the two */
  assert_string_equal(v.findings[0].suppressed, "known");
  assert_string_equal(v.findings[1].suppressed, "known");
  view_free(&v);
}

/* What only a proof doubts was seen all the same. */
static void test_seen_and_possible(void **state) {
  view v;
  load_both(*state, 2, true, &v);
  char *text = render("text", &v, &plain);
  assert_contains(text, "  possible by a proof, too: work-item 4");
  assert_lacks(text, "possible data race");
  assert_lacks(text, "it may be impossible");
  free(text);
  view_free(&v);
}

/* A race with another access is another one. */
static void test_seen_and_proved_elsewhere(void **state) {
  view v;
  load_both(*state, 4, false, &v);
  char *text = render("text", &v, &plain);
  assert_int_equal(occurrences(text, "data race in kernel scan: "), 2);
  assert_lacks(text, "proved, too");
  free(text);
  view_free(&v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_json),  TEST(test_sarif),           TEST(test_sarif_of_one_place), TEST(test_text),
      TEST(test_html),  TEST(test_benign),          TEST(test_plain_formats),      TEST(test_divergence),
      TEST(test_fault), TEST(test_seen_and_proved), TEST(test_seen_and_possible),  TEST(test_seen_and_proved_elsewhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
