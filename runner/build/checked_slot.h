/* A slot of a checked kernel's record (wire/check_record.h): two accesses that were seen to race. */
#ifndef CLTC_RUNNER_BUILD_CHECKED_SLOT_H
#define CLTC_RUNNER_BUILD_CHECKED_SLOT_H

#include "instrument/instrument.h"
#include "wire/check_record.h"

typedef struct checked_slot {
  const uint32_t *words; /* CHECKED_SLOT_WORDS; lent */
  uint32_t before, now;  /* accesses of the program; `before` CHECKED_ACCESSES: not known any more */
  bool whole;            /* all of it was written, and the program has these accesses */
  bool same;             /* the later write never changed anything */
} checked_slot;

/* Reads a slot of a record; false: it is free. */
bool checked_slot_read(const instrument_result *of, const uint32_t *record, uint32_t number, checked_slot *out);

#endif
