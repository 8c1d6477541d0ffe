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
static formula leaves(const proof *p, formula at, formula bytes, formula size) {
  const smt *s = &p->smt;
  uint64_t number = 0, length = 0, end = 0;
  const bool know_length = smt_is_number(s, bytes, &length);
  if (know_length && smt_is_number(s, size, &end) && (length > end || smt_is_number(s, at, &number))) {
    return smt_truth(s, length > end || number > end - length);
  }
  const formula none = smt_equal(s, bytes, smt_number(s, 0, ADDRESS_BITS));
  const formula large = smt_simplify(s, Z3_mk_bvugt(s->z3, bytes, size));
  const formula far = Z3_mk_bvugt(s->z3, at, smt_subtract(s, size, bytes));
  return smt_and(s, smt_not(s, none), smt_or(s, large, far));
}

void bounds_note_in(proof *p, const access *a, uint64_t size) {
  if (p->request->bounds && a->thread == 0) {
    note(p, a,
         leaves(p, offset_number(&p->values, &a->at, 1), smt_number(&p->smt, a->bytes, ADDRESS_BITS),
                smt_number(&p->smt, size, ADDRESS_BITS)));
  }
}

void bounds_note(proof *p, const access *a) {
  const object *o = &p->objects[a->object];
  if (!p->request->bounds || a->thread != 0) { /* the first stands for all */
    return;
  }
  if (o->kind == OBJECT_NULL) {
    note(p, a, p->smt.yes);
  } else if (o->bytes > 0 || o->size != NULL) {
    const formula size = o->size != NULL ? o->size : smt_number(&p->smt, o->bytes, ADDRESS_BITS);
    const formula bytes = a->extent != NULL ? a->extent : smt_number(&p->smt, a->bytes, ADDRESS_BITS);
    note(p, a, leaves(p, offset_number(&p->values, &a->at, 1), bytes, size));
  }
}
