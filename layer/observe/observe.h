/* What mutation testing wants to see. */
#ifndef CLTC_LAYER_OBSERVE_OBSERVE_H
#define CLTC_LAYER_OBSERVE_OBSERVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "layer/common/opencl.h"

typedef struct observe_options {
  bool reads;
  bool blocks; /* with digests of blocks */
  bool times;
  bool kernels; /* any of it: every kernel object has a record */
  bool worker;  /* the process replays */
  bool varies;  /* launches are changed, or where they are made is told */
  bool fills;   /* buffers that the program creates without data hold this byte: */
  unsigned char fill;
  uint32_t filling; /* or what detectors/fills/record.h says, if it is not 0 */
  bool contents;    /* what the host reads is sent as it is */
  char *watch;      /* file for watched launches; NULL: none */
} observe_options;

extern observe_options observe; /* set once, before the first call */

void observe_start(void);
void observe_after_fork(void);
/* Launches count from 0 again. */
void observe_restart(void);

/* The program gives a command: a launch, a read, a write. */
void observe_command(void);
/* Whether several threads have given some. */
bool observe_threads(void);

/* A kernel of a program in this process, over all kernel objects. */
typedef struct tally {
  struct tally *next;
  uint64_t program; /* digest of its source text, 0: not known */
  atomic_uint_fast64_t launches;
  atomic_uint_fast64_t
      bare;          /* memory.c: arguments of which it was said that the host has not written all of their memory */
  const void *last;  /* vary.c: where the last launch was made, */
  uint64_t thread;   /* in which thread, */
  unsigned switches; /* and how often that has changed */
  char name[];
} tally;

/* NULL without memory. */
tally *tally_of(cl_kernel handle, uint64_t digest);

/* A launch that was given a memory object, and may have written it. */
typedef struct mark {
  const tally *tally; /* NULL: none */
  cl_uint argument;
  uint64_t launch;
  uint32_t number; /* of the memory, as memory_number tells it; only of what memory_last gives */
  bool copied;
} mark;

struct kernel;

/* The kernel was launched: marks the memory among its arguments. `event`: where the program's event is, or NULL. */
void observe_launched(struct kernel *k, cl_command_queue on, const cl_event *event);

#endif
