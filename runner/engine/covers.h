/* What a proof says of the results of launches: where no order of work-items shows in them, digests by which such
 * launches are found again. */
#ifndef CLTC_RUNNER_ENGINE_COVERS_H
#define CLTC_RUNNER_ENGINE_COVERS_H

#include "runner/engine/answer.h"
#include "runner/sources/source.h"

enum { COVERS_MOST = LAUNCHES_MOST + 3 };

typedef struct cover {
  char key[65];
} cover;

/* What the answer covers, at most COVERS_MOST: each of the launches that it was asked about, and all launches with the
 * same dimensions where it rests on nothing. None unless the kernel is verified without assumptions and has no
 * atomics whose order can show. */
size_t covers_of(const asked_source *s, const prove_options *o, const verify_answer *a, cover *out);

/* What a proof must cover for this launch, one of them: at most 2. None where the driver's choice of a work-group size is
 * not known and the launch is not covered with every size. */
size_t covers_wanted(const asked_source *s, const asked_kernel *k, const observed_launch *l, cover out[2]);

#endif
