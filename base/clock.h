/* Time that only moves forward. */
#ifndef CLTC_BASE_CLOCK_H
#define CLTC_BASE_CLOCK_H

/* Seconds since some moment. */
double clock_now(void);

/* Sleeps until that moment of clock_now(), or a signal. */
void clock_sleep_until(double moment);

/* Seconds after which a program finds another value in time(), with which many seed their generators. */
#define CLOCK_OTHER_SEED 1.1

#endif
