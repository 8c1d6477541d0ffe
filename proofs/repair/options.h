/* What a repair is told. */
#ifndef CLTC_PROOFS_REPAIR_OPTIONS_H
#define CLTC_PROOFS_REPAIR_OPTIONS_H

#include "base/line_ranges.h"
#include "proofs/client/prove.h"
#include "runner/experiment/options.h"

typedef struct repair_options {
  prove_options verify;    /* as a person would ask about the result */
  kernel_choice kernels;   /* to be repaired */
  const line_range *lines; /* that may be changed; none: all */
  size_t line_count;
  bool atomics, optimise;
  bool in_place;                 /* files are changed */
  unsigned max_barriers;         /* 0: any number */
  unsigned loop_weight;          /* 0: not given */
  double max_time;               /* seconds of a search, 0: as many as some tries take */
  const char *device, *platform; /* that builds the result, as on the command line; NULL: any */
  const char *check;             /* a command of the user's, NULL: none */
  bool quiet;
  int (*second)(void *context, const asked_source *s, proved_kernel *k, error *e); /* a second opinion on what is proved
                                                                                    of the result; NULL: none */
  void (*progress)(void *context, const char *path, size_t tries, double seconds, double most); /* before a try */
  void *context;
  const experiment_options *experiments; /* what runs launches; NULL: nothing can */
} repair_options;

#endif
