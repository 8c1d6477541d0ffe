/* Loops, for any number of iterations: what holds in all of them is assumed (and shown elsewhere), then one iteration stands
 * for all. Loops without a barrier: each work-item is in an iteration of its own. Loops with one: in step, below.
 * Soundness: docs/verify.md, Why it is right, Loops, and In step. */
#include <stdlib.h>
#include <string.h>

#include "proofs/verify/query.h"

/* A loop that is executed. */
typedef struct loop_frame {
  const loop *loop;
  uint32_t number; /* of the loop */
  uint32_t phis;   /* how many; they are the first instructions of the header */
  uint32_t first;  /* number of the value of the first */
  environment initial[THREADS];
  environment entry[THREADS]; /* variables before the loop */
  formula entered[THREADS];
} loop_frame;

/* --- phis --------------------------------------------------------------------------------------------------------- */

static uint32_t phi_count(const kernel *k, const loop *l) {
  const block *b = &k->blocks[l->header];
  uint32_t count = 0;
  while (count < b->count && k->instructions[b->first + count].opcode == LLVMPHI) count++;
  return count;
}

static environment environment_new(proof *p) {
  const size_t count = (size_t)p->kernel->argument_count + p->kernel->instruction_count + 1;
  return mem_arena_array(p->memory, count, sizeof(const value *));
}

static const instruction *loop_phi(const proof *p, const loop_frame *f, uint32_t n) {
  return kernel_instruction(p->kernel, f->first + n);
}

/* What the phis are after the edges of blocks inside (or outside) of the loop. */
static environment loop_phi_values(proof *p, const loop_frame *f, const environment variables, const edges *e,
                                   bool inside, unsigned thread) {
  environment made = environment_new(p);
  bool *from = mem_calloc(p->kernel->block_count + 1, sizeof *from);
  for (uint32_t b = 0; b < p->kernel->block_count; b++) from[b] = f->loop->has[b] == inside;
  for (uint32_t n = 0; n < f->phis; n++)
    made[f->first + n] = phi_value(p, loop_phi(p, f, n), variables, e, thread, from);
  free(from);
  return made;
}

/* --- any iteration ------------------------------------------------------------------------------------------------ */

static int64_t unit_of(const value *pointer, int64_t unit) {
  for (size_t i = 0; pointer->kind == VALUE_POINTER && i < pointer->count; i++)
    unit = offset_unit(&pointer->targets[i].at, unit);
  return unit;
}

/* The stride in which a pointer that goes along moves: also that of pointers from before the loop which it may become. */
static int64_t pointer_step(proof *p, const loop *l, const value *initial, const environment entry) {
  int64_t unit = unit_of(initial, 0);
  for (uint32_t n = 0; n < l->block_count; n++) {
    const block *b = &p->kernel->blocks[l->blocks[n]];
    for (uint32_t i = 0; i < b->count; i++) {
      const instruction *at = &p->kernel->instructions[b->first + i];
      const bool moves = LLVMGetTypeKind(LLVMTypeOf(at->value)) == LLVMPointerTypeKind;
      for (unsigned o = 0; moves && o < (unsigned)LLVMGetNumOperands(at->value); o++)
        unit = at->opcode == LLVMCall ? 1 : unit_of(operand(p, entry, LLVMGetOperand(at->value, o)), unit);
      if (at->opcode == LLVMGetElementPtr) {
        unit = greatest_divisor(unit, (int64_t)type_bytes(p, LLVMGetGEPSourceElementType(at->value)));
        LLVMTypeRef type = LLVMGetGEPSourceElementType(at->value);
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind || LLVMGetTypeKind(type) == LLVMArrayTypeKind)
          unit = LLVMGetNumOperands(at->value) > 2 ? 1 : unit;
      }
    }
  }
  return unit == 0 ? 1 : unit;
}

