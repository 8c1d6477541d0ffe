/* Queries to Z3. Bit-vectors and functions without quantifiers.
 * Soundness: docs/verify.md, Why it is right, Fewer facts. */
#include "proofs/verify/query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- facts that a question needs ---------------------------------------------------------------------------------- */

/* The facts without those that have nothing to do with what is asked: what was assumed on other ways than those that lead there, and
 * laws of products that do not occur in it. With many products most facts are laws of pairs of them.
 * Soundness: docs/verify.md, Why it is right, Fewer facts. */

static Z3_app app_of(const proof *p, formula f, Z3_decl_kind kind) {
  const Z3_context c = p->smt.z3;
  const Z3_app app = Z3_get_ast_kind(c, f) == Z3_APP_AST ? Z3_to_app(c, f) : NULL;
  return app != NULL && Z3_get_decl_kind(c, Z3_get_app_decl(c, app)) == kind ? app : NULL;
}

/* What stands for all that was assumed up to some place, if the fact says what that is (not it, or …); NULL: it does not. */
static formula link_of(const proof *p, formula fact) {
  const Z3_context c = p->smt.z3;
  const Z3_app either = app_of(p, fact, Z3_OP_OR);
  const Z3_app not_it = either == NULL ? NULL : app_of(p, Z3_get_app_arg(c, either, 0), Z3_OP_NOT);
  const formula first = not_it == NULL ? NULL : Z3_get_app_arg(c, not_it, 0);
  const Z3_app link = first == NULL ? NULL : app_of(p, first, Z3_OP_UNINTERPRETED);
  if (link == NULL) return NULL;
  const Z3_symbol name = Z3_get_decl_name(c, Z3_get_app_decl(c, link));
  const bool assumed =
      Z3_get_symbol_kind(c, name) == Z3_STRING_SYMBOL && strncmp(Z3_get_symbol_string(c, name), "_assumed!", 9) == 0;
  return assumed ? first : NULL;
}

bool *relevant_facts(const proof *p, const formula *asked, size_t count) {
  bool *keep = mem_calloc(p->fact_count + 1, sizeof *keep);
  smt_parts parts = {0};
  for (size_t i = 0; i < count; i++) smt_parts_add(&p->smt, &parts, asked[i]);
  for (size_t i = p->fact_count; i-- > 0;) { /* what is assumed later names what was assumed before */
    const bool law = i >= p->first_law && i < p->end_law;
    const formula link = law ? NULL : link_of(p, p->facts[i]);
    keep[i] = law || link == NULL || smt_parts_have(&p->smt, &parts, link);
    if (keep[i] && !law) smt_parts_add(&p->smt, &parts, p->facts[i]);
  }
  products_leave_out(p, &parts, keep);
  smt_parts_free(&parts);
  return keep;
}

/* --- more ways of asking ------------------------------------------------------------------------------------------ */

/* Whether nothing goes wrong: questions to which the answer is mostly no, put so that it is found soon. */

enum { OF_DIVERGENCE = NONE, OF_ASSERTION = NONE - 1, OF_BOUNDS = NONE - 2 }; /* in place of an object's number */

/* Something that may go wrong. */
typedef struct danger {
  const pair *pair;
  const mishap *mishap;
  formula all; /* it is reached and happens */
  uint32_t object;
} danger;

/* What is asked about, and a solver for each kind of question: it knows the facts and what is assumed. */
typedef struct asking {
  const proof *proof;
  effort *effort;
  const formula *assumed;
  size_t assumed_count;
  Z3_solver solver; /* NULL: not needed yet */
  bool two;         /* it knows that there are two work-items */
} asking;

enum { INTEGER_SECONDS = 3 };

/* --- numbers of fixed width --------------------------------------------------------------------------------------------- */

/* Asks a solver of any context, with what is left of time. */
static Z3_lbool ask_in(Z3_context c, effort *f, Z3_solver s, const formula *assumptions, size_t count) {
  const double left = f->deadline - effort_now();
  const double limit = left < f->query_seconds ? left : f->query_seconds;
  if (limit <= 0) return Z3_L_UNDEF;
  f->queries++;
  return effort_check(c, s, (unsigned)count, assumptions, limit);
}

static void asking_end(asking *a) {
  if (a->solver != NULL) {
    Z3_solver_dec_ref(a->proof->smt.z3, a->solver);
    a->solver = NULL;
  }
}

