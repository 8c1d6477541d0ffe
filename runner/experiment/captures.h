/* A folder of captures while a command runs, and how what they hold is done again. */
#ifndef CLTC_RUNNER_EXPERIMENT_CAPTURES_H
#define CLTC_RUNNER_EXPERIMENT_CAPTURES_H

#include "runner/experiment/pool.h"
#include "runner/experiment/transcript.h"

/* How a test case is run once more: by a replay of what it did once (wire/turn.h), or by its program. */
typedef enum run_engine {
  ENGINE_AUTO,   /* replay where a replay shows what the program shows */
  ENGINE_REPLAY, /* the same, and it is an error where it does not */
  ENGINE_RERUN
} run_engine;
/* "auto", "replay", "rerun"; -1 for another word. */
int run_engine_find(const char *name);

/* The first replays of a mutant, which are always made, have different bytes around buffers and in memory that nobody
 * has written. */
enum { REPLAY_FILLINGS = 3 };
/* These bytes, of the replay of this number (from 0). */
unsigned char replay_filling(size_t number);

/* A captured test case. */
typedef struct capture_file {
  char *path;    /* NULL: there is none */
  char *argv[3]; /* that replays it */
} capture_file;

/* A fresh folder, to be freed: in $TMPDIR, else in /tmp. NULL with `e` set. */
char *captures_open(error *e);
/* Removes the folder with all that is in it. NULL is fine. */
void captures_close(char *directory);
/* The file of a test case, not yet there. */
void capture_file_init(capture_file *f, const char *directory, size_t test, const char *replay_program);
void capture_file_free(capture_file *f);

/* The job is a turn of a worker that replays the file; workers of files with different numbers (from 1) are different.
 */
void replay_job(pool_job *job, capture_file *f, uint64_t number, void (*turn)(pool_job *, buffer *));
/* Why the job of a worker says nothing about a run of the program; NULL: it does. */
const char *replay_failed(const pool_job *job);

/* Why what a program showed cannot be compared with replays; NULL: nothing speaks against it. */
const char *replay_obstacle(const transcript *plain);

/* Begins MESSAGE_TURN: `against` are the reads that settle the turn when they differ, NULL if any will do; `filling`:
 * of the bytes around buffers; `partial`: only the kernels that follow do something else than in the capture. Number of
 * kernels, kernels, number of schedules, schedules and wire_end follow. */
void turn_begin(buffer *answer, uint64_t setup, const transcript *against, unsigned char filling, bool partial);

/* Launches of a kernel, by their numbers. */
typedef struct launch_range {
  uint64_t first, behind;
} launch_range;

/* A change of some launches: the text that wire/launch_change.h describes. */
typedef struct turn_change {
  const char *text;
  const launch_range *ranges;
  size_t count;
} turn_change;

/* Ends it; `change` NULL: none. */
void turn_end(buffer *answer, const turn_change *change);

/* How the runs of a test case are made: what is known of its captures and replays, as one state, and what changes it.
 */

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
