/* What a gated launch (schedamp/schedule.h) leaves behind for the layer and cltestcheck. */
#ifndef CLTC_WIRE_GATE_RECORD_H
#define CLTC_WIRE_GATE_RECORD_H

/* Words of a gate record. */
enum {
  GATE_TICKET_NEXT, /* groups that took a ticket */
  GATE_STARTED,     /* groups that the others wait for and that have been let in */
  GATE_DONE,        /* of these, those of which all work-items have ended */
  GATE_GAVE_UP,     /* GATE_UP_… */
  GATE_GROUPS,      /* number of work-groups of the launch */
  GATE_UNEVEN,      /* 1: the last work-groups are smaller; the gate stayed open, as no group can stand for another */
  GATE_COUNT,       /* ORDER_OCCUPANCY: groups found in flight together */
  GATE_LOCK_NEXT,   /* ORDER_OCCUPANCY: a ticket lock, and whether the poll is closed */
  GATE_LOCK_SERVED,
  GATE_CLOSED,
  GATE_LOCAL, /* work-items of a work-group */
  GATE_WORDS = 16
};
enum {
  GATE_UP_ABSENT = 1, /* a group waited in vain for one that had not started while none was running: GATE_HARDWARE where
                         the device has not the room (occupancy-bound) */
  GATE_UP_STUCK = 2   /* a group waited in vain for a running group to end: it spins, or takes very long */
};
enum {
  GATE_STATE_OUT = 0,            /* was not let in */
  GATE_STATE_IN = 1,             /* runs */
  GATE_STATE_AT = 2,             /* + the index of the site (of the model) that was seen last: a loop or a barrier */
  GATE_STATE_ENDED = 0xffffffff, /* all its work-items have ended */
};

#define GATE_OPTION_BARE "-DCLTC_BARE"
#define GATE_OPTION_WATCH "-DCLTC_WATCH"

#endif
