/* How much this process has had done: what costs a person time. */
#ifndef CLTC_RUNNER_EFFORT_H
#define CLTC_RUNNER_EFFORT_H

#include <stdint.h>

typedef struct effort {
  uint64_t starts, replays; /* of programs; of cltestcheck-replay in their place */
  uint64_t built, kept;     /* texts of ours that a device's compiler has built, and that were there as binaries */
} effort;

extern effort effort_so_far;

#endif
