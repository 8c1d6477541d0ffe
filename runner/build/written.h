/* What a kernel may write by its source, where a program runs as its user wrote it. */
#ifndef CLTC_RUNNER_BUILD_WRITTEN_H
#define CLTC_RUNNER_BUILD_WRITTEN_H

#include "runner/build/program_request.h"

/* Whether an argument (from 0) leads to memory that the kernel may write: a parameter that is global and not const, or an
 * image. Of several programs with a kernel of this name all must say so; false where none can be read. */
bool source_may_write(const program_request *const *programs, size_t count, const char *kernel, uint32_t argument);
/* The same of a program that was read. `kernel`: its number. */
bool kernel_may_write(const instrument_result *made, size_t kernel, uint32_t argument);

#endif
