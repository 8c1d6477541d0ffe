/* Commands of a captured run into the findings of `memory` and `check`: those that race, and those that touch what the host has mapped,
 * where both touch the same bytes in every run. */
#ifndef CLTC_RUNNER_ORDER_COMMANDS_H
#define CLTC_RUNNER_ORDER_COMMANDS_H

#include "db/db.h"
#include "proofs/client/prove.h"
#include "proofs/sources/observe.h"
#include "runner/measure/measure.h"

typedef struct overlap_side {
  db_command command; /* its kernel and parameter are the overlap's own */
  size_t source;      /* of the observation; SIZE_MAX: none that can be read */
  char *call;         /* "main.c:12", where the program makes the call; "": not known */
  char *file;         /* of the access in it, "" the source itself; NULL: not known */
  uint32_t line, column;
} overlap_side;

typedef struct overlap {
  overlap_side first, second; /* in the order of the calls */
  bool image;
  uint64_t size;      /* bytes of the memory object in which they meet, */
  uint64_t low, high; /* and those that both touch */
  bool definite;
  bool mapped;    /* in order, but the host has it mapped */
  uint64_t count; /* pairs of commands that race alike */
} overlap;

typedef struct overlaps {
  overlap *items;
  size_t count, capacity;
} overlaps;

/* Adds those of a capture. `sources`: of the observation that made `m`. */
void overlaps_find(const capture *c, const run_made *m, const asked_source *sources, size_t source_count, overlaps *to);
void overlaps_free(overlaps *o);

int commands_judge(const commands_seen *seen, char **why, error *e);

/* The source, of the observation, whose program the finding belongs to; SIZE_MAX: of none. */
size_t overlap_source(const overlap *o);
/* `k`: that source; NULL: there is none. */
int keep_overlap(db *d, int64_t run, int64_t test_case, const kept_source *k, const overlap *o, error *e);

#endif
