/* What a replay tells the one who started it, in the file of its --record: this, as it lies in memory. */
#ifndef CLTC_WIRE_REPLAY_RECORD_H
#define CLTC_WIRE_REPLAY_RECORD_H

#include <stdint.h>

typedef struct replay_record {
  uint64_t known;   /* reads whose bytes the capture knows */
  uint64_t differs; /* 1: one of them is not as captured, */
  uint64_t number;  /* and this is the first such */
} replay_record;

#endif
