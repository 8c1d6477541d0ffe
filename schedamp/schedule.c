/* Schedules: packed, with targets, in words. */
#include "schedamp/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "detectors/gates/record.h"

/* --- what a kernel gets ------------------------------------------------------------------------------------------- */

enum { ORDER_SHIFT = 32, GATE_SHIFT = 35, SEED_SHIFT = 36 };
#define ORDER_MASK UINT64_C(7)
#define SEED_MASK ((UINT64_C(1) << SCHEDULE_SEED_BITS) - 1)

uint64_t schedule_pack(const schedule *s) {
  return (uint64_t)s->target | ((uint64_t)s->order & ORDER_MASK) << ORDER_SHIFT |
         (uint64_t)(s->gate == GATE_HARDWARE) << GATE_SHIFT | ((uint64_t)s->seed & SEED_MASK) << SEED_SHIFT;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static const char *const orders[] = {
    [ORDER_NONE] = "none",          [ORDER_FIRST] = "first",   [ORDER_LAST] = "last",
    [ORDER_REVERSE] = "reverse",    [ORDER_RANDOM] = "random", [ORDER_ASCENDING] = "ascending",
    [ORDER_OCCUPANCY] = "occupancy"};
static const char *const gates[] = {[GATE_TICKET] = "ticket", [GATE_HARDWARE] = "hardware"};

const char *schedule_order_name(schedule_order order) { return orders[order]; }
const char *schedule_gate_name(schedule_gate gate) { return gates[gate]; }
int schedule_order_find(const char *name) { return name_number(orders, sizeof orders / sizeof *orders, name); }
int schedule_gate_find(const char *name) { return name_number(gates, sizeof gates / sizeof *gates, name); }

/* --- drawing ------------------------------------------------------------------------------------------------------ */

/* splitmix64, of a seed and a counter. */
static uint64_t draw(uint64_t seed, uint64_t number) {
  uint64_t x = seed * UINT64_C(0xD1342543DE82EF95) + (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
  x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
  return x ^ x >> 31;
}

uint32_t *schedule_targets(uint32_t groups, uint32_t set, uint64_t seed, size_t *count) {
  const uint32_t size = set == 0 ? 1 : set;
  *count = groups / size + (groups % size != 0 ? 1 : 0);
  uint32_t *targets = mem_calloc(*count + 1, sizeof *targets);
  for (size_t i = 0; i < *count; i++) {
    const uint32_t begin = (uint32_t)i * size;
    const uint32_t members = groups - begin < size ? groups - begin : size;
    targets[i] = begin + (uint32_t)((draw(seed, i) >> 32) * members >> 32);
  }
  return targets;
}

uint32_t schedule_seed(uint64_t seed, uint64_t number) {
  return (uint32_t)(draw(seed, number) >> (64 - SCHEDULE_SEED_BITS));
}

/* --- words -------------------------------------------------------------------------------------------------------- */

void schedule_describe(const schedule *s, char text[SCHEDULE_TEXT]) {
  const char *gate = schedule_gate_name(s->gate);
  switch (s->order) {
    case ORDER_FIRST:
    case ORDER_LAST:
      (void)snprintf(text, SCHEDULE_TEXT, "group %u %s, %s gate", (unsigned)s->target, schedule_order_name(s->order),
                     gate);
      break;
    case ORDER_REVERSE:
    case ORDER_ASCENDING:
      (void)snprintf(text, SCHEDULE_TEXT, "%s order, %s gate", schedule_order_name(s->order), gate);
      break;
    case ORDER_RANDOM:
      (void)snprintf(text, SCHEDULE_TEXT, "random order (seed %u), %s gate", (unsigned)s->seed, gate);
      break;
    case ORDER_OCCUPANCY: (void)snprintf(text, SCHEDULE_TEXT, "any order, groups in flight counted"); break;
    default: (void)snprintf(text, SCHEDULE_TEXT, "any order"); break;
  }
}

/* The numbers of gate.cl, which the build embeds, are those of the headers. */

_Static_assert(GATE_TICKET_NEXT == 0 && GATE_STARTED == 1 && GATE_DONE == 2 && GATE_GAVE_UP == 3 && GATE_GROUPS == 4 &&
                   GATE_UNEVEN == 5 && GATE_COUNT == 6 && GATE_LOCK_NEXT == 7 && GATE_LOCK_SERVED == 8 &&
                   GATE_CLOSED == 9 && GATE_LOCAL == 10 && GATE_WORDS == 16,
               "the words of a gate record");
_Static_assert(GATE_UP_ABSENT == 1 && GATE_UP_STUCK == 2, "why the gate gave up");
_Static_assert(GATE_STATE_IN == 1 && GATE_STATE_AT == 2, "the states of a group");
_Static_assert(ORDER_NONE == 0 && ORDER_FIRST == 1 && ORDER_LAST == 2 && ORDER_REVERSE == 3 && ORDER_RANDOM == 4 &&
                   ORDER_ASCENDING == 5 && ORDER_OCCUPANCY == 6,
               "the orders");
