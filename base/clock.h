/* Time that only moves forward. */
#ifndef CLTC_BASE_CLOCK_H
#define CLTC_BASE_CLOCK_H

#include <time.h>

/* Seconds since some moment. */
double clock_now(void);

/* Sleeps until time() is past `second`, or a signal comes: a program that is started then and seeds its generator with
 * the time gets another seed. */
void clock_sleep_past(time_t second);

#endif
