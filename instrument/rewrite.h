/* The edits that instrument a unit, and its text with them applied. */
#ifndef CLTC_INSTRUMENT_REWRITE_H
#define CLTC_INSTRUMENT_REWRITE_H

#include "instrument/edit.h"
#include "instrument/program_internal.h"

/* --- rewrite.c --- */
/* All edits of a unit, sorted. */
void collect_edits(const program *p, uint32_t unit_index, edits *e);

/* --- gate.c --- */
/* What a gated function has beyond coverage; to be called behind the edits for that. */
void gate_function(const program *p, uint32_t index, edits *e);

/* range_check.c: the bit of the way through a decision, as an expression of its own; NULL if it has to be counted while
 * the decision is taken. To be freed. */
char *range_check_way(const program *p, const function *f, uint32_t number);

#endif
