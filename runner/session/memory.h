/* What kernels with bounds have seen (wire/memory_record.h), as findings. */
#ifndef CLTC_RUNNER_SESSION_MEMORY_H
#define CLTC_RUNNER_SESSION_MEMORY_H

#include "runner/session/session.h"
#include "wire/memory_record.h"

/* An error of an access and an object. */
typedef struct seen_error {
  int64_t row; /* the test case */
  uint32_t program, kernel;
  uint32_t record[MEMORY_SLOT_WORDS];
} seen_error;

/* Takes the record of a kernel with bounds: all that was seen since the process made its queue. */
void memory_take(session *s, uint32_t program, uint32_t kernel, int64_t row, const uint32_t *words);
/* A kernel that did something wrong, or may have, in one of these launches (of MESSAGE_EVIDENCE), and did not say what. */
typedef struct wrong_kernel {
  int64_t row; /* the test case */
  uint32_t program, kernel, first, end;
  uint32_t word; /* BRIEF_… */
} wrong_kernel;

/* Takes the record of one that says only whether anything was wrong. */
void memory_hear(session *s, const wrong_kernel *k);

#endif
