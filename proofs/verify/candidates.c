/* What may hold in every iteration of a loop, guessed from how its variables change and what they are compared with. Each
 * guess is shown to hold before it is used.
 * Soundness: docs/verify.md, Why it is right, Loops. */
#include <stdlib.h>
#include <string.h>

#include "proofs/verify/query.h"

/* --- which hold --------------------------------------------------------------------------------------------------- */

/* Which guesses about loops hold (Houdini): all are taken to hold, and those that a model of the solver breaks are dropped, until
 * none is.
 * Soundness: docs/verify.md, Why it is right, Loops. */

typedef struct houdini {
  proof *p;
  effort *f;
  bool *alive;
  formula *marks; /* one an obligation: implies that it fails */
  Z3_solver solver;
  formula *assumptions;
} houdini;

static size_t assume_alive(houdini *h) {
  for (size_t i = 0; i < h->p->candidate_count; i++) {
    const formula holds = h->p->candidates[i]->holds;
    h->assumptions[i] = h->alive[i] ? holds : smt_not(&h->p->smt, holds);
  }
  return h->p->candidate_count;
}

/* The obligations of those that are alive; false: there are none. */
static bool push_failures(houdini *h) {
  formula *any = mem_calloc(h->p->obligation_count + 1, sizeof *any);
  size_t count = 0;
  for (size_t i = 0; i < h->p->obligation_count; i++)
    if (h->alive[h->p->obligations[i].candidate]) any[count++] = h->marks[i];
  Z3_solver_push(h->p->smt.z3, h->solver);
  query_assert(h->p, h->solver, smt_any(&h->p->smt, any, count));
  free(any);
  return count > 0;
}

static bool kill_shown(houdini *h, Z3_model m) {
  bool killed = false;
  for (size_t i = 0; i < h->p->obligation_count; i++) {
    const obligation *o = &h->p->obligations[i];
    if (h->alive[o->candidate] && query_says(h->p, m, o->broken) && query_says(h->p, m, o->reached)) {
      h->alive[o->candidate] = false;
      killed = true;
    }
  }
  return killed;
}

static Z3_lbool try_once(houdini *h, bool *killed) {
  const Z3_context c = h->p->smt.z3;
  if (!push_failures(h)) {
    Z3_solver_pop(c, h->solver, 1);
    return Z3_L_FALSE;
  }
  const Z3_lbool result = query_ask(h->p, h->f, h->solver, h->assumptions, assume_alive(h));
  if (result == Z3_L_TRUE) {
    Z3_model m = Z3_solver_get_model(c, h->solver);
    Z3_model_inc_ref(c, m);
    *killed = kill_shown(h, m);
    Z3_model_dec_ref(c, m);
  }
  Z3_solver_pop(c, h->solver, 1);
  return result;
}

static bool run_houdini(houdini *h) {
  for (;;) {
    bool killed = false;
    if (effort_now() > h->f->deadline) return false; /* limit: of time */
    const Z3_lbool result = try_once(h, &killed);
    if (result != Z3_L_TRUE || !killed) return result == Z3_L_FALSE;
  }
}

/* Annotations may speak of both work-items. */
static bool has_annotated(const proof *p) {
  for (size_t i = 0; i < p->candidate_count; i++)
    if (p->candidates[i]->kind == ANNOTATED) return true;
  return false;
}

/* With the facts that some obligation depends on. */
static Z3_solver solver_of(const proof *p) {
  formula *asked = mem_calloc(p->obligation_count * 2 + 1, sizeof *asked);
  for (size_t i = 0; i < p->obligation_count; i++) {
    asked[2 * i] = p->obligations[i].reached;
    asked[2 * i + 1] = p->obligations[i].broken;
  }
  bool *keep = relevant_facts(p, asked, p->obligation_count * 2);
  const Z3_solver s = query_solver_of(p, has_annotated(p), keep);
  free(keep);
  free(asked);
  return s;
}

