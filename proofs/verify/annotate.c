/* Annotations, executed: what is required is assumed, what is asserted must be shown, and an invariant is a candidate that the
 * user has named.
 * Soundness: docs/verify.md, Why it is right, Loops. */
#include <stdlib.h>
#include <string.h>

#include "proofs/verify/query.h"

/* --- accesses that annotations speak of --------------------------------------------------------------------------- */

/* Accesses of a work-item since the last barrier, for annotations that speak of them: "an access" of an array stands for any
 * of them. So what is asserted of it is asserted of all.
 * Soundness: docs/verify.md, Why it is right, Two work-items. */

typedef struct entry {
  const access *access;
  formula live; /* no barrier has come since */
} entry;

/* Any access of a kind to some memory, or none. */
typedef struct any_access {
  uint32_t memory;
  access_kind kind;
  unsigned thread;
  formula has, at; /* there is one; where, in bytes */
} any_access;

struct logged {
  entry *entries;
  size_t count, capacity;
  any_access *any; /* asked since the last change of the entries */
  size_t any_count, any_capacity;
};

static bool speaks_of_accesses(const call *c) {
  return c != NULL && (c->kind == CALL_READ_BEFORE || c->kind == CALL_WRITTEN_BEFORE || c->kind == CALL_READ_AT ||
                       c->kind == CALL_WRITTEN_AT);
}

bool logged_is_asked(const kernel *k) {
  for (uint32_t i = 0; i < k->instruction_count; i++)
    if (speaks_of_accesses(k->instructions[i].callee)) return true;
  return false;
}

void logged_note(proof *p, const access *a) {
  if (p->logged == NULL) p->logged = mem_calloc(1, sizeof *p->logged);
  struct logged *l = p->logged;
  *ARRAY_ADD(l->entries, l->count, l->capacity) = (entry){a, p->smt.yes};
  l->any_count = 0;
}

void logged_clear(proof *p, const formula conditions[THREADS], unsigned flags) {
  struct logged *l = p->logged;
  for (size_t i = 0; l != NULL && i < l->count; i++) {
    entry *e = &l->entries[i];
    const unsigned of = p->objects[e->access->object].space == SPACE_LOCAL ? FLAG_LOCAL : FLAG_GLOBAL;
    if ((of & flags) != 0) e->live = smt_and(&p->smt, e->live, smt_not(&p->smt, conditions[e->access->thread]));
  }
  if (l != NULL) l->any_count = 0;
}

static bool concerns(const proof *p, const entry *e, const any_access *any) {
  const access *a = e->access;
  return a->thread == any->thread && p->objects[a->object].memory == any->memory && e->live != p->smt.no &&
         (a->kind == any->kind || a->kind == ACCESS_ATOMIC);
}

/* If there is an access, it is one of those that were noted. */
static any_access make_any(proof *p, uint32_t memory, access_kind kind, unsigned thread) {
  any_access made = {memory, kind, thread, smt_fresh(&p->smt, "has", 0, false), NULL};
  made.at = smt_fresh(&p->smt, "access", ADDRESS_BITS, false);
  formula one = p->smt.no;
  for (size_t i = 0; p->logged != NULL && i < p->logged->count; i++) {
    const entry *e = &p->logged->entries[i];
    if (concerns(p, e, &made)) {
      const formula here = smt_equal(&p->smt, made.at, offset_number(&p->values, &e->access->within, 1));
      const formula happened = smt_and(&p->smt, e->access->enabled, e->live);
      one = smt_or(&p->smt, one, smt_and(&p->smt, happened, here));
    }
  }
  proof_fact(p, smt_implies(&p->smt, made.has, one));
  return made;
}

static const any_access *find_any(proof *p, uint32_t memory, access_kind kind, unsigned thread) {
  if (p->logged == NULL) p->logged = mem_calloc(1, sizeof *p->logged);
  struct logged *l = p->logged;
  for (size_t i = 0; i < l->any_count; i++)
    if (l->any[i].memory == memory && l->any[i].kind == kind && l->any[i].thread == thread) return &l->any[i];
  any_access *made = ARRAY_ADD(l->any, l->any_count, l->any_capacity);
  *made = make_any(p, memory, kind, thread);
  return made;
}

/* What the annotation gives. NULL: it is not understood. */
static formula logged_execute(proof *p, unsigned thread, const instruction *i, environment variables) {
  const value *pointer = operand(p, variables, LLVMGetOperand(i->value, 0));
  if (pointer->kind != VALUE_POINTER || pointer->count != 1 ||
      p->objects[pointer->targets[0].object].kind == OBJECT_UNKNOWN)
    return NULL; /* form: an operand whose type is a pointer has the value of one */
  const target *t = &pointer->targets[0];
  const object *o = &p->objects[t->object];
  if (i->callee->kind == CALL_OFFSET) return offset_number(&p->values, &t->at, 1);
  const bool read = i->callee->kind == CALL_READ_BEFORE || i->callee->kind == CALL_READ_AT;
  const any_access *any = find_any(p, o->memory, read ? ACCESS_READ : ACCESS_WRITE, thread);
  if (i->callee->kind == CALL_READ_BEFORE || i->callee->kind == CALL_WRITTEN_BEFORE) return any->has;
  const offset begin = object_within(p, t->object, (offset){0, 0, NULL});
  return smt_subtract(&p->smt, any->at, offset_number(&p->values, &begin, 1));
}

