/* Binaries of programs, in folders. Programs of our own that were built before: their binaries are kept in a folder,
 * over processes and commands, so that no text is compiled twice. Whatever is wrong with the folder costs a build from
 * the text, and nothing else. */
#ifndef CLTC_LAYER_COMMON_BUILDS_H
#define CLTC_LAYER_COMMON_BUILDS_H

#include <stdbool.h>

#include "layer/common/opencl.h"
#include "layer/common/source.h"

/* A program of the text, built for these devices (0 and NULL: all of the context), from the folder of ENV_BUILDS where
 * it has one (`*was_kept`). The program also when its build fails, for its log; NULL: there is none. */
cl_program build_text(cl_context context, cl_uint device_count, const cl_device_id *devices, const char *text,
                      const char *options, bool *was_kept, cl_int *result);

/* What the binaries of the user's programs were made of. When a program takes a binary of what it has built from
 * source, that source is kept in a folder, under the digest of the binary: a program that is made of it later, in this
 * process or in another one, is known by it. */
typedef enum binary_kind { BINARY_UNKNOWN, BINARY_EXECUTABLE, BINARY_LIBRARY, BINARY_OBJECT } binary_kind;

/* The driver has answered CL_PROGRAM_BINARIES of `handle` with `binaries`. Its executable (or library) was made of
 * `made_of`, which may be empty, its object of `compiled`, which may be NULL. */
void binaries_keep(cl_program handle, const recipe *made_of, unit *compiled, unsigned char *const *binaries);
/* What one of these binaries was made of goes to `out`, which is to be freed; of an object it is one unit. */
binary_kind binaries_find(cl_uint count, const size_t *lengths, const unsigned char *const *binaries, recipe *out);

#endif
