/* Inputs are drawn: launches as for second opinions (proofs/opinion/draw.h), with the constants of the source and their
 * neighbours for scalars and for what memory holds. */
#ifndef CLTC_GENERATE_DRAW_H
#define CLTC_GENERATE_DRAW_H

#include "generate/input.h"
#include "proofs/opinion/draw.h"

typedef struct constants {
  double *items; /* that stand in the text, each once */
  size_t count, capacity;
} constants;

/* The numbers of a text in OpenCL C; comments do not count. */
constants constants_read(const char *text);

typedef struct inputs {
  drawing launches;
  terms terms;
  premises said; /* what the terms lend from: its list is its own */
  char **texts;  /* that were added to it */
  size_t text_count;
  constants constants;
  uint64_t seed;
  bool edges;         /* more of what is extreme, or alike */
  bool offsets;       /* launches may have a global offset */
  bool alone;         /* one work-group in each dimension, where the conditions allow it */
  uint64_t *elements; /* by parameter: how large its memory is at least, as runs have shown */
} inputs;

/* `a`: what verify says of the kernel, NULL: nothing; `assumed`: conditions in C. Both are lent. Release with inputs_end. */
void inputs_begin(inputs *in, const asked_source *s, const char *kernel, const verify_answer *a,
                  const char *const *assumed, size_t assumed_count, uint64_t seed);
void inputs_end(inputs *in);
/* NULL, or why there are none for this kernel; to be freed. */
char *inputs_obstacle(const inputs *in);
/* Input number `number`, from 1: like `from`, in a part of its arguments, if that is not NULL. False: none was found that
 * satisfies the conditions. Release with input_free. */
bool inputs_draw(inputs *in, unsigned number, const input *from, input *out);
/* Input number `number` with these sizes and numbers, and contents where those are known. False: the conditions do not hold,
 * or it is larger than what is tried. Release with input_free. */
bool inputs_take(inputs *in, unsigned number, const replica *launch, input *out);
/* Whether the conditions hold for the input. */
bool inputs_allow(const inputs *in, const input *x);

/* Makes memory larger or smaller. What it holds becomes other numbers where these would not fit its type any more. */
void draw_set_elements(input *x, size_t index, uint64_t elements);

#endif
