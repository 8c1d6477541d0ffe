/* MESSAGE_CALL_REFUSED, MESSAGE_UNNOTICED and MESSAGE_OVERRUN on cltestcheck's side. Those that read one give -1 where it is malformed;
 * what they give is to be freed in every case. */
#ifndef CLTC_RUNNER_SESSION_REFUSAL_H
#define CLTC_RUNNER_SESSION_REFUSAL_H

#include "db/db.h"
#include "wire/fields.h"

typedef struct refusal {
  char *call, *kernel, *detail;
  const char *error; /* its name */
  char number[16];
  bool launch; /* of a kernel */
  uint64_t count;
} refusal;

int refusal_read(wire_reader *in, refusal *out);
void refusal_free(refusal *r);
int refusal_store(const refusal *r, db *d, int64_t run, error *e);
/* "kernel k: CL_INVALID_WORK_GROUP_SIZE (global size 10, work-group size 4)": what was refused and why. */
void refusal_words(const refusal *r, buffer *out);

typedef struct unnoticed {
  char *call, *kernel, *detail, *next;
  int32_t code;
  uint32_t program, number, argument;
} unnoticed;

int unnoticed_read(wire_reader *in, unnoticed *out);
void unnoticed_free(unnoticed *u);
/* As a finding of a test case: the same refusal is kept once. */
int unnoticed_store(const unnoticed *u, db *d, int64_t run, int64_t test_case, error *e);

typedef struct overrun {
  char *kernel;
  uint32_t program, of, argument, test_case;
  uint64_t launch, launches, size, first, last; /* as in the message */
} overrun;

int overrun_read(wire_reader *in, overrun *out);
void overrun_free(overrun *o);
/* As a finding of a test case, `kernel` its row or 0. */
int overrun_store(const overrun *o, db *d, int64_t run, int64_t test_case, int64_t kernel, error *e);

#endif
