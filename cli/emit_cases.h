/* `--emit-cases DIR`: the launches of findings, kept as kernel cases. */
#ifndef CLTC_CLI_EMIT_CASES_H
#define CLTC_CLI_EMIT_CASES_H

#include "cli/experiment.h"
#include "db/db.h"
#include "proofs/counterexample/replica.h"
#include "runner/plan/plan.h"

/* For each kernel and test case of the plan with a finding of the runs (race, divergence, deadlock, crash), which no
 * suppression covers: DIR/KERNEL with the launches up to the last one of that kernel. A program runs once more for that.
 * Does nothing without the option. The exit code: `code`, or that of what failed, which is said. */
int emit_cases(const settings *s, const plan *p, const target *t, db *d, const int64_t *runs, size_t count, int code);

/* Writes DIR/NAME/suite.yaml with a launch; `folder`: DIR. -1 with `e` set. */
int emit_replica_quietly(const char *folder, const replica *r, const char *name, error *e);
/* The same of a counterexample, and says so. */
int emit_replica(void *folder, const replica *r, const char *name, error *e);

#endif
