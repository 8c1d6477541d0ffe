/* The text of a source with a mutant in it. */
#ifndef CLTC_RUNNER_BUILD_MUTANT_TEXT_H
#define CLTC_RUNNER_BUILD_MUTANT_TEXT_H

#include "frontend/preprocess.h"
#include "mutate/mutate.h"

/* Which of the sources has the mutant; SIZE_MAX: a header has. */
size_t mutant_source(const pp_input *inputs, size_t count, const model *of, const mutant *m);
/* To be freed. */
char *mutant_text(const pp_input *source, const mutant *m);

#endif
