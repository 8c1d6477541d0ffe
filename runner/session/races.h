/* What checked kernels have seen (wire/check_record.h), as findings. */
#ifndef CLTC_RUNNER_SESSION_RACES_H
#define CLTC_RUNNER_SESSION_RACES_H

#include "runner/session/internal.h"

/* A pair of accesses that was seen unordered. */
typedef struct seen_race {
  int64_t row; /* the test case */
  uint32_t program, kernel;
  uint32_t before, now; /* accesses; `before` CHECKED_ACCESSES: not known any more */
  uint32_t record[20];  /* the slot with most of it: wire/check_record.h */
} seen_race;

/* Takes the record of a checked kernel: all that was seen since the process made its queue. */
void races_take(session *s, uint32_t program, uint32_t kernel, int64_t row, const uint32_t *words);
/* Takes MESSAGE_SHORT. */
void races_want_rounds(session *s, uint32_t rounds);
/* Writes all findings so far, and counts them; to be called when a program has ended. */
int races_write(session *s, error *e);

#endif
