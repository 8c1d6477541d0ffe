/* What inputs can take in a kernel: outcomes of branches, cases of loops, barriers, functions. */
#ifndef CLTC_GENERATE_OUTCOMES_H
#define CLTC_GENERATE_OUTCOMES_H

#include "base/buffer.h"
#include "db/db.h"

typedef struct outcome {
  char *file;      /* name */
  char digest[65]; /* of its text */
  uint32_t offset, number, line;
  site_kind kind;
  char *label;
  bool taken;
  unsigned owner; /* number of the input that is kept for it; 0: none */
  uint32_t first; /* launch that took it in the view that was read last, */
  bool seen;      /* if one did */
  char *never;    /* proved that no launch takes it, "" or on what conditions: "if n >= 0"; NULL: it may be */
  bool own;       /* it is in the kernel file itself; of one with `never` */
} outcome;

typedef struct outcomes {
  outcome *items;
  size_t count, capacity;
  bool known; /* a view has been read */
} outcomes;

/* Takes the kernel's outcomes from a view in which each launch is a test case named by its number (trial_launches). */
void outcomes_read(outcomes *o, const view *v, const char *kernel);
size_t outcomes_taken(const outcomes *o);
/* What the view that was read last has, is taken from now on, and no input is kept for it. */
void outcomes_take(outcomes *o);
/* Those that are not taken, and proved never to be. */
size_t outcomes_never(const outcomes *o);
/* What is shown of one: "the else of line 12". */
void outcome_words(const outcome *o, buffer *out);
/* Whether the outcome of that kind in the site of a file is this one. */
bool outcome_is(const outcome *o, const model_file *file, const model_site *s, const model_outcome *of);
/* What a launch takes that was not taken before it, as a clause: "takes the else of line 12"; NULL: nothing. `owner`: the
 * number of its input, for which it is taken from now on; 0: it is not. To be freed. */
char *outcomes_reason(outcomes *o, uint32_t launch, unsigned owner);
void outcomes_free(outcomes *o);

#endif