/* A solver that knows all that is known, and whether there are two work-items. */
static Z3_solver solver_for(asking *a, bool two) {
  if (a->solver != NULL && a->two != two) asking_end(a);
  if (a->solver == NULL) {
    a->solver = query_solver(a->proof, two);
    a->two = two;
    for (size_t i = 0; i < a->assumed_count; i++) query_assert(a->proof, a->solver, a->assumed[i]);
  }
  return a->solver;
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

/* What the solver tries first depends on when formulas were made, and with integers that is luck: where it has none soon it gets
 * another chance, and then all the time that is left. */
static Z3_lbool ask_integers(const proof *p, effort *f, Z3_solver s) {
  static const double chances[] = {0.2, 0.6, INTEGER_SECONDS};
  const double whole = f->query_seconds;
  double left = whole < INTEGER_SECONDS ? whole : INTEGER_SECONDS;
  Z3_lbool result = Z3_L_UNDEF;
  for (size_t i = 0; i < sizeof chances / sizeof *chances && result == Z3_L_UNDEF && left > 0.01; i++) {
    f->query_seconds = left < chances[i] ? left : chances[i];
    left -= f->query_seconds;
    result = i == 1 ? ask_copy(p, f, s) : query_ask(p, f, s, NULL, 0);
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
  for (size_t i = 0; i < a->assumed_count; i++)
    integers_know(x, p->candidates[i]->holds, a->assumed[i] == p->candidates[i]->holds);
  bool *keep = relevant_facts(p, any, count);
  for (size_t i = 0; i < p->fact_count && whole; i++) {
    if (!keep[i]) continue;
    const formula made = integers_of(x, p->facts[i], s);
    whole = made != NULL;
    if (whole) Z3_solver_assert(c, s, made);
  }
  free(keep);
  const formula two = list[0].object == OF_BOUNDS ? p->smt.yes : integers_of(x, p->differ, s);
  whole = whole && two != NULL;
  if (whole) Z3_solver_assert(c, s, two);
  for (size_t i = 0; i < count && whole; i++) {
    any[i] = integers_of(x, any[i], s);
    whole = any[i] != NULL;
  }
  bool excluded = false;
  if (whole) {
    Z3_solver_assert(c, s, smt_any(&p->smt, any, count));
    excluded = ask_integers(p, a->effort, s) == Z3_L_FALSE;
    a->effort->no_overflow = a->effort->no_overflow || (excluded && assumed_exact);
  }
  free(any);
  integers_close(x);
  Z3_solver_dec_ref(c, s);
  return excluded;
}

/* --- what was told already ---------------------------------------------------------------------------------------- */

static unsigned line_of(const proof *p, uint32_t number) {
  source_place place = {0};
  const instruction *i = kernel_instruction(p->kernel, number);
  return module_place(i->value, 0, &place) ? place.line : 0;
}

told_fault told_pair(const proof *p, const pair *x) {
  const unsigned a = line_of(p, x->first->instruction), b = line_of(p, x->second->instruction);
  return (told_fault){-1, {a < b ? a : b, a < b ? b : a}};
}

told_fault told_mishap(const proof *p, const mishap *m) {
  const unsigned line = line_of(p, m->instruction);
  return (told_fault){(int)m->kind, {line, line}};
}

/* Whether the proof is to leave it out. */
static bool told_has(const proof *p, told_fault one) {
  for (size_t i = 0; i < p->told_count; i++) {
    const told_fault *t = &p->told[i];
    if (t->kind == one.kind && t->lines[0] == one.lines[0] && t->lines[1] == one.lines[1]) return true;
  }
  return false;
}

/* --- smaller numbers ---------------------------------------------------------------------------------------------- */

/* The same counterexample with smaller numbers. */

/* Adds the wish if it can be had; then the model is one that has it. */
static void wish(const proof *p, effort *f, Z3_solver s, formula wanted, hit *h) {
  const Z3_context c = p->smt.z3;
  if (wanted == p->smt.yes || wanted == p->smt.no) return;
  Z3_solver_push(c, s);
  query_assert(p, s, wanted);
  if (query_ask(p, f, s, NULL, 0) == Z3_L_TRUE) {
    Z3_model m = Z3_solver_get_model(c, s);
    Z3_model_inc_ref(c, m);
    Z3_model_dec_ref(c, h->model);
    h->model = m;
    return; /* the wish stays */
  }
  Z3_solver_pop(c, s, 1);
}

/* As small as halving makes it. */
static void wish_small(const proof *p, effort *f, Z3_solver s, formula number, hit *h) {
  const unsigned bits = smt_bits(&p->smt, number);
  uint64_t now = 0;
  if (smt_is_number(&p->smt, number, &now)) return;
  static const uint64_t limits[] = {0, 1, 2, 3, 4, 8, 16, 32, 64, 256, 1024, 65536};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    formula current = NULL;
    if (Z3_model_eval(p->smt.z3, h->model, number, true, &current) && smt_is_number(&p->smt, current, &now) &&
        now <= limits[i]) {
      wish(p, f, s, smt_equal(&p->smt, number, smt_number(&p->smt, now, bits)), h);
      return;
    }
    if (bits < 64 && limits[i] >> bits != 0) return;
    const Z3_model before = h->model;
    wish(p, f, s, Z3_mk_bvule(p->smt.z3, number, smt_number(&p->smt, limits[i], bits)), h);
    if (h->model != before) return;
  }
}

/* Integers above 0: with a width or a stride of 0 nobody launches. */
static void wish_positive(const proof *p, effort *f, Z3_solver s, hit *h) {
  for (uint32_t a = 0; a < p->kernel->argument_count; a++) {
    const value *v = p->arguments[a];
    const LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(p->kernel->function, a));
    if (v != NULL && v->kind == VALUE_NUMBER && LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
        smt_bits(&p->smt, v->number) > 1)
      wish(p, f, s, Z3_mk_bvsgt(p->smt.z3, v->number, smt_number(&p->smt, 0, smt_bits(&p->smt, v->number))), h);
  }
}

