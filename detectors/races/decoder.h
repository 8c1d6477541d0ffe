/* What checked kernels have seen (detectors/races/record.h), as findings. */
#ifndef CLTC_DETECTORS_RACES_DECODER_H
#define CLTC_DETECTORS_RACES_DECODER_H

#include "detectors/races/record.h"
#include "runner/session/session.h"
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

/* Takes MESSAGE_SHORT, MESSAGE_SHARED. */
int races_hear(session *s, uint32_t type, wire_reader *in);
/* Forgets what was seen, and which kernels were checked. */
void races_forget(session *s);
/* The race of a kernel that says most: between work-groups, and with both accesses known, before others. NULL: none that
 * is more than the same value written twice. */
const seen_race *races_worst(const session *s, uint32_t program, uint32_t kernel);
/* Why nothing can be said of a kernel of which no race was seen; NULL: its launches were checked. Lent. */
const char *races_obstacle(const session *s, uint32_t program, uint32_t kernel);
void races_tell(const session *s, const seen_race *r, told_race *out);

/* A slot of a record: two accesses that were seen to race. */
typedef struct checked_slot {
  const uint32_t *words; /* CHECKED_SLOT_WORDS; lent */
  uint32_t before, now;  /* accesses of the program; `before` CHECKED_ACCESSES: not known any more */
  bool whole;            /* all of it was written, and the program has these accesses */
  bool same;             /* the later write never changed anything */
} checked_slot;

/* Reads a slot of a record; false: it is free. */
bool checked_slot_read(const struct instrument_result *of, const uint32_t *record, uint32_t number, checked_slot *out);

/* --- what is checked --- */

/* Whether commands of the last test case may have run in another order than they were given in, or met a mapping. */
bool session_take_unordered(session *s);
/* From now on (before a program starts): reads through arguments that nothing writes through are not checked, which costs
 * less, but where bounds are looked at. Whether that was too little in this test case: memory of one was written through another. */
void session_check_apart(session *s, bool apart);
bool session_has_shared(const session *s);
/* How many checked runs of the test case it takes until all memory has had cells, where they do not all fit; else 0. */
unsigned session_check_rounds(const session *s);
/* With OPTION_BOUNDS: whether all accesses of all programs were held against their objects, and lay in them. */
bool session_is_inside(const session *s);
/* Whether even after these some has had none. */
bool session_check_lacks_rounds(const session *s);
/* Writes the races that were seen since the last call as findings; when a program has ended. */
int session_end_checks(session *s, error *e);

#endif
