/* Formulas in which products by powers of two are shifts. */
#ifndef CLTC_VERIFY_SHIFTS_H
#define CLTC_VERIFY_SHIFTS_H

#include "verify/smt.h"

typedef struct shifts {
  const smt *smt;
  formula *made; /* by id of the formula */
  size_t count;
} shifts;

/* `smt` is set before. */
formula shifts_of(shifts *x, formula f);
void shifts_free(shifts *x);

#endif
