/* What is known of the contents of buffers of integers that a kernel only reads: said of each value that is read.
 * Soundness: docs/verify.md, Launches that were seen. */
#include <string.h>

#include "base/memory.h"
#include "verify/proof.h"
#include "verify/said.h"

void contents_note(proof *p, uint32_t number, formula index, formula content) {
  *ARRAY_ADD(p->contents, p->content_count, p->content_capacity) = (content_read){number, index, content};
}

void contents_note_cell(proof *p, cell c) {
  if (p->turns > 0 && c.enabled != p->smt.no) {
    *ARRAY_ADD(p->cells, p->cell_count, p->cell_capacity) = c;
  }
}

/* What a buffer of the launch holds, if it is small: only for looking at first iterations, as launches that are like this one may
 * hold other numbers. NULL: not known. */
const buffer_given *contents_given(const proof *p, const object *o) {
  for (size_t i = 0; i < p->launch->buffer_count && p->turns > 0 && o->kind == OBJECT_ARGUMENT; i++) {
    const buffer_given *b = &p->launch->buffers[i];
    if (b->held != NULL && o->contents == &b->contents && strcmp(b->name, o->name) == 0) {
      return b;
    }
  }
  return NULL;
}

/* The number of `bits` that the buffer holds there, `index` numbers further. NULL: it does not lie as numbers of that size do. */
formula contents_held(proof *p, const buffer_given *b, const offset *at, unsigned bits, size_t index) {
  const smt *s = &p->smt;
  const size_t bytes = bits / 8;
  if (bits < 8 || bits > 64 || bytes * 8 != bits || offset_unit(at, (int64_t)bytes) != (int64_t)bytes) {
    return NULL;
  }
  const formula place = smt_add(s, offset_number(&p->values, at, (int64_t)bytes), smt_number(s, index, ADDRESS_BITS));
  formula found = NULL;
  for (size_t n = 0; (n + 1) * bytes <= b->bytes; n++) {
    uint64_t number = 0;
    memcpy(&number, b->held + n * bytes, bytes);
    const formula content = smt_number(s, number, bits);
    found = found == NULL ? content : smt_if(s, smt_equal(s, place, smt_number(s, n, ADDRESS_BITS)), content, found);
  }
  p->held = p->held || found != NULL;
  return found;
}

/* Of one value. */
static void add_one(proof *p, const content_read *r, const contents_known *c) {
  const smt *s = &p->smt;
  const formula wide = smt_resize(s, r->content, ADDRESS_BITS, !c->is_unsigned);
  if (c->identity) {
    proof_fact(p, smt_equal(s, wide, r->index));
  }
  said_of_value(p, &p->objects[r->object], wide);
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
