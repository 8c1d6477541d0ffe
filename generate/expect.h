/* What inputs compute today, as a case expects it. */
#ifndef CLTC_GENERATE_EXPECT_H
#define CLTC_GENERATE_EXPECT_H

#include "generate/bench.h"

/* Gives each input the lines of what is expected, for the buffers that it may write. A buffer of which a run more, another
 * filling of memory that nobody has written, or another order of work-groups leaves something else gets none, and a
 * sentence. -1 with `e`: interrupted, or nothing can be run; inputs that were not looked at have no lines then. */
int expect_results(bench *b, input *list, size_t count, error *e);

#endif
