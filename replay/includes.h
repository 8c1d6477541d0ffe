/* The files that a capture's kernels include, where its replay finds them. */
#ifndef CLTC_REPLAY_INCLUDES_H
#define CLTC_REPLAY_INCLUDES_H

#include "base/error.h"
#include "capture/capture.h"

/* Goes to the capture's working directory. If a file that its kernels include is not where it was, or another one, all
 * are put into the folder of ENV_INCLUDES or else into `*made` (to be closed, see base/scratch.h), the working
 * directory is there, and the build options in `c` are changed accordingly. -1 with `e` set: they could not be written.
 */
int includes_place(capture *c, char **made, error *e);

#endif
