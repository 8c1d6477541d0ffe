/* Functions of OpenCL C whose results are computed exactly. Private to this room. */
#ifndef CLTC_VERIFY_BUILTINS_H
#define CLTC_VERIFY_BUILTINS_H

#include "verify/proof.h"

/* What the function gives for these arguments; NULL: it is not computed. */
const value *builtin_value(proof *p, const call *c, const value *const *arguments, unsigned count, LLVMTypeRef type);

#endif