/* `exact`: where signed arithmetic does not overflow. */
static bool find(proof *p, effort *f, bool *alive, bool exact) {
  for (size_t i = 0; i < p->candidate_count; i++) alive[i] = true;
  if (p->obligation_count == 0) return true;
  if (effort_now() >= f->deadline) { /* to put the question takes long, too */
    memset(alive, false, p->candidate_count * sizeof *alive);
    return false;
  }
  houdini h = {p,
               f,
               alive,
               mem_calloc(p->obligation_count, sizeof(formula)),
               solver_of(p),
               mem_calloc(p->candidate_count + 1, sizeof(formula))};
  for (size_t i = 0; i < p->obligation_count; i++) {
    h.marks[i] = smt_fresh(&p->smt, "fails", 0, false);
    const formula fails = smt_and(&p->smt, p->obligations[i].reached, p->obligations[i].broken);
    query_assert(p, h.solver, smt_implies(&p->smt, h.marks[i], fails));
  }
  for (size_t i = 0; i < p->no_overflow_count && exact; i++)
    if (p->overflow_notes[i].is_signed && !p->overflow_notes[i].divides) query_assert(p, h.solver, p->no_overflow[i]);
  const bool done = run_houdini(&h);
  for (size_t i = 0; i < p->candidate_count && !done; i++) alive[i] = false;
  Z3_solver_dec_ref(p->smt.z3, h.solver);
  free(h.marks);
  free(h.assumptions);
  return done;
}

bool query_candidates(proof *p, effort *f, bool *alive) { return find(p, f, alive, false); }

bool query_candidates_exact(proof *p, effort *f, bool *alive) {
  bool *exact = mem_calloc(p->candidate_count + 1, sizeof *exact);
  bool more = p->no_overflow_count > 0 && p->obligation_count > 0 && find(p, f, exact, true);
  bool found = false;
  for (size_t i = 0; i < p->candidate_count && more; i++) {
    found = found || (exact[i] && !alive[i]);
    more = exact[i] || !alive[i];
  }
  if (more && found) memcpy(alive, exact, p->candidate_count * sizeof *alive);
  free(exact);
  return more && found;
}

/* --- reading the loop --------------------------------------------------------------------------------------------- */

static const instruction *definition(const proof *p, LLVMValueRef v) {
  const uint32_t number = kernel_number(p->kernel, v);
  return number == NONE || LLVMIsABasicBlock(v) != NULL ? NULL : kernel_instruction(p->kernel, number);
}

static LLVMValueRef strip(const proof *p, LLVMValueRef v, bool truncations) {
  const instruction *i = definition(p, v);
  while (i != NULL && (i->opcode == LLVMSExt || i->opcode == LLVMZExt || (truncations && i->opcode == LLVMTrunc))) {
    v = LLVMGetOperand(i->value, 0);
    i = definition(p, v);
  }
  return v;
}

static bool is_pure_opcode(LLVMOpcode opcode) {
  switch (opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMExtractElement: return true;
    default: return false;
  }
}

/* Whether the value is the same in all iterations, and can be computed before the loop. */
static bool is_invariant(proof *p, const loop *l, LLVMValueRef v, unsigned depth) {
  const instruction *i = definition(p, v);
  if (i == NULL || !l->has[i->block]) return true;
  if (depth > 8) return false; /* limit: of time */
  if (i->opcode == LLVMCall) {
    return i->callee->kind == CALL_WORK_ITEM &&
           (LLVMGetNumArgOperands(i->value) == 0 || is_invariant(p, l, LLVMGetOperand(i->value, 0), depth + 1));
  }
  if (i->opcode == LLVMLoad) {
    for (const uint32_t *o = objects_of(p, LLVMGetOperand(i->value, 0)); *o != NONE; o++)
      if (p->objects[*o].written) return false;
    return is_invariant(p, l, LLVMGetOperand(i->value, 0), depth + 1);
  }
  if (!is_pure_opcode(i->opcode) && i->opcode != LLVMGetElementPtr) return false;
  for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i->value); n++)
    if (!is_invariant(p, l, LLVMGetOperand(i->value, n), depth + 1)) return false;
  return true;
}

/* How a variable changes in an iteration: the operation and its other operand. */
typedef struct change {
  bool known;
  LLVMOpcode opcode;
  LLVMValueRef by;
  LLVMValueRef next; /* the value after it; NULL: there are several */
} change;

