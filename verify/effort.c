/* Processor time, and what it takes on a machine that others use, too. */
#include "verify/effort.h"

#include "base/clock.h"

static double began = -1; /* clock_now() when this was first asked, and the processor time then */
static double used;

double effort_now(void) {
  const double now = clock_processor();
  if (began < 0) {
    began = clock_now();
    used = now;
  }
  return now;
}

double effort_waiting(double seconds) {
  const double most = 20;
  const double work = effort_now() - used, took = clock_now() - began;
  const double stretch = work < 0.05 ? 2 : took / work;
  return seconds * (stretch < 1 ? 1 : stretch > most ? most : stretch);
}
