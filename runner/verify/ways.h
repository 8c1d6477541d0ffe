/* The launches of a kernel that host code can make, as host/ finds them: sizes, facts and memory of each way to launch
 * it. */
#ifndef CLTC_RUNNER_VERIFY_WAYS_H
#define CLTC_RUNNER_VERIFY_WAYS_H

#include "host/host.h"
#include "runner/verify/source.h"

enum { WAYS_MOST = 64 };

typedef struct way_fact {
  char *text; /* C, with the kernel's names */
  char *raw;  /* the same with $0, $1, … */
  char *from; /* "main.c:31" */
  bool size;  /* a size of work-groups, or how many there are */
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

/* Gives the kernels of a source their ways. `host` is its name for people: "main.c". */
void ways_add(verify_source *s, const host_facts *facts, const char *host);
void ways_free(verify_kernel *k);

typedef enum way_fit { WAY_FITS, WAY_MAY_FIT, WAY_CONTRADICTS } way_fit;

/* Whether a launch that was seen can have been made in this way. `*fact`: the first fact that it contradicts, NULL: it
 * has other sizes or other memory. */
way_fit way_fits(const struct host_way *w, const signature *of, const observed_launch *l, const way_fact **fact);

#endif
