/* Races between commands of a program: two that may run at the same time (order.h) and touch the same memory, one of them
 * writing (access.h); and commands that touch what the host has mapped, until the mapping ends.
 *
 * A race is definite if both touch a byte in common in every run, and possible where that is not known. */
#ifndef CLTC_RUNNER_ORDER_OVERLAP_H
#define CLTC_RUNNER_ORDER_OVERLAP_H

#include "db/rows.h"
#include "proofs/sources/observe.h"
#include "proofs/sources/source.h"

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

#endif
