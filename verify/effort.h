/* Limits and counts of the queries about a kernel. They count processor time, so that a busy machine gives the same answers. */
#ifndef CLTC_VERIFY_EFFORT_H
#define CLTC_VERIFY_EFFORT_H

#include <stdbool.h>

enum { EFFORT_STRETCH = 4 }; /* a kernel's limit of processor time ends after so many times the seconds in any case */

typedef struct effort {
  double deadline;      /* effort_now() after which nothing more is asked */
  double query_seconds; /* most for one query, of processor time */
  unsigned queries;
  bool no_overflow; /* an answer rests on signed arithmetic that does not overflow, */
  bool no_division; /* or on no division by 0 */
} effort;

/* Seconds of processor time that this process has used. */
double effort_now(void);
/* How long that much processor time will take here, as far as can be told: at most twenty times as long. */
double effort_waiting(double seconds);

#endif
