/* A capture up to one of its launches, and what that leaves in memory. */
#ifndef CLTC_REPLAY_LAUNCH_H
#define CLTC_REPLAY_LAUNCH_H

#include "capture/capture.h"

/* The commands up to launch `number` (from 0) and, after it, a read of every buffer among its arguments. Strings and
 * blobs stay `whole`'s; free(out->commands) is all that is to be done. -1 with `e` set if there is no such launch. */
int launch_cut(const capture *whole, uint64_t number, capture *out, error *e);
/* The argument that the n-th of these reads is of. */
uint32_t launch_argument(const capture *cut, size_t nth);

#endif
