/* Products, quotients and remainders of two unknowns. Private to this room. */
#ifndef CLTC_VERIFY_PRODUCTS_H
#define CLTC_VERIFY_PRODUCTS_H

#include "proofs/verify/proof.h"

/* --- products.c --- */

/* `is_signed`: as C multiplies signed numbers. */
formula product_of(proof *p, formula a, formula b, bool is_signed);
bool product_is(const proof *p, formula f);
/* Adds what is known of all products, as facts. */
void products_add(proof *p);
/* Those that speak of products which do not occur in `parts` are not kept. */
void products_leave_out(const proof *p, smt_parts *parts, bool *keep);

/* --- divide.c --- */

/* Executions in which that does not hold, where the work-item is there, are none that C knows: `divides`: as something is divided
 * by 0; else as something overflows. */
void exclude_execution(proof *p, formula enabled, formula holds, bool is_signed, bool divides);
/* a / b or a % b, as the instruction of LLVM has it. */
formula divided(proof *p, LLVMOpcode opcode, formula a, formula b, formula enabled);

#endif
