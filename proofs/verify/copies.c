/* Asynchronous copies, and waiting for them. A copy is over after a wait for its event: what events a wait is for is read from
 * the work-item's own memory where that is known.
 * Soundness: docs/verify.md, Why it is right, Copies. */
#include <stdlib.h>

#include "proofs/verify/query.h"

/* --- stores ------------------------------------------------------------------------------------------------------- */

/* What a work-item wrote, it reads again: until the next barrier nobody else writes there, or there is a race. Numbers of one width
 * only; what cannot be followed is forgotten.
 * Soundness: docs/verify.md, Why it is right, Stores. */

/* --- what a loop leaves ------------------------------------------------------------------------------------------- */

/* What a loop leaves as it is: memory that nothing in it writes holds in each iteration, and after it, what it held before. Where the
 * loop has a barrier that is not used: others may be at another place of the kernel then.
 *
 * Another work-item that writes there is at a place before the loop or after it. No barrier of this loop stands between it and a
 * read in the loop, so it is as if there were no loop: in one group it would race with the read, or a barrier in front of the loop, or
 * after it, stands between them; of another group it would race in any case.
 * Soundness: docs/verify.md, Why it is right, Loops that do not write. */

static bool points_into(proof *p, LLVMValueRef pointer, uint32_t number) {
  if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind) return false;
  for (const uint32_t *o = objects_of(p, pointer); *o != NONE; o++)
    if (p->objects[*o].memory == p->objects[number].memory) return true;
  return false;
}

/* Whether the instruction may write to the memory of the object. */
static bool may_write(proof *p, const instruction *i, uint32_t number) {
  if (i->opcode == LLVMStore) return points_into(p, LLVMGetOperand(i->value, 1), number);
  for (unsigned n = 0; i->callee != NULL && n < LLVMGetNumArgOperands(i->value); n++)
    if (call_may_write(i->callee, n) && points_into(p, LLVMGetOperand(i->value, n), number)) return true;
  return false;
}

static const bool *written_in(proof *p, uint32_t loop_number) {
  const loop *l = &p->kernel->loops[loop_number];
  if (p->loop_writes[loop_number] != NULL) return p->loop_writes[loop_number];
  bool *written = mem_arena_array(p->memory, p->object_count + 1, sizeof *written);
  for (uint32_t n = 0; n < l->block_count; n++) {
    const block *b = &p->kernel->blocks[l->blocks[n]];
    for (uint32_t k = b->first; k < b->first + b->count; k++)
      for (uint32_t o = 0; o < p->object_count; o++)
        written[o] = written[o] || may_write(p, &p->kernel->instructions[k], o);
  }
  p->loop_writes[loop_number] = written;
  return written;
}

void memory_loop(proof *p, uint32_t loop_number) {
  const bool *written = written_in(p, loop_number);
  bool any = p->kernel->loops[loop_number].barrier;
  for (uint32_t o = 0; o < p->object_count; o++) /* what cannot be followed may be anywhere */
    any = any || (written[o] && p->objects[o].kind == OBJECT_UNKNOWN);
  if (any || p->request->warp != 0) {
    memory_all_changed(p);
    return;
  }
  for (uint32_t o = 0; o < p->object_count; o++)
    if (written[o]) memory_changed(p, (const uint32_t[]){o, NONE});
}

struct store {
  uint32_t memory; /* object */
  unsigned thread;
  formula when, at; /* bytes from the beginning of the memory */
  formula written;
};

void stores_forget(proof *p, uint32_t memory) {
  size_t kept = 0;
  for (size_t i = 0; i < p->store_count && memory != NONE; i++)
    if (p->stores[i].memory != memory) p->stores[kept++] = p->stores[i];
  p->store_count = kept;
}

void stores_forget_shared(proof *p) {
  size_t kept = 0;
  for (size_t i = 0; i < p->store_count; i++)
    if (p->objects[p->stores[i].memory].kind == OBJECT_PRIVATE) p->stores[kept++] = p->stores[i];
  p->store_count = kept;
}

/* Whether a number that is written through the pointer can be followed in all the memory that it points into. */
static bool can_follow(proof *p, const value *pointer, const value *written) {
  enum { MOST = 16 };
  if (written->kind != VALUE_NUMBER || p->store_count > MOST) return false; /* limit: of stores that are remembered */
  const bool others = p->request->warp == 0 && !p->request->alias;
  const unsigned bits = smt_bits(&p->smt, written->number);
  for (size_t i = 0; i < pointer->count; i++) {
    const target *t = &pointer->targets[i];
    const object *o = &p->objects[t->object], *memory = &p->objects[o->memory];
    const offset within = object_within(p, t->object, t->at);
    /* same: of atomic functions, its own take the store away, and those of others race with it */
    if ((!others && o->kind != OBJECT_PRIVATE) || memory->atomic || memory->other_widths || memory->read_bits != bits ||
        offset_unit(&within, (int64_t)bits / 8) != (int64_t)bits / 8)
      return false;
  }
  return true;
}

