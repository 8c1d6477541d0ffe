/* Elements of findings as the kernel's parameters have them. */
#ifndef CLTC_RUNNER_ENGINE_ELEMENTS_H
#define CLTC_RUNNER_ENGINE_ELEMENTS_H

#include "runner/engine/answer.h"
#include "runner/sources/signature.h"

/* The engine counts in the bytes of an access: of a member of a structure, or of a vector in a buffer of numbers, that is no
 * element of the buffer. Tells them by the parameter's type. */
void elements_tell(verify_answer *a, const signature *of);

#endif
