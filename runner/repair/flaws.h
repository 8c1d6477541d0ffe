/* The proof engine as the search for repairs asks it: texts in, flaws out. */
#ifndef CLTC_RUNNER_REPAIR_FLAWS_H
#define CLTC_RUNNER_REPAIR_FLAWS_H

#include "repair/search.h"
#include "runner/engine/prove.h"
#include "runner/repair/options.h"

typedef struct repair_engine {
  prover prover;
  const asked_source *source; /* the file as it is */
  const char *const *kernels; /* names, as the search has them */
  size_t kernel_count;
  flaw *flaws;                   /* of the question under way; */
  char **objections;             /* if not NULL these are wanted, in their place, */
  const repair_options *options; /* with the second opinion of these */
} repair_engine;

/* What the engine is asked for while a repair is looked for, of what a person would ask. */
prove_options repair_question(const prove_options *as);
/* As flaw_finder.find; `context` is a repair_engine. */
int repair_find(void *context, const char *text, size_t length, const bool *marked, flaw *flaws, error *e);
/* What `verify` with these options says of the marked kernels of a text, a sentence a kernel that is not verified: to be freed.
 * As repair_find. */
int repair_object(const repair_engine *engine, const repair_options *options, const buffer *text, const bool *marked,
                  char **objections, error *e);
/* Whether all kernels of a source that was launched are proved with this text. As repair_find. */
int repair_verified(const prover *p, const asked_source *source, const char *text, size_t length, bool *all, error *e);

#endif
