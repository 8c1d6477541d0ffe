/* What is done before any pass of LLVM that may take away an access: what it would take away is marked, loops that go through arrays
 * of a work-item are unrolled. Private to this room. */
#ifndef CLTC_VERIFY_UNROLL_H
#define CLTC_VERIFY_UNROLL_H

#include <llvm-c/Error.h>

#include "verify/module.h"

/* Unrolls short loops in a source with arrays of its own, inlines helpers, and brings variables into registers. Then arrays of which an
 * access may lie outside are marked, so that they stay as they are, and accesses to them. NULL, or what went wrong, which is to be
 * disposed of. */
LLVMErrorRef unroll_arrays(const module *m);
/* Puts a call in front of what the source says never to be reached: passes would take the branch there away. */
void unroll_mark_unreachable(const module *m, LLVMValueRef terminator);
/* A variable of numbers begins as any: passes would take it to be what is put into it on some way. Afterwards, what nobody reads goes. */
void unroll_mark_unset(const module *m, LLVMValueRef variable);
void unroll_drop_unset(const module *m);

#endif
