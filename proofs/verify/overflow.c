/* Signed overflow, which C leaves undefined, and division by 0: what a proof takes not to overflow is said, where it can.
 * Soundness: docs/verify.md, Why it is right, Overflow. */
#include "proofs/verify/overflow.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "proofs/verify/candidates.h"
#include "proofs/verify/counterexample.h"

/* Something that the launch does not decide. */
static bool is_open(const proof *p, formula f) {
  smt_parts parts = {0};
  bool open = smt_mentions(&p->smt, f, "_") || smt_is_abstract(&p->smt, f);
  smt_parts_add(&p->smt, &parts, f);
  for (uint32_t a = 0; a < p->kernel->argument_count && !open; a++) {
    const value *v = p->arguments[a];
    uint64_t known = 0;
    open = v != NULL && v->kind == VALUE_NUMBER && !smt_is_number(&p->smt, v->number, &known) &&
           smt_parts_have(&p->smt, &parts, v->number);
  }
  smt_parts_free(&parts);
  return open;
}

/* A solver that knows what holds in the proof's loops. */
static Z3_solver solver_of(const proof *p) {
  Z3_solver s = query_solver(p, false);
  for (size_t i = 0; i < p->candidate_count; i++) {
    const bool alive = p->alive != NULL && p->alive[i];
    const formula holds = p->candidates[i]->holds;
    query_assert(p, s, alive ? holds : smt_not(&p->smt, holds));
  }
  return s;
}

static bool is_true(const proof *p, Z3_model m, formula f) {
  formula result = NULL;
  return Z3_model_eval(p->smt.z3, m, f, true, &result) && result == p->smt.yes;
}

static const char *kind_of(bool divides) { return divides ? "division" : "overflow"; }
static const char *said_of(bool divides) { return divides ? "no division by 0" : "no signed overflow"; }

/* Adds the places of those that overflow in the model. */
static void name(const proof *p, Z3_model m, const formula *broken, places *out) {
  Z3_model_inc_ref(p->smt.z3, m);
  for (size_t i = 0; i < p->no_overflow_count; i++) {
    if (broken[i] != NULL && is_true(p, m, broken[i])) {
      const char *where = counterexample_where(p, p->overflow_notes[i].instruction);
      const bool divides = p->overflow_notes[i].divides;
      places_add(out, kind_of(divides), mem_arena_printf(p->memory, "%s at %s", said_of(divides), where));
    }
  }
  Z3_model_dec_ref(p->smt.z3, m);
}

void places_add(places *to, const char *kind, const char *text) {
  bool has = to->count == PLACES_MOST;
  for (size_t i = 0; i < to->count; i++) has = has || strcmp(to->items[i].text, text) == 0;
  if (!has) {
    to->items[to->count].kind = kind;
    to->items[to->count++].text = mem_arena_copy(to->memory, text);
  }
}

bool overflows_in(const proof *p, Z3_model m, bool divides) {
  Z3_model_inc_ref(p->smt.z3, m);
  bool found = false;
  for (size_t i = 0; i < p->no_overflow_count && !found; i++)
    found = p->overflow_notes[i].divides == divides && !is_true(p, m, p->no_overflow[i]);
  Z3_model_dec_ref(p->smt.z3, m);
  return found;
}

/* Whether it is said already of all places. */
static bool is_said(const places *out, const char *text) {
  bool said = false;
  for (size_t i = 0; i < out->count && !said; i++) said = strcmp(out->items[i].text, text) == 0;
  return said;
}

void overflows_find(const proof *p, effort *f, bool relied, bool divides, places *out) {
  enum { SECONDS = 1 };
  if (relied && is_said(out, said_of(divides))) return;
  formula *broken = mem_calloc(p->no_overflow_count + 1, sizeof *broken);
  formula *any = mem_calloc(p->no_overflow_count + 1, sizeof *any);
  size_t count = 0;
  for (size_t i = 0; i < p->no_overflow_count; i++) {
    const overflow_note *n = &p->overflow_notes[i];
    if (n->is_signed && n->divides == divides && (relied || !is_open(p, p->no_overflow[i]))) {
      broken[i] = smt_and(&p->smt, n->reached, smt_not(&p->smt, p->no_overflow[i]));
      any[count++] = broken[i];
    }
  }
  if (count > 0) {
    const double patience = f->query_seconds, deadline = f->deadline, soon = effort_now() + SECONDS;
    Z3_solver s = solver_of(p);
    query_assert(p, s, smt_any(&p->smt, any, count));
    f->query_seconds = SECONDS;
    f->deadline = deadline < soon ? soon : deadline; /* a proof that was found in time gets its words */
    const Z3_lbool overflow = query_ask(p, f, s, NULL, 0);
    f->query_seconds = patience;
    f->deadline = deadline;
    if (overflow == Z3_L_TRUE)
      name(p, Z3_solver_get_model(p->smt.z3, s), broken, out);
    else if (overflow == Z3_L_UNDEF && relied)
      places_add(out, kind_of(divides), said_of(divides));
    Z3_solver_dec_ref(p->smt.z3, s);
  }
  free(broken);
  free(any);
}