bool stores_note(proof *p, const instruction *i, const state *s) {
  const value *pointers[THREADS], *written[THREADS];
  for (unsigned t = 0; t < THREADS; t++) {
    pointers[t] = operand(p, s->variables[t], LLVMGetOperand(i->value, 1));
    written[t] = operand(p, s->variables[t], LLVMGetOperand(i->value, 0));
    if (!can_follow(p, pointers[t], written[t])) return false;
  }
  for (unsigned t = 0; t < THREADS; t++) {
    for (size_t n = 0; n < pointers[t]->count; n++) {
      const target *at = &pointers[t]->targets[n];
      const formula when = smt_and(&p->smt, s->enabled[t], at->when);
      const offset within = object_within(p, at->object, at->at);
      *ARRAY_ADD(p->stores, p->store_count, p->store_capacity) = (struct store){
          p->objects[at->object].memory, t, when, offset_number(&p->values, &within, 1), written[t]->number};
    }
  }
  return true;
}

formula stores_read(proof *p, uint32_t memory, unsigned thread, bool both, formula at, bool whole, formula found) {
  for (size_t i = 0; i < p->store_count; i++) {
    const struct store *s = &p->stores[i];
    if (s->memory != memory || (s->thread != thread && !both)) continue;
    if (!whole) return smt_fresh(&p->smt, "part", smt_bits(&p->smt, found), true);
    const formula here = smt_and(&p->smt, s->when, smt_equal(&p->smt, at, s->at));
    found = smt_if(&p->smt, here, s->written, found);
  }
  return found;
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

typedef struct copy {
  const value *to, *from;
  formula count;
  formula stride;   /* of the side in global memory, in elements; NULL: one */
  uint64_t element; /* bytes */
} copy;

static LLVMValueRef event_of(LLVMValueRef copy_call) {
  return LLVMGetOperand(copy_call, LLVMGetNumArgOperands(copy_call) - 1);
}

/* Bytes of an element, as the function's name says. */
static uint64_t element_bytes(const instruction *i) {
  const char *vector = i->callee->parameters;
  unsigned lanes = 1;
  for (; *vector != '\0'; vector++) {
    if (vector[0] == 'D' && vector[1] == 'v') {
      lanes = (unsigned)(vector[2] - '0');
      lanes = lanes == 1 && vector[3] == '6' ? 16 : lanes;
      break;
    }
  }
  char scalar[2] = {0};
  call element = {.name = "", .parameters = scalar};
  for (const char *at = *vector == '\0' ? i->callee->parameters : vector; *at != '\0' && scalar[0] == '\0'; at++) {
    if (at[0] == 'A' && at[1] == 'S') {
      at += 2;
    } else if (at[0] == 'D' && at[1] == 'v') {
      at += 2;
    } else if (at[0] == 'D' && at[1] == 'h') {
      element.name = "half";
      scalar[0] = 't';
    } else if (at[0] == 'c' || at[0] == 'h' || at[0] == 's' || at[0] == 't' || at[0] == 'i' || at[0] == 'j' ||
               at[0] == 'l' || at[0] == 'm' || at[0] == 'f' || at[0] == 'd') {
      scalar[0] = at[0];
    }
  }
  return (uint64_t)call_element_bytes(&element) * (lanes == 3 ? 4 : lanes);
}

static copy copy_of(proof *p, const instruction *i, const environment variables) {
  const bool strided = LLVMGetNumArgOperands(i->value) == 5;
  return (copy){operand(p, variables, LLVMGetOperand(i->value, 0)), operand(p, variables, LLVMGetOperand(i->value, 1)),
                operand_number(p, variables, LLVMGetOperand(i->value, 2)),
                strided ? operand_number(p, variables, LLVMGetOperand(i->value, 3)) : NULL, element_bytes(i)};
}

static access *new_access(proof *p, unsigned thread, const instruction *i, access_kind kind, const target *t) {
  access *a = mem_arena_array(p->memory, 1, sizeof *a);
  *a = (access){.kind = kind, .instruction = kernel_number(p->kernel, i->value), .thread = thread, .live = p->smt.yes};
  a->visit = p->visits;
  a->steps = p->step_count;
  a->object = t->object;
  a->at = t->at;
  a->copy = true;
  return a;
}

/* One side of the copy: all of it, or, where there is something between the elements, any element. */
static void note_part(proof *p, unsigned thread, const instruction *i, access_kind kind, const value *pointer,
                      const copy *c, formula enabled) {
  const smt *s = &p->smt;
  const formula count = smt_resize(s, c->count, ADDRESS_BITS, false);
  for (size_t n = 0; n < pointer->count; n++) {
    const target *t = &pointer->targets[n];
    access *a = new_access(p, thread, i, kind, t);
    a->enabled = smt_and(s, enabled, t->when);
    a->bytes = c->element;
    if (c->stride != NULL && p->objects[t->object].space != SPACE_LOCAL) {
      const formula any = smt_resize(s, smt_fresh(&p->smt, "copied", 31, false), ADDRESS_BITS, false);
      const formula stride = smt_resize(s, c->stride, ADDRESS_BITS, false);
      a->at = offset_add(&p->values, a->at, (int64_t)c->element, product_of(p, any, stride));
      a->enabled = smt_and(s, a->enabled, Z3_mk_bvult(s->z3, any, count));
      a->far = Z3_mk_bvugt(s->z3, count, smt_number(s, INT32_MAX, ADDRESS_BITS));
    } else {
      a->extent = smt_multiply(s, count, smt_number(s, c->element, ADDRESS_BITS));
      a->far = Z3_mk_bvugt(s->z3, count, smt_number(s, INT64_MAX / c->element, ADDRESS_BITS));
    }
    a->within = object_within(p, t->object, a->at);
    a->event = p->copy_event;
    bounds_note(p, a);
    if (object_is_shared(p, t->object) && p->objects[t->object].written) memory_note(p, a);
  }
}

static formula pointers_differ(proof *p, const value *a, const value *b) {
  formula same = p->smt.no;
  for (size_t i = 0; i < a->count; i++) {
    for (size_t j = 0; j < b->count; j++) {
      const target *x = &a->targets[i], *y = &b->targets[j];
      if (x->object == y->object) {
        const formula at =
            smt_equal(&p->smt, offset_number(&p->values, &x->at, 1), offset_number(&p->values, &y->at, 1));
        same = smt_or(&p->smt, same, smt_and(&p->smt, smt_and(&p->smt, x->when, y->when), at));
      }
    }
  }
  return smt_not(&p->smt, same);
}

/* Events of copies that are not the same. An event that is read from a place that differs may differ. */
static formula events_differ(proof *p, const instruction *i, const state *s) {
  const LLVMValueRef event = event_of(i->value);
  const uint32_t number = kernel_number(p->kernel, event);
  const value *a = number == NONE ? NULL : s->variables[0][number],
              *b = number == NONE ? NULL : s->variables[1][number];
  if (a != NULL && b != NULL && a->kind == VALUE_NUMBER && b->kind == VALUE_NUMBER &&
      !smt_mentions(&p->smt, a->number, "?private") && !smt_mentions(&p->smt, b->number, "?private"))
    return smt_differ(&p->smt, a->number, b->number);
  const instruction *load = number == NONE ? NULL : kernel_instruction(p->kernel, number);
  const LLVMValueRef from = load != NULL && load->opcode == LLVMLoad ? LLVMGetOperand(load->value, 0) : NULL;
  const uint32_t pointer = from == NULL ? NONE : kernel_number(p->kernel, from);
  const instruction *made = pointer == NONE ? NULL : kernel_instruction(p->kernel, pointer);
  return made != NULL && made->opcode != LLVMAlloca && p->divergent[pointer] && objects_of(p, from)[1] != NONE
             ? smt_fresh(&p->smt, "events differ", 0, true)
             : p->smt.no;
}

/* The event of a copy: the one that it was given, or one of its own. */
static const value *made_event(proof *p, const instruction *i, const environment variables) {
  const smt *s = &p->smt;
  const value *own = fresh_value(p, LLVMTypeOf(i->value), "event", false);
  const value *given = operand(p, variables, event_of(i->value));
  if (own->kind != VALUE_NUMBER || given->kind != VALUE_NUMBER) return own;
  const formula none = smt_number(s, 0, smt_bits(s, own->number));
  proof_fact(p, smt_differ(s, own->number, none));
  for (size_t n = 0; n < p->event_count; n++) proof_fact(p, smt_differ(s, own->number, p->events[n]));
  *ARRAY_ADD(p->events, p->event_count, p->event_capacity) = own->number;
  return value_number(&p->values, smt_if(s, smt_equal(s, given->number, none), own->number, given->number));
}

void copy_execute(proof *p, const instruction *i, state *s, walk w) {
  copy c[THREADS];
  const value *event = made_event(p, i, s->variables[0]);
  p->copy_event = event->kind == VALUE_NUMBER ? event->number : NULL;
  for (unsigned t = 0; t < THREADS; t++) {
    c[t] = copy_of(p, i, s->variables[t]);
    if (w.record) {
      note_part(p, t, i, ACCESS_READ, c[t].from, &c[t], s->enabled[t]);
      note_part(p, t, i, ACCESS_WRITE, c[t].to, &c[t], s->enabled[t]);
    }
  }
  if (w.record && p->same_group) {
    barrier_divergence(p, i, s, w);
    formula differ = smt_or(&p->smt, pointers_differ(p, c[0].to, c[1].to), pointers_differ(p, c[0].from, c[1].from));
    differ = smt_or(&p->smt, differ, smt_differ(&p->smt, c[0].count, c[1].count));
    if (c[0].stride != NULL && c[1].stride != NULL)
      differ = smt_or(&p->smt, differ, smt_differ(&p->smt, c[0].stride, c[1].stride));
    differ = smt_or(&p->smt, differ, events_differ(p, i, s));
    barrier_note_divergence(p, i, s, smt_and(&p->smt, smt_and(&p->smt, s->enabled[0], s->enabled[1]), differ));
  }
  s->variables[0][kernel_number(p->kernel, i->value)] = event;
  s->variables[1][kernel_number(p->kernel, i->value)] = event;
}

/* All have to wait for the same events. Two variables may hold the same event. */
static void waits_differ(proof *p, const instruction *i, const state *s) {
  const formula count[THREADS] = {operand_number(p, s->variables[0], LLVMGetOperand(i->value, 0)),
                                  operand_number(p, s->variables[1], LLVMGetOperand(i->value, 0))};
  const formula places = pointers_differ(p, operand(p, s->variables[0], LLVMGetOperand(i->value, 1)),
                                         operand(p, s->variables[1], LLVMGetOperand(i->value, 1)));
  formula differ = smt_differ(&p->smt, count[0], count[1]);
  if (places != p->smt.no)
    differ = smt_or(&p->smt, differ, smt_and(&p->smt, places, smt_fresh(&p->smt, "events differ", 0, true)));
  barrier_note_divergence(p, i, s, smt_and(&p->smt, smt_and(&p->smt, s->enabled[0], s->enabled[1]), differ));
}

/* --- which events a wait is for ----------------------------------------------------------------------------------- */

/* The event is among those that the wait is for, as far as that is known: where it is not known whether. */
static formula among(proof *p, const instruction *i, const state *s, formula event) {
  enum { MOST = 8 };
  uint64_t count = 0;
  const value *from = operand(p, s->variables[0], LLVMGetOperand(i->value, 1));
  const LLVMTypeRef type = LLVMTypeOf(kernel_instruction(p->kernel, p->copy_instruction)->value);
  formula any = p->smt.no;
  if (!smt_is_number(&p->smt, operand_number(p, s->variables[0], LLVMGetOperand(i->value, 0)), &count) || count > MOST)
    return smt_fresh(&p->smt, "waited for", 0, true);
  for (size_t n = 0; n < from->count; n++) {
    const target *t = &from->targets[n];
    for (uint64_t k = 0; k < count && p->objects[t->object].kind == OBJECT_PRIVATE; k++) {
      const offset at = offset_move(&p->values, t->at, (int64_t)(k * type_bytes(p, type)));
      const formula unknown = smt_fresh(&p->smt, "waited for", smt_bits(&p->smt, event), true);
      const formula there =
          stores_read(p, p->objects[t->object].memory, 0, false, offset_number(&p->values, &at, 1), true, unknown);
      any = smt_or(&p->smt, any, smt_and(&p->smt, t->when, smt_equal(&p->smt, there, event)));
    }
  }
  return any;
}

void wait_execute(proof *p, const instruction *i, state *s, walk w) {
  if (!p->same_group) return;
  barrier_divergence(p, i, s, w);
  if (w.record) waits_differ(p, i, s);
  const formula both = smt_and(&p->smt, s->enabled[0], s->enabled[1]);
  for (size_t n = 0; n < p->log_count; n++) {
    access *a = p->log[n];
    if (!a->copy) continue;
    p->copy_instruction = a->instruction;
    const formula over = a->event == NULL ? p->smt.no : among(p, i, s, a->event);
    a->live = smt_and(&p->smt, a->live, smt_not(&p->smt, smt_and(&p->smt, both, over)));
  }
}
