/* The request to the proof engine, as JSON. */
#ifndef CLTC_RUNNER_ENGINE_REQUEST_H
#define CLTC_RUNNER_ENGINE_REQUEST_H

#include "base/buffer.h"
#include "proofs/sources/source.h"

/* The request for some kernels of a source: those for which `wanted` (as many as kernels; NULL: all) is true. */
void request_write(const asked_source *s, const prove_options *o, const bool *wanted, buffer *out);

/* The request for one way to launch a kernel, of host code. */
void request_way(const asked_source *s, const prove_options *o, const asked_kernel *k, const struct host_way *w,
                 buffer *out);

/* Whether all names in an assumption are arguments of the kernel, or what assumptions are made of; else `*name` is the
 * first that is not, of `*length` characters. */
bool request_knows_names(const char *assumption, const signature *of, const char **name, size_t *length);

/* A launch as the request has it, but for how often it was made. */
void request_launch_text(const observed_launch *l, const signature *of, buffer *out);

/* A digest of all that a kernel's proof follows from: what the request says of it, the files that it is made of, and the
 * engine (a digest of its program). "" for a source that could not be read here, as its files are not known. */
void request_key(const asked_source *s, const prove_options *o, const asked_kernel *k, const char *engine,
                 char out[65]);

#endif
