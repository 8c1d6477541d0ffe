/* A kernel's proof from what host code says of its launches: one question to the engine for each way to launch it. */
#ifndef CLTC_RUNNER_ENGINE_PROVE_WAYS_H
#define CLTC_RUNNER_ENGINE_PROVE_WAYS_H

#include "runner/engine/prove.h"

/* Asks about all ways of kernel `k`, and makes one answer of theirs: as bad as the worst. Free `*out` in every case. */
int prove_ways(prover *p, const asked_source *s, const asked_kernel *k, verify_answer *out, error *e);

/* Whether each launch of `k` that was seen is one of its ways, by all that is known. -1 with `e` set (EXIT_INTERNAL): a
 * launch contradicts all ways although all ways are known. */
int ways_check(const asked_source *s, const asked_kernel *k, bool *all, error *e);

#endif
