/* Counterexamples that are run, and handed on. */
#ifndef CLTC_RUNNER_COUNTEREXAMPLE_CONFIRM_H
#define CLTC_RUNNER_COUNTEREXAMPLE_CONFIRM_H

#include "runner/counterexample/replica.h"
#include "runner/engine/answer.h"
#include "runner/engine/confirmation.h"
#include "runner/sources/source.h"

typedef struct confirm_options {
  /* Gets the launches of a kernel's findings, and says what became of each; `seconds`: what its proof took. -1:
   * they are not run. NULL: nor is it asked. */
  int (*run)(void *context, const replica *launches, size_t count, double seconds, confirmation *out);
  void *runner;                                                             /* its context */
  int (*keep)(void *context, const replica *r, const char *name, error *e); /* gets each launch; NULL: nobody does */
  void *context;
} confirm_options;

/* What becomes of each finding of an answer: an array, to be released with confirmations_free. NULL with `e` set: a launch
 * could not be kept. */
confirmation *confirm(const confirm_options *o, const asked_source *s, const verify_answer *a, error *e);
void confirmations_free(confirmation *c, size_t count);

#endif
