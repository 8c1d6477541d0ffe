/* From settings to the words of a plan. */
#include "cli/planning.h"

#include <string.h>

plan_words planning_words(const settings *s) {
  const bool amplifies = strcmp(s->verb, "amplify") == 0 && strcmp(s->oracle, "exit") != 0;
  return (plan_words){.verb = s->typed,
                      .words = s->positional.items,
                      .word_count = s->positional.count,
                      .command = s->command,
                      .suites = s->suites,
                      .pytest = s->pytest,
                      .gtest = s->gtest,
                      .ctest = s->ctest,
                      .captures = s->capture != NULL,
                      .any_reads = strcmp(s->verb, "races") == 0 || amplifies,
                      .quiet = s->quiet};
}

int planning_make(const settings *s, plan *out, error *e) {
  const plan_words w = planning_words(s);
  return plan_make(&w, out, e);
}