static const value *any_pointer(proof *p, const loop_frame *f, const instruction *phi, unsigned thread,
                                const char *name) {
  const uint32_t *objects = objects_of(p, phi->value);
  uint32_t only = NONE;
  formula null = p->smt.no;
  for (; *objects != NONE; objects++) {
    if (p->objects[*objects].kind == OBJECT_NULL) {
      null = smt_fresh(&p->smt, name, 0, true);
      continue;
    }
    if (only != NONE)
      proof_refuse(p, kernel_number(p->kernel, phi->value), "a pointer that points elsewhere in each iteration");
    only = *objects;
  }
  offset at = {0, 0, NULL};
  const value *initial = f->initial[thread][kernel_number(p->kernel, phi->value)];
  const int64_t stride = pointer_step(p, f->loop, initial, f->entry[thread]);
  const value *nowhere = value_pointer(&p->values, OBJECT_NULL_NUMBER, at);
  at = offset_add(&p->values, at, stride, smt_fresh(&p->smt, name, ADDRESS_BITS, false));
  return only == NONE ? nowhere : value_if(&p->values, null, nowhere, value_pointer(&p->values, only, at));
}

static bool holds_real(LLVMTypeRef type) {
  const LLVMTypeKind kind =
      LLVMGetTypeKind(LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type);
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMHalfTypeKind;
}

/* What has grown by the same in each of so many iterations. NULL: it does not. */
static const value *grown(proof *p, const loop_frame *f, uint32_t number, unsigned thread, formula iterations) {
  bool shrinks = false;
  int64_t bytes = 1;
  const value *initial = f->initial[thread][number];
  const LLVMValueRef by = steady_growth(p, f->number, number, &shrinks, &bytes);
  const formula growth = by == NULL ? NULL : number_before(p, thread, by, f->entry[thread]);
  if (growth == NULL) return NULL;
  if (initial->kind == VALUE_NUMBER) {
    const unsigned bits = smt_bits(&p->smt, initial->number);
    const formula pace = smt_simplify(&p->smt, smt_resize(&p->smt, growth, bits, true));
    uint64_t known = 0;
    if (p->abstract_products && bits < COUNTER_BITS && !smt_is_number(&p->smt, pace, &known))
      return NULL; /* it comes round: that its products do not overflow is too much to take for granted */
    const formula all = product_of(p, smt_resize(&p->smt, iterations, bits, false), pace);
    const formula sum = shrinks ? smt_subtract(&p->smt, initial->number, all) : smt_add(&p->smt, initial->number, all);
    return value_number(&p->values, sum);
  }
  const formula all = product_of(p, iterations, smt_resize(&p->smt, growth, ADDRESS_BITS, true));
  target *targets = mem_arena_array(p->memory, initial->count + 1, sizeof *targets);
  for (size_t i = 0; i < initial->count; i++) {
    targets[i] = initial->targets[i];
    targets[i].at = offset_add(&p->values, targets[i].at, bytes, all);
  }
  return value_targets(&p->values, targets, initial->count);
}

/* That the number grows away from 0, in numbers that do not overflow, so that it has half of its range to go; NULL: it may not. */
static formula grows_away(proof *p, const loop_frame *f, uint32_t n, LLVMValueRef by, bool shrinks) {
  const LLVMValueRef phi = loop_phi(p, f, n)->value;
  bool exact = false;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) { /* what comes back, and no other sum */
    const LLVMValueRef next = LLVMGetIncomingValue(phi, i);
    const bool sum =
        LLVMIsABinaryOperator(next) != NULL && (LLVMGetOperand(next, 0) == phi || LLVMGetOperand(next, 1) == phi);
    exact = exact || (sum && LLVMGetNSW(next) != 0);
  }
  const value *first = f->initial[0][f->first + n];
  const formula pace = exact ? number_before(p, 0, by, f->entry[0]) : NULL;
  if (pace == NULL) return NULL;
  const smt *s = &p->smt;
  const unsigned bits = smt_bits(s, pace);
  const formula zero = smt_number(s, 0, bits), sign = smt_number(s, 0, 1);
  const formula positive = smt_simplify(s, smt_equal(s, smt_extract(s, first->number, bits - 1, bits - 1), sign));
  const formula up = smt_simplify(s, shrinks ? Z3_mk_bvslt(s->z3, pace, zero) : Z3_mk_bvsgt(s->z3, pace, zero));
  const formula down = smt_simplify(s, shrinks ? Z3_mk_bvsgt(s->z3, pace, zero) : Z3_mk_bvslt(s->z3, pace, zero));
  return smt_or(s, smt_and(s, up, positive), smt_and(s, down, smt_not(s, positive)));
}

