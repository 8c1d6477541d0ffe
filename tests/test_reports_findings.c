/* Findings with several places and a witness in json and sarif. */
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

#include "tests/ok.h"
#include "tests/report_checks.h"
#include "tests/report_fixture.h"

static const report_options plain = {0};

/* A write in scan (`  a[i] = …`) and a read in common.h, proved of the run. */
static const db_place places[] = {{.role = "first", .access = "write", .file = 0, .line = 5, .column = 3},
                                  {.role = "second", .access = "read", .file = 1, .line = 2, .column = 5}};
static const db_witness witness[] = {{"local size", "64"}};

/* A report, in `format`, of a run that has that finding with the first `count` places. */
static json_t *report_of(fixture *f, const char *format, size_t count) {
  model m;
  db_program p;
  error e;
  view v;
  int64_t run;
  fixture_scan(&m);
  OK(db_begin_run(f->d, "races", "0.1", &run, &e));
  OK(db_add_program(f->d, run, &m, &p, &e));
  const db_finding race = {.run = run,
                           .program = p.id,
                           .kernel = p.kernels[0],
                           .rule = "data-race",
                           .message = "Two work-items meet.",
                           .places = places,
                           .place_count = count,
                           .witness = witness,
                           .witness_count = 1};
  OK(db_put_finding(f->d, &race, &e));
  OK(db_load(f->d, &run, 1, &v, &e));
  char *text = render(format, &v, &plain);
  if (strcmp(format, "json") == 0) {
    assert_follows_schema(text);
  }
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  assert_non_null(root);
  free(text);
  view_free(&v);
  db_program_free(&p);
  model_free(&m);
  return root;
}

static void test_json(void **state) {
  json_t *root = report_of(*state, "json", 2);
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
  const json_t *part = json_array_get(json_object_get(finding, "witness"), 0);
  assert_string_equal(string_at(part, "what"), "local size");
  assert_string_equal(string_at(part, "value"), "64");
  json_decref(root);
}

static const json_t *result_of(const json_t *root) {
  const json_t *run = json_array_get(json_object_get(root, "runs"), 0);
  assert_int_equal(json_array_size(json_object_get(run, "results")), 1);
  return json_array_get(json_object_get(run, "results"), 0);
}

static void test_sarif(void **state) {
  json_t *root = report_of(*state, "sarif", 2);
  const json_t *result = result_of(root);
  assert_string_equal(string_at(json_object_get(result, "message"), "text"),
                      "Race in kernel scan: Two work-items meet. (places: [first write](1), [second read](2))");
  const json_t *related = json_object_get(result, "relatedLocations");
  assert_int_equal(json_array_size(related), 2);
  static const struct {
    const char *uri, *words;
    int line;
  } wanted[] = {{"src/scan.cl", "first write", 5}, {"src/common.h", "second read", 2}};
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
  json_t *root = report_of(*state, "sarif", 1);
  const json_t *result = result_of(root);
  assert_string_equal(string_at(json_object_get(result, "message"), "text"),
                      "Race in kernel scan: Two work-items meet.");
  assert_null(json_object_get(result, "relatedLocations"));
  json_decref(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_json),
      TEST(test_sarif),
      TEST(test_sarif_of_one_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
