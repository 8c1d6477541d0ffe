/* Launches that satisfy the preconditions of a proof, drawn: small ones first, then edges. */
#ifndef CLTC_RUNNER_OPINION_DRAW_H
#define CLTC_RUNNER_OPINION_DRAW_H

#include "proofs/counterexample/replica.h"

/* --- preconditions, which a launch can be held against ------------------------------------------------------------ */

/* What a condition says of each element of a buffer: `low <= x[i]` or `x[i] <= high`, as an expression. */
typedef struct each_term {
  size_t parameter; /* the buffer */
  bool least, strict;
  const char *bound; /* lent, */
  size_t length;
} each_term;

typedef struct terms {
  const signature *of;     /* lent */
  const char **conditions; /* C expressions; lent */
  const struct host_expression *
      *facts; /* by condition: of host code, the same as it is computed there; else NULL. Lent */
  size_t count;
  contents_facts *contents; /* by parameter: what its buffer holds */
  each_term *each;
  size_t each_count, each_capacity;
  int64_t *numbers; /* that stand in the conditions */
  size_t number_count, number_capacity;
  const char *foreign; /* a precondition that says something else; NULL: there is none. Lent */
} terms;

/* `way`: the host's, with facts that hold, too; or NULL. Release with terms_free in every case. */
void terms_read(const premises *preconditions, const struct host_way *way, const signature *of, terms *out);
void terms_free(terms *t);

/* Whether each condition holds for the launch. Contents are not looked at. */
bool terms_hold(const terms *t, const replica *launch);
/* The value of an expression over the names of a launch, as verify computes it: in 64 bits, with a sign. False: it has none,
 * or is not understood. */
bool terms_value(const char *expression, size_t length, const replica *launch, int64_t *out);
/* Whether conditions say how many elements the buffer of this name has, or it is the name of no parameter (but of an array,
 * whose size is known). */
bool terms_size(const terms *t, const char *name);
/* The contents of a buffer for a launch: what is said of the buffer, and of each element. False: none satisfy that. */
bool terms_contents(const terms *t, size_t index, const replica *launch, contents_facts *out);

/* --- launches ----------------------------------------------------------------------------------------------------- */

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
