#include "base/clock.h"

void clock_sleep_past(time_t second) {
  struct timespec t;
  (void)clock_gettime(CLOCK_REALTIME, &t);
  if (t.tv_sec == second) {
    t = (struct timespec){.tv_nsec = 1000000000 - t.tv_nsec > 999999999 ? 999999999 : 1000000000 - t.tv_nsec};
    (void)nanosleep(&t, NULL);
  }
}

double clock_now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
