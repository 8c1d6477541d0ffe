/* A kernel on a CPU device that leaves its memory altogether: instead of ending the process, it finds a page there. */
#ifndef CLTC_REPLAY_FAULT_H
#define CLTC_REPLAY_FAULT_H

#include <stdbool.h>

#include "replay/arena.h"

/* What faults were about. */
typedef struct faults {
  bool near;    /* in the arena, near its buffers */
  bool far;     /* anywhere else */
  bool foreign; /* outside of the arena */
  bool written; /* what was lent holds other bytes at the end */
} faults;

/* From now on faults of any thread are mended, within bounds. `a`, which may be NULL, must stay; what is lent near its
 * places holds `filling`, elsewhere zeros. */
void faults_begin(const arena *a, unsigned char filling);
/* Ends it and takes the pages away. */
faults faults_end(void);

#endif
