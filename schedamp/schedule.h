/* Schedules: in which order the work-groups of a launch execute. docs/amplify.md says what they are for.
 *
 * A work-group has a linear id: (id2 * groups1 + id1) * groups0 + id0. A *position* is its place in the order, from 0.
 */
#ifndef CLTC_SCHEDAMP_SCHEDULE_H
#define CLTC_SCHEDAMP_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum schedule_order {
  ORDER_NONE,      /* as the device likes: the gate is open */
  ORDER_FIRST,     /* the target runs to completion before any other group starts on the kernel's code */
  ORDER_LAST,      /* the target starts when all others have ended */
  ORDER_REVERSE,   /* one group after another, the highest id first */
  ORDER_RANDOM,    /* one group after another, in a seeded permutation (gate.cl) */
  ORDER_ASCENDING, /* one group after another, the lowest id first */
  ORDER_OCCUPANCY  /* as the device likes, and counts how many groups are in flight together */
} schedule_order;

typedef enum schedule_gate {
  GATE_TICKET,  /* groups get their ids in the order in which they start: the first one to start has position 0 */
  GATE_HARDWARE /* groups keep their ids and wait for their turn, which hangs where that turn needs a group that is not
                   resident */
} schedule_gate;

typedef struct schedule {
  schedule_order order;
  schedule_gate gate;
  uint32_t target; /* linear id of a group; ORDER_FIRST and ORDER_LAST, else 0 */
  uint32_t seed;   /* ORDER_RANDOM: below 2^SCHEDULE_SEED_BITS, else 0 */
} schedule;

#define SCHEDULE_SEED_BITS 24
#define SCHEDULE_GROUPS_CAP (UINT32_C(1) << 31) /* a launch of so many groups or more is not gated */

/* What a gated kernel expects in its hidden parameter `first`: target in bits 0 to 31, order in 32 to 34, gate in 35,
 * seed in 36 to 59; the others are 0. */
uint64_t schedule_pack(const schedule *s);

/* Names: "none", "first", … and "ticket", "hardware". -1 for a word that is none. */
const char *schedule_order_name(schedule_order order);
const char *schedule_gate_name(schedule_gate gate);
int schedule_order_find(const char *name);
int schedule_gate_find(const char *name);

/* Targets as in the paper: the groups are cut into sets of `set` consecutive ids, one target is drawn from each.
 * Returns ceil(groups / set) ids, ascending, to be freed; the same for the same numbers. */
uint32_t *schedule_targets(uint32_t groups, uint32_t set, uint64_t seed, size_t *count);
/* A seed below 2^SCHEDULE_SEED_BITS for something counted by `number`, such as a launch. */
uint32_t schedule_seed(uint64_t seed, uint64_t number);

/* "group 17 first, ticket gate", "reverse order, hardware gate", "random order (seed 9), ticket gate". */
#define SCHEDULE_TEXT 80
void schedule_describe(const schedule *s, char text[SCHEDULE_TEXT]);

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

/* Text for instrument_program's `gate`. Needs of the program: see instrument/instrument.h. */
extern const char gate_text[];

#endif