/* So many iterations came before: as many as the widest number or pointer counts that grows in each of them. */
static formula any_count(proof *p, const loop_frame *f) {
  unsigned bits = COUNTER_BITS, least = ADDRESS_BITS;
  formula condition[2] = {p->smt.no, p->smt.no}; /* that there are fewer than 2^31, 2^63 */
  for (uint32_t n = 0; n < f->phis; n++) {
    bool shrinks = false;
    int64_t bytes = 1;
    const LLVMTypeRef type = LLVMTypeOf(loop_phi(p, f, n)->value);
    const unsigned width = LLVMGetTypeKind(type) == LLVMIntegerTypeKind   ? LLVMGetIntTypeWidth(type)
                           : LLVMGetTypeKind(type) == LLVMPointerTypeKind ? ADDRESS_BITS
                                                                          : 0;
    const LLVMValueRef by = width < COUNTER_BITS ? NULL : steady_growth(p, f->number, f->first + n, &shrinks, &bytes);
    const formula away = by == NULL || LLVMTypeOf(by) != type ? NULL : grows_away(p, f, n, by, shrinks);
    bits = by != NULL && width > bits ? width : bits;
    if (away == p->smt.yes)
      least = width - 1 < least ? width - 1 : least;
    else if (away != NULL && (width == COUNTER_BITS || width == ADDRESS_BITS))
      condition[width == ADDRESS_BITS] = smt_or(&p->smt, condition[width == ADDRESS_BITS], away);
  }
  bits = least < bits ? least : bits;
  const formula count = smt_resize(&p->smt, smt_fresh(&p->smt, "iterations", bits, false), ADDRESS_BITS, false);
  for (unsigned i = 0; i < 2; i++) {
    const formula most =
        smt_number(&p->smt, UINT64_C(1) << (i == 0 ? COUNTER_BITS - 1 : ADDRESS_BITS - 1), ADDRESS_BITS);
    proof_fact(p, smt_implies(&p->smt, condition[i], Z3_mk_bvult(p->smt.z3, count, most)));
  }
  return count;
}

/* Unknown phis of some iteration; where `together`, it is the same for both, and those that cannot differ are. */
static void loop_any_iteration(proof *p, const loop_frame *f, const char *name, bool together,
                               environment out[THREADS]) {
  formula iterations = any_count(p, f);
  for (unsigned t = 0; t < THREADS; t++) {
    iterations = t > 0 && !together ? any_count(p, f) : iterations;
    out[t] = environment_new(p);
    for (uint32_t n = 0; n < f->phis; n++) {
      const uint32_t number = f->first + n;
      const instruction *phi = loop_phi(p, f, n);
      const LLVMTypeRef type = LLVMTypeOf(phi->value);
      const value *steady = grown(p, f, number, t, iterations);
      if (t == 1 && together && !p->divergent[number])
        out[t][number] = out[0][number];
      else if (steady != NULL)
        out[t][number] = steady;
      else if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        out[t][number] = any_pointer(p, f, phi, t, name);
      else
        out[t][number] = fresh_value(p, type, name, holds_real(type));
    }
  }
}

/* --- candidates --------------------------------------------------------------------------------------------------- */

/* The candidates of the loop hold for these phis, where the work-item is there. */
static void loop_assume_candidates(proof *p, const loop_frame *f, const environment phis[THREADS],
                                   const formula enabled[THREADS]) {
  for (unsigned t = 0; t < THREADS; t++) {
    for (uint32_t c = p->first_candidate[f->number]; c < p->end_candidate[f->number]; c++) {
      const candidate *one = p->candidates[c];
      const formula says = candidate_formula(p, one, phis[t], f->initial[t], f->entry[t], t);
      if (says != NULL && says != p->smt.yes)
        proof_assume(p, smt_implies(&p->smt, smt_and(&p->smt, one->holds, enabled[t]), says));
    }
  }
}

/* They hold for these values of the first work-item, which stands for any. */
static void oblige_candidates(proof *p, const loop_frame *f, const environment phis, formula enabled) {
  for (uint32_t c = p->first_candidate[f->number]; c < p->end_candidate[f->number]; c++) {
    const candidate *one = p->candidates[c];
    const formula says = candidate_formula(p, one, phis, f->initial[0], f->entry[0], 0);
    if (says != p->smt.yes) { /* what cannot be said does not hold */
      const formula wrong = says == NULL ? p->smt.yes : smt_not(&p->smt, says);
      const formula broken = smt_and(&p->smt, smt_and(&p->smt, one->holds, enabled), wrong);
      *ARRAY_ADD(p->obligations, p->obligation_count, p->obligation_capacity) = (obligation){p->chain, broken, c};
    }
  }
}

