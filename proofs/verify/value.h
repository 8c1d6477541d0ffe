/* What a variable of a work-item holds: a number or truth value, several of them (vectors, structs, arrays), or a pointer. */
#ifndef CLTC_VERIFY_VALUE_H
#define CLTC_VERIFY_VALUE_H

#include <llvm-c/Core.h>

#include "base/memory.h"
#include "proofs/verify/smt.h"

enum { ADDRESS_BITS = 64 };

/* An address within an object: constant + the sum of stride * index, in bytes. */
typedef struct term {
  int64_t stride;
  formula index; /* ADDRESS_BITS */
} term;
typedef struct offset {
  int64_t constant;
  size_t count; /* of terms, each stride once */
  const term *terms;
} offset;

/* A pointer is one of these, the one whose `when` holds. */
typedef struct target {
  formula when;
  uint32_t object; /* of the proof */
  offset at;
} target;

typedef enum value_kind { VALUE_NUMBER, VALUE_LIST, VALUE_POINTER } value_kind;
typedef struct value {
  value_kind kind;
  formula number; /* a truth value for i1; the bits of a float */
  size_t count;
  const struct value *const *items; /* of a list */
  const target *targets;            /* of a pointer */
} value;

typedef struct values {
  smt *smt;
  mem_arena *memory;
} values;

const value *value_number(const values *v, formula number);
const value *value_list(const values *v, const value *const *items, size_t count);
/* A pointer to one place. */
const value *value_pointer(const values *v, uint32_t object, offset at);
const value *value_targets(const values *v, const target *targets, size_t count);

/* `yes` where the condition holds, else `no`; both have the same shape. */
const value *value_if(const values *v, formula condition, const value *yes, const value *no);
/* A number for each number in it, in order. Appends to `to` up to `room`; returns how many there are. */
size_t value_numbers(const values *v, const value *from, formula *to, size_t room);

/* `at` moved by `bytes` and by stride * index. */
offset offset_move(const values *v, offset at, int64_t bytes);
offset offset_add(const values *v, offset at, int64_t stride, formula index);
/* As one number of ADDRESS_BITS, divided by `unit`, which divides the constant and each stride. */
formula offset_number(const values *v, const offset *at, int64_t unit);
/* The greatest number that divides `unit`, the constant and all strides. */
int64_t offset_unit(const offset *at, int64_t unit);
int64_t greatest_divisor(int64_t a, int64_t b);

#endif
