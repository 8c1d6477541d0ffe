/* Running a counterexample under Oclgrind, where that is installed. */
#ifndef CLTC_RUNNER_COUNTEREXAMPLE_SIMULATE_H
#define CLTC_RUNNER_COUNTEREXAMPLE_SIMULATE_H

#include "base/buffer.h"
#include "runner/counterexample/replica.h"
#include "runner/engine/confirmation.h"

/* Whether oclgrind-kernel is in PATH. */
bool simulate_available(void);
/* Runs it in a folder of its own below `scratch`. `same_value`: writes of the same value are races, too. */
confirmation simulate(const replica *r, const char *scratch, bool same_value);

/* For tests: the input of oclgrind-kernel for a kernel in `file`; and what its messages say of the finding. */
void simulate_write(const replica *r, const char *file, buffer *out);
confirmation simulate_judge(const replica *r, const char *messages);

#endif