void query_smaller(proof *p, effort *f, hit *h) {
  enum { CELLS_MOST = 8 };
  effort limited = *f;
  const double soon = effort_now() + 2;
  limited.deadline = soon < f->deadline ? soon : f->deadline;
  limited.query_seconds = 0.5;
  Z3_solver s = query_solver(p, h->mishap == NULL || h->mishap->kind != MISHAP_BOUNDS);
  query_assert(p, s,
               h->pair != NULL ? smt_and(&p->smt, h->pair->reached, h->abstract ? h->pair->race : h->pair->certain)
                               : smt_and(&p->smt, h->mishap->reached, h->mishap->condition));
  for (size_t i = 0; i < p->no_overflow_count; i++) query_assert(p, s, p->no_overflow[i]);
  wish_positive(p, &limited, s, h);
  for (unsigned d = 0; d < DIMENSIONS; d++) {
    wish_small(p, &limited, s, p->local_size[d], h);
    wish_small(p, &limited, s, p->groups[d], h);
  }
  for (unsigned t = 0; t < THREADS; t++) {
    for (unsigned d = 0; d < DIMENSIONS; d++) {
      wish_small(p, &limited, s, p->group_id[t][d], h);
      wish_small(p, &limited, s, p->local_id[t][d], h);
    }
  }
  for (uint32_t a = 0; a < p->kernel->argument_count; a++) {
    const value *v = p->arguments[a];
    if (v != NULL && v->kind == VALUE_NUMBER && smt_bits(&p->smt, v->number) > 1)
      wish_small(p, &limited, s, v->number, h);
  }
  for (size_t i = 0; i < p->cell_count && i < CELLS_MOST; i++)
    if (smt_bits(&p->smt, p->cells[i].content) > 1 && smt_bits(&p->smt, p->cells[i].content) <= 64)
      wish_small(p, &limited, s, p->cells[i].content, h);
  Z3_solver_dec_ref(p->smt.z3, s);
  f->queries = limited.queries;
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

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
    if (two && i == p->differ_at) query_assert(p, s, p->differ);
    if (keep == NULL || keep[i]) query_assert(p, s, p->facts[i]);
  }
  if (two && p->differ_at >= p->fact_count) query_assert(p, s, p->differ);
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

/* Which of them: those that depend on nothing abstract, all but accesses out of bounds, or these alone. */
typedef enum selection { CERTAIN, ALL_BUT_BOUNDS, BOUNDS } selection;

static bool mishap_selected(const proof *p, const mishap *m, selection which) {
  switch (which) {
    case CERTAIN: return m->kind != MISHAP_ASSERTION && !mishap_is_abstract(p, m);
    case BOUNDS: return m->kind == MISHAP_BOUNDS;
    default: return m->kind == MISHAP_DIVERGENCE || m->kind == MISHAP_ASSERTION;
  }
}