static state state_copy(proof *p, const state *s) {
  state made = *s;
  for (unsigned t = 0; t < THREADS; t++) made.variables[t] = environment_copy(p, s->variables[t]);
  return made;
}

/* The annotated invariants hold for these phis of the first work-item: executes the loop up to where they stand. */
static void oblige_annotated(proof *p, const loop_frame *f, const state *s, environment phis[THREADS],
                             const formula enabled[THREADS]) {
  if (!annotation_in_loop(p, f->number)) return;
  const formula chain = p->chain;
  state here = state_copy(p, s);
  here.enabled[0] = enabled[0];
  here.enabled[1] = enabled[1];
  (void)region_run(p, f->number, &here, (walk){false, false, f->number}, phis);
  p->chain = chain;
}

/* They are to be shown for what the phis are after the iteration. */
static void loop_oblige_step(proof *p, const loop_frame *f, const state *s, const edges *e) {
  const formula back = edges_taken(p, e, f->number, true, 0);
  if (back != p->smt.no) {
    const formula again[THREADS] = {back, edges_taken(p, e, f->number, true, 1)};
    environment next[THREADS] = {loop_phi_values(p, f, s->variables[0], e, true, 0),
                                 loop_phi_values(p, f, s->variables[1], e, true, 1)};
    oblige_candidates(p, f, next[0], back);
    oblige_annotated(p, f, s, next, again);
  }
}

/* --- leaving ------------------------------------------------------------------------------------------------------ */

/* The one way out of the loop; false: there are several. */
static bool loop_only_exit(const proof *p, const loop *l, uint32_t *from, uint32_t *to) {
  unsigned count = 0;
  for (uint32_t n = 0; n < l->block_count; n++) {
    const block *b = &p->kernel->blocks[l->blocks[n]];
    for (uint32_t i = 0; i < b->successor_count; i++) {
      if (!l->has[b->successors[i]]) {
        *from = l->blocks[n];
        *to = b->successors[i];
        count++;
      }
    }
  }
  return count == 1;
}

/* The edges of an iteration that leave the loop. */
static void loop_leave(proof *p, const loop_frame *f, const edges *from, edges *to) {
  for (uint32_t h = 0; h <= from->mask; h++) {
    for (const edge *at = from->heads[h]; at != NULL; at = at->next)
      if (!f->loop->has[at->to]) edges_add(p, to, at->from, at->to, at->taken);
  }
}

/* Work-items that enter the loop leave it; where there is one way out, by that. */
static void loop_assume_end(proof *p, const loop_frame *f, const state *s, const edges *body, edges *to) {
  formula taken[THREADS];
  uint32_t from = 0, out = 0;
  bool ends = loop_only_exit(p, f->loop, &from, &out);
  for (unsigned t = 0; t < THREADS; t++) {
    const formula leaves = edges_taken(p, body, f->number, false, t);
    taken[t] = s->enabled[t];
    ends = ends && (leaves != p->smt.no || s->enabled[t] == p->smt.no);
    if (s->enabled[t] != p->smt.no && leaves != p->smt.no) proof_assume(p, smt_implies(&p->smt, s->enabled[t], leaves));
  }
  if (ends)
    edges_add(p, to, from, out, taken);
  else
    loop_leave(p, f, body, to);
}

/* --- each in an iteration of its own ------------------------------------------------------------------------------- */

/* The last iteration of each: another for each, but what cannot differ is the same in one group. */
static void any_last(proof *p, const loop_frame *f, environment last[THREADS]) {
  loop_any_iteration(p, f, "last", false, last);
  for (uint32_t n = f->first; n < f->first + f->phis && p->same_group; n++)
    last[1][n] = p->divergent[n] ? last[1][n] : last[0][n];
}

/* Annotations about accesses speak of those of earlier iterations, too: any other one. */
static void note_earlier(proof *p, const loop_frame *f, const state *s) {
  environment phis[THREADS];
  loop_any_iteration(p, f, "before", false, phis);
  loop_assume_candidates(p, f, phis, s->enabled);
  state inside = state_copy(p, s);
  p->logs_now = true;
  (void)region_run(p, f->number, &inside, (walk){false, false, NONE}, phis);
  p->logs_now = false;
  memory_all_changed(p);
}

