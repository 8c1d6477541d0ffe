/* A process that replays. */
#ifndef CLTC_LAYER_OBSERVE_TURN_H
#define CLTC_LAYER_OBSERVE_TURN_H

#include <stdbool.h>
#include <stdint.h>

#include "detectors/gates/layer.h"
#include "layer/common/bytes.h"
#include "layer/observe/shadow.h"

/* The functions of wire/turn.h, if this is REPLAY_FUNCTION and a worker; else NULL. */
void *turn_extension(const char *name);
/* A new shadow belongs to the present setup. */
void turn_shadow(shadow *s);
void turn_forget(const shadow *s);
/* Whether the turn has said what its launches' schedules are. Then this is the kernel's next launch in the turn;
 * `*told`: something was said of it, which is in `*out`; else it executes in any order. */
bool turn_order(const function *f, gate_order *out, bool *told);
/* What the host read. */
void turn_read(uint64_t number, const bytes_digest *d);

#endif
