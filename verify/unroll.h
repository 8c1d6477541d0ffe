/* Loops of a few turns around arrays of a work-item. Private to this room. */
#ifndef CLTC_VERIFY_UNROLL_H
#define CLTC_VERIFY_UNROLL_H

#include <llvm-c/Core.h>

/* Writes such loops out, so that the elements become variables. Not where an element would lie outside of its array: passes drop
 * such an access, and it is to be found. */
void unroll_arrays(LLVMModuleRef *m);

#endif
