/* Expressions about buffers.
 * Soundness: docs/verify.md, Why it is right, Contents. */
#include "proofs/verify/said.h"

#include <string.h>

#include "base/memory.h"
#include "proofs/verify/proof.h"

/* --- of values that are read -------------------------------------------------------------------------------------- */

/* What is known of the contents of buffers of integers that a kernel only reads: said of each value that is read.
 * Soundness: docs/verify.md, Why it is right, Contents. */

void contents_note(proof *p, uint32_t number, formula index, formula content) {
  *ARRAY_ADD(p->contents, p->content_count, p->content_capacity) = (content_read){number, index, content};
}

void contents_note_cell(proof *p, cell c) {
  if (p->turns > 0 && c.enabled != p->smt.no) *ARRAY_ADD(p->cells, p->cell_count, p->cell_capacity) = c;
}

/* What a buffer of the launch holds, if it is small: only for looking at first iterations, as launches that are like this one may
 * hold other numbers. NULL: not known. */
const buffer_given *contents_given(const proof *p, const object *o) {
  for (size_t i = 0; i < p->launch->buffer_count && p->turns > 0 && o->kind == OBJECT_ARGUMENT; i++) {
    const buffer_given *b = &p->launch->buffers[i];
    if (b->held != NULL && o->contents == &b->contents && strcmp(b->name, o->name) == 0) return b;
  }
  return NULL;
}

/* The number of `bits` that the buffer holds there, `index` numbers further. NULL: it does not lie as numbers of that size do. */
formula contents_held(proof *p, const buffer_given *b, const offset *at, unsigned bits, size_t index) {
  const smt *s = &p->smt;
  const size_t bytes = bits / 8;
  if (offset_unit(at, (int64_t)bytes) != (int64_t)bytes) return NULL;
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
  if (c->identity) proof_fact(p, smt_equal(s, wide, r->index));
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
  if (c->distinct) proof_fact(p, smt_or(s, smt_equal(s, a->index, b->index), smt_differ(s, a->content, b->content)));
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
    if (!is_whole(p, a)) continue;
    add_one(p, a, c);
    for (size_t j = i + 1; j < p->content_count; j++) {
      const content_read *b = &p->contents[j];
      if (b->object == a->object && smt_bits(&p->smt, a->content) == smt_bits(&p->smt, b->content)) add_two(p, a, b, c);
    }
  }
}

#define NAME "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* "distinct(x)", and nothing else. */
static bool is_call(const char *text, const char *function, const char *argument) {
  const size_t length = strlen(function), size = strlen(argument);
  text += strspn(text, " \t");
  if (strncmp(text, function, length) != 0) return false;
  text += length + strspn(text + length, " \t");
  if (*text != '(') return false;
  text += 1 + strspn(text + 1, " \t");
  if (strncmp(text, argument, size) != 0) return false;
  text += size + strspn(text + size, " \t");
  return *text == ')' && text[1 + strspn(text + 1, " \t")] == '\0';
}

/* Whether the expression has "x[". */
static bool is_indexed(const char *text, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
    const bool begins = at == text || strchr(NAME, at[-1]) == NULL;
    if (begins && at[length + strspn(at + length, " \t")] == '[') return true;
  }
  return false;
}

const char *said_buffer(const kernel *k, const char *text) {
  for (uint32_t a = 0; a < k->argument_count; a++) {
    size_t length = 0;
    const LLVMValueRef v = LLVMGetParam(k->function, a);
    const char *name = LLVMGetValueName2(v, &length);
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind && is_indexed(text, name)) return name;
  }
  return NULL;
}

typedef struct said {
  bool elements, each;
  contents_known contents;
} said;

static said said_of(const launch *l, const char *name) {
  said s = {0};
  for (size_t i = 0; i < l->assume_count; i++) {
    s.elements = s.elements || assumptions_speak_of(l->assume[i], "elements", name);
    s.each = s.each || is_indexed(l->assume[i], name);
    s.contents.distinct = s.contents.distinct || is_call(l->assume[i], "distinct", name);
    s.contents.ascending = s.contents.ascending || is_call(l->assume[i], "ascending", name);
  }
  return s;
}

/* Takes those away that are about the contents of this buffer as a whole. */
static void drop_calls(launch *l, const char *name) {
  size_t kept = 0;
  for (size_t i = 0; i < l->assume_count; i++)
    if (!is_call(l->assume[i], "distinct", name) && !is_call(l->assume[i], "ascending", name))
      l->assume[kept++] = l->assume[i];
  l->assume_count = kept;
}

void said_take(const kernel *k, launch *l) {
  buffer_given *buffers = mem_arena_array(k->memory, k->argument_count + 1, sizeof *buffers);
  const char **assume = mem_arena_array(k->memory, l->assume_count + 1, sizeof *assume);
  if (l->assume_count > 0) memcpy(assume, l->assume, l->assume_count * sizeof *assume);
  l->assume = assume;
  l->buffers = buffers;
  l->buffer_count = 0;
  for (uint32_t a = 0; a < k->argument_count; a++) {
    const LLVMValueRef v = LLVMGetParam(k->function, a);
    size_t length = 0;
    const char *name = LLVMGetValueName2(v, &length);
    const bool pointer = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
    const bool local = pointer && LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == SPACE_LOCAL;
    said s = said_of(l, name);
    const bool contents = !local && (s.each || s.contents.distinct || s.contents.ascending);
    if (!pointer || (!s.elements && !contents)) continue;
    const char *type = module_argument_type(k->module, k->function, a);
    s.contents.is_unsigned = type[0] == 'u';
    buffers[l->buffer_count++] = (buffer_given){
        .name = name, .memory = -1, .local = local, .counted = s.elements, .said = true, .contents = s.contents};
    drop_calls(l, name);
  }
}

void said_of_value(proof *p, const object *o, formula wide) {
  for (size_t i = 0; i < p->launch->assume_count; i++)
    if (is_indexed(p->launch->assume[i], o->name))
      proof_fact(p, assumptions_of_value(p, p->launch->assume[i], o->name, wide));
}
