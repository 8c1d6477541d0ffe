/* Accesses that leave the buffer or array that they begin in, where its size is known, and those through null pointers. */
#include "base/memory.h"
#include "verify/proof.h"

static void note(proof *p, const access *a, formula outside) {
  if (outside != p->smt.no) {
    *ARRAY_ADD(p->mishaps, p->mishap_count, p->mishap_capacity) =
        (mishap){.kind = MISHAP_BOUNDS,
                 .reached = p->chain,
                 .condition = smt_and(&p->smt, a->enabled, outside),
                 .instruction = a->instruction,
                 .access = a,
                 .steps = a->steps};
  }
}

/* Whether `bytes` from `at` on are not all among the first `size`. */
static formula leaves(const proof *p, formula at, formula bytes, uint64_t size) {
  const smt *s = &p->smt;
  uint64_t number = 0, length = 0;
  const formula end = smt_number(s, size, ADDRESS_BITS);
  if (smt_is_number(s, bytes, &length)) {
    if (length > size || (smt_is_number(s, at, &number) && number > size - length)) {
      return s->yes;
    }
    const bool inside = smt_is_number(s, at, &number);
    return inside ? s->no : Z3_mk_bvugt(s->z3, at, smt_number(s, size - length, ADDRESS_BITS));
  }
  const formula far = Z3_mk_bvugt(s->z3, at, smt_subtract(s, end, bytes));
  const formula some = smt_differ(s, bytes, smt_number(s, 0, ADDRESS_BITS));
  return smt_and(s, some, smt_or(s, Z3_mk_bvugt(s->z3, bytes, end), far));
}

void bounds_note(proof *p, const access *a) {
  const object *o = &p->objects[a->object];
  if (!p->request->bounds || a->thread != 0) { /* the first stands for all */
    return;
  }
  if (o->kind == OBJECT_NULL) {
    note(p, a, p->smt.yes);
  } else if (o->bytes > 0) {
    const formula bytes = a->extent != NULL ? a->extent : smt_number(&p->smt, a->bytes, ADDRESS_BITS);
    note(p, a, leaves(p, offset_number(&p->values, &a->at, 1), bytes, o->bytes));
  }
}