static void run_apart(proof *p, const loop_frame *f, state *s, walk w, edges *e) {
  if (p->logs && w.record) note_earlier(p, f, s);
  environment phis[THREADS];
  loop_any_iteration(p, f, "any", false, phis);
  loop_assume_candidates(p, f, phis, s->enabled);
  state inside = state_copy(p, s);
  const edges body = region_run(p, f->number, &inside, w, phis);
  if (w.oblige) loop_oblige_step(p, f, &inside, &body);
  memory_loop(p, f->number);
  environment last[THREADS];
  any_last(p, f, last);
  loop_assume_candidates(p, f, last, s->enabled);
  const edges out = region_run(p, f->number, s, (walk){false, false, NONE}, last);
  loop_assume_end(p, f, s, &out, e);
}

/* --- the first iterations ----------------------------------------------------------------------------------------- */

/* What the iteration gave is what the loop gave, where it is the one that was left. */
static void merge_escaping(proof *p, const loop_frame *f, const state *turn, const formula left[THREADS],
                           state *merged) {
  for (unsigned t = 0; t < THREADS; t++) {
    const formula leaves = left[t];
    for (uint32_t n = 0; n < f->loop->block_count; n++) {
      const block *b = &p->kernel->blocks[f->loop->blocks[n]];
      for (uint32_t i = b->first; i < b->first + b->count; i++) {
        const uint32_t number = p->kernel->argument_count + i;
        const value *here = turn->variables[t][number], *before = merged->variables[t][number];
        if (p->kernel->instructions[i].escapes && here != NULL && leaves != p->smt.no)
          merged->variables[t][number] = before == NULL ? here : value_if(&p->values, leaves, here, before);
      }
    }
  }
}

/* A loop that goes on for certain, for long: what comes after it happens, too, with values that are not known. Not where
 * barriers are left out with the iterations. */
static bool skip_rest(proof *p, const loop_frame *f, state *turn, state *merged, edges *e) {
  uint32_t from = 0, to = 0;
  environment phis[THREADS];
  if ((f->loop->barrier && p->same_group) || !loop_only_exit(p, f->loop, &from, &to)) return false;
  for (unsigned t = 0; t < THREADS; t++) {
    phis[t] = environment_new(p);
    for (uint32_t n = 0; n < f->phis; n++) {
      const instruction *phi = loop_phi(p, f, n);
      const bool pointer = LLVMGetTypeKind(LLVMTypeOf(phi->value)) == LLVMPointerTypeKind;
      if (pointer) return false;
      phis[t][f->first + n] = fresh_value(p, LLVMTypeOf(phi->value), "skipped", true);
    }
  }
  state here = state_copy(p, turn);
  memory_all_changed(p);
  (void)region_run(p, f->number, &here, (walk){false, false, NONE}, phis);
  merge_escaping(p, f, &here, turn->enabled, merged);
  edges_add(p, e, from, to, turn->enabled);
  p->complete = false;
  return true;
}

/* What was cut is taken not to be: whoever enters leaves, and where there is one way out, by that. Not where an end depends on what
 * is not known. */
static void leave_at_once(const proof *p, const loop_frame *f, const state *s, const formula leaves[THREADS],
                          const edges *e) {
  uint32_t from = 0, to = 0;
  if (!loop_only_exit(p, f->loop, &from, &to)) return;
  for (edge *at = edges_first(e, to); at != NULL; at = at->next)
    for (unsigned t = 0; t < THREADS && at->to == to && at->from == from; t++)
      at->taken[t] = smt_is_abstract(&p->smt, leaves[t]) ? at->taken[t] : s->enabled[t];
}

