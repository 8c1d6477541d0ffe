/* Runs of schedule amplification, made by hand. */
#include "tests/amplify_fixture.h"

#include <stdio.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "schedamp/verdict.h"
#include "tests/ok.h"
#include "tests/report_fixture.h"

void amplify_begin(amplify_fixture *f, db *d, const char *name) {
  error e;
  model conv, scan;
  *f = (amplify_fixture){.d = d};
  fixture_conv(&conv);
  fixture_scan(&scan);
  OK(db_begin_run(d, "amplify", "0.1", &f->run, &e));
  OK(db_add_program(d, f->run, &conv, &f->conv, &e));
  OK(db_add_program(d, f->run, &scan, &f->scan, &e));
  model_free(&conv);
  model_free(&scan);
  amplify_test_case(f, name);
}

void amplify_test_case(amplify_fixture *f, const char *name) {
  error e;
  char line[64];
  (void)snprintf(line, sizeof line, "./%s", name);
  OK(db_begin_test_case(f->d, f->run, "suite", name, line, &f->test, &e));
  OK(db_end_test_case(f->d, f->test, 0, false, &e));
}

void amplify_end(amplify_fixture *f) {
  error e;
  OK(db_end_run(f->d, f->run, "Test Device", 0, &e));
  db_program_free(&f->conv);
  db_program_free(&f->scan);
}

int64_t amplify_launch(amplify_fixture *f, int64_t kernel, uint32_t number, uint32_t groups, const char *skipped) {
  error e;
  int64_t row;
  const db_launch launch = {kernel, number, groups, 64, skipped[0] == '\0' ? 2 : 0, skipped};
  OK(db_put_launch(f->d, f->test, &launch, &row, &e));
  return row;
}

static int64_t put(amplify_fixture *f, int64_t launch, const char *order, uint32_t number, const char *outcomes,
                   bool meant) {
  error e;
  int64_t row;
  bool random = strcmp(order, "random") == 0;
  const db_schedule s = {.order = order,
                         .gate = "ticket",
                         .target = random ? 0 : number,
                         .seed = random ? number : 0,
                         .verdict = schedule_verdict_name(schedule_judge(outcomes)),
                         .outcomes = outcomes,
                         .meant = meant};
  OK(db_put_schedule(f->d, launch, &s, &row, &e));
  return row;
}

int64_t amplify_schedule(amplify_fixture *f, int64_t launch, const char *order, uint32_t number, const char *outcomes) {
  return put(f, launch, order, number, outcomes, false);
}

int64_t amplify_schedule_meant(amplify_fixture *f, int64_t launch, const char *order, uint32_t number,
                               const char *outcomes) {
  return put(f, launch, order, number, outcomes, true);
}

void amplify_explain(amplify_fixture *f, int64_t schedule, const db_explanation *x) {
  error e;
  OK(db_put_explanation(f->d, schedule, x, &e));
}
