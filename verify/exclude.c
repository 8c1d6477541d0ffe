/* Whether nothing goes wrong: questions to which the answer is mostly no, put so that it is found soon. */
#include "verify/exclude.h"

#include <stdlib.h>

#include "base/memory.h"
#include "verify/candidates.h"
#include "verify/integers.h"
#include "verify/relevant.h"

enum { INTEGER_SECONDS = 3 };
#define SOON 0.1
#define MOMENT 0.2

/* --- numbers of fixed width --------------------------------------------------------------------------------------------- */

Z3_lbool ask_in(Z3_context c, effort *f, Z3_solver s, const formula *assumptions, size_t count) {
  const double left = f->deadline - effort_now();
  const double limit = left < f->query_seconds ? left : f->query_seconds;
  if (limit <= 0) {
    return Z3_L_UNDEF;
  }
  f->queries++;
  return effort_check(c, s, (unsigned)count, assumptions, limit);
}

void asking_end(asking *a) {
  if (a->solver != NULL) {
    Z3_solver_dec_ref(a->proof->smt.z3, a->solver);
    a->solver = NULL;
  }
}

Z3_solver solver_for(asking *a, bool two) {
  if (a->solver != NULL && a->two != two) {
    asking_end(a);
  }
  if (a->solver == NULL) {
    a->solver = query_solver(a->proof, two);
    a->two = two;
    for (size_t i = 0; i < a->assumed_count; i++) {
      query_assert(a->proof, a->solver, a->assumed[i]);
    }
  }
  return a->solver;
}

bool places_exclude(const proof *p, effort *f, Z3_solver s, const danger *list, size_t count, bool always) {
  bool compared = always;
  formula *any = mem_calloc(count, sizeof *any);
  for (size_t i = 0; i < count; i++) {
    const pair *both = list[i].pair;
    compared = compared || (both != NULL && both->values != p->smt.yes);
    any[i] = both == NULL ? list[i].all : smt_and(&p->smt, both->reached, both->bare);
  }
  bool excluded = false;
  if (compared) {
    Z3_solver_push(p->smt.z3, s);
    query_assert(p, s, smt_any(&p->smt, any, count));
    excluded = query_ask(p, f, s, NULL, 0) == Z3_L_FALSE;
    Z3_solver_pop(p->smt.z3, s, 1);
  }
  free(any);
  return excluded;
}

/* --- integers ----------------------------------------------------------------------------------------------------------- */

/* Asks a copy of it, to which formulas are new. */
static Z3_lbool ask_copy(const proof *p, effort *f, Z3_solver s) {
  smt apart;
  smt_open(&apart);
  const Z3_solver copy = Z3_solver_translate(p->smt.z3, s, apart.z3);
  Z3_solver_inc_ref(apart.z3, copy);
  const Z3_lbool result = ask_in(apart.z3, f, copy, NULL, 0);
  Z3_solver_dec_ref(apart.z3, copy);
  smt_close(&apart);
  return result;
}

/* The solver for bit-vectors has what integers do not find soon at once, or not for long. */
static bool bits_exclude_soon(asking *a, const danger *list, size_t count) {
  const double whole = a->effort->query_seconds;
  a->effort->query_seconds = whole < SOON ? whole : SOON;
  const bool excluded =
      places_exclude(a->proof, a->effort, solver_for(a, list[0].object != OF_BOUNDS), list, count, true);
  a->effort->query_seconds = whole;
  return excluded;
}

/* What the solver tries first depends on when formulas were made, and with integers that is luck: where it has none soon it gets
 * another chance, and then all the time that is left. */
static Z3_lbool ask_integers(asking *a, Z3_solver s, const danger *list, size_t count) {
  const proof *p = a->proof;
  effort *f = a->effort;
  static const double chances[] = {0.2, 0.6, INTEGER_SECONDS};
  const double whole = f->query_seconds;
  double left = whole < INTEGER_SECONDS ? whole : INTEGER_SECONDS;
  Z3_lbool result = Z3_L_UNDEF;
  for (size_t i = 0; i < sizeof chances / sizeof *chances && result == Z3_L_UNDEF && left > 0.01; i++) {
    f->query_seconds = left < chances[i] ? left : chances[i];
    left -= f->query_seconds;
    result = i == 1 ? ask_copy(p, f, s) : query_ask(p, f, s, NULL, 0);
    if (i == 0 && result == Z3_L_UNDEF && bits_exclude_soon(a, list, count)) {
      result = Z3_L_FALSE;
    }
  }
  f->query_seconds = whole;
  return result;
}

/* Whether integers show that none of them happens. */
static bool integers_exclude(asking *a, const danger *list, size_t count) {
  enum { MOST = 60000 };
  const proof *p = a->proof;
  const Z3_context c = p->smt.z3;
  smt terms = p->smt;
  bool assumed_exact = false;
  integers *x = integers_open(&terms, MOST, p->exact, p->exact_count, &assumed_exact);
  Z3_solver s = Z3_mk_solver(c);
  Z3_solver_inc_ref(c, s);
  bool whole = true;
  formula *any = mem_calloc(count + 1, sizeof *any);
  for (size_t i = 0; i < count; i++) {
    const pair *both = list[i].pair; /* what is written would bring in much */
    any[i] = both == NULL ? list[i].all : smt_and(&p->smt, both->reached, both->bare);
  }
  for (size_t i = 0; i < a->assumed_count; i++) {
    integers_know(x, p->candidates[i]->holds, a->assumed[i] == p->candidates[i]->holds);
  }
  bool *keep = relevant_facts(p, any, count);
  for (size_t i = 0; i < p->fact_count && whole; i++) {
    if (!keep[i]) {
      continue;
    }
    const formula made = integers_of(x, p->facts[i], s);
    whole = made != NULL;
    if (whole) {
      Z3_solver_assert(c, s, made);
    }
  }
  free(keep);
  const formula two = list[0].object == OF_BOUNDS ? p->smt.yes : integers_of(x, p->differ, s);
  whole = whole && two != NULL;
  if (whole) {
    Z3_solver_assert(c, s, two);
  }
  for (size_t i = 0; i < count && whole; i++) {
    any[i] = integers_of(x, any[i], s);
    whole = any[i] != NULL;
  }
  bool excluded = false;
  if (whole) {
    Z3_solver_assert(c, s, smt_any(&p->smt, any, count));
    excluded = ask_integers(a, s, list, count) == Z3_L_FALSE;
    a->effort->no_overflow = a->effort->no_overflow || (excluded && assumed_exact);
  }
  free(any);
  integers_close(x);
  Z3_solver_dec_ref(c, s);
  return excluded;
}

/* Without products integers are seldom of use, but sums that may wrap are easier with them: where numbers of fixed width do not show it
 * at once they get a moment. */
static bool either_excludes(asking *a, const danger *list, size_t count) {
  if (bits_exclude_soon(a, list, count)) {
    return true;
  }
  const double whole = a->effort->query_seconds;
  a->effort->query_seconds = whole < MOMENT ? whole : MOMENT;
  const bool excluded = integers_exclude(a, list, count);
  a->effort->query_seconds = whole;
  return excluded;
}

bool soon_excluded(asking *a, const danger *list, size_t count) {
  return a->proof->product_count > 0 ? integers_exclude(a, list, count) : either_excludes(a, list, count);
}
