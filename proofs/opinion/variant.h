/* The source of a kernel, changed so that a run shows what the device's own order of work-items, or its sizes of groups,
 * hide. What the changed kernel does the kernel as written may do, too: in another order, or in groups of other sizes. */
#ifndef CLTC_RUNNER_OPINION_VARIANT_H
#define CLTC_RUNNER_OPINION_VARIANT_H

#include "proofs/sources/source.h"

typedef enum variant {
  VARIANT_TURNS, /* at atomic functions that a whole group comes to, some of its work-items go first, each time others */
  VARIANT_RAGGED, /* the last group of a dimension has half as many work-items as the others */
  VARIANT_ALONE /* no work-item waits for others; they race for VARIANT_BARRIERS if they come to barriers differently */
} variant;

#define VARIANT_BARRIERS "barriers_come_to"

/* To be freed; NULL: it makes no difference for this kernel, or cannot be written. */
char *variant_text(variant v, const asked_source *s, const char *kernel);

#endif
