/* MESSAGE_CALL_REFUSED on cltestcheck's side. */
#ifndef CLTC_RUNNER_SESSION_REFUSAL_H
#define CLTC_RUNNER_SESSION_REFUSAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "db/db.h"
#include "wire/fields.h"

typedef struct refusal {
  char *call, *kernel, *detail;
  const char *error; /* its name */
  char number[16];
  bool launch; /* of a kernel */
  uint64_t count;
} refusal;

/* -1: the message is malformed. Free the result in every case. */
int refusal_read(wire_reader *in, refusal *out);
void refusal_free(refusal *r);
int refusal_store(const refusal *r, db *d, int64_t run, error *e);
/* "kernel k: CL_INVALID_WORK_GROUP_SIZE (global size 10, work-group size 4)": what was refused and why. */
void refusal_words(const refusal *r, buffer *out);

#endif
