/* The gate: OpenCL C that makes the work-groups of a launch execute in the order of a schedule. instrument/ writes it
 * into a program and calls it at the beginning and at the end of each kernel.
 *
 * A gated kernel has the five hidden parameters of wire/protocol.h. Of these `first` holds the schedule
 * (schedule_pack), `slots` the *gate record* of the launch: GATE_WORDS u32, zeroed before each launch, and, built with
 * -DCLTC_WATCH, after them one word a work-group (by its id under the schedule): GATE_STATE_…. `flags` gets the
 * coverage by atomics (as with -DCLTC_DIRECT, which is implied); built with -DCLTC_BARE there is no coverage and
 * nothing is written there.
 *
 * Groups are renamed by what they are told: get_group_id, get_global_id and get_global_linear_id, in the kernel and in
 * all that it calls, speak of the group that this one stands for. Every wait of the gate is bounded. */
#ifndef CLTC_SCHEDAMP_GATE_H
#define CLTC_SCHEDAMP_GATE_H

#include "wire/gate_record.h"

/* Text for instrument_program's `gate`. Needs of the program: see instrument/instrument.h. */
extern const char gate_text[];

#endif
