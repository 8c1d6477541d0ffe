/* MESSAGE_UNNOTICED on cltestcheck's side: the program used what a refused launch should have written. */
#ifndef CLTC_RUNNER_SESSION_UNNOTICED_H
#define CLTC_RUNNER_SESSION_UNNOTICED_H

#include <stdint.h>

#include "db/db.h"
#include "wire/fields.h"

typedef struct unnoticed {
  char *call, *kernel, *detail, *next;
  int32_t code;
  uint32_t program, number, argument;
} unnoticed;

/* -1: the message is malformed. Free the result in every case. */
int unnoticed_read(wire_reader *in, unnoticed *out);
void unnoticed_free(unnoticed *u);
/* As a finding of a test case: the same refusal is kept once. */
int unnoticed_store(const unnoticed *u, db *d, int64_t run, int64_t test_case, error *e);

#endif
