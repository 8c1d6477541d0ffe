/* What a launch under a schedule must have left. */
#ifndef CLTC_TESTS_GATE_CHECK_H
#define CLTC_TESTS_GATE_CHECK_H

#include "gate_device.h"

/* How the program was built. */
typedef struct check_build {
  bool bare, watch;
} check_build;

/* Prints what is wrong; returns how much. */
unsigned check_traces(const char *what, const traces *t, const schedule *order, const check_build *built);

#endif