void logged_free(proof *p) {
  if (p->logged != NULL) {
    free(p->logged->entries);
    free(p->logged->any);
  }
  free(p->logged);
}

/* --- what annotations alone use ------------------------------------------------------------------------------------ */

static bool is_said(const instruction *i) { return i->callee != NULL && call_is_annotation(i->callee); }

/* Whether all that uses it is an annotation, or is itself used by these alone, as far as is known. */
static bool used_by_said(const proof *p, LLVMValueRef v) {
  bool used = false;
  for (LLVMUseRef use = LLVMGetFirstUse(v); use != NULL; use = LLVMGetNextUse(use)) {
    const uint32_t user = kernel_number(p->kernel, LLVMGetUser(use));
    /* form: what uses an instruction is in the kernel */
    if (user == NONE || (!p->only_said[user] && !is_said(kernel_instruction(p->kernel, user)))) return false;
    used = true;
  }
  return used;
}

static bool has_effect(const instruction *i) {
  return i->opcode == LLVMStore || i->opcode == LLVMCall || i->opcode == LLVMBr || i->opcode == LLVMRet ||
         i->opcode == LLVMSwitch || i->opcode == LLVMAtomicRMW || i->opcode == LLVMAtomicCmpXchg;
}

void annotations_find(proof *p) {
  const kernel *k = p->kernel;
  bool any = false, changed = true;
  p->only_said = mem_arena_array(p->memory, (size_t)k->argument_count + k->instruction_count + 1, sizeof(bool));
  for (uint32_t n = 0; n < k->instruction_count; n++) {
    any = any || is_said(&k->instructions[n]);
    p->only_said[k->argument_count + n] = !has_effect(&k->instructions[n]);
  }
  while (changed) {
    changed = false;
    for (uint32_t n = 0; n < k->instruction_count; n++) {
      bool *said = &p->only_said[k->argument_count + n];
      if (*said && (!any || !used_by_said(p, k->instructions[n].value))) {
        *said = false;
        changed = any;
      }
    }
  }
}

/* --- conditions ---------------------------------------------------------------------------------------------------- */

bool annotation_in_loop(const proof *p, uint32_t loop_number) {
  const loop *l = &p->kernel->loops[loop_number];
  for (uint32_t n = 0; n < l->block_count; n++) {
    const block *b = &p->kernel->blocks[l->blocks[n]];
    for (uint32_t i = b->first; i < b->first + b->count && b->loop == loop_number; i++) {
      const call *c = p->kernel->instructions[i].callee;
      if (c != NULL && (c->kind == CALL_INVARIANT || c->kind == CALL_CANDIDATE)) return true;
    }
  }
  return false;
}

/* The candidate of an invariant, made when it is first met. */
static uint32_t candidate_of(proof *p, uint32_t number, uint32_t loop_number) {
  for (size_t i = 0; i < p->candidate_count; i++)
    if (p->candidates[i]->kind == ANNOTATED && p->candidates[i]->phi == number) return (uint32_t)i;
  candidate *made = mem_arena_array(p->memory, 1, sizeof *made);
  *made = (candidate){.kind = ANNOTATED, .loop = loop_number, .phi = number};
  made->holds = smt_fresh(&p->smt, "holds", 0, false);
  *ARRAY_ADD(p->candidates, p->candidate_count, p->candidate_capacity) = made;
  return (uint32_t)(p->candidate_count - 1);
}

static void execute_assertion(proof *p, const instruction *i, formula says, formula enabled, walk w) {
  if (w.record) {
    *ARRAY_ADD(p->mishaps, p->mishap_count, p->mishap_capacity) =
        (mishap){.kind = MISHAP_ASSERTION,
                 .reached = p->chain,
                 .condition = smt_and(&p->smt, enabled, smt_not(&p->smt, says)),
                 .instruction = kernel_number(p->kernel, i->value)};
  }
}

static void execute_invariant(proof *p, unsigned thread, const instruction *i, formula says, formula enabled, walk w) {
  const uint32_t in = p->kernel->blocks[i->block].loop;
  if (p->turns > 0 && i->callee->kind == CALL_INVARIANT) execute_assertion(p, i, says, enabled, w);
  if (in == NONE || p->turns > 0) return;
  const uint32_t c = candidate_of(p, kernel_number(p->kernel, i->value), in);
  const formula holds = smt_and(&p->smt, p->candidates[c]->holds, enabled);
  if (w.showing != in) {
    proof_assume(p, smt_implies(&p->smt, holds, says));
  } else if (thread == 0) {
    const formula broken = smt_and(&p->smt, holds, smt_not(&p->smt, says));
    *ARRAY_ADD(p->obligations, p->obligation_count, p->obligation_capacity) = (obligation){p->chain, broken, c};
  }
}

static bool everywhere(const instruction *i) { return strncmp(i->callee->name, "__cltc_global", 13) == 0; }

