#include "base/clock.h"

#include <time.h>

void clock_sleep_until(double moment) {
  const double left = moment - clock_now();
  if (left > 0) {
    const struct timespec t = {.tv_sec = (time_t)left, .tv_nsec = (long)((left - (double)(time_t)left) * 1e9)};
    (void)nanosleep(&t, NULL);
  }
}

double clock_now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
