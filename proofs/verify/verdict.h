/* What is said of a kernel: tries what is cheap first, and gives the answer as JSON. */
#ifndef CLTC_VERIFY_VERDICT_H
#define CLTC_VERIFY_VERDICT_H

#include <jansson.h>

#include "proofs/verify/module.h"
#include "proofs/verify/request.h"

/* The answer for a kernel, as docs/formats/verify-engine.md describes it; owned by the caller. */
json_t *verdict_of(const module *m, LLVMValueRef kernel, const request *r);
/* One for a kernel about which nothing can be said. */
json_t *verdict_unknown(LLVMValueRef kernel, const char *verdict, const char *reason);

#endif
