/* What is known of the contents of buffers of integers that a kernel only reads: said of each value that is read. */
#include "base/memory.h"
#include "verify/proof.h"

void contents_note(proof *p, uint32_t number, formula index, formula content) {
  *ARRAY_ADD(p->contents, p->content_count, p->content_capacity) = (content_read){number, index, content};
}

void contents_note_cell(proof *p, cell c) {
  if (p->turns > 0 && c.enabled != p->smt.no) {
    *ARRAY_ADD(p->cells, p->cell_count, p->cell_capacity) = c;
  }
}

/* Of one value. */
static void add_one(proof *p, const content_read *r, const contents_known *c) {
  const smt *s = &p->smt;
  const formula wide = smt_resize(s, r->content, ADDRESS_BITS, !c->is_unsigned);
  if (c->identity) {
    proof_fact(p, smt_equal(s, wide, r->index));
  }
  if (c->within) {
    proof_fact(p, Z3_mk_bvsge(s->z3, wide, smt_number(s, (uint64_t)c->low, ADDRESS_BITS)));
    proof_fact(p, Z3_mk_bvsle(s->z3, wide, smt_number(s, (uint64_t)c->high, ADDRESS_BITS)));
  }
}

static formula at_most(const smt *s, formula a, formula b, bool is_unsigned) {
  return is_unsigned ? Z3_mk_bvule(s->z3, a, b) : Z3_mk_bvsle(s->z3, a, b);
}

/* Of two values of one buffer. */
static void add_two(proof *p, const content_read *a, const content_read *b, const contents_known *c) {
  const smt *s = &p->smt;
  if (c->distinct) {
    proof_fact(p, smt_or(s, smt_equal(s, a->index, b->index), smt_differ(s, a->content, b->content)));
  }
  if (c->ascending) {
    const formula before = Z3_mk_bvult(s->z3, a->index, b->index), after = Z3_mk_bvult(s->z3, b->index, a->index);
    proof_fact(p, smt_implies(s, before, at_most(s, a->content, b->content, c->is_unsigned)));
    proof_fact(p, smt_implies(s, after, at_most(s, b->content, a->content, c->is_unsigned)));
  }
}

/* What is known is about numbers of the parameter's own width: of others, and of what lies across two, it says nothing. */
static bool is_whole(const proof *p, const content_read *r) {
  const object *o = &p->objects[r->object];
  const unsigned bytes = assumptions_element_bytes(p->kernel, kernel_number(p->kernel, o->value));
  return o->contents != NULL && bytes > 0 && smt_bits(&p->smt, r->content) == 8 * bytes;
}

void contents_add(proof *p) {
  for (size_t i = 0; i < p->content_count; i++) {
    const content_read *a = &p->contents[i];
    const contents_known *c = p->objects[a->object].contents;
    if (!is_whole(p, a)) {
      continue;
    }
    add_one(p, a, c);
    for (size_t j = i + 1; j < p->content_count; j++) {
      const content_read *b = &p->contents[j];
      if (b->object == a->object && smt_bits(&p->smt, a->content) == smt_bits(&p->smt, b->content)) {
        add_two(p, a, b, c);
      }
    }
  }
}
