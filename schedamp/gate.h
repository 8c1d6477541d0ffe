/* The gate: OpenCL C that makes the work-groups of a launch execute in the order of a schedule. instrument/ writes it
 * into a program and calls it at the beginning and at the end of each kernel.
 *
 * A gated kernel has the five hidden parameters of runner/protocol.h. Of these `first` holds the schedule
 * (schedule_pack), `slots` the *gate record* of the launch: GATE_WORDS u32, zeroed before each launch, and, built with
 * -DCLTC_WATCH, behind them one word a work-group (by its id under the schedule): GATE_STATE_…. `flags` gets the
 * coverage by atomics (as with -DCLTC_DIRECT, which is implied); built with -DCLTC_BARE there is no coverage and
 * nothing is written there.
 *
 * Groups are renamed by what they are told: get_group_id, get_global_id and get_global_linear_id, in the kernel and in
 * all that it calls, speak of the group that this one stands for. Every wait of the gate is bounded. */
#ifndef CLTC_SCHEDAMP_GATE_H
#define CLTC_SCHEDAMP_GATE_H

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

/* Text for instrument_program's `gate`. Needs of the program: see instrument/instrument.h. */
extern const char gate_text[];

#endif
