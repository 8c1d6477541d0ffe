/* Launches that can run as the user wrote them: cltestcheck reads the kernel's source for their sizes and arguments. */
#ifndef CLTC_LAYER_OBSERVE_NEEDLESS_H
#define CLTC_LAYER_OBSERVE_NEEDLESS_H

#include <stdbool.h>
#include <stdint.h>

#include "layer/observe/kernel.h"
#include "layer/observe/launch.h"

/* What is said of an argument. */
typedef struct needless_memory {
  bool memory; /* it is no number */
  bool known;
  uint64_t number; /* the same for all that share memory */
  uint64_t bytes;  /* with flags (wire/memory_record.h) */
} needless_memory;

/* `of`: one an argument. With both locks held. */
bool ask_needless(kernel *k, const launch *l, const needless_memory *of);

#endif
