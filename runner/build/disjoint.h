/* Launches whose work-items are disjoint (frontend/facts/launch.h), and mutants with which that may no longer hold. */
#ifndef CLTC_RUNNER_BUILD_DISJOINT_H
#define CLTC_RUNNER_BUILD_DISJOINT_H

#include "frontend/facts/launch.h"
#include "mutate/mutate.h"

/* The kernels of a program, and what has been shown of them. */
typedef struct disjoint disjoint;

/* Reads the sources. NULL: they cannot be read. Free with disjoint_free. */
disjoint *disjoint_read(const pp_input *sources, size_t source_count);
void disjoint_free(disjoint *a);
/* Whether the work-items of a launch of `kernel` (its name) are disjoint. If so, what that rests on is remembered. */
bool disjoint_holds(disjoint *a, const char *kernel, const facts_launch *l);
/* Whether all its accesses stay inside of their memory (frontend/facts/launch.h); nothing is remembered. */
bool disjoint_stays_inside(const disjoint *a, const char *kernel, const facts_launch *l);
/* What has been shown, for another process. */
void disjoint_write(const disjoint *a, buffer *out);
/* Adds what disjoint_write wrote to `*a`; where that is NULL, to a new one, of whose kernels nothing holds. -1: the bytes
 * are something else. */
int disjoint_add(disjoint **a, const void *bytes, size_t length);
/* Whether something that has been shown may no longer hold with the mutant in place. `of`: the model of the mutant. */
bool disjoint_rests_on(const disjoint *a, const model *of, const mutant *m);

#endif
