/* What is asked of arguments, also where inputs are made smaller. */
#ifndef CLTC_GENERATE_DRAW_INTERNAL_H
#define CLTC_GENERATE_DRAW_INTERNAL_H

#include "generate/draw.h"

/* The kind of its numbers (capture/number.h), NUMBER_KINDS: it has none; `*lanes`: how many an element has. */
uint32_t draw_kind(const parameter *p, size_t *lanes);
/* Numbers, or vectors of numbers, as formulas fill them. */
bool draw_is_number(const parameter *p);
bool draw_is_integer(const replica_argument *a);
int64_t draw_integer(const replica_argument *a);
/* Sets an integer, and its words. */
void draw_say_integer(input *x, size_t index, int64_t n);
/* Whether the numbers from `from` on fit into a buffer, one after another. */
bool draw_holds_ramp(const input *x, size_t index, uint64_t from);
/* Whether conditions speak of what a buffer holds. */
bool draw_contents_said(const inputs *in, const input *x, size_t index);

#endif
