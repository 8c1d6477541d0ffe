/* What a kernel is made of and where in it a mutant is, as digests that an edit elsewhere in the file does not change.
 */
#ifndef CLTC_MUTATE_DIGEST_H
#define CLTC_MUTATE_DIGEST_H

#include "base/digest.h"
#include "instrument/program.h"
#include "mutate/mutate.h"

/* Fills r->kernel_digests: for each kernel of the model all tokens, once macros are expanded, that are in no function,
 * in the kernel or in a function that it reaches, and all pragmas, in their order, with the build options. */
void digest_kernels(const program *p, mutate_result *r);

/* parameters.c: fills r->kernel_parameters. */
void list_kernel_parameters(const program *p, mutate_result *r);

/* A token by its place in its function: source, name of the function and number among those of the name, number of the
 * token there. */
void digest_place(digester *d, const program *p, uint32_t function, uint32_t token);

#endif
