/* Launches of which a proof of the database says that they have one result (runner/engine/keep.h): no order of their
 * work-groups can show, so they need no schedules.
 *
 * What a launch was given is known from a capture of the test case. Without one, nothing is taken for proved. */
#ifndef CLTC_RUNNER_AMPLIFY_PROVED_H
#define CLTC_RUNNER_AMPLIFY_PROVED_H

#include "db/db.h"

/* A kernel whose launches in a test case are all proved. */
typedef struct proved {
  char *kernel;
  uint64_t launches; /* that the capture has */
  char *words;       /* "proved: one result (proof 12)"; NULL: they are not all proved */
  int64_t proof;     /* one of those that say so */
} proved;

typedef struct proved_list {
  proved *items;
  size_t count, capacity;
} proved_list;

/* Looks at the launches of a capture; `scratch`: a folder for what its kernels include. A capture that cannot be read
 * proves nothing. -1 with `e` set: the database cannot be read. Free in every case. */
int proved_read(db *d, const char *capture, const char *scratch, proved_list *out, error *e);
/* Why a kernel with so many launches needs no schedules; NULL: it does. Lent by the list. */
const char *proved_words(const proved_list *l, const char *kernel, uint64_t launches);
void proved_free(proved_list *l);

#endif