static change change_of(const proof *p, const loop *l, const instruction *phi) {
  change c = {false, LLVMAdd, NULL, NULL};
  unsigned back = 0;
  for (unsigned n = 0; n < LLVMCountIncoming(phi->value); n++) {
    const uint32_t from = kernel_number(p->kernel, LLVMBasicBlockAsValue(LLVMGetIncomingBlock(phi->value, n)));
    if (from != NONE && l->has[from]) {
      c.next = LLVMGetIncomingValue(phi->value, n);
      back++;
    }
  }
  if (back != 1) {
    c.next = NULL;
    return c;
  }
  const instruction *i = definition(p, c.next);
  if (i == NULL || LLVMGetNumOperands(i->value) != 2) return c;
  const LLVMValueRef a = strip(p, LLVMGetOperand(i->value, 0), false), b = strip(p, LLVMGetOperand(i->value, 1), false);
  c.opcode = i->opcode;
  if (a == phi->value)
    c.by = b;
  else if (b == phi->value && (i->opcode == LLVMAdd || i->opcode == LLVMMul))
    c.by = a;
  c.known = c.by != NULL;
  return c;
}

/* --- guesses ------------------------------------------------------------------------------------------------------ */

static void add(proof *p, candidate c) {
  candidate *made = mem_arena_array(p->memory, 1, sizeof *made);
  *made = c;
  made->holds = smt_fresh(&p->smt, "holds", 0, false);
  *ARRAY_ADD(p->candidates, p->candidate_count, p->candidate_capacity) = made;
}

static void guess_from_start(proof *p, uint32_t loop_number, uint32_t phi, const change *c) {
  static const candidate_kind kinds[] = {AT_LEAST_INITIAL,         AT_MOST_INITIAL, AT_LEAST_INITIAL_UNSIGNED,
                                         AT_MOST_INITIAL_UNSIGNED, NOT_NEGATIVE,    EQUALS_INITIAL};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    add(p, (candidate){.kind = kinds[i], .loop = loop_number, .phi = phi});
  const bool scales = !c->known || (c->opcode != LLVMAdd && c->opcode != LLVMSub);
  if (scales) {
    add(p, (candidate){.kind = POWER_OF_TWO_OR_ZERO, .loop = loop_number, .phi = phi});
    add(p, (candidate){.kind = POWER_OF_TWO, .loop = loop_number, .phi = phi});
    add(p, (candidate){.kind = NOT_ZERO, .loop = loop_number, .phi = phi});
  } else if (is_invariant(p, &p->kernel->loops[loop_number], c->by, 0)) {
    add(p, (candidate){.kind = STRIDE, .loop = loop_number, .phi = phi, .operand = c->by});
  }
}

static void guess_bounds(proof *p, uint32_t loop_number, uint32_t phi, const change *c) {
  static const candidate_kind kinds[] = {AT_MOST_BOUND,           AT_LEAST_BOUND,           AT_MOST_BOUND_UNSIGNED,
                                         AT_LEAST_BOUND_UNSIGNED, AT_MOST_BOUND_OR_INITIAL, AT_LEAST_BOUND_OR_INITIAL};
  const loop *l = &p->kernel->loops[loop_number];
  const LLVMValueRef variable = kernel_instruction(p->kernel, phi)->value;
  for (uint32_t n = 0; n < l->block_count; n++) {
    const block *b = &p->kernel->blocks[l->blocks[n]];
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
      const instruction *at = &p->kernel->instructions[i];
      for (unsigned side = 0; side < 2 && at->opcode == LLVMICmp; side++) {
        const LLVMValueRef me = strip(p, LLVMGetOperand(at->value, side), true);
        const LLVMValueRef bound = strip(p, LLVMGetOperand(at->value, 1 - side), false);
        if ((me != variable && me != c->next) || LLVMGetTypeKind(LLVMTypeOf(bound)) != LLVMIntegerTypeKind ||
            !is_invariant(p, l, bound, 0))
          continue;
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
          add(p, (candidate){.kind = kinds[k], .loop = loop_number, .phi = phi, .operand = bound});
      }
    }
  }
}

