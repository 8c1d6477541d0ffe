/* The request to the proof engine, as JSON, and the engine. */
#ifndef CLTC_RUNNER_ENGINE_REQUEST_H
#define CLTC_RUNNER_ENGINE_REQUEST_H

#include "base/buffer.h"
#include "proofs/sources/source.h"
#include "runner/isolate.h"

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

/* --- the engine as a process of its own: a request in, a line for each kernel out --------------------------------- */

#define ENGINE_MISSING                                                                                              \
  "this build of cltestcheck has no proof engine; build it again where Z3 and LLVM are installed: apt-get install " \
  "libz3-dev "                                                                                                      \
  "llvm-19-dev clang-19"
/* The engine says something about each kernel in this time, whatever else the machine does; a minute to compile the source. */
#define ENGINE_PATIENCE(timeout) (60 + 110 * (timeout))
#define CLANG_MISSING "verify needs clang-19, which is not in PATH: apt-get install clang-19"

/* The engine's program, to be freed: NULL with `e` set when it, or the clang-19 that it runs, is not there. */
char *engine_find(error *e);
/* A digest of the program: another one may prove something else. */
void engine_digest(const char *program, char out[65]);

typedef struct engine_listener {
  void *context;
  /* One line, without its end. -1 with `e` set: no more are wanted. */
  int (*line)(void *context, const char *line, size_t length, error *e);
} engine_listener;

typedef struct engine_end {
  bool interrupted; /* by the user, as `signals` says */
  bool silent;      /* it was killed: it had said nothing for `patience` seconds */
  int status;       /* as a shell shows it */
} engine_end;

/* Runs the engine to its end, at most as long as it says something every `patience` seconds. -1 with `e` set: it could
 * not be started, or the listener failed. */
int engine_run(const char *program, const char *request, size_t length, double patience, const interrupts *signals,
               const engine_listener *listener, engine_end *end, error *e);

#endif
