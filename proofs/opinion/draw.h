/* Launches that satisfy the preconditions of a proof, drawn: small ones first, then edges. */
#ifndef CLTC_RUNNER_OPINION_DRAW_H
#define CLTC_RUNNER_OPINION_DRAW_H

#include "proofs/opinion/terms.h"

enum { DRAW_GROUP_SIZES = 3 }; /* different ones: a device may build the kernel for each */

typedef struct drawing {
  const asked_source *source;
  const char *kernel;
  const signature *of;
  const terms *terms;
  const observed_launch *base; /* what is not drawn is as there; NULL: all is drawn */
  bool small;                  /* no large numbers: they may overflow, or make loops long */
  uint64_t seed;
  uint64_t sizes[DRAW_GROUP_SIZES][3];
  size_t size_count;
  uint64_t required[3]; /* by the kernel's attribute; 0: any */
  int64_t *numbers;     /* of the kernel's text */
  size_t number_count, number_capacity;
  bool fitted; /* some launch that was tried is not too large, whatever it has else */
} drawing;

/* `d` has source, kernel, terms and options; release with draw_end. */
void draw_begin(drawing *d);
void draw_end(drawing *d);
/* NULL, or why no launch can be made for this kernel at all (lent). */
const char *draw_obstacle(const drawing *d);
/* Why none was found (lent). */
const char *draw_none(const drawing *d);
/* The launch of that number; false: none was found that satisfies the preconditions. Release with replica_free. */
bool draw_launch(drawing *d, unsigned number, replica *out);
/* How many elements the buffer of a parameter must have in a launch, by the preconditions; false: they do not say. */
bool draw_elements(const drawing *d, const replica *r, size_t index, int64_t *least);
/* The sizes of a group that `reqd_work_group_size` gives a kernel of a text; others are left alone. */
void draw_required(const char *kernel, const char *text, uint64_t sizes[3]);

#endif
