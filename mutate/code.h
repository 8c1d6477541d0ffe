/* What clang's optimiser makes of clones (mutate.h): kernels whose code has the same digest compute the same.
 *
 * The texts are compiled by a clang of libclang's version. Of undefined behaviour it knows one kind alone, that signed
 * integers do not overflow: as devices' compilers know it. Loops may be endless, variables without a value have one, a
 * division by zero and an index outside of an array of the kernel's own are calls that nothing is known of. What differs
 * may still compute the same. */
#ifndef CLTC_MUTATE_CODE_H
#define CLTC_MUTATE_CODE_H

#include <stdbool.h>
#include <stddef.h>

/* The optimised code of a program. */
typedef struct mutate_code mutate_code;

/* Whether the compiler is there. */
bool mutate_code_available(void);

/* `options`: those of each text, for the device's compiler. NULL: the compiler takes one of them not, or not within a
 * minute. */
mutate_code *mutate_code_compile(char *const *texts, char *const *options, size_t count);
void mutate_code_free(mutate_code *c);

/* Of these kernels and all that they reach. Names of functions and variables of the program do not count,
 * nor does what the optimiser found out about a function. False: one of
 * them is not there. */
bool mutate_code_digest(const mutate_code *c, const char *const *kernels, size_t count, char digest[65]);

/* Of the compiler's output (LLVM assembly) of each text, which it takes over. */
mutate_code *mutate_code_read(char *const *assemblies, size_t count);

#endif
