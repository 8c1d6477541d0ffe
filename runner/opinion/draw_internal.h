/* One try to draw a launch: numbers that it draws, and its memory (draw_memory.c). */
#ifndef CLTC_RUNNER_OPINION_DRAW_INTERNAL_H
#define CLTC_RUNNER_OPINION_DRAW_INTERNAL_H

#include "runner/opinion/draw.h"

#define MEMORY_MOST (UINT64_C(64) << 20)

typedef struct attempt {
  drawing *d;
  replica *r;
  unsigned number; /* of the launch */
  unsigned try;
  uint64_t seed, drawn;
} attempt;

uint64_t attempt_draw(attempt *a); /* a number of 64 bits, */
uint64_t attempt_below(attempt *a, uint64_t n);
bool attempt_one_in(attempt *a, unsigned n);
/* The argument as the base has it; NULL: there is none, or it has none. */
const observed_argument *attempt_base(const drawing *d, size_t index);

/* A buffer, or local memory, of a size; its contents are drawn later. */
void size_memory(attempt *a, size_t index);
void draw_image(attempt *a, size_t index);
/* Null as in the base, and in one memory with others as there. */
void share_memory(attempt *a);
/* After all numbers, on which the contents may depend. False: no contents satisfy what is said. */
bool draw_contents(attempt *a);

#endif
