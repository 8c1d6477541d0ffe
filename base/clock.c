/* Clocks of this process, and sleep past a second. */
#include "base/clock.h"

void clock_sleep_past(time_t second) {
  while (time(NULL) <= second) /* signals cut sleeps short */
    (void)nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

static double seconds_of(clockid_t clock) {
  struct timespec t;
  (void)clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double clock_now(void) { return seconds_of(CLOCK_MONOTONIC); }

double clock_processor(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
