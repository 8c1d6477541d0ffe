/* Components of vectors: clang reads and writes the whole vector for `v.x = …`, `v.lo` and `v[i]`, while OpenCL C has them as
 * memory of their own. What was written in the source is still seen before passes join statements: it is marked then. */
#ifndef CLTC_VERIFY_LANES_H
#define CLTC_VERIFY_LANES_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#define LANES_ONE (UINT32_C(1) << 31) /* a component whose number is computed */

/* Marks a load or store of a vector that is one of components. To be called before any pass. */
void lanes_mark(LLVMContextRef context, LLVMValueRef access);
/* The components of a marked one, a bit each: 0: the load is there for a store only. false: it is not marked. */
bool lanes_marked(LLVMContextRef context, LLVMValueRef access, uint32_t *lanes);
/* Of LANES_ONE: the insertelement or extractelement that has the number as its last operand. NULL: it is gone. */
LLVMValueRef lanes_one(LLVMValueRef access);

#endif
