/* Formulas of Z3 with what folds at once folded: bit-vectors of any width, truth values where LLVM has i1. Everything lives as
 * long as the context. */
#ifndef CLTC_VERIFY_SMT_H
#define CLTC_VERIFY_SMT_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <z3.h>

#include "base/memory.h"

typedef Z3_ast formula;

typedef struct smt {
  Z3_context z3;
  formula yes, no;
  unsigned fresh;
} smt;

void smt_open(smt *s);
void smt_close(smt *s);

formula smt_truth(const smt *s, bool value);
/* A number of `bits` bits; bits 1 is a number of one bit, no truth value. */
formula smt_number(const smt *s, uint64_t value, unsigned bits);
/* Whether it is a number of at most 64 bits, and which. */
bool smt_is_number(const smt *s, formula f, uint64_t *value);
/* 0: a truth value. */
unsigned smt_bits(const smt *s, formula f);

/* An unknown of that name; `bits` 0: a truth value. */
formula smt_unknown(smt *s, const char *name, unsigned bits);
/* One that nothing else has the name of. `abstract`: it stands for something that is not modelled. */
formula smt_fresh(smt *s, const char *name, unsigned bits, bool abstract);
/* A function of that name of these arguments, equal for equal arguments; `bits` as above. */
formula smt_apply(smt *s, const char *name, const formula *arguments, size_t count, unsigned bits, bool abstract);
/* Whether the formula depends on something that is not modelled. */
bool smt_is_abstract(const smt *s, formula f);
/* The same, of one kind: names that begin so. */
bool smt_mentions(const smt *s, formula f, const char *beginning);

/* The formulas of which others are made. `{0}` is empty; free with smt_parts_free. */
typedef struct smt_parts {
  unsigned *seen; /* ids, open addressing; 0: empty */
  size_t mask, count;
} smt_parts;
void smt_parts_add(const smt *s, smt_parts *parts, formula f);
bool smt_parts_have(const smt *s, const smt_parts *parts, formula f);
void smt_parts_free(smt_parts *parts);
/* Calls `each` with the name (without its first character) of all in `f` that is not modelled, and was not `seen` before. */
void smt_each_abstract(const smt *s, smt_parts *seen, formula f, void (*each)(void *context, const char *name),
                       void *context);

formula smt_not(const smt *s, formula a);
formula smt_and(const smt *s, formula a, formula b);
formula smt_or(const smt *s, formula a, formula b);
formula smt_implies(const smt *s, formula a, formula b);
formula smt_any(const smt *s, const formula *list, size_t count);
formula smt_all(const smt *s, const formula *list, size_t count);
formula smt_if(const smt *s, formula condition, formula yes, formula no);
formula smt_equal(const smt *s, formula a, formula b);
formula smt_differ(const smt *s, formula a, formula b);

formula smt_add(const smt *s, formula a, formula b);
formula smt_subtract(const smt *s, formula a, formula b);
formula smt_multiply(const smt *s, formula a, formula b);
/* Any of Z3_mk_bv… with two operands, without folding. */
typedef Z3_ast (*smt_binary)(Z3_context, Z3_ast, Z3_ast);
formula smt_apply_binary(const smt *s, smt_binary make, formula a, formula b);
/* `bits` more or fewer; truth values become numbers and back. */
formula smt_resize(const smt *s, formula a, unsigned bits, bool is_signed);
formula smt_extract(const smt *s, formula a, unsigned high, unsigned low);
formula smt_concat(const smt *s, formula high, formula low);

formula smt_simplify(const smt *s, formula a);

typedef struct shifts {
  const smt *smt;
  formula *made; /* by id of the formula */
  size_t count;
} shifts;

/* `smt` is set before. */
formula shifts_of(shifts *x, formula f);
void shifts_free(shifts *x);

/* So many bits are enough for the number, with its sign, by how it is made. */
unsigned smt_bits_needed(const smt *s, formula f);

/* --- integers ----------------------------------------------------------------------------------------------------- */

/* The same formulas over integers: what is a long chain of bits as bit-vectors is a short inequality there. Every bit-vector is
 * the signed number that it stands for; where an operation may leave its range, the multiple of 2^bits that is taken off is an
 * unknown of its own. So nothing is lost but what has no such form (xor, shifts by unknowns), which may be anything: that
 * nothing satisfies the integers shows that nothing satisfies the bit-vectors. */

typedef struct integers integers;

/* A result of arithmetic that stays in its range where the condition holds. */
typedef struct exact_number {
  formula result, when;
} exact_number;

/* `most` formulas are translated at most; then integers_of gives NULL. Sets `*assumed` where something that is translated rests on
 * arithmetic that does not overflow, and might. */
integers *integers_open(smt *s, size_t most, const exact_number *exact, size_t exact_count, bool *assumed);
void integers_close(integers *x);
/* The truth value is known: what depends on it alone is not translated. */
void integers_know(integers *x, formula truth, bool value);
/* The truth value over integers; facts that belong to it are added to the solver. NULL: it is too large. */
formula integers_of(integers *x, formula truth, Z3_solver to);

#endif
