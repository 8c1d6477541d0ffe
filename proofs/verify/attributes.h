/* What the proofs know of attributes and metadata, of the source's and of LLVM's: a table as of functions (calls.c) and
 * instructions (execute.c). Private to this room. */
#ifndef CLTC_VERIFY_ATTRIBUTES_H
#define CLTC_VERIFY_ATTRIBUTES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "base/buffer.h"

/* Adds what is not known of a function, of what it calls or of an instruction in it: "the attribute naked". Nothing: all is. */
void attributes_unknown(LLVMContextRef context, LLVMValueRef function, buffer *unknown);

/* Whether there is a row: of an attribute by its number, and of metadata. */
bool attributes_has(unsigned kind);
bool attributes_has_metadata(LLVMContextRef context, unsigned kind);

#endif
