/* `verify --emit-cases DIR`: counterexamples as kernel cases. */
#ifndef CLTC_CLI_EMIT_REPLICA_H
#define CLTC_CLI_EMIT_REPLICA_H

#include "runner/counterexample/replica.h"

/* Writes DIR/NAME/suite.yaml with a launch; `folder`: DIR. -1 with `e` set. */
int emit_replica_quietly(const char *folder, const replica *r, const char *name, error *e);
/* The same of a counterexample, and says so. */
int emit_replica(void *folder, const replica *r, const char *name, error *e);

#endif
