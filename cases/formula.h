/* Formulas: C expressions in 64 bits. Integers stay integers until a number with a point takes part. */
#ifndef CLTC_CASES_FORMULA_H
#define CLTC_CASES_FORMULA_H

#include "cases/scope.h"

typedef struct formula formula;

typedef struct formula_error {
  size_t offset;  /* in the text */
  char text[200]; /* the end of a sentence: "there is no name x" */
} formula_error;

/* Reads a formula over the names of a scope. `elements`: for how many it is computed, which may use `i`, the number of
 * each; 0: for none. NULL with `e` set: it is none. */
formula *formula_read(const char *text, const scope *names, uint64_t elements, formula_error *e);
void formula_free(formula *f);

/* Its value at element `i`; -1 with `e` set: there is none (a division by zero, beyond 64 bits, beyond an array). */
int formula_at(formula *f, int64_t i, formula_value *out, formula_error *e);

/* Whether a word has a meaning in formulas: `i`, functions, `inf`, `nan`. */
bool formula_knows(const char *word);

#endif
