/* What one run of a program showed: everything that its host read back from the device, in order, what it printed and
 * how it ended. Two runs are the same when their transcripts are. Which read is which says transcript.c. */
#ifndef CLTC_RUNNER_EXPERIMENT_TRANSCRIPT_H
#define CLTC_RUNNER_EXPERIMENT_TRANSCRIPT_H

#include "base/error.h"
#include "wire/fields.h"

/* One read (MESSAGE_READ of wire/protocol.h). */
typedef struct transcript_read {
  char *kernel; /* that was last given the memory object; "" if none was */
  uint32_t argument;
  uint64_t launch;
  uint64_t program;          /* digest of the kernel's source text */
  uint64_t bytes, low, high; /* size and digest */
  uint32_t *blocks;          /* digests of its blocks, where they were asked for */
  uint32_t block_count;
  bool there;    /* reads arrive in any order */
  bool unstable; /* differs from run to run of the same program: */
  bool *varies;  /* which blocks do, and are no evidence; NULL: the whole read is none */
} transcript_read;

typedef struct transcript_process {
  transcript_read *reads; /* by number */
  size_t count, capacity;
  size_t come;  /* how many of them are there */
  bool threads; /* several of them gave commands: numbers are as it happened */
} transcript_process;

typedef struct transcript {
  transcript_process *processes; /* in the order in which they began to use OpenCL */
  size_t count, capacity;
  int status;
  char output[65];     /* digest of standard output, where the oracle looks at it */
  bool unstable_count; /* how many reads there are differs from run to run */
  bool unstable_output;
} transcript;

/* What decides whether two runs are the same. The exit status always does. */
typedef enum transcript_oracle { ORACLE_READS, ORACLE_OUTPUT, ORACLE_EXIT } transcript_oracle;
/* "reads", "output", "exit"; -1 for another word. */
int transcript_oracle_find(const char *name);
const char *transcript_oracle_name(transcript_oracle oracle);

/* Reads the payload of MESSAGE_READ; -1 with `e` set when it is malformed, or its number more than a million ahead of how many have
 * come: as many a program cannot have under way. */
int transcript_take(transcript *t, size_t process, wire_reader *in, const transcript_read **read, uint64_t *number,
                    error *e);
/* The share of an unstable read that is no evidence, 0 … 1. */
double transcript_varying(const transcript_read *r);
bool transcript_unstable(const transcript *t);
/* Whether a read that just came in to `run` cannot be the reference's. */
bool transcript_read_differs(const transcript *reference, const transcript *run, size_t process, uint64_t number,
                             const transcript_read *read);
/* Whether the whole run differs from the reference, unstable parts apart. */
bool transcript_differs(const transcript *reference, const transcript *run, transcript_oracle oracle);
/* Of the reads that both have: whether `is` says so of one that differs. */
bool transcript_any_difference(const transcript *reference, const transcript *run,
                               bool (*is)(const void *context, const transcript_read *read), const void *context);
/* Marks as unstable what differs between the reference and another run of the same program. */
void transcript_learn(transcript *reference, const transcript *run);
/* Takes over the marks of another reference of the same program. */
void transcript_mark(transcript *reference, const transcript *marked);
/* Whether all that is marked in one is marked in the other, too. */
bool transcript_within(const transcript *marked, const transcript *other);
/* The first reads of a process, as the reference has them: a replay leaves them out. */
void transcript_lead(transcript *t, const transcript *reference, size_t process, uint64_t reads);
/* Takes all marks away. */
void transcript_unmark(transcript *t);
void transcript_free(transcript *t);

#endif
