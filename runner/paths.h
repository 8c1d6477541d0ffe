/* Where cltestcheck's own files lie: beside the program in a build tree, below its prefix once installed. */
#ifndef CLTC_RUNNER_PATHS_H
#define CLTC_RUNNER_PATHS_H

#include <stdint.h>

/* Absolute path of one of our files or folders, to be freed; NULL when it is not there. `name` is
 * "libcltestcheck-layer.so", "libcltestcheck-capture.so", "libcltestcheck-preload.so",
 * "libcltestcheck-replace.so", "cltestcheck-replay", "cltestcheck-verify" or "suites". */
char *own_path(const char *name);

/* The folder in which the layer keeps programs that it has built (layer/common/builds.h): $XDG_CACHE_HOME/cltestcheck/builds,
 * or that in ~/.cache. What was not used for longest goes when it grows beyond BUILDS_MOST. */

#define BUILDS_MOST ((uint64_t)256 << 20) /* bytes */

/* Its path, with the folder made and within its bounds; NULL: nothing is kept (there is no home, it cannot be written,
 * or builds_leave_out). */
const char *builds_folder(void);
/* --no-build-cache: programs of this process neither read nor write it. */
void builds_leave_out(void);
/* Bytes of all that is in it. */
uint64_t builds_size(void);

#endif
