/* The files in which a source may be written, and what of it is in each. */
#ifndef CLTC_HOME_CANDIDATES_H
#define CLTC_HOME_CANDIDATES_H

#include "home/catalogue.h"
#include "home/match.h"

/* A file that is taken for something, and what that has of the source. */
typedef struct candidate {
  const catalogue_file *file;
  char *text;
  size_t length;
  stream_kind kind;
  stream stream;
  home_claim *claims; /* one a token of the source */
  size_t total;       /* tokens of the source that are in it */
  size_t away;        /* folders between the file and the current directory */
} candidate;

typedef struct candidates {
  candidate *items; /* the one that has most of the source first; of those that are alike a source before a string, a
                       near file before a far one, then by path */
  size_t count, capacity;
  bool incomplete; /* the search took too long */
} candidates;

candidates candidates_of(const home_target *t, const catalogue *c, double until);
void candidates_free(candidates *c);

/* Is so much of a source enough to say that it is written there? */
bool candidate_is_enough(const home_target *t, size_t tokens);

#endif
