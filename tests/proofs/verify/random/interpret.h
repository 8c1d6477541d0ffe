/* Runs a random kernel for one launch and says which of its accesses race, from what the execution itself shows. */
#ifndef CLTC_TESTS_VERIFY_INTERPRET_H
#define CLTC_TESTS_VERIFY_INTERPRET_H

#include <stdbool.h>

#include "tests/proofs/verify/random/program.h"

typedef enum touch_kind { TOUCH_READ, TOUCH_WRITE, TOUCH_ATOMIC } touch_kind;

/* Two accesses of different work-items to one element that nothing orders, not both reads, not both atomic, not two writes of
 * the same value. The one with the lower line first. */
typedef struct seen_race {
  uint32_t array;
  unsigned lines[2];
  touch_kind kinds[2];
} seen_race;

enum { MOST_CONTENTS = 192 };
typedef struct execution {
  uint32_t local, groups, n, m;
  uint64_t seed;                       /* of contents of memory, of the order of work-items, and of sub-groups */
  content content;                     /* of array C, */
  uint64_t content_seed;               /* with this seed */
  uint32_t contents[MOST_CONTENTS][3]; /* array, element, value; others by the seed */
  size_t content_count;
  uint32_t elements[ARRAYS]; /* 0: no end */

  seen_race *races;
  size_t race_count, race_capacity;
  unsigned diverged; /* line of the barrier; 0: none */
  unsigned outside;  /* line of an access past the end of its array; 0: none */
  bool by_zero;      /* something was divided by 0 */
  bool too_long;
} execution;

/* Of array C, of which that is known. */
uint32_t content_of(content what, uint64_t seed, uint32_t element);
void interpret(const program *p, execution *e);
void execution_free(execution *e);
bool execution_has(const execution *e, const seen_race *r);

#endif
