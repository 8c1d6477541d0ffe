/* Which read of a run is which read of another run of the same program. Where one thread gives all commands that is a
 * matter of order. Threads take turns as it happens: then reads are told apart by the kernel that wrote the memory, its
 * program and argument, and of those that are alike in this it is their bytes that pair them. */
#ifndef CLTC_RUNNER_EXPERIMENT_PAIRS_H
#define CLTC_RUNNER_EXPERIMENT_PAIRS_H

#include "runner/experiment/transcript.h"

#define NO_PAIR SIZE_MAX

typedef struct read_pairs {
  size_t *known; /* for each place of the run's process the place of its counterpart, or NO_PAIR */
  size_t count;  /* of pairs */
} read_pairs;

/* Whether the order of reads tells nothing in this process, in either of the two. */
bool reads_are_loose(const transcript *known, const transcript *run, size_t process);
/* Whether the bytes of a read are what those of the known one may be. */
bool read_agrees(const transcript_read *known, const transcript_read *read);
/* The known read that one just come may be, the nearest to `number`; NULL: there is none. */
const transcript_read *read_nearest(const transcript_process *known, uint64_t number, const transcript_read *read);
/* Of a process that both have. `known` is the caller's to free. */
read_pairs reads_pair(const transcript *known, const transcript *run, size_t process);

#endif
