/* Sentences on schedules, made of their records; each expectation is what a person would say of the record. */
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

#include "reports/words/words.h"
#include "tests/fixtures/amplify_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_checks.h"
#include "tests/fixtures/report_fixture.h"

/* scan with group 3 last, which differs, and with this explanation; its race is a finding, if it has one. `merged`: read from a
 * database that the run was merged into. */
static void make(fixture *f, const db_explanation *x, bool meant, bool with_race, bool merged, view *v) {
  static const db_place places[] = {
      {.role = "first", .access = "write", .file = 0, .line = 5, .column = 3, .local = "0", .group = "2"},
      {.role = "second", .access = "read", .file = 1, .line = 2, .column = 5, .local = "1", .group = "4"}};
  amplify_fixture a;
  error e;
  amplify_begin(&a, f->d, "small");
  const int64_t launch = amplify_launch(&a, a.scan.kernels[0], 6, 8, "");
  const int64_t schedule =
      meant ? amplify_schedule_meant(&a, launch, "last", 3, "x.") : amplify_schedule(&a, launch, "last", 3, "x.");
  amplify_explain(&a, schedule, x);
  const db_finding found = {
      .of.test_case = a.test,
      .of.program = a.scan.id,
      .of.kernel = a.scan.kernels[0],
      .schedule = schedule,
      .rule = "data-race",
      .detail = {.object = "a", .space = "global", .element = {true, 7}, .element_size = {true, 4}},
      .places = places,
      .place_count = 2};
  if (with_race) OK(db_put_finding(f->d, &found, &e));
  amplify_end(&a);
  if (merged) {
    char *path = fixture_path("into.db");
    db *into;
    size_t count;
    OK(db_open(&into, path, DB_WRITE, &e));
    (void)fixture_run(into); /* so that rows have other numbers */
    OK(db_merge(into, f->d, &count, &e));
    OK(db_load(into, NULL, 0, v, &e));
    db_close(into);
    free(path);
  } else {
    OK(db_load(f->d, &a.run, 1, v, &e));
  }
}

static void expect(fixture *f, const db_explanation *x, const char *words) {
  view v;
  buffer text = {0};
  make(f, x, false, false, false, &v);
  explanation_text(&v, &v.launches[0], &v.launches[0].schedules[0], &text);
  assert_string_equal(buffer_text(&text), words);
  buffer_free(&text);
  view_free(&v);
}

static void test_memory(void **state) {
  db_explanation x = {.why = {.kind = "memory", .unit = "byte"},
                      .argument = "argument 2",
                      .first = 9,
                      .last = 9,
                      .differing = 1,
                      .reference = "0x01",
                      .seen = "0x02"};
  expect(*state, &x, "argument 2[9] (byte) is 0x01 with the gate open, and 0x02 with group 3 last, ticket gate");
  x.why.in_order = true;
  expect(*state, &x,
         "argument 2[9] (byte) is 0x01 with ascending order, ticket gate, and 0x02 with group 3 last, ticket gate");
  /* An image 4 wide: its pixels are numbered row by row. */
  x.why = (db_why){.kind = "memory", .unit = "pixel", .width = 4, .height = 2};
  x.first = 1;
  x.last = 6;
  x.differing = 3;
  expect(*state, &x,
         "pixel (1, 0) of argument 2 is 0x01 with the gate open, and 0x02 with group 3 last, ticket gate; 3 pixels "
         "differ, "
         "(1, 0) to (2, 1)");
}

static void test_others(void **state) {
  expect(*state, &(db_explanation){.why = {.kind = "read", .read_number = 3}}, "read 3 of the host gives other values");
  db_explanation x = {
      .why = {.kind = "read", .read_number = 3, .read_kernel = "k", .read_argument = 1, .read_launch = 4}};
  expect(*state, &x, "the host reads other values from argument 1 of kernel k (after its launch 4)");
  x.why.read_number = 0; /* several threads read */
  expect(*state, &x, "the host reads other values from argument 1 of kernel k");
  expect(
      *state, &(db_explanation){.why = {.kind = "ending", .race = "unknown", .race_why = "it has no cells"}},
      "the program ends otherwise or prints something else; whether accesses of it race is not known: it has no cells");
  /* Only a kernel that has atomic functions is told that their order is left open. */
  expect(*state, &(db_explanation){.why = {.kind = "signal", .race = "none"}},
         "the program is killed by a signal; none of its accesses race: the order in which atomic functions execute is "
         "left open");
  expect(
      *state, &(db_explanation){.why = {.kind = "signal", .race = "none", .race_why = "it has no atomic functions"}},
      "the program is killed by a signal; none of its accesses race, and it has no atomic functions: another command "
      "or the host uses this memory, and nothing orders the two (queues without events, threads)");
  expect(*state, &(db_explanation){.why = {.kind = "signal"}}, "the program is killed by a signal");
  expect(*state, &(db_explanation){.why = {.kind = "groups"}},
         "some work-group never ended; the device does not let us see which");
  expect(*state, &(db_explanation){.text = "as it was"}, "as it was");
}

#define ACCESSES                                                                                       \
  "work-item 0 of work-group 2 writes a[7] (src/scan.cl:5), and work-item 1 of work-group 4 reads it " \
  "(src/common.h:2); "                                                                                 \
  "nothing orders work-groups of one launch"

static const db_finding *race_in(const view *v) {
  const db_finding *found = NULL;
  for (size_t i = 0; i < v->finding_count; i++) {
    if (strcmp(v->findings[i].rule, "data-race") == 0) {
      assert_null(found);
      found = &v->findings[i];
    }
  }
  return found;
}

/* The race stands in the sentence, and the finding says which schedule shows it; also in a database that it was merged into.
 * Of a kernel that means its order it is no finding. */
static void test_a_race(void **state) {
  const db_explanation x = {.why = {.kind = "ending", .race = "seen"}};
  for (int i = 0; i < 3; i++) {
    const bool meant = i == 1;
    view v;
    buffer text = {0};
    make(*state, &x, meant, true, i == 2, &v);
    explanation_text(&v, &v.launches[0], &v.launches[0].schedules[0], &text);
    assert_string_equal(buffer_text(&text), "the program ends otherwise or prints something else; race: " ACCESSES);
    buffer_free(&text);
    const db_finding *race = race_in(&v);
    assert_true((race == NULL) == meant);
    if (race != NULL) {
      finding_message(&v, race, &text);
      assert_string_equal(buffer_text(&text),
                          "launch 6, group 3 last, ticket gate: the program ends otherwise or prints "
                          "something else; race: " ACCESSES);
    }
    buffer_free(&text);
    view_free(&v);
  }
}

/* Without the schedule in the view, the finding's own record is told. */
static void test_no_schedule(void **state) {
  const db_explanation x = {.why = {.kind = "ending", .race = "seen"}};
  view v;
  buffer text = {0};
  make(*state, &x, false, true, false, &v);
  v.findings[0].schedule += 1000;
  finding_message(&v, &v.findings[0], &text);
  assert_string_equal(
      buffer_text(&text),
      "work-item 0 of work-group 2 writes a[7] (line 5), and work-item 1 of work-group 4 reads it (line "
      "2); nothing orders work-groups of one launch");
  buffer_free(&text);
  view_free(&v);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(test_memory), TEST(test_others), TEST(test_a_race), TEST(test_no_schedule)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
