/* What the command of a call does to memory. */
#ifndef CLTC_RUNNER_ORDER_ACCESS_H
#define CLTC_RUNNER_ORDER_ACCESS_H

#include "runner/order/footprints.h"

/* Bytes of one object, in the memory that it is part of. */
typedef struct command_access {
  size_t call;     /* of the capture */
  uint32_t object; /* of the capture */
  touch_kind kind;
  uint64_t low, high;                   /* nothing but bytes from `low` to before `high` */
  bool sure;                            /* some of these in every run, */
  uint64_t sure_low, sure_high;         /* all of these; empty: it is not known which */
  bool host;                            /* the host itself does it, while it has the memory mapped */
  const parameter_footprint *parameter; /* of a launch; NULL: not known */
  uint32_t index;                       /* of the parameter */
} command_access;

typedef struct accesses {
  command_access *items;
  size_t count, capacity;
} accesses;

/* What is needed to know accesses; all is lent. */
typedef struct access_reader {
  const capture *capture;
  const run_made *made;
  const footprints *footprints;
  size_t *launch_of; /* by command: the launch's number, SIZE_MAX: it is none */
} access_reader;

/* Adds what the call's command does. A mapping counts as what the host may do until it ends; the end of one for writing
 * as a write. */
void accesses_of(const access_reader *r, size_t call, accesses *to);

#endif
