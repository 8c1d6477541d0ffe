/* Races between commands of a program: two that may run at the same time (order.h) and touch the same memory, one of them
 * writing (access.h). Memory that the host has mapped is touched by it until the mapping ends.
 *
 * A race is definite if both touch a byte in common in every run, and possible where that is not known. */
#ifndef CLTC_RUNNER_ORDER_OVERLAP_H
#define CLTC_RUNNER_ORDER_OVERLAP_H

#include "runner/sources/made.h"
#include "runner/sources/source.h"

typedef struct overlap_side {
  char *what;         /* "launch 2 of kernel add", "clEnqueueReadBuffer 1" */
  char *kernel;       /* NULL: it is no launch */
  char *parameter;    /* of the kernel, NULL: none */
  char *where;        /* "queue 1, which is in order" */
  const char *access; /* "read", "write", "atomic" */
  bool sure;
  size_t source; /* of the observation; SIZE_MAX: none that can be read */
  char *file;    /* of the access in it, "" the source itself; NULL: not known */
  uint32_t line, column;
} overlap_side;

typedef struct overlap {
  overlap_side first, second; /* in the order of the calls */
  char *memory;               /* "buffer 2, bytes 0 to 1023" */
  char *message;
  bool definite;
  uint64_t count; /* pairs of commands that race alike */
} overlap;

typedef struct overlaps {
  overlap *items;
  size_t count, capacity;
} overlaps;

/* Adds those of a capture. `sources`: of the observation that made `m`. */
void overlaps_find(const capture *c, const run_made *m, const verify_source *sources, size_t source_count,
                   overlaps *to);
void overlaps_free(overlaps *o);

#endif
