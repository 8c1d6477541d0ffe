/* Making values, and choosing between two.
 * Soundness: docs/verify.md, Why it is right, Pointers. */
#include "proofs/verify/value.h"

#include <stdlib.h>
#include <string.h>

const value *value_number(const values *v, formula number) {
  value *made = mem_arena_array(v->memory, 1, sizeof *made);
  *made = (value){.kind = VALUE_NUMBER, .number = number};
  return made;
}

const value *value_list(const values *v, const value *const *items, size_t count) {
  const value **copy = mem_arena_array(v->memory, count + 1, sizeof *copy);
  if (count > 0) memcpy(copy, items, count * sizeof *copy);
  value *made = mem_arena_array(v->memory, 1, sizeof *made);
  *made = (value){.kind = VALUE_LIST, .count = count, .items = copy};
  return made;
}

const value *value_targets(const values *v, const target *targets, size_t count) {
  target *copy = mem_arena_array(v->memory, count + 1, sizeof *copy);
  if (count > 0) memcpy(copy, targets, count * sizeof *copy);
  value *made = mem_arena_array(v->memory, 1, sizeof *made);
  *made = (value){.kind = VALUE_POINTER, .count = count, .targets = copy};
  return made;
}

const value *value_pointer(const values *v, uint32_t object, offset at) {
  const target only = {v->smt->yes, object, at};
  return value_targets(v, &only, 1);
}

/* --- offsets ------------------------------------------------------------------------------------------------------ */

int64_t greatest_divisor(int64_t a, int64_t b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

offset offset_move(const values *v, offset at, int64_t bytes) {
  (void)v;
  at.constant = (int64_t)((uint64_t)at.constant + (uint64_t)bytes);
  return at;
}

offset offset_add(const values *v, offset at, int64_t stride, formula index) {
  uint64_t number = 0;
  if (stride == 0) return at;
  int64_t bytes = 0; /* else the index stays: far_away() of memory.c looks at it */
  if (smt_is_number(v->smt, index, &number) && !__builtin_mul_overflow((int64_t)number, stride, &bytes))
    return offset_move(v, at, bytes);
  term *terms = mem_arena_array(v->memory, at.count + 1, sizeof *terms);
  if (at.count > 0) memcpy(terms, at.terms, at.count * sizeof *terms);
  size_t i = 0;
  while (i < at.count && terms[i].stride != stride) i++;
  terms[i] = (term){stride, i < at.count ? smt_add(v->smt, terms[i].index, index) : index};
  at.count = i < at.count ? at.count : at.count + 1;
  at.terms = terms;
  return at;
}

formula offset_number(const values *v, const offset *at, int64_t unit) {
  formula sum = smt_number(v->smt, (uint64_t)(at->constant / unit), ADDRESS_BITS);
  for (size_t i = 0; i < at->count; i++) {
    const formula stride = smt_number(v->smt, (uint64_t)(at->terms[i].stride / unit), ADDRESS_BITS);
    sum = smt_add(v->smt, sum, smt_multiply(v->smt, at->terms[i].index, stride));
  }
  return sum;
}

int64_t offset_unit(const offset *at, int64_t unit) {
  unit = greatest_divisor(at->constant, unit);
  for (size_t i = 0; i < at->count; i++) unit = greatest_divisor(at->terms[i].stride, unit);
  return unit;
}

static formula index_of(const values *v, const offset *at, int64_t stride) {
  for (size_t i = 0; i < at->count; i++)
    if (at->terms[i].stride == stride) return at->terms[i].index;
  return smt_number(v->smt, 0, ADDRESS_BITS);
}

/* `yes` where the condition holds, else `no`. */
static offset offset_if(const values *v, formula condition, const offset *yes, const offset *no) {
  offset made = {0, 0, NULL};
  const int64_t strides = yes->constant == no->constant ? 0 : greatest_divisor(yes->constant, no->constant);
  term *terms = mem_arena_array(v->memory, yes->count + no->count + 1, sizeof *terms);
  for (size_t i = 0; i < yes->count + no->count; i++) {
    const int64_t stride = i < yes->count ? yes->terms[i].stride : no->terms[i - yes->count].stride;
    bool known = false;
    for (size_t j = 0; j < made.count; j++) known = known || terms[j].stride == stride;
    if (!known) {
      const formula index = smt_if(v->smt, condition, index_of(v, yes, stride), index_of(v, no, stride));
      terms[made.count++] = (term){stride, index};
    }
  }
  made.terms = terms;
  made.constant = strides == 0 ? yes->constant : 0;
  if (strides != 0) {
    const formula a = smt_number(v->smt, (uint64_t)(yes->constant / strides), ADDRESS_BITS);
    const formula b = smt_number(v->smt, (uint64_t)(no->constant / strides), ADDRESS_BITS);
    made = offset_add(v, made, strides, smt_if(v->smt, condition, a, b));
  }
  return made;
}

/* --- choosing ----------------------------------------------------------------------------------------------------- */

static const value *pointer_if(const values *v, formula condition, const value *yes, const value *no) {
  target *list = mem_arena_array(v->memory, yes->count + no->count + 1, sizeof *list);
  size_t count = 0;
  const formula otherwise = smt_not(v->smt, condition);
  for (size_t i = 0; i < yes->count; i++) {
    list[count] = yes->targets[i];
    list[count++].when = smt_and(v->smt, condition, yes->targets[i].when);
  }
  for (size_t i = 0; i < no->count; i++) {
    const target *t = &no->targets[i];
    const formula when = smt_and(v->smt, otherwise, t->when);
    size_t same = 0;
    while (same < yes->count && list[same].object != t->object) same++;
    if (same == yes->count) {
      list[count] = *t;
      list[count++].when = when;
    } else {
      list[same].at = offset_if(v, list[same].when, &list[same].at, &t->at);
      list[same].when = smt_or(v->smt, list[same].when, when);
    }
  }
  return value_targets(v, list, count);
}

const value *value_if(const values *v, formula condition, const value *yes, const value *no) {
  if (yes == no || condition == v->smt->yes) return yes;
  if (condition == v->smt->no) return no;
  if (yes->kind != no->kind) return yes; /* one is not defined on the way that this one comes from */
  if (yes->kind == VALUE_NUMBER) {
    return smt_bits(v->smt, yes->number) != smt_bits(v->smt, no->number)
               ? yes
               : value_number(v, smt_if(v->smt, condition, yes->number, no->number));
  }
  if (yes->kind == VALUE_POINTER) return pointer_if(v, condition, yes, no);
  const size_t count = yes->count < no->count ? yes->count : no->count;
  const value **items = mem_arena_array(v->memory, count + 1, sizeof *items);
  for (size_t i = 0; i < count; i++) items[i] = value_if(v, condition, yes->items[i], no->items[i]);
  return value_list(v, items, count);
}

size_t value_numbers(const values *v, const value *from, formula *to, size_t room) {
  if (from->kind == VALUE_LIST) {
    size_t count = 0;
    for (size_t i = 0; i < from->count; i++)
      count += value_numbers(v, from->items[i], to + (count < room ? count : room), room > count ? room - count : 0);
    return count;
  }
  if (from->kind == VALUE_NUMBER) {
    if (room > 0) to[0] = from->number;
    return 1;
  }
  for (size_t i = 0; i < from->count; i++) /* a pointer: where it points to, as far as that can be told */
    if (i < room) to[i] = offset_number(v, &from->targets[i].at, 1);
  return from->count;
}