/* The first iterations, as many as the proof wants. */
static void loop_turns(proof *p, const loop_frame *f, state *s, walk w, edges *e) {
  const unsigned depth = f->loop->depth - 1 < 31 ? f->loop->depth - 1 : 31;
  environment phis[THREADS] = {f->initial[0], f->initial[1]};
  state merged = {{environment_new(p), environment_new(p)}, {NULL, NULL}};
  state turn = *s;
  formula leaves[THREADS] = {p->smt.no, p->smt.no};
  for (unsigned n = 0;; n++) {
    /* a loop whose end is a constant may be followed further */
    const bool certain = turn.enabled[0] == s->enabled[0] && turn.enabled[1] == s->enabled[1];
    const bool cut = n >= p->turns && !(certain && n < p->most_turns);
    p->turn[depth] = n;
    state here = turn;
    for (unsigned t = 0; t < THREADS; t++) here.variables[t] = environment_copy(p, s->variables[t]);
    const edges body = region_run(p, f->number, &here, (walk){w.record, false, NONE}, phis);
    const formula left[THREADS] = {edges_taken(p, &body, f->number, false, 0),
                                   edges_taken(p, &body, f->number, false, 1)};
    merge_escaping(p, f, &here, left, &merged);
    loop_leave(p, f, &body, e);
    for (unsigned t = 0; t < THREADS; t++) {
      leaves[t] = smt_or(&p->smt, leaves[t], left[t]);
      turn.enabled[t] = smt_simplify(&p->smt, edges_taken(p, &body, f->number, true, t));
      phis[t] = loop_phi_values(p, f, here.variables[t], &body, true, t);
    }
    if (cut || (turn.enabled[0] == p->smt.no && turn.enabled[1] == p->smt.no)) break;
  }
  const bool goes_on = turn.enabled[0] == s->enabled[0] && turn.enabled[1] == s->enabled[1];
  turn.variables[0] = s->variables[0];
  turn.variables[1] = s->variables[1];
  const bool skipped = goes_on && skip_rest(p, f, &turn, &merged, e);
  for (unsigned t = 0; t < THREADS; t++) { /* a way that was cut must not look like one that skips what follows */
    if (turn.enabled[t] != p->smt.no && !skipped) {
      p->complete = false;
      proof_assume(p, smt_not(&p->smt, turn.enabled[t]));
    }
    for (uint32_t n = 0; n < p->kernel->instruction_count; n++) {
      const uint32_t number = p->kernel->argument_count + n;
      if (merged.variables[t][number] != NULL) s->variables[t][number] = merged.variables[t][number];
    }
  }
  if (!skipped) leave_at_once(p, f, s, leaves, e);
  p->turn[depth] = 0;
}

/* --- in step ------------------------------------------------------------------------------------------------------ */

/* Loops with a barrier, for any number of iterations: the work-items of a group go in step as long as all of them are there.
 * An iteration, and one that comes after it, the last that both begin. Whoever goes round again is alone then: a barrier that
 * it comes to is one that the other does not reach.
 * Soundness: docs/verify.md, Why it is right, In step. */

/* An iteration that is followed by another: both go round again. */
static void run_earlier(proof *p, const loop_frame *f, state *before, walk w) {
  environment earlier[THREADS];
  loop_any_iteration(p, f, "earlier", true, earlier);
  loop_assume_candidates(p, f, earlier, before->enabled);
  const formula entered[THREADS] = {before->enabled[0], before->enabled[1]};
  const edges body = region_run(p, f->number, before, w, earlier);
  if (w.oblige) loop_oblige_step(p, f, before, &body);
  memory_all_changed(p);
  for (unsigned t = 0; t < THREADS; t++)
    proof_assume(p, smt_implies(&p->smt, entered[t], edges_taken(p, &body, f->number, true, t)));
}

/* The phis of the first iteration, or of any later one. */
static void any_later(proof *p, const loop_frame *f, formula first, environment now[THREADS]) {
  environment later[THREADS];
  loop_any_iteration(p, f, "later", true, later);
  for (unsigned t = 0; t < THREADS; t++) {
    now[t] = environment_new(p);
    for (uint32_t n = f->first; n < f->first + f->phis; n++) {
      const bool shared = t == 1 && !p->divergent[n];
      now[t][n] = shared ? now[0][n] : value_if(&p->values, first, f->initial[t][n], later[t][n]);
    }
  }
}

/* What left the loop alone, where it did, is what the loop gave. */
static void merge_alone(proof *p, const loop_frame *f, const state *left, const formula alone[THREADS], state *s) {
  for (uint32_t n = 0; n < f->loop->block_count; n++) {
    const block *b = &p->kernel->blocks[f->loop->blocks[n]];
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
      const uint32_t number = p->kernel->argument_count + i;
      for (unsigned t = 0; t < THREADS && p->kernel->instructions[i].escapes; t++) {
        const value *here = left->variables[t][number], *before = s->variables[t][number];
        if (here != NULL)
          s->variables[t][number] = before == NULL ? here : value_if(&p->values, alone[t], here, before);
      }
    }
  }
}

