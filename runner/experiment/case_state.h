/* How the runs of a test case are made: what is known of its captures and replays, as one state, and what changes it.
 */
#ifndef CLTC_RUNNER_EXPERIMENT_CASE_STATE_H
#define CLTC_RUNNER_EXPERIMENT_CASE_STATE_H

#include <stdbool.h>

/* In the states up to CASE_WANTED_VARYING nothing is captured (yet); from CASE_CAPTURED on replays of the capture stand
 * for runs of the program, as far as is known. *Varying*: parts of what the program reads vary by themselves, though it
 * gives the device the same. */
typedef enum case_state {
  CASE_PROGRAM,        /* every run starts the program; the first state */
  CASE_RECORDED,       /* likewise, but what it does on the device is known from a capture */
  CASE_IDLE,           /* nothing came into the capture: it does nothing on the device */
  CASE_WANTED,         /* is to be captured */
  CASE_WANTED_VARYING, /* is to be captured */
  CASE_CAPTURED,
  CASE_CAPTURED_VARYING,
  CASE_UNCLEAR,  /* digests of whole reads differ between replays: digests of blocks may tell */
  CASE_REPLAYED, /* replays show what the program shows */
  CASE_REPLAYED_BLOCKS,
  CASE_REPLAYED_UNWRITTEN, /* but for what comes from where nobody has written */
  CASE_REPLAYED_VARYING,
  CASE_REPLAYED_VARYING_UNWRITTEN,
  CASE_STATES
} case_state;

typedef enum case_event {
  EVENT_STEADY,    /* the runs so far show that it may be replayed */
  EVENT_VARIES,    /* likewise, though parts of what it reads vary */
  EVENT_CAPTURED,  /* a run was captured, and did what the others did */
  EVENT_NOTHING,   /* a run was captured, and did nothing on the device */
  EVENT_UNCLEAR,   /* replays, looked at by whole reads, differ */
  EVENT_SAME,      /* replays show what the program shows, */
  EVENT_UNWRITTEN, /* apart from what comes from where nobody has written */
  EVENT_LOST,      /* replays do not tell what the program would show */
  EVENT_REGAINED,  /* it was not the replays' fault: the program fails likewise */
  CASE_EVENTS
} case_event;

/* The state after an event. What cannot happen in a state changes nothing. */
case_state case_after(case_state s, case_event event);

/* To be captured. */
bool case_is_wanted(case_state s);
/* What it does on the device is captured. */
bool case_is_captured(case_state s);
/* Replays stand for runs of its program. */
bool case_is_replayed(case_state s);
/* Parts of what its program reads vary by themselves (and it is captured, or to be). */
bool case_varies(case_state s);
/* Its replays tell of parts of reads, by digests of blocks. */
bool case_by_blocks(case_state s);
/* Its replays read other values where nobody has written other bytes. */
bool case_reads_unwritten(case_state s);

#endif
