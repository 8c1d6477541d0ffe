/* From settings to the words of a plan. */
#include "cli/planning.h"

#include <string.h>

plan_words planning_words(const settings *s) {
  const bool amplifies = strcmp(s->given.verb, "amplify") == 0 && strcmp(s->experiment.oracle, "exit") != 0;
  return (plan_words){.verb = s->given.typed,
                      .words = s->given.positional.items,
                      .word_count = s->given.positional.count,
                      .command = s->given.command,
                      .suites = s->tests.suites,
                      .pytest = s->tests.pytest,
                      .gtest = s->tests.gtest,
                      .ctest = s->tests.ctest,
                      .captures = s->tests.capture != NULL,
                      .any_reads = strcmp(s->given.verb, "races") == 0 || amplifies,
                      .quiet = s->report.quiet};
}

int planning_make(const settings *s, plan *out, error *e) {
  const plan_words w = planning_words(s);
  return plan_make(&w, out, e);
}

capture_wish planning_wish(const settings *s, const char *kept) {
  return (capture_wish){.given = &s->given, .timeout = s->limits.timeout, .quiet = s->report.quiet, .kept = kept};
}

int planning_capture(const settings *s, const plan *p, const target *t, error *e) {
  capture_wish wish = planning_wish(s, "its capture was kept");
  wish.silent = true;
  return s->tests.capture == NULL ? 0 : capture_planned(p, t, s->tests.capture, &wish, e);
}
