/* A kernel on a CPU device that leaves its memory altogether: instead of ending the process, it finds an empty page
 * there, and the turn is known to have crashed. */
#ifndef CLTC_RUNNER_REPLAY_FAULT_H
#define CLTC_RUNNER_REPLAY_FAULT_H

#include <stdbool.h>

/* From now on faults of any thread are mended, within bounds. */
void faults_begin(void);
/* Ends it and takes the pages away; whether there were faults. */
bool faults_end(void);

#endif
