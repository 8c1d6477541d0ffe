/* From source to built program: a request in (texts, options, what is known of the device); in a process of its own each
 * time, the form that is asked for out, or the questions that only the device can answer, or why it is left out. */
#ifndef CLTC_RUNNER_BUILD_BUILD_H
#define CLTC_RUNNER_BUILD_BUILD_H

#include "instrument/instrument.h"
#include "mutate/mutate.h"
#include "runner/build/program_request.h"

/* -1 with `e`: it cannot be built in this form. Release `*out` in every case. */
int build_instrumented(const program_request *r, kernel_form form, instrument_result *out, error *e);

/* Which mutants a text holds. */
typedef struct build_mutants {
  const uint32_t *numbers; /* in clones (mutate_program) or, of a part, in a schema (mutate_part) */
  size_t count;            /* 0: all, in a schema */
  bool part;
  const bool *operators; /* as in mutate.h */
} build_mutants;
int build_mutated(const program_request *r, const build_mutants *which, mutate_result *out, error *e);

/* As build_instrumented, with the replacement of a mutant written into the text. `of`: the model of the mutant. */
int build_with_mutant(const program_request *r, kernel_form form, const model *of, const mutant *m,
                      instrument_result *out, error *e);

#endif
