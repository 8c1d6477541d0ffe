#include "base/clock.h"

void clock_sleep_past(time_t second) {
  while (time(NULL) <= second) { /* signals cut sleeps short */
    (void)nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
}

double clock_now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
