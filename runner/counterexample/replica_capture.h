/* A counterexample is a test case like others: a capture. */
#ifndef CLTC_RUNNER_COUNTEREXAMPLE_REPLICA_CAPTURE_H
#define CLTC_RUNNER_COUNTEREXAMPLE_REPLICA_CAPTURE_H

#include "capture/capture.h"
#include "runner/counterexample/replica.h"

/* Composes it in memory; `*to` is zeroed, and to be released with capture_free. */
void replica_capture(const replica *r, capture *to);

#endif
