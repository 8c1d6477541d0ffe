/* What a launch of a kernel with bounds hands over: how large its memory is, and what must not be done with it. */
#ifndef CLTC_LAYER_OBSERVE_BOUNDS_H
#define CLTC_LAYER_OBSERVE_BOUNDS_H

#include <stdbool.h>

#include "layer/observe/kernel.h"
#include "layer/observe/launch.h"

/* Sets the arguments HIDDEN_OBJECTS of a twin (wire/memory_record.h). */
bool bounds_set(const kernel *k, const twin *t, const launch *l);
/* Whether no access of the launch can be wrong, so that it can run as the user wrote it. With both locks held. */
bool bounds_are_kept(kernel *k, const launch *l);

#endif
