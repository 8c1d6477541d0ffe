/* Finding the runs of a stream in the source of a program. */
#ifndef CLTC_HOME_MATCH_H
#define CLTC_HOME_MATCH_H

#include "home/stream.h"

#define HOME_NONE UINT32_MAX
/* Shorter runs are only looked for next to runs that were found. */
#define HOME_SEED 6
/* As many tokens in a row prove that they come from a file. A line such as `int i = get_global_id(0);` proves nothing. */
#define HOME_ENOUGH 40

/* The source of a program, so that sequences of HOME_SEED tokens are found in it. */
typedef struct home_target {
  decoded text;
  home_tokens tokens;
  uint32_t *heads, *next;
  size_t head_count; /* a power of two */
} home_target;

home_target home_target_of(const char *text, size_t length);
void home_target_free(home_target *t);

/* The token of the stream that a token of the source corresponds to. */
typedef struct home_claim {
  uint32_t token; /* of the stream: the same, or the hole that it fills; HOME_NONE */
  uint32_t run;   /* of the stream: the run that it belongs to or that comes after the hole */
} home_claim;

/* One claim a token of the source. Each run is there as a whole or not at all; returns how many tokens are. `*steps` is
 * how many comparisons are left to make and counts down; the search ends early at 0. */
size_t home_match(const home_target *t, const stream *s, home_claim *claims, uint64_t *steps);

#endif
