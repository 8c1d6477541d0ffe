/* A run of `verify` for the tests of db/ and reports/: proofs made by hand for the kernels of report_fixture.h. */
#ifndef CLTC_TESTS_PROOF_FIXTURE_H
#define CLTC_TESTS_PROOF_FIXTURE_H

#include "tests/report_fixture.h"

/* Its proofs, in the order of a view: those of src/conv.cl, then that of src/scan.cl. */
enum {
  PROOF_OF_CONV, /* conv2d: verified for two launches if n == get_global_size(0) and n > 2; a barrier and an invariant */
  PROOF_OF_ROWS, /* reduce_rows: diverges, definite, confirmed */
  PROOF_OF_SCAN, /* scan: possible race, and out of bounds, definite, not launchable */
  FIXTURE_PROOFS
};
/* Their keys; that of conv2d can be found again, with this answer. */
#define FIXTURE_KEY "key of conv2d"
#define FIXTURE_COVER "cover of conv2d"
#define FIXTURE_ANSWER "{\"kernel\":\"conv2d\"}"

/* Stores it and ends it with `exit`. */
int64_t fixture_proofs(db *d);

#endif
