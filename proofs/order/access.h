/* What the command of a call does to memory. */
#ifndef CLTC_RUNNER_ORDER_ACCESS_H
#define CLTC_RUNNER_ORDER_ACCESS_H

#include "frontend/facts/launch.h"
#include "proofs/sources/observe.h"

typedef struct touched_place {
  char *file; /* "": the source itself; NULL: not known */
  uint32_t line, column;
} touched_place;

/* Of one parameter. */
typedef struct parameter_footprint {
  char *name;
  touch by[TOUCH_KINDS];
  touched_place at[TOUCH_KINDS];
} parameter_footprint;

typedef struct footprint {
  parameter_footprint *parameters; /* NULL: nothing is known of the kernel */
  size_t count;
} footprint;

/* One a launch. Launches that are alike share a footprint: `of[i]` is its number. */
typedef struct footprints {
  size_t *of;
  footprint *items;
  size_t count, capacity;
} footprints;

/* A source that cannot be read leaves its launches without one. */
footprints footprints_read(const capture *c, const run_made *m, const asked_source *sources, size_t source_count);
void footprints_free(footprints *f);

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
