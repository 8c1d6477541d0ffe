/* A counterexample is a test case like others: a capture. */
#ifndef CLTC_RUNNER_COUNTEREXAMPLE_REPLICA_CAPTURE_H
#define CLTC_RUNNER_COUNTEREXAMPLE_REPLICA_CAPTURE_H

#include "capture/capture.h"
#include "runner/counterexample/replica.h"

/* Composes it in memory; `*to` is zeroed, and to be released with capture_free. */
void replica_capture(const replica *r, capture *to);
/* The same of several launches of one kernel, one after another, each with memory of its own. `more`: build options
 * beside those of the source, "" for none. */
void replicas_capture(const replica *all, size_t count, const char *more, capture *to);

#endif
