/* Queries to Z3. Bit-vectors and functions without quantifiers. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "verify/candidates.h"
#include "verify/exclude.h"
#include "verify/overflow.h"
#include "verify/told.h"

/* --- one query ---------------------------------------------------------------------------------------------------- */

void query_assert(const proof *p, Z3_solver s, formula f) { Z3_solver_assert(p->smt.z3, s, shifts_of(p->shifted, f)); }

Z3_solver query_solver(const proof *p, bool two) { return query_solver_of(p, two, NULL); }

Z3_solver query_solver_of(const proof *p, bool two, const bool *keep) {
  const Z3_context c = p->smt.z3;
  Z3_solver s = Z3_mk_solver_for_logic(c, Z3_mk_string_symbol(c, "QF_UFBV"));
  Z3_solver_inc_ref(c, s);
  Z3_solver_push(
      c,
      s); /* it takes the solver for questions one after another from here on, which is the faster one for one, too */
  for (size_t i = 0; i < p->fact_count; i++) {
    if (two && i == p->differ_at) {
      query_assert(p, s, p->differ);
    }
    if (keep == NULL || keep[i]) {
      query_assert(p, s, p->facts[i]);
    }
  }
  if (two && p->differ_at >= p->fact_count) {
    query_assert(p, s, p->differ);
  }
  return s;
}

Z3_lbool query_ask(const proof *p, effort *f, Z3_solver s, const formula *assumptions, size_t count) {
  return ask_in(p->smt.z3, f, s, assumptions, count);
}

static answer answer_of(Z3_lbool l) {
  return l == Z3_L_TRUE ? ANSWER_YES : l == Z3_L_FALSE ? ANSWER_NO : ANSWER_UNKNOWN;
}

bool query_says(const proof *p, Z3_model m, formula f) {
  formula result = NULL;
  return Z3_model_eval(p->smt.z3, m, f, true, &result) && result == p->smt.yes;
}

/* --- what may go wrong -------------------------------------------------------------------------------------------- */

typedef struct dangers {
  danger *items;
  size_t count, capacity;
} dangers;

static bool pair_is_abstract(const proof *p, const pair *x) {
  return smt_is_abstract(&p->smt, x->first->enabled) || smt_is_abstract(&p->smt, x->second->enabled) ||
         smt_is_abstract(&p->smt, x->live) || smt_is_abstract(&p->smt, x->place) || x->certain == p->smt.no;
}

static bool mishap_is_abstract(const proof *p, const mishap *m) { return smt_is_abstract(&p->smt, m->condition); }

static bool danger_is_abstract(const proof *p, const danger *d) {
  return d->pair != NULL ? pair_is_abstract(p, d->pair) : mishap_is_abstract(p, d->mishap);
}

/* Which of them: those that depend on nothing abstract (LIKELY: whatever their addresses are), all but accesses out of bounds, or
 * these alone. */
typedef enum selection { LIKELY, CERTAIN, ALL_BUT_BOUNDS, BOUNDS } selection;

static bool mishap_selected(const proof *p, const mishap *m, selection which) {
  switch (which) {
    case LIKELY:
    case CERTAIN:
      return m->kind != MISHAP_ASSERTION && !mishap_is_abstract(p, m);
    case BOUNDS:
      return m->kind == MISHAP_BOUNDS;
    default:
      return m->kind == MISHAP_DIVERGENCE || m->kind == MISHAP_ASSERTION;
  }
}

static uint32_t object_of_mishap(const mishap *m) {
  return m->kind == MISHAP_DIVERGENCE ? OF_DIVERGENCE : m->kind == MISHAP_BOUNDS ? OF_BOUNDS : OF_ASSERTION;
}

static dangers dangers_of(const proof *p, selection which) {
  const bool definite = which == CERTAIN || which == LIKELY;
  dangers d = {0};
  for (size_t i = 0; i < p->pair_count && which != BOUNDS; i++) {
    const pair *x = &p->pairs[i];
    if (x->race != p->smt.no && !(definite && pair_is_abstract(p, x)) && !told_has(p, told_pair(p, x))) {
      const formula race = which == LIKELY ? x->likely : definite ? x->certain : x->race;
      *ARRAY_ADD(d.items, d.count, d.capacity) =
          (danger){x, NULL, smt_and(&p->smt, x->reached, race), x->first->object};
    }
  }
  for (size_t i = 0; i < p->mishap_count; i++) {
    const mishap *m = &p->mishaps[i];
    if (m->condition != p->smt.no && mishap_selected(p, m, which) && !told_has(p, told_mishap(p, m))) {
      *ARRAY_ADD(d.items, d.count, d.capacity) =
          (danger){NULL, m, smt_and(&p->smt, m->reached, m->condition), object_of_mishap(m)};
    }
  }
  return d;
}

