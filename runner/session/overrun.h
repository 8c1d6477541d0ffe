/* MESSAGE_OVERRUN on cltestcheck's side: a kernel has written past the end of a buffer. */
#ifndef CLTC_RUNNER_SESSION_OVERRUN_H
#define CLTC_RUNNER_SESSION_OVERRUN_H

#include <stdint.h>

#include "db/db.h"
#include "wire/fields.h"

typedef struct overrun {
  char *kernel;
  uint32_t program, of, argument, test_case;
  uint64_t launch, launches, size, first, last; /* as in the message */
} overrun;

/* -1: the message is malformed. Free the result in every case. */
int overrun_read(wire_reader *in, overrun *out);
void overrun_free(overrun *o);
/* As a finding of a test case, `kernel` its row or 0. */
int overrun_store(const overrun *o, db *d, int64_t run, int64_t test_case, int64_t kernel, error *e);

#endif