static bool is_counter(const instruction *phi) {
  const LLVMTypeRef type = LLVMTypeOf(phi->value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) >= 8;
}

void candidates_find(proof *p, uint32_t loop_number) {
  const loop *l = &p->kernel->loops[loop_number];
  const block *header = &p->kernel->blocks[l->header];
  p->first_candidate[loop_number] = (uint32_t)p->candidate_count;
  uint32_t count = 0;
  for (; count < header->count; count++) {
    const instruction *phi = &p->kernel->instructions[header->first + count];
    if (phi->opcode != LLVMPHI) break;
    if (is_counter(phi)) {
      const change c = change_of(p, l, phi);
      const uint32_t number = p->kernel->argument_count + header->first + count;
      guess_from_start(p, loop_number, number, &c);
      guess_bounds(p, loop_number, number, &c);
    }
  }
  p->end_candidate[loop_number] = (uint32_t)p->candidate_count;
}

/* --- steady growth ------------------------------------------------------------------------------------------------ */

LLVMValueRef steady_growth(proof *p, uint32_t loop_number, uint32_t number, bool *shrinks, int64_t *bytes) {
  const loop *l = &p->kernel->loops[loop_number];
  const instruction *phi = kernel_instruction(p->kernel, number);
  const LLVMValueRef back = change_of(p, l, phi).next;
  const instruction *next = back == NULL ? NULL : definition(p, back);
  LLVMValueRef by = NULL;
  *shrinks = false;
  *bytes = 1;
  if (next == NULL || LLVMGetNumOperands(next->value) != 2) return NULL;
  const LLVMValueRef a = LLVMGetOperand(next->value, 0), b = LLVMGetOperand(next->value, 1);
  if (next->opcode == LLVMAdd) {
    by = a == phi->value ? b : b == phi->value ? a : NULL;
  } else if (next->opcode == LLVMSub || next->opcode == LLVMGetElementPtr) {
    by = a == phi->value ? b : NULL;
    *shrinks = next->opcode == LLVMSub;
  }
  if (by != NULL && next->opcode == LLVMGetElementPtr)
    *bytes = (int64_t)type_bytes(p, LLVMGetGEPSourceElementType(next->value));
  return by != NULL && LLVMGetTypeKind(LLVMTypeOf(by)) == LLVMIntegerTypeKind && is_invariant(p, l, by, 0) ? by : NULL;
}

/* --- what a guess says -------------------------------------------------------------------------------------------- */

/* Computes a value that does not change in the loop from the variables before it. */
static const value *before_loop(proof *p, unsigned thread, LLVMValueRef v, environment entry) {
  const uint32_t number = kernel_number(p->kernel, v);
  if (number == NONE || entry[number] != NULL) return operand(p, entry, v);
  const instruction *i = kernel_instruction(p->kernel, number);
  for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i->value); n++)
    (void)before_loop(p, thread, LLVMGetOperand(i->value, n), entry);
  const unsigned visits = p->visits;
  entry[number] = execute(p, thread, i, entry, p->smt.no, (walk){false, false, NONE});
  p->visits = visits;
  return entry[number];
}

formula number_before(proof *p, unsigned thread, LLVMValueRef v, environment entry) {
  const value *found = before_loop(p, thread, v, entry);
  return found->kind != VALUE_NUMBER || smt_bits(&p->smt, found->number) == 0 ? NULL : found->number;
}

static formula is_power(const smt *s, formula x) {
  const unsigned bits = smt_bits(s, x);
  const formula below = smt_subtract(s, x, smt_number(s, 1, bits));
  return smt_equal(s, smt_apply_binary(s, Z3_mk_bvand, x, below), smt_number(s, 0, bits));
}