/* What is no race stays in the order in which it comes. */
static int by_object(const void *a, const void *b) {
  const danger *x = a, *y = b;
  return x->object != y->object ? (x->object < y->object ? -1 : 1) : (x->mishap > y->mishap) - (x->mishap < y->mishap);
}

/* Which of them the model shows: one that depends on nothing abstract if there is one. */
static void choose(const proof *p, Z3_model m, const danger *list, size_t count, hit *out) {
  for (size_t i = 0; i < count; i++) {
    if (!query_says(p, m, list[i].all)) {
      continue;
    }
    const bool abstract =
        danger_is_abstract(p, &list[i]) || (list[i].pair != NULL && !query_says(p, m, list[i].pair->certain));
    if ((out->pair == NULL && out->mishap == NULL) || (out->abstract && !abstract)) {
      out->pair = list[i].pair;
      out->mishap = list[i].mishap;
      out->abstract = abstract;
    }
  }
}

/* Nothing overflows; `divides`: nothing is divided by 0. */
static void assert_defined(const proof *p, Z3_solver s, bool divides) {
  for (size_t i = 0; i < p->no_overflow_count; i++) {
    if (p->overflow_notes[i].divides == divides) {
      query_assert(p, s, p->no_overflow[i]);
    }
  }
}

static answer ask_together(const proof *p, effort *f, Z3_solver s, const danger *list, size_t count, hit *out) {
  formula *any = mem_calloc(count, sizeof *any);
  for (size_t i = 0; i < count; i++) {
    any[i] = list[i].all;
  }
  const Z3_context c = p->smt.z3;
  Z3_solver_push(c, s);
  query_assert(p, s, smt_any(&p->smt, any, count));
  answer result = answer_of(query_ask(p, f, s, NULL, 0));
  bool excluded[2] = {false, false}; /* what is no execution that C knows: overflow, division by 0 */
  for (unsigned n = 0; n < 2 && result == ANSWER_YES; n++) {
    const Z3_model m = Z3_solver_get_model(c, s);
    const bool overflow = !excluded[0] && overflows_in(p, m, false);
    if (!overflow && (excluded[1] || !overflows_in(p, m, true))) {
      break;
    }
    excluded[overflow ? 0 : 1] = true;
    assert_defined(p, s, !overflow);
    result = answer_of(query_ask(p, f, s, NULL, 0));
  }
  f->no_overflow = f->no_overflow || (result == ANSWER_NO && excluded[0]);
  f->no_division = f->no_division || (result == ANSWER_NO && excluded[1]);
  if (result == ANSWER_YES) {
    out->model = Z3_solver_get_model(c, s);
    Z3_model_inc_ref(c, out->model);
    choose(p, out->model, list, count, out);
  }
  Z3_solver_pop(c, s, 1);
  free(any);
  return result;
}

/* All dangers of an object at once; where that takes too long, one by one. */
static answer ask_object(asking *a, const danger *list, size_t count, hit *out) {
  const proof *p = a->proof;
  effort *f = a->effort;
  if (effort_now() >= f->deadline) { /* to put the question takes long, too */
    out->open_pair = list[0].pair;
    out->open_mishap = list[0].mishap;
    return ANSWER_UNKNOWN;
  }
  if (p->abstract_products && p->turns == 0 && soon_excluded(a, list, count)) {
    return ANSWER_NO;
  }
  const Z3_solver s = solver_for(a, list[0].object != OF_BOUNDS);
  answer result = places_exclude(p, f, s, list, count, false) ? ANSWER_NO : ask_together(p, f, s, list, count, out);
  size_t open = 0;
  for (size_t i = 0; i < count && result == ANSWER_UNKNOWN && count > 1; i++) {
    const answer one = ask_together(p, f, s, &list[i], 1, out);
    if (one != ANSWER_NO) {
      result = one;
      open = i;
      break;
    }
    result = i + 1 == count ? ANSWER_NO : ANSWER_UNKNOWN;
  }
  out->open_pair = result == ANSWER_UNKNOWN ? list[open].pair : out->open_pair;
  out->open_mishap = result == ANSWER_UNKNOWN ? list[open].mishap : out->open_mishap;
  return result;
}

