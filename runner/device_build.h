/* Whether a device's compiler takes a source. */
#ifndef CLTC_RUNNER_DEVICE_BUILD_H
#define CLTC_RUNNER_DEVICE_BUILD_H

#include "runner/devices.h"

/* Builds a source in a process of its own, for at most a minute. -1 with `e`: the compiler refuses it (the first lines
 * that it says), crashes or does not end. */
int device_build(const device *d, const char *text, const char *options, error *e);

#endif
