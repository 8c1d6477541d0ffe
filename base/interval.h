/* What a share of some says about the share of all. */
#ifndef CLTC_BASE_INTERVAL_H
#define CLTC_BASE_INTERVAL_H

#include <stddef.h>

typedef struct interval {
  double low, high; /* shares: 0 to 1 */
} interval;

/* The 95 % interval of a share of `all`, of which `drawn` were drawn at random and `hits` of these have what is asked
 * for. `all` 0: it is not known, and taken as endless. `drawn` is not 0. */
interval interval_of(size_t hits, size_t drawn, size_t all);

#endif
