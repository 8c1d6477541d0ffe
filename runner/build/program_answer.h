/* The answer for an instrumented program (MESSAGE_INSTRUMENTED). */
#ifndef CLTC_RUNNER_BUILD_PROGRAM_ANSWER_H
#define CLTC_RUNNER_BUILD_PROGRAM_ANSWER_H

#include "base/buffer.h"
#include "instrument/instrument.h"
#include "runner/build/forms.h"

/* `number`: of the program in the run. `left`: which kernels are not named, so that they run as they were written; NULL: none.
 * `more`: further options. */
void program_answer(buffer *answer, uint32_t number, const instrument_result *r, const bool *left, const form_row *form,
                    const char *more);

#endif
