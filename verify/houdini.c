/* Which guesses about loops hold (Houdini): all are taken to hold, and those that a model of the solver breaks are dropped, until
 * none is.
 * Soundness: docs/verify.md, Loops. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "verify/candidates.h"
#include "verify/query.h"
#include "verify/relevant.h"

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

/* The obligations of those that are alive, of one candidate or (NONE) of all; false: there are none. */
static bool push_failures(houdini *h, uint32_t only) {
  formula *any = mem_calloc(h->p->obligation_count + 1, sizeof *any);
  size_t count = 0;
  for (size_t i = 0; i < h->p->obligation_count; i++) {
    const uint32_t c = h->p->obligations[i].candidate;
    if (h->alive[c] && (only == NONE || only == c)) {
      any[count++] = h->marks[i];
    }
  }
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

static Z3_lbool try_once(houdini *h, uint32_t only, bool *killed) {
  const Z3_context c = h->p->smt.z3;
  if (!push_failures(h, only)) {
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

/* All at once could not be decided: drops those that alone cannot be, either. */
static void drop_hard(houdini *h) {
  const double whole = h->f->query_seconds;
  h->f->query_seconds = whole / 10 < 0.3 ? 0.3 : whole / 10;
  for (uint32_t c = 0; c < h->p->candidate_count; c++) {
    bool killed = false;
    if (h->alive[c] && try_once(h, c, &killed) == Z3_L_UNDEF) {
      h->alive[c] = false;
    }
  }
  h->f->query_seconds = whole;
}

static bool run_houdini(houdini *h) {
  for (unsigned hard = 0;;) {
    bool killed = false;
    if (effort_now() > h->f->deadline) {
      return false;
    }
    const Z3_lbool result = try_once(h, NONE, &killed);
    if (result == Z3_L_FALSE) {
      return true;
    }
    if (result == Z3_L_UNDEF || !killed) {
      if (hard++ > 3) {
        return false;
      }
      drop_hard(h);
    }
  }
}

/* Annotations may speak of both work-items. */
static bool has_annotated(const proof *p) {
  for (size_t i = 0; i < p->candidate_count; i++) {
    if (p->candidates[i]->kind == ANNOTATED) {
      return true;
    }
  }
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
  for (size_t i = 0; i < p->candidate_count; i++) {
    alive[i] = true;
  }
  if (p->obligation_count == 0) {
    return true;
  }
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
  for (size_t i = 0; i < p->no_overflow_count && exact; i++) {
    if (p->overflow_notes[i].is_signed && !p->overflow_notes[i].divides) {
      query_assert(p, h.solver, p->no_overflow[i]);
    }
  }
  const bool done = run_houdini(&h);
  for (size_t i = 0; i < p->candidate_count && !done; i++) {
    alive[i] = false;
  }
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
  if (more && found) {
    memcpy(alive, exact, p->candidate_count * sizeof *alive);
  }
  free(exact);
  return more && found;
}