/* It is not known what the annotation says: what is to be shown is then not shown. */
static void not_understood(proof *p, const instruction *i, formula enabled, bool assumed, walk w) {
  if (!assumed && w.record && enabled != p->smt.no && i->callee->kind != CALL_CANDIDATE)
    p->not_understood = kernel_number(p->kernel, i->value);
}

/* A condition: does something, gives nothing. */
static void execute_condition(proof *p, unsigned thread, const instruction *i, formula says, formula enabled, walk w) {
  source_place place;
  const call_kind kind = i->callee->kind;
  const bool invariant = kind == CALL_INVARIANT || kind == CALL_CANDIDATE;
  const bool asserts = kind == CALL_ASSERT || (kind == CALL_REQUIRES && module_place(i->value, 1, &place));
  if (smt_mentions(&p->smt, says, "?any")) {
    not_understood(p, i, enabled, !invariant && !asserts, w);
  } else if (invariant && (smt_mentions(&p->smt, says, "_has") || smt_mentions(&p->smt, says, "_access"))) {
    if (kind == CALL_INVARIANT) /* no proof needs it: it is only checked */
      execute_assertion(p, i, says, enabled, w);
  } else if (invariant) {
    execute_invariant(p, thread, i, says, enabled, w);
  } else if (asserts) { /* a helper's precondition is its caller's duty */
    const formula where = everywhere(i) ? smt_or(&p->smt, p->enabled[0], p->enabled[1]) : enabled;
    execute_assertion(p, i, says, where, w);
  } else {
    proof_assume(p, smt_implies(&p->smt, enabled, says));
  }
}

/* Anything in the memory is read or written. */
static void touch_anything(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled,
                           walk w) {
  const value *pointer = operand(p, variables, LLVMGetOperand(i->value, 0));
  target *targets = mem_arena_array(p->memory, pointer->count + 1, sizeof *targets);
  for (size_t n = 0; n < pointer->count; n++) {
    targets[n] = pointer->targets[n];
    targets[n].at = offset_add(&p->values, targets[n].at, 1, smt_fresh(&p->smt, "anywhere", ADDRESS_BITS, true));
  }
  memory_access(p, thread, i, i->callee->kind == CALL_READS_FROM ? ACCESS_READ : ACCESS_WRITE,
                value_targets(&p->values, targets, pointer->count), 1, enabled, NULL, w);
}

/* What the other work-item has there. */
static formula of_other(proof *p, unsigned thread, const instruction *i) {
  return operand_number(p, p->variables[1 - thread], LLVMGetOperand(i->value, 0));
}

const value *annotation_execute(proof *p, unsigned thread, const instruction *i, environment variables, formula enabled,
                                walk w) {
  const LLVMTypeRef type = LLVMTypeOf(i->value);
  const unsigned bits = LLVMGetTypeKind(type) == LLVMVoidTypeKind ? 0 : type_bits(p, type);
  const bool takes = LLVMGetNumArgOperands(i->value) > 0;
  const bool pointer = takes && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i->value, 0))) == LLVMPointerTypeKind;
  const formula given = takes && !pointer ? operand_number(p, variables, LLVMGetOperand(i->value, 0)) : NULL;
  formula result = NULL;
  switch (i->callee->kind) {
    case CALL_ENABLED: result = enabled; break;
    case CALL_SAME_GROUP: result = smt_truth(&p->smt, p->same_group); break;
    case CALL_UNIFORM: result = smt_equal(&p->smt, given, of_other(p, thread, i)); break;
    case CALL_DISTINCT: result = smt_differ(&p->smt, given, of_other(p, thread, i)); break;
    case CALL_OTHER: result = of_other(p, thread, i); break;
    case CALL_ALL: result = smt_and(&p->smt, given, of_other(p, thread, i)); break;
    case CALL_ANY: result = smt_fresh(&p->smt, "any", bits, true); break;
    case CALL_READ_BEFORE:
    case CALL_WRITTEN_BEFORE:
    case CALL_READ_AT:
    case CALL_WRITTEN_AT:
    case CALL_OFFSET:
      result = logged_execute(p, thread, i, variables);
      result = result == NULL ? smt_fresh(&p->smt, "any", bits, true) : result;
      break;
    case CALL_READS_FROM:
    case CALL_WRITES_TO: touch_anything(p, thread, i, variables, enabled, w); return NULL;
    case CALL_UNCHECKED: not_understood(p, i, enabled, false, w); return NULL;
    default:
      execute_condition(p, thread, i, smt_resize(&p->smt, given, 0, false), enabled, w);
      result = smt_resize(&p->smt, p->smt.yes, bits, false);
  }
  return value_number(&p->values, smt_resize(&p->smt, result, bits, false));
}

uint32_t annotation_dropped(const proof *p) {
  for (size_t i = 0; i < p->candidate_count; i++) {
    const candidate *c = p->candidates[i];
    if (c->kind == ANNOTATED && p->alive != NULL && !p->alive[i] &&
        kernel_instruction(p->kernel, c->phi)->callee->kind == CALL_INVARIANT)
      return c->phi;
  }
  return NONE;
}
