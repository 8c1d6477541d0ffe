/* A way in which host code launches a kernel: sizes, facts and memory that a proof may use. */
#ifndef CLTC_RUNNER_SOURCES_HOST_WAY_H
#define CLTC_RUNNER_SOURCES_HOST_WAY_H

#include "runner/sources/source.h"

typedef struct way_fact {
  char *text;                               /* C, with the kernel's names */
  const struct host_expression *expression; /* the same; the facts of the host code keep it */
  char *from;                               /* "main.c:31" */
  bool size;                                /* of work-groups */
  bool offset;                              /* of ids */
} way_fact;

/* One way, or several that say the same. */
struct host_way {
  unsigned dimensions;          /* 0: not known */
  uint64_t local[3], groups[3]; /* 0: any */
  uint64_t offset[3];
  bool offset_known;
  way_fact *facts;
  size_t fact_count, fact_capacity;
  int *memory; /* by parameter: of arguments that are the same memory the same number; -1: not known which */
  size_t parameter_count;
  bool shared;  /* two pointers are the same memory */
  char *unsure; /* two pointers of which it is not known whether they are; NULL: none */
  bool open;    /* not all of the host code was followed, or not all that the kernel is given */
  char *from;   /* the launch: "main.c:40" */
};

void host_way_free(struct host_way *w);
/* Forgets the ways of a kernel. */
void host_ways_free(asked_kernel *k);

#endif
