/* Sub-groups: which work-items are of one is the device's choice. What is known: a work-item has a place of its own in its
 * sub-group, and a sub-group is no larger than the largest.
 * Soundness: docs/verify.md, What orders two accesses. */
#include <string.h>

#include "verify/models.h"
#include "verify/products.h"

enum { BITS = 16 };

static formula wide(const proof *p, formula f) { return smt_resize(&p->smt, f, 32, false); }

static void below(proof *p, formula a, formula b) { proof_fact(p, Z3_mk_bvult(p->smt.z3, a, b)); }

/* With --warp-sync it is said how large they are. */
static void number_by_size(proof *p) {
  const formula size = smt_number(&p->smt, p->request->warp, ADDRESS_BITS);
  for (unsigned t = 0; t < THREADS; t++) {
    const formula linear = linear_local_id(p, t);
    p->sub_groups.id[t] = smt_resize(&p->smt, smt_apply_binary(&p->smt, Z3_mk_bvudiv, linear, size), 32, false);
    p->sub_groups.place[t] = smt_resize(&p->smt, smt_apply_binary(&p->smt, Z3_mk_bvurem, linear, size), 32, false);
    p->sub_groups.size[t] = wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
  }
  p->sub_groups.most = smt_number(&p->smt, p->request->warp, 32);
}

static void number_freely(proof *p) {
  for (unsigned t = 0; t < THREADS; t++) {
    p->sub_groups.id[t] = wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
    p->sub_groups.place[t] = wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
    p->sub_groups.size[t] = wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
  }
  p->sub_groups.most = wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
}

static void make(proof *p) {
  const smt *s = &p->smt;
  if (p->sub_groups.most != NULL) {
    return;
  }
  if (p->request->warp > 0) {
    number_by_size(p);
  } else {
    number_freely(p);
  }
  for (unsigned t = 0; t < THREADS; t++) { /* a smaller group may have fewer */
    const bool same = t > 0 && (p->same_group || !p->launch->uneven);
    p->sub_groups.count[t] = same ? p->sub_groups.count[0] : wide(p, smt_fresh(&p->smt, "sub-group", BITS, true));
  }
  const formula items = product_of(p, product_of(p, p->local_size[0], p->local_size[1], true), p->local_size[2], true);
  const formula all = smt_resize(s, items, 32, false);
  proof_fact(p, Z3_mk_bvule(s->z3, p->sub_groups.most, all));
  for (unsigned t = 0; t < THREADS; t++) {
    proof_fact(p, Z3_mk_bvule(s->z3, p->sub_groups.count[t], all));
    below(p, p->sub_groups.id[t], p->sub_groups.count[t]);
    below(p, p->sub_groups.place[t], p->sub_groups.size[t]);
    proof_fact(p, Z3_mk_bvule(s->z3, p->sub_groups.size[t], p->sub_groups.most));
  }
  if (p->same_group && p->request->warp == 0) {
    const formula one = smt_equal(s, p->sub_groups.id[0], p->sub_groups.id[1]);
    proof_fact(p, smt_implies(s, one, smt_differ(s, p->sub_groups.place[0], p->sub_groups.place[1])));
    proof_fact(p, smt_implies(s, one, smt_equal(s, p->sub_groups.size[0], p->sub_groups.size[1])));
  }
}

const value *sub_group_question(proof *p, unsigned thread, const instruction *i) {
  const char *name = i->callee->name;
  const LLVMTypeRef type = LLVMTypeOf(i->value);
  make(p);
  const formula found = strcmp(name, "get_sub_group_id") == 0         ? p->sub_groups.id[thread]
                        : strcmp(name, "get_sub_group_local_id") == 0 ? p->sub_groups.place[thread]
                        : strcmp(name, "get_sub_group_size") == 0     ? p->sub_groups.size[thread]
                        : strcmp(name, "get_max_sub_group_size") == 0 ? p->sub_groups.most
                        : strcmp(name, "get_num_sub_groups") == 0     ? p->sub_groups.count[thread]
                                                                      : NULL;
  return found == NULL ? fresh_value(p, type, "call", true)
                       : value_number(&p->values, smt_resize(&p->smt, found, type_bits(p, type), false));
}

formula sub_group_is_one(proof *p) {
  if (!p->same_group) {
    return p->smt.no;
  }
  make(p);
  return smt_equal(&p->smt, p->sub_groups.id[0], p->sub_groups.id[1]);
}

void sub_group_barrier(proof *p, const instruction *i, const state *s) {
  const LLVMValueRef flags = LLVMGetOperand(i->value, 0);
  if (p->same_group && LLVMIsAConstantInt(flags) != NULL) {
    const formula both = smt_and(&p->smt, s->enabled[0], s->enabled[1]);
    order_before(p, smt_and(&p->smt, both, sub_group_is_one(p)), (unsigned)LLVMConstIntGetZExtValue(flags));
  }
}
