/* The numbers of gate.cl, which the build embeds, are those of the headers. */
#include "schedamp/gate.h"

#include "schedamp/schedule.h"

_Static_assert(GATE_TICKET_NEXT == 0 && GATE_STARTED == 1 && GATE_DONE == 2 && GATE_GAVE_UP == 3 && GATE_GROUPS == 4 &&
                   GATE_UNEVEN == 5 && GATE_COUNT == 6 && GATE_LOCK_NEXT == 7 && GATE_LOCK_SERVED == 8 &&
                   GATE_CLOSED == 9 && GATE_LOCAL == 10 && GATE_WORDS == 16,
               "the words of a gate record");
_Static_assert(GATE_UP_ABSENT == 1 && GATE_UP_STUCK == 2, "why the gate gave up");
_Static_assert(GATE_STATE_IN == 1 && GATE_STATE_AT == 2, "the states of a group");
_Static_assert(ORDER_NONE == 0 && ORDER_FIRST == 1 && ORDER_LAST == 2 && ORDER_REVERSE == 3 && ORDER_RANDOM == 4 &&
                   ORDER_ASCENDING == 5 && ORDER_OCCUPANCY == 6,
               "the orders");
