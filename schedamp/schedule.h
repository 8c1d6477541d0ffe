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

#endif