static dangers dangers_of(const proof *p, selection which) {
  const bool definite = which == CERTAIN;
  dangers d = {0};
  for (size_t i = 0; i < p->pair_count && which != BOUNDS; i++) {
    const pair *x = &p->pairs[i];
    if (x->race != p->smt.no && !(definite && pair_is_abstract(p, x)) && !told_has(p, told_pair(p, x))) {
      const formula race = definite ? x->certain : x->race;
      *ARRAY_ADD(d.items, d.count, d.capacity) =
          (danger){x, NULL, smt_and(&p->smt, x->reached, race), x->first->object};
    }
  }
  for (size_t i = 0; i < p->mishap_count; i++) {
    const mishap *m = &p->mishaps[i];
    if (m->condition != p->smt.no && mishap_selected(p, m, which) && !told_has(p, told_mishap(p, m))) {
      *ARRAY_ADD(d.items, d.count, d.capacity) = (danger){NULL, m, smt_and(&p->smt, m->reached, m->condition),
                                                          m->kind == MISHAP_DIVERGENCE ? OF_DIVERGENCE
                                                          : m->kind == MISHAP_BOUNDS   ? OF_BOUNDS
                                                                                       : OF_ASSERTION};
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
    if (!query_says(p, m, list[i].all)) continue;
    const bool abstract =
        (list[i].pair != NULL ? pair_is_abstract(p, list[i].pair) : mishap_is_abstract(p, list[i].mishap)) ||
        (list[i].pair != NULL && !query_says(p, m, list[i].pair->certain));
    if ((out->pair == NULL && out->mishap == NULL) || (out->abstract && !abstract)) {
      out->pair = list[i].pair;
      out->mishap = list[i].mishap;
      out->abstract = abstract;
    }
  }
}

/* Nothing overflows; `divides`: nothing is divided by 0. */
static void assert_defined(const proof *p, Z3_solver s, bool divides) {
  for (size_t i = 0; i < p->no_overflow_count; i++)
    if (p->overflow_notes[i].divides == divides) query_assert(p, s, p->no_overflow[i]);
}

static answer ask_together(const proof *p, effort *f, Z3_solver s, const danger *list, size_t count, hit *out) {
  formula *any = mem_calloc(count, sizeof *any);
  for (size_t i = 0; i < count; i++) any[i] = list[i].all;
  const Z3_context c = p->smt.z3;
  Z3_solver_push(c, s);
  query_assert(p, s, smt_any(&p->smt, any, count));
  answer result = answer_of(query_ask(p, f, s, NULL, 0));
  bool excluded[2] = {false, false}; /* what is no execution that C knows: overflow, division by 0 */
  for (unsigned n = 0; n < 2 && result == ANSWER_YES; n++) {
    const Z3_model m = Z3_solver_get_model(c, s);
    const bool overflow = !excluded[0] && overflows_in(p, m, false);
    if (!overflow && (excluded[1] || !overflows_in(p, m, true))) break;
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
  if (p->product_count > 0 && p->turns == 0 && integers_exclude(a, list, count)) return ANSWER_NO;
  const Z3_solver s = solver_for(a, list[0].object != OF_BOUNDS);
  answer result = ask_together(p, f, s, list, count, out);
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
    while (n < before && list[n].mishap != h->mishap) n++;
    if (n == 0 || n == before || ask_together(p, f, s, list, n, &earlier) != ANSWER_YES) break;
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
  if (d->count > 1) qsort(d->items, d->count, sizeof *d->items, by_object);
  for (size_t i = 0; i < d->count;) {
    size_t end = i;
    while (end < d->count && d->items[end].object == d->items[i].object) end++;
    const answer one = ask_object(&a, &d->items[i], end - i, out);
    result = one == ANSWER_NO ? result : one;
    if (one == ANSWER_YES) break;
    i = end;
  }
  asking_end(&a);
  return result;
}

answer query_definite(proof *p, effort *f, hit *out) {
  dangers d = dangers_of(p, CERTAIN);
  const answer result = ask_all(p, f, NULL, 0, &d, out);
  size_t first = 0;
  while (first < d.count && d.items[first].object != OF_DIVERGENCE) first++;
  if (result == ANSWER_YES && out->mishap != NULL && out->mishap->kind == MISHAP_DIVERGENCE)
    find_first(p, f, &d.items[first], d.count - first, out);
  free(d.items);
  return result;
}

/* With the candidates that hold. */
static answer ask_selected(proof *p, effort *f, selection which, hit *out) {
  formula *assumed = mem_calloc(p->candidate_count + 1, sizeof *assumed);
  for (size_t i = 0; i < p->candidate_count; i++)
    assumed[i] = p->alive != NULL && p->alive[i] ? p->candidates[i]->holds : smt_not(&p->smt, p->candidates[i]->holds);
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
    if (used[i])
      assumptions[count++] = p->candidates[i]->holds;
    else
      query_assert(p, s, smt_not(&p->smt, p->candidates[i]->holds));
  }
  for (size_t i = 0; i < d.count; i++) any[i] = d.items[i].all;
  query_assert(p, s, smt_any(&p->smt, any, d.count));
  if (query_ask(p, f, s, assumptions, count) == Z3_L_FALSE) {
    const Z3_ast_vector core = Z3_solver_get_unsat_core(c, s);
    Z3_ast_vector_inc_ref(c, core);
    for (size_t i = 0; i < p->candidate_count; i++) {
      used[i] = false;
      for (unsigned n = 0; n < Z3_ast_vector_size(c, core); n++)
        used[i] = used[i] || Z3_ast_vector_get(c, core, n) == p->candidates[i]->holds;
    }
    Z3_ast_vector_dec_ref(c, core);
  }
  Z3_solver_dec_ref(c, s);
  free(any);
  free(d.items);
  free(assumptions);
}
