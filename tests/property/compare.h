/* What the tool reports of a program against what the interpreter predicts. */
#ifndef CLTC_TESTS_PROPERTY_COMPARE_H
#define CLTC_TESTS_PROPERTY_COMPARE_H

#include <stdio.h>

#include "db/db.h"
#include "tree.h"

/* What the tool gets wrong today; 1 once it is repaired. */
enum {
  /* a site in a macro body belongs to the first function that uses the macro, and so is not among the sites of a kernel
   * that uses the macro but does not reach that function */
  COMPARE_MACRO_SITES_OF_KERNELS = 0
};

/* Writes a line for each difference; returns how many there are. */
size_t compare_program(const view *v, const tree *p, FILE *report);

#endif
