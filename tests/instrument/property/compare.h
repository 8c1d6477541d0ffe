/* What the tool reports of a program against what the interpreter predicts. */
#ifndef CLTC_TESTS_PROPERTY_COMPARE_H
#define CLTC_TESTS_PROPERTY_COMPARE_H

#include <stdio.h>

#include "db/db.h"
#include "known.h"
#include "tree.h"

/* Writes a line for each difference; returns how many there are. */
size_t compare_program(const view *v, const tree *p, FILE *report);

#endif
