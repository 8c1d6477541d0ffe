/* Proofs into the database. */
#ifndef CLTC_RUNNER_ENGINE_KEEP_H
#define CLTC_RUNNER_ENGINE_KEEP_H

#include "db/db.h"
#include "instrument/instrument.h"
#include "proofs/client/answer.h"
#include "proofs/client/confirmation.h"
#include "proofs/client/prove.h"
#include "proofs/sources/source.h"

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

/* What the answer covers, at most COVERS_MOST: each of the launches that it was asked about, and all launches with the
 * same dimensions where it rests on nothing. None unless the kernel is verified without assumptions and has no
 * atomics whose order can show. */
size_t covers_of(const asked_source *s, const prove_options *o, const verify_answer *a, launch_cover *out);

/* What a proof must cover for this launch, one of them: at most 2. None where the driver's choice of a work-group size is
 * not known and the launch is not covered with every size. */
size_t covers_wanted(const asked_source *s, const asked_kernel *k, const observed_launch *l, launch_cover out[2]);

#endif
