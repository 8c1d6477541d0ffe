/* The answer for an instrumented program (MESSAGE_INSTRUMENTED). */
#ifndef CLTC_RUNNER_BUILD_PROGRAM_ANSWER_H
#define CLTC_RUNNER_BUILD_PROGRAM_ANSWER_H

#include "base/buffer.h"
#include "instrument/instrument.h"
#include "wire/forms.h"

/* How a process has the kernels of a program. */
typedef struct program_form {
  kernel_form kernels;
  const char *options; /* for the device's compiler, behind those of each source */
  bool bare;           /* without coverage, though the text has it */
} program_form;

/* `number`: of the program in the run. `more`: further options. */
void program_answer(buffer *answer, uint32_t number, const instrument_result *r, const program_form *form,
                    const char *more);

#endif
