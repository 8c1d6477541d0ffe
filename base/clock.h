/* Time that only moves forward. */
#ifndef CLTC_BASE_CLOCK_H
#define CLTC_BASE_CLOCK_H

#include <time.h>

/* Seconds since some moment. */
double clock_now(void);

/* Seconds for which this process has had a processor. */
double clock_processor(void);

/* Sleeps until time() is past `second`: a program that is started then and seeds its generator with
 * the time gets another seed. */
void clock_sleep_past(time_t second);

#endif
