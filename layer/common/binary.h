/* What the binaries of programs were made of. When a program takes a binary of what it has built from source, that source
 * is kept in a folder, under the digest of the binary: a program that is made of it later, in this process or in another
 * one, is known by it. */
#ifndef CLTC_LAYER_COMMON_BINARY_H
#define CLTC_LAYER_COMMON_BINARY_H

#include "layer/common/source.h"

typedef enum binary_kind { BINARY_UNKNOWN, BINARY_EXECUTABLE, BINARY_LIBRARY, BINARY_OBJECT } binary_kind;

/* The driver has answered CL_PROGRAM_BINARIES of `handle` with `binaries`. Its executable (or library) was made of
 * `made_of`, which may be empty, its object of `compiled`, which may be NULL. */
void binaries_keep(cl_program handle, const recipe *made_of, unit *compiled, unsigned char *const *binaries);
/* What one of these binaries was made of goes to `out`, which is to be freed; of an object it is one unit. */
binary_kind binaries_find(cl_uint count, const size_t *lengths, const unsigned char *const *binaries, recipe *out);

#endif
