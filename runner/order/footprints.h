/* What launches touch of their memory, read from their sources in a process of its own (frontend/facts/footprint.h). */
#ifndef CLTC_RUNNER_ORDER_FOOTPRINTS_H
#define CLTC_RUNNER_ORDER_FOOTPRINTS_H

#include "frontend/facts/footprint.h"
#include "runner/sources/made.h"
#include "runner/sources/source.h"

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

#endif
