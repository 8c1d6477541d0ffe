/* From a capture to what is to be proved: the sources of its programs, and the distinct launches of their kernels. */
#ifndef CLTC_RUNNER_SOURCES_OBSERVE_H
#define CLTC_RUNNER_SOURCES_OBSERVE_H

#include "capture/capture.h"
#include "runner/sources/made.h"
#include "runner/sources/source.h"

typedef struct observation {
  asked_source *sources; /* those of earlier captures are added to */
  size_t count, capacity;
  run_made *made; /* filled with launches and memory; NULL: they are not wanted */
} observation;

/* `scratch`: a folder for files that its kernels include. `argv`: of the program, in whose folders kernel files are
 * looked for. Signatures of sources that had a launch are read. -1 with `e` set: files could not be written. */
int observe_capture(const capture *c, const char *scratch, char *const *argv, observation *o, error *e);

#endif
