/* The edits that instrument a unit, and its text with them applied. */
#ifndef CLTC_INSTRUMENT_REWRITE_H
#define CLTC_INSTRUMENT_REWRITE_H

#include "instrument/edits.h"
#include "instrument/program.h"

/* rewrite.c: all edits of a unit, sorted. */
void collect_edits(const program *p, uint32_t unit_index, edits *e);
/* The function that a declaration announces, NULL if none of the program's. */
const function *defined_elsewhere(const program *p, const front_function *declaration);

#endif
