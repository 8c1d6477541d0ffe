/* What was told of a kernel already, by its lines: the search goes on without it. */
#ifndef CLTC_VERIFY_TOLD_H
#define CLTC_VERIFY_TOLD_H

#include "verify/query.h"

enum { TOLD_MOST = 6 };

/* Of a race the lines of both accesses, the smaller first; of anything else its line, twice. */
typedef struct told_fault {
  int kind; /* of a mishap; -1: a race */
  unsigned lines[2];
} told_fault;

told_fault told_pair(const proof *p, const pair *x);
told_fault told_mishap(const proof *p, const mishap *m);
/* Whether the proof is to leave it out. */
bool told_has(const proof *p, told_fault one);

#endif