/* Those who went round again while the other did not: some iteration of each, and its last. `outside`: before the loop. */
static void run_alone(proof *p, const loop_frame *f, const state *outside, const formula alone[THREADS], walk w,
                      const edges *together, state *s, edges *e) {
  environment phis[THREADS];
  loop_any_iteration(p, f, "alone", false, phis);
  state inside = state_copy(p, outside);
  inside.enabled[0] = alone[0];
  inside.enabled[1] = alone[1];
  loop_assume_candidates(p, f, phis, alone);
  w.oblige = false;
  (void)region_run(p, f->number, &inside, w, phis);
  memory_all_changed(p);
  loop_any_iteration(p, f, "last", false, phis);
  state left = state_copy(p, outside);
  left.enabled[0] = alone[0];
  left.enabled[1] = alone[1];
  loop_assume_candidates(p, f, phis, alone);
  const edges out = region_run(p, f->number, &left, (walk){false, false, NONE}, phis);
  memory_all_changed(p);
  for (unsigned t = 0; t < THREADS; t++) {
    const formula leaves = smt_if(&p->smt, alone[t], edges_taken(p, &out, f->number, false, t),
                                  edges_taken(p, together, f->number, false, t));
    proof_assume(p, smt_implies(&p->smt, s->enabled[t], leaves));
  }
  merge_alone(p, f, &left, alone, s);
  loop_leave(p, f, together, e);
  loop_leave(p, f, &out, e);
}

/* Executes a loop with a barrier for work-items of one group. */
static void loop_in_step(proof *p, const loop_frame *f, state *s, walk w, edges *e) {
  const formula first = smt_fresh(&p->smt, "first", 0, false);
  state before = state_copy(p, s);
  for (unsigned t = 0; t < THREADS; t++)
    before.enabled[t] = smt_simplify(&p->smt, smt_and(&p->smt, s->enabled[t], smt_not(&p->smt, first)));
  run_earlier(p, f, &before, w);
  environment now[THREADS];
  any_later(p, f, first, now);
  loop_assume_candidates(p, f, now, s->enabled);
  walk last = w;
  last.oblige = false;
  const state outside = state_copy(p, s);
  const edges out = region_run(p, f->number, s, last, now);
  memory_all_changed(p);
  formula alone[THREADS];
  for (unsigned t = 0; t < THREADS; t++) alone[t] = smt_simplify(&p->smt, edges_taken(p, &out, f->number, true, t));
  if (alone[0] == alone[1]) { /* nobody goes on without the other */
    loop_assume_end(p, f, s, &out, e);
    return;
  }
  proof_assume(p, smt_not(&p->smt, smt_and(&p->smt, alone[0], alone[1])));
  run_alone(p, f, &outside, alone, w, &out, s, e);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

void loop_run(proof *p, uint32_t number, state *s, walk w, edges *e) {
  loop_frame f = {.loop = &p->kernel->loops[number], .number = number};
  f.phis = phi_count(p->kernel, f.loop);
  f.first = p->kernel->argument_count + p->kernel->blocks[f.loop->header].first;
  p->visits++;
  for (unsigned t = 0; t < THREADS; t++) {
    f.entry[t] = environment_copy(p, s->variables[t]);
    f.initial[t] = loop_phi_values(p, &f, s->variables[t], e, false, t);
    f.entered[t] = s->enabled[t];
  }
  if (p->turns > 0) { /* to find what really happens */
    memory_loop(p, number);
    loop_turns(p, &f, s, w, e);
    return;
  }
  if (!p->made_candidates[number]) {
    p->made_candidates[number] = true;
    candidates_find(p, number);
  }
  if (w.oblige) {
    oblige_candidates(p, &f, f.initial[0], s->enabled[0]);
    oblige_annotated(p, &f, s, f.initial, s->enabled);
  }
  memory_loop(p, number);
  if (f.loop->barrier && p->same_group)
    loop_in_step(p, &f, s, w, e);
  else
    run_apart(p, &f, s, w, e);
}
