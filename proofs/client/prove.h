/* Proofs of the kernels of a source: those that are known are taken over, the others come from the engine; the database keeps
 * them. */
#ifndef CLTC_RUNNER_ENGINE_PROVE_H
#define CLTC_RUNNER_ENGINE_PROVE_H

#include "instrument/instrument.h"
#include "proofs/client/answer.h"
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

/* --- what the database keeps of proofs ---------------------------------------------------------------------------- */

/* A source as the database has it. */
typedef struct kept_source {
  db *d;
  int64_t run;
  const char *directory; /* lent by the source */
  const asked_source *source;
  const prove_options *options; /* of its proofs */
  instrument_result made;       /* its model, of the source as coverage knows it; nothing else of it is used */
  db_program stored;
} kept_source;

/* Stores the source as a program of the run. Release with kept_source_free in every case. */
int kept_source_open(db *d, int64_t run, asked_source *s, const prove_options *o, kept_source *out, error *e);
/* Stores what was proved or found of a kernel; `confirmed`: one a finding. */
/* A file of its model by the name that the engine, or the compiler, gives it ("": the source); MODEL_NONE: it has none. */
uint32_t kept_source_file(const kept_source *k, const char *name);
/* The row of a kernel, 0: it is not in the model. */
int64_t kept_source_kernel(const kept_source *k, const char *name);
int keep_proof(const kept_source *k, const proved_kernel *proved, const confirmation *confirmed, error *e);
void kept_source_free(kept_source *k);

enum { COVERS_MOST = LAUNCHES_MOST + 3 };

typedef struct launch_cover {
  char key[65];
} launch_cover;

/* What a proof must cover for this launch, one of them: at most 2. None where the driver's choice of a work-group size is
 * not known and the launch is not covered with every size. */
size_t covers_wanted(const asked_source *s, const asked_kernel *k, const observed_launch *l, launch_cover out[2]);

#endif