/* `distance` is a multiple of the stride. */
static formula is_multiple(const smt *s, formula distance, formula stride) {
  const unsigned bits = smt_bits(s, distance);
  const formula zero = smt_number(s, 0, bits);
  uint64_t number = 0;
  stride = smt_simplify(s, smt_resize(s, stride, bits, true));
  if (smt_is_number(s, stride, &number)) {
    const bool negative = bits < 64 && (number >> (bits - 1)) != 0;
    number = negative ? ((uint64_t)1 << bits) - number : number;
    if (number == 0) return s->yes;
    if ((number & (number - 1)) == 0)
      return smt_equal(s, smt_apply_binary(s, Z3_mk_bvand, distance, smt_number(s, number - 1, bits)), zero);
    stride = smt_number(s, number, bits);
  }
  return smt_equal(s, smt_apply_binary(s, Z3_mk_bvurem, distance, stride), zero);
}

/* Whether it says more than how the variable is made, once it has grown in so many steps: of a stride that is not known that takes
 * the solver long. */
static bool says_more(proof *p, const candidate *c, formula stride, unsigned bits) {
  bool shrinks = false;
  int64_t bytes = 1;
  uint64_t number = 0;
  return !p->abstract_products ||
         smt_is_number(&p->smt, smt_simplify(&p->smt, smt_resize(&p->smt, stride, bits, true)), &number) ||
         steady_growth(p, c->loop, c->phi, &shrinks, &bytes) == NULL;
}

static formula bound_formula(const smt *s, candidate_kind kind, formula x, formula bound, formula initial) {
  const bool is_signed = kind != AT_MOST_BOUND_UNSIGNED && kind != AT_LEAST_BOUND_UNSIGNED;
  const unsigned bits = smt_bits(s, x) > smt_bits(s, bound) ? smt_bits(s, x) : smt_bits(s, bound);
  const formula a = smt_resize(s, x, bits, is_signed), b = smt_resize(s, bound, bits, is_signed);
  switch (kind) {
    case AT_MOST_BOUND: return Z3_mk_bvsle(s->z3, a, b);
    case AT_LEAST_BOUND: return Z3_mk_bvsge(s->z3, a, b);
    case AT_MOST_BOUND_UNSIGNED: return Z3_mk_bvule(s->z3, a, b);
    case AT_LEAST_BOUND_UNSIGNED: return Z3_mk_bvuge(s->z3, a, b);
    case AT_MOST_BOUND_OR_INITIAL: return smt_or(s, Z3_mk_bvsle(s->z3, a, b), smt_equal(s, x, initial));
    default: return smt_or(s, Z3_mk_bvsge(s->z3, a, b), smt_equal(s, x, initial));
  }
}

static formula start_formula(const smt *s, candidate_kind kind, formula x, formula initial) {
  const formula zero = smt_number(s, 0, smt_bits(s, x));
  switch (kind) {
    case AT_LEAST_INITIAL: return Z3_mk_bvsge(s->z3, x, initial);
    case AT_MOST_INITIAL: return Z3_mk_bvsle(s->z3, x, initial);
    case AT_LEAST_INITIAL_UNSIGNED: return Z3_mk_bvuge(s->z3, x, initial);
    case AT_MOST_INITIAL_UNSIGNED: return Z3_mk_bvule(s->z3, x, initial);
    case NOT_NEGATIVE: return Z3_mk_bvsge(s->z3, x, zero);
    case EQUALS_INITIAL: return smt_equal(s, x, initial);
    case POWER_OF_TWO_OR_ZERO: return is_power(s, x);
    case POWER_OF_TWO: return smt_and(s, is_power(s, x), smt_differ(s, x, zero));
    default: return smt_differ(s, x, zero);
  }
}

formula candidate_formula(proof *p, const candidate *c, const environment phis, const environment initial,
                          environment entry, unsigned thread) {
  const smt *s = &p->smt;
  const formula x = phis[c->phi]->number, start = initial[c->phi]->number;
  if (c->operand == NULL) return smt_simplify(s, start_formula(s, c->kind, x, start));
  const formula other = number_before(p, thread, c->operand, entry);
  if (other == NULL) return NULL;
  if (c->kind == STRIDE) {
    return says_more(p, c, other, smt_bits(s, x)) ? smt_simplify(s, is_multiple(s, smt_subtract(s, x, start), other))
                                                  : s->yes;
  }
  return smt_simplify(s, bound_formula(s, c->kind, x, other, start));
}
