/* Instrumenting in a process of its own: libclang may crash or hang on odd source, and that must cost one program's
 * coverage, not the run. */
#ifndef CLTC_RUNNER_ISOLATE_H
#define CLTC_RUNNER_ISOLATE_H

#include "base/error.h"
#include "instrument/instrument.h"

/* As instrument_program. A crash, or more than 60 seconds, is an error that says so. */
int isolated_instrument(const pp_input *sources, size_t count, instrument_result *out, error *e);

#endif
