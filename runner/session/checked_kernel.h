/* What MESSAGE_INSTRUMENTED says of a checked kernel beyond what it says of all (KERNEL_CHECKED, wire/protocol.h). */
#ifndef CLTC_RUNNER_SESSION_CHECKED_KERNEL_H
#define CLTC_RUNNER_SESSION_CHECKED_KERNEL_H

#include "base/buffer.h"
#include "instrument/instrument.h"

void checked_kernel_put(const instrument_kernel *k, buffer *out);

#endif
