/* The machine code of single kernels in a program's binary, as a digest. PoCL puts a shared object for each kernel into
 * its binaries, behind a file name ("/K/0-0-0/K.so") and sizes of 32 bits. */
#ifndef CLTC_RUNNER_EXPERIMENT_KERNEL_CODE_H
#define CLTC_RUNNER_EXPERIMENT_KERNEL_CODE_H

#include <stdbool.h>
#include <stddef.h>

/* SHA-256 of what the shared objects of these kernels do: contents of the sections that are loaded, functions,
 * relocations. Names count, but for the number behind `mark` in them, which must have the same number of digits
 * everywhere (names shift what follows them). False: the binary has no such object for one of them. */
bool kernel_code_digest(const unsigned char *binary, size_t size, const char *const *kernels, size_t count,
                        const char *mark, char digest[65]);

#endif
