/* What all work-items of a group do together: barriers, asynchronous copies, waiting for these. */
#include "base/memory.h"
#include "verify/logged.h"

static bool both_always(const proof *p, const state *s) {
  return s->enabled[0] == s->enabled[1] || (s->enabled[0] == p->smt.yes && s->enabled[1] == p->smt.yes);
}

/* What comes later is looked at where this did not happen: behind a divergence nothing is defined. */
static void note_divergence(proof *p, const instruction *i, const state *s, formula condition) {
  if (condition == p->smt.no) {
    return;
  }
  *ARRAY_ADD(p->mishaps, p->mishap_count, p->mishap_capacity) =
      (mishap){.kind = MISHAP_DIVERGENCE,
               .reached = p->chain,
               .condition = condition,
               .instruction = kernel_number(p->kernel, i->value),
               .enabled = {s->enabled[0], s->enabled[1]},
               .steps = p->step_count};
  proof_assume(p, smt_not(&p->smt, condition));
}

void barrier_divergence(proof *p, const instruction *i, const state *s, walk w) {
  if (w.record && p->same_group && !both_always(p, s)) {
    note_divergence(p, i, s, smt_differ(&p->smt, s->enabled[0], s->enabled[1]));
  }
}

/* --- barriers ----------------------------------------------------------------------------------------------------- */

/* Before OpenCL C 2.0 images count as global memory. */
static unsigned flag_of(const proof *p, const object *o) {
  const unsigned image = p->kernel->module->language >= 200 ? FLAG_IMAGE : FLAG_IMAGE | FLAG_GLOBAL;
  return o->image ? image : o->space == SPACE_LOCAL ? FLAG_LOCAL : FLAG_GLOBAL;
}

/* What was accessed before it is ordered where the condition holds, for memory of one of these flags. */
void order_before(proof *p, formula condition, unsigned flags) {
  const formula not_ordered = smt_not(&p->smt, condition);
  size_t kept = 0;
  for (size_t i = 0; i < p->log_count; i++) {
    access *a = p->log[i];
    if ((flag_of(p, &p->objects[a->object]) & flags) != 0 && a->extent == NULL) {
      a->live = smt_and(&p->smt, a->live, not_ordered);
    }
    if (a->live != p->smt.no) {
      p->log[kept++] = a;
    }
  }
  p->log_count = kept;
}

void barrier_execute(proof *p, const instruction *i, state *s, walk w) {
  if (LLVMIsAConstantInt(LLVMGetOperand(i->value, 0)) != NULL) {
    logged_clear(p, s->enabled, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i->value, 0)));
  }
  if (!p->same_group || (p->without != NULL && p->without[kernel_number(p->kernel, i->value)])) {
    return;
  }
  barrier_divergence(p, i, s, w);
  const formula both = smt_simplify(&p->smt, smt_and(&p->smt, s->enabled[0], s->enabled[1]));
  const LLVMValueRef given = LLVMGetOperand(i->value, 0);
  if (LLVMIsAConstantInt(given) != NULL) {
    order_before(p, both, (unsigned)LLVMConstIntGetZExtValue(given));
    return;
  }
  const formula flags = operand_number(p, s->variables[0], given); /* of the first: its accesses are in the log */
  for (unsigned bit = FLAG_LOCAL; bit <= FLAG_IMAGE; bit *= 2) {
    const unsigned bits = smt_bits(&p->smt, flags);
    const formula masked = smt_apply_binary(&p->smt, Z3_mk_bvand, flags, smt_number(&p->smt, bit, bits));
    const formula has = smt_differ(&p->smt, masked, smt_number(&p->smt, 0, bits));
    order_before(p, smt_and(&p->smt, both, has), bit);
  }
}

/* --- asynchronous copies ------------------------------------------------------------------------------------------ */

typedef struct copy {
  const value *to, *from;
  formula count;
  uint64_t element;
} copy;

static copy copy_of(proof *p, const instruction *i, const environment variables) {
  const unsigned arguments = LLVMGetNumArgOperands(i->value);
  if (arguments != 4) {
    proof_refuse(p, kernel_number(p->kernel, i->value), "a strided asynchronous copy");
  }
  copy c = {operand(p, variables, LLVMGetOperand(i->value, 0)), operand(p, variables, LLVMGetOperand(i->value, 1)),
            operand_number(p, variables, LLVMGetOperand(i->value, 2)), 0};
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
  c.element = (uint64_t)call_element_bytes(&element) * (lanes == 3 ? 4 : lanes);
  return c;
}