/* Of several barriers at which work-items may part the first is named. */
static void find_first(const proof *p, effort *f, const danger *list, size_t count, hit *h) {
  enum { SECONDS = 1 };
  const double patience = f->query_seconds;
  f->query_seconds = patience < SECONDS ? patience : SECONDS;
  Z3_solver s = query_solver(p, true);
  for (size_t before = count; before > 0;) {
    hit earlier = {0};
    size_t n = 0;
    while (n < before && list[n].mishap != h->mishap) {
      n++;
    }
    if (n == 0 || n == before || ask_together(p, f, s, list, n, &earlier) != ANSWER_YES) {
      break;
    }
    Z3_model_dec_ref(p->smt.z3, h->model);
    *h = earlier;
    before = n;
  }
  Z3_solver_dec_ref(p->smt.z3, s);
  f->query_seconds = patience;
}

static answer ask_all(const proof *p, effort *f, const formula *assumed, size_t assumed_count, dangers *d, hit *out) {
  answer result = ANSWER_NO;
  asking a = {.proof = p, .effort = f, .assumed = assumed, .assumed_count = assumed_count};
  *out = (hit){0};
  if (d->count > 1) {
    qsort(d->items, d->count, sizeof *d->items, by_object);
  }
  for (size_t i = 0; i < d->count;) {
    size_t end = i;
    while (end < d->count && d->items[end].object == d->items[i].object) {
      end++;
    }
    const answer one = ask_object(&a, &d->items[i], end - i, out);
    result = one == ANSWER_NO ? result : one;
    if (one == ANSWER_YES) {
      break;
    }
    i = end;
  }
  asking_end(&a);
  return result;
}

/* Addresses are asked about only where something was found without: they make a question hard, and mostly the answer is no. */
answer query_definite(proof *p, effort *f, hit *out) {
  dangers d = dangers_of(p, LIKELY);
  hit likely = {0};
  answer result = ask_all(p, f, NULL, 0, &d, &likely);
  if (likely.model != NULL) {
    Z3_model_dec_ref(p->smt.z3, likely.model);
  }
  if (result == ANSWER_YES) {
    free(d.items);
    d = dangers_of(p, CERTAIN);
    result = ask_all(p, f, NULL, 0, &d, out);
  }
  size_t first = 0;
  while (first < d.count && d.items[first].object != OF_DIVERGENCE) {
    first++;
  }
  if (result == ANSWER_YES && out->mishap != NULL && out->mishap->kind == MISHAP_DIVERGENCE) {
    find_first(p, f, &d.items[first], d.count - first, out);
  }
  free(d.items);
  return result;
}

/* With the candidates that hold. */
static answer ask_selected(proof *p, effort *f, selection which, hit *out) {
  formula *assumed = mem_calloc(p->candidate_count + 1, sizeof *assumed);
  for (size_t i = 0; i < p->candidate_count; i++) {
    assumed[i] = p->alive != NULL && p->alive[i] ? p->candidates[i]->holds : smt_not(&p->smt, p->candidates[i]->holds);
  }
  dangers d = dangers_of(p, which);
  const answer result = ask_all(p, f, assumed, p->candidate_count, &d, out);
  free(d.items);
  free(assumed);
  return result;
}

answer query_any(proof *p, effort *f, hit *out) { return ask_selected(p, f, ALL_BUT_BOUNDS, out); }

answer query_bounds(proof *p, effort *f, hit *out) { return ask_selected(p, f, BOUNDS, out); }

/* --- what is used ------------------------------------------------------------------------------------------------- */

void query_used(proof *p, effort *f, bool *used) {
  const Z3_context c = p->smt.z3;
  formula *assumptions = mem_calloc(p->candidate_count + 1, sizeof *assumptions);
  dangers d = dangers_of(p, ALL_BUT_BOUNDS);
  formula *any = mem_calloc(d.count + 1, sizeof *any);
  Z3_solver s = query_solver(p, true);
  size_t count = 0;
  for (size_t i = 0; i < p->candidate_count; i++) {
    used[i] = p->alive[i];
    if (used[i]) {
      assumptions[count++] = p->candidates[i]->holds;
    } else {
      query_assert(p, s, smt_not(&p->smt, p->candidates[i]->holds));
    }
  }
  for (size_t i = 0; i < d.count; i++) {
    any[i] = d.items[i].all;
  }
  query_assert(p, s, smt_any(&p->smt, any, d.count));
  if (query_ask(p, f, s, assumptions, count) == Z3_L_FALSE) {
    const Z3_ast_vector core = Z3_solver_get_unsat_core(c, s);
    Z3_ast_vector_inc_ref(c, core);
    for (size_t i = 0; i < p->candidate_count; i++) {
      used[i] = false;
      for (unsigned n = 0; n < Z3_ast_vector_size(c, core); n++) {
        used[i] = used[i] || Z3_ast_vector_get(c, core, n) == p->candidates[i]->holds;
      }
    }
    Z3_ast_vector_dec_ref(c, core);
  }
  Z3_solver_dec_ref(c, s);
  free(any);
  free(d.items);
  free(assumptions);
}
