/* What checked kernels have seen (wire/check_record.h), as findings. */
#ifndef CLTC_RUNNER_SESSION_RACES_H
#define CLTC_RUNNER_SESSION_RACES_H

#include "runner/session/session.h"
#include "wire/check_record.h"
#include "wire/fields.h"

/* A pair of accesses that was seen unordered. */
typedef struct seen_race {
  int64_t row; /* the test case */
  uint32_t program, kernel;
  uint32_t before, now;                /* accesses; `before` CHECKED_ACCESSES: not known any more */
  uint32_t record[CHECKED_SLOT_WORDS]; /* the slot with most of it */
} seen_race;

/* Who accessed: as of a place. */
typedef struct race_item {
  const char *who;
  char local[16], group[16];
} race_item;

/* A race as a finding, which lends what is here; it is not to be moved. */
typedef struct told_race {
  bool benign;
  db_place places[2];
  size_t place_count;
  db_detail detail;
  race_item items[2];
  char pixel[40];
} told_race;

/* Takes the record of a checked kernel: all that was seen since the process made its queue. */
void races_take(session *s, uint32_t program, uint32_t kernel, int64_t row, const uint32_t *words);
/* Takes MESSAGE_SHORT, MESSAGE_SHARED. */
int races_hear(session *s, uint32_t type, wire_reader *in);
/* Writes all findings so far, and counts them; to be called when a program has ended. */
int races_write(session *s, error *e);
/* Forgets what was seen, and which kernels were checked. */
void races_forget(session *s);
/* The race of a kernel that says most: between work-groups, and with both accesses known, before others. NULL: none that
 * is more than the same value written twice. */
const seen_race *races_worst(const session *s, uint32_t program, uint32_t kernel);
/* Why nothing can be said of a kernel of which no race was seen; NULL: its launches were checked. Lent. */
const char *races_obstacle(const session *s, uint32_t program, uint32_t kernel);
void races_tell(const session *s, const seen_race *r, told_race *out);

#endif
