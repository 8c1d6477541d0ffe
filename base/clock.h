/* Time that only moves forward. */
#ifndef CLTC_BASE_CLOCK_H
#define CLTC_BASE_CLOCK_H

/* Seconds since some moment. */
double clock_now(void);

#endif