static void note_part(proof *p, unsigned thread, const instruction *i, access_kind kind, const value *pointer,
                      const copy *c, formula enabled) {
  const formula element = smt_number(&p->smt, c->element, ADDRESS_BITS);
  const formula extent = smt_multiply(&p->smt, smt_resize(&p->smt, c->count, ADDRESS_BITS, false), element);
  for (size_t n = 0; n < pointer->count; n++) {
    const target *t = &pointer->targets[n];
    access *a = arena_get(p->memory, 1, sizeof *a);
    *a =
        (access){.kind = kind, .instruction = kernel_number(p->kernel, i->value), .thread = thread, .live = p->smt.yes};
    a->visit = p->visits;
    a->steps = p->step_count;
    a->object = t->object;
    a->at = t->at;
    a->within = object_within(p, t->object, t->at);
    a->bytes = c->element;
    a->extent = extent;
    a->enabled = smt_and(&p->smt, enabled, t->when);
    bounds_note(p, a);
    if (object_is_shared(p, t->object) && p->objects[t->object].written) {
      memory_note(p, a);
    }
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
  const LLVMValueRef event = LLVMGetOperand(i->value, 3);
  const uint32_t number = kernel_number(p->kernel, event);
  const value *a = number == NONE ? NULL : s->variables[0][number],
              *b = number == NONE ? NULL : s->variables[1][number];
  if (a != NULL && b != NULL && a->kind == VALUE_NUMBER && b->kind == VALUE_NUMBER &&
      !smt_mentions(&p->smt, a->number, "?private") && !smt_mentions(&p->smt, b->number, "?private")) {
    return smt_differ(&p->smt, a->number, b->number);
  }
  const instruction *load = number == NONE ? NULL : kernel_instruction(p->kernel, number);
  const LLVMValueRef from = load != NULL && load->opcode == LLVMLoad ? LLVMGetOperand(load->value, 0) : NULL;
  const uint32_t pointer = from == NULL ? NONE : kernel_number(p->kernel, from);
  const instruction *made = pointer == NONE ? NULL : kernel_instruction(p->kernel, pointer);
  return made != NULL && made->opcode != LLVMAlloca && p->divergent[pointer] && objects_of(p, from)[1] != NONE
             ? smt_fresh(&p->smt, "events differ", 0, true)
             : p->smt.no;
}

void copy_execute(proof *p, const instruction *i, state *s, walk w) {
  copy c[THREADS];
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
    differ = smt_or(&p->smt, differ, events_differ(p, i, s));
    note_divergence(p, i, s, smt_and(&p->smt, smt_and(&p->smt, s->enabled[0], s->enabled[1]), differ));
  }
  const value *event = fresh_value(p, LLVMTypeOf(i->value), "event", true);
  s->variables[0][kernel_number(p->kernel, i->value)] = event;
  s->variables[1][kernel_number(p->kernel, i->value)] = event;
}

/* Whether the copy's event is kept in the variable: it is stored there, or was read from there, as a copy that gets an event
 * gives the same. */
static bool kept_in(proof *p, LLVMValueRef event, uint32_t variable, unsigned depth) {
  const LLVMOpcode made = LLVMIsAInstruction(event) == NULL ? LLVMRet : LLVMGetInstructionOpcode(event);
  if (made == LLVMLoad) {
    return objects_of(p, LLVMGetOperand(event, 0))[0] == variable;
  }
  if (made == LLVMCall && depth < 4 && kept_in(p, LLVMGetOperand(event, 3), variable, depth + 1)) {
    return true;
  }
  for (LLVMUseRef use = LLVMGetFirstUse(event); use != NULL && made != LLVMRet; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
    if (opcode == LLVMStore && LLVMGetOperand(user, 0) == event) {
      const uint32_t *objects = objects_of(p, LLVMGetOperand(user, 1));
      if (objects[0] == variable && objects[1] == NONE) {
        return true;
      }
    } else if ((opcode == LLVMPHI || (opcode == LLVMCall && LLVMGetNumArgOperands(user) == 4)) && depth < 4 &&
               kept_in(p, user, variable, depth + 4)) {
      return true;
    }
  }
  return false;
}

/* All of the variable's events, and no other, are waited for. */
static bool waits_for_all(proof *p, const instruction *i, const environment variables, uint32_t variable) {
  uint64_t count = 0;
  const formula number = operand_number(p, variables, LLVMGetOperand(i->value, 0));
  return smt_is_number(&p->smt, number, &count) && count * 8 >= p->objects[variable].bytes;
}

/* All have to wait for the same events. Two variables may hold the same event. */
static void waits_differ(proof *p, const instruction *i, const state *s) {
  const formula count[THREADS] = {operand_number(p, s->variables[0], LLVMGetOperand(i->value, 0)),
                                  operand_number(p, s->variables[1], LLVMGetOperand(i->value, 0))};
  const formula places = pointers_differ(p, operand(p, s->variables[0], LLVMGetOperand(i->value, 1)),
                                         operand(p, s->variables[1], LLVMGetOperand(i->value, 1)));
  formula differ = smt_differ(&p->smt, count[0], count[1]);
  if (places != p->smt.no) {
    differ = smt_or(&p->smt, differ, smt_and(&p->smt, places, smt_fresh(&p->smt, "events differ", 0, true)));
  }
  note_divergence(p, i, s, smt_and(&p->smt, smt_and(&p->smt, s->enabled[0], s->enabled[1]), differ));
}

void wait_execute(proof *p, const instruction *i, state *s, walk w) {
  if (!p->same_group) {
    return;
  }
  barrier_divergence(p, i, s, w);
  if (w.record) {
    waits_differ(p, i, s);
  }
  const uint32_t *variables = objects_of(p, LLVMGetOperand(i->value, 1));
  if (variables[0] == NONE || variables[1] != NONE) {
    return; /* nothing is known to be over */
  }
  formula both = smt_and(&p->smt, s->enabled[0], s->enabled[1]);
  if (!waits_for_all(p, i, s->variables[0], variables[0])) {
    both = smt_and(&p->smt, both, smt_fresh(&p->smt, "waited for", 0, true));
  }
  const formula not_both = smt_not(&p->smt, both);
  for (size_t n = 0; n < p->log_count; n++) {
    access *a = p->log[n];
    if (a->extent != NULL && kept_in(p, kernel_instruction(p->kernel, a->instruction)->value, variables[0], 0)) {
      a->live = smt_and(&p->smt, a->live, not_both);
    }
  }
}
