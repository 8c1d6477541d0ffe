/* From source to built program: a request in (texts, options, what is known of the device); in a process of its own each
 * time, the form that is asked for out, or the questions that only the device can answer, or why it is left out. */
#ifndef CLTC_RUNNER_BUILD_BUILD_H
#define CLTC_RUNNER_BUILD_BUILD_H

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
/* Begins it, for a call later (isolated_ahead). */
bool build_mutated_ahead(const program_request *r, const build_mutants *which);

/* As build_instrumented, with the replacement of a mutant written into the text. `of`: the model of the mutant. */
int build_with_mutant(const program_request *r, kernel_form form, const model *of, const mutant *m,
                      instrument_result *out, error *e);

/* The text of a source with a mutant in it. */

/* Which of the sources has the mutant; SIZE_MAX: a header has. */
size_t mutant_source(const pp_input *inputs, size_t count, const model *of, const mutant *m);
/* To be freed. */
char *mutant_text(const pp_input *source, const mutant *m);

/* What a kernel may write by its source, where a program runs as its user wrote it. */

/* Whether an argument (from 0) leads to memory that the kernel may write: a parameter that is global and not const, or an
 * image. Of several programs with a kernel of this name all must say so; false where none can be read. */
bool source_may_write(const program_request *const *programs, size_t count, const char *kernel, uint32_t argument);
/* The same of a program that was read. `kernel`: its number. */
bool kernel_may_write(const instrument_result *made, size_t kernel, uint32_t argument);

#endif
