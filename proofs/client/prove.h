/* Proofs of the kernels of a source: those that are known are taken over, the others come from the engine. */
#ifndef CLTC_RUNNER_ENGINE_PROVE_H
#define CLTC_RUNNER_ENGINE_PROVE_H

#include "proofs/client/answer.h"
#include "proofs/sources/source.h"
#include "runner/isolate.h"

typedef struct proved_kernel {
  verify_answer answer;
  char *text;   /* the engine's line; NULL: there is none */
  char key[65]; /* under which the proof is found again, "": it is not */
  bool reused;  /* taken over from an earlier run */
} proved_kernel;

typedef struct prove_listener {
  void *context;
  /* The proof of an earlier run with this key, to be freed; NULL: none. */
  char *(*recall)(void *context, const char *key);
  /* A kernel has its answer, which is handed over. -1 with `e` set: it could not be kept. */
  int (*proved)(void *context, const asked_source *s, proved_kernel *k, error *e);
} prove_listener;

typedef struct prover {
  const char *engine; /* program */
  char digest[65];    /* of it */
  prove_options options;
  const interrupts *signals;
  prove_listener listener;
  bool interrupted; /* no more is to be done */
} prover;

/* -1 with `e` set: nothing can be said of this source (EXIT_USAGE: it does not compile, …), or an answer could not be
 * kept. What was decided before is with the listener. */
int prove_source(prover *p, const asked_source *s, error *e);
void proved_kernel_free(proved_kernel *k);

#endif
