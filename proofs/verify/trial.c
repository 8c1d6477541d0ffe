/* The order in which a launch is looked at: shortly at a proof, at the first iterations of its loops for something that really goes
 * wrong, longer at a proof, then deeper for what that could not exclude.
 * Soundness: docs/verify.md, Why it is right, First looks. */
#include "proofs/verify/trial.h"

#include <stdlib.h>
#include <string.h>

/* --- overflow ----------------------------------------------------------------------------------------------------- */

/* Signed overflow, which C leaves undefined, and division by 0: what a proof takes not to overflow is said, where it can.
 * Soundness: docs/verify.md, Why it is right, Overflow. */

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

static const char *kind_of(bool divides) { return divides ? "division" : "overflow"; }
static const char *said_of(bool divides) { return divides ? "no division by 0" : "no signed overflow"; }

/* Adds the places of those that overflow in the model. */
static void name(const proof *p, Z3_model m, const formula *broken, overflow_places *out) {
  Z3_model_inc_ref(p->smt.z3, m);
  for (size_t i = 0; i < p->no_overflow_count; i++) {
    if (broken[i] != NULL && query_says(p, m, broken[i])) {
      const char *where = counterexample_where(p, p->overflow_notes[i].instruction);
      const bool divides = p->overflow_notes[i].divides;
      places_add(out, kind_of(divides), mem_arena_printf(p->memory, "%s at %s", said_of(divides), where));
    }
  }
  Z3_model_dec_ref(p->smt.z3, m);
}

void places_add(overflow_places *to, const char *kind, const char *text) {
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
    found = p->overflow_notes[i].divides == divides && !query_says(p, m, p->no_overflow[i]);
  Z3_model_dec_ref(p->smt.z3, m);
  return found;
}

/* Whether it is said already of all places. */
static bool is_said(const overflow_places *out, const char *text) {
  bool said = false;
  for (size_t i = 0; i < out->count && !said; i++) said = strcmp(out->items[i].text, text) == 0;
  return said;
}

/* Finds arithmetic that may overflow, or divide by 0: of all, if a proof rests on it (`relied`); else of what the launch alone
 * decides. */
static void overflows_find(const proof *p, effort *f, bool relied, bool divides, overflow_places *out) {
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

/* --- sizes that are free ------------------------------------------------------------------------------------------ */

/* Which sizes of a launch are free, and launches that have others. */

/* Whether a size is free. */
static bool sizes_any_free(const launch *l) {
  for (unsigned d = 0; d < DIMENSIONS; d++)
    if (l->local[d] == SIZE_FREE || l->groups[d] == SIZE_FREE) return true;
  return false;
}

/* Where one is: as few work-items as can go wrong together, or few in each of two groups. */
static launch sizes_small(const launch *l, bool same_group, bool smallest) {
  launch small = *l;
  unsigned count = 0;
  for (unsigned d = 0; d < DIMENSIONS; d++) count += l->local[d] == SIZE_FREE;
  for (unsigned d = 0; d < DIMENSIONS; d++) {
    const uint64_t few = count == 1 ? 8 : d == 0 ? 4 : 2, least = same_group ? 2 : 1;
    small.local[d] = l->local[d] != SIZE_FREE ? l->local[d] : smallest ? least : few;
    small.groups[d] = l->groups[d] != SIZE_FREE ? l->groups[d] : smallest && same_group ? 1 : 2;
  }
  return small;
}

/* --- one look ----------------------------------------------------------------------------------------------------- */

/* One look at a launch: at the first iterations of its loops, at any number of them, at the ends of its buffers. */

/* Loops are executed so often to find what really happens; those whose end is a constant more often. */
enum { FEW_TURNS = 1, MANY_TURNS = 5, CERTAIN_TURNS = 17 };

/* What one look gave. */
typedef enum looked { SAFE, FOUND, OPEN, REFUSED, TOO_LARGE } looked;

/* --- what was found --------------------------------------------------------------------------------------------------- */

/* Sets what the trial has found; takes the finding. */
static void conclude(trial *t, verdict v, const char *reason, json_t *finding) {
  json_decref(t->finding);
  t->verdict = v;
  t->reason = reason;
  t->finding = finding;
}

static verdict verdict_of_hit(const hit *h) {
  if (h->pair != NULL) return h->abstract ? POSSIBLE_RACE : RACE;
  if (h->mishap->kind == MISHAP_BOUNDS) return OUT_OF_BOUNDS;
  if (h->mishap->kind == MISHAP_ASSERTION) return UNKNOWN;
  return h->abstract ? POSSIBLE_DIVERGENCE : DIVERGENCE;
}

static void conclude_annotation(trial *t, const proof *p, uint32_t number) {
  const char *where = counterexample_where(p, number);
  conclude(t, UNKNOWN, mem_arena_printf(t->memory, "the annotation at %s could not be shown", where), NULL);
}

/* Nothing goes wrong that is understood. false: there is more. */
static bool all_understood(trial *t, const proof *p) {
  if (p->not_understood == NONE) return true;
  const char *where = counterexample_where(p, p->not_understood);
  conclude(t, UNKNOWN, mem_arena_printf(t->memory, "the annotation at %s is not understood", where), NULL);
  return false;
}

static void conclude_hit(trial *t, proof *p, hit *h) {
  if (h->mishap != NULL && h->mishap->kind == MISHAP_ASSERTION) {
    conclude_annotation(t, p, h->mishap->instruction);
    return;
  }
  if (!h->abstract) {
    query_smaller(p, &t->effort, h);
    t->last = h->pair != NULL ? told_pair(p, h->pair) : told_mishap(p, h->mishap);
    if (h->mishap != NULL && h->mishap->kind == MISHAP_BOUNDS) {
      t->left_always = h->mishap->access->at.count == 0;
      t->left = mem_arena_copy(t->memory, counterexample_access(p, h->mishap->access));
    }
  }
  conclude(t, verdict_of_hit(h), "", counterexample_finding(p, h));
}

static void conclude_refused(trial *t, const proof *p) {
  const char *where = counterexample_where(p, p->refused_at);
  t->wrong_assumption = p->wrong_assumption;
  conclude(t, UNSUPPORTED, mem_arena_printf(t->memory, "%s (%s)", p->refused, where), NULL);
}

/* Nothing else goes wrong: do accesses stay inside? Once that is shown, of any work-item, it is. */
static void look_at_bounds(trial *t, proof *p) {
  enum { SECONDS = 2 };
  hit h = {0};
  if (!t->request->bounds || t->inside == INSIDE_SHOWN) return;
  const double patience = t->effort.query_seconds;
  t->effort.query_seconds = patience < SECONDS ? patience : SECONDS;
  const answer any = query_bounds(p, &t->effort, &h);
  t->effort.query_seconds = patience;
  t->inside = any == ANSWER_NO ? INSIDE_SHOWN : INSIDE_OPEN;
  if (any == ANSWER_YES) t->outside = mem_arena_copy(t->memory, counterexample_access(p, h.mishap->access));
}

/* Signed arithmetic that the proof takes not to overflow; and where sizes are given, what overflows in such a launch. */
static void look_at_overflow(trial *t, const proof *p) {
  if (t->effort.no_overflow) overflows_find(p, &t->effort, true, false, &t->overflows);
  if (t->effort.no_division || p->divides) overflows_find(p, &t->effort, true, true, &t->overflows);
  if (!sizes_any_free(t->launch) &&
      p->same_group) /* stays true of that launch when the proof is made for more of them */
    overflows_find(p, &t->effort, false, false, &t->decided);
  t->effort.no_overflow = t->effort.no_division = false;
}

/* Loops in which work-items wait for others: whether they end is not shown. */
static void look_at_waits(trial *t, proof *p) {
  for (uint32_t n = 0; n < t->kernel->loop_count; n++) {
    bool local = false;
    if (waits_for_others(p, n, &local)) {
      const block *header = &t->kernel->blocks[t->kernel->loops[n].header];
      const uint32_t last = t->kernel->argument_count + header->first + header->count - 1;
      places_add(&t->waits, "waits",
                 mem_arena_printf(t->memory, "loops end: the one at %s waits for other work-items%s",
                                  counterexample_where(p, last), local ? " of its group" : ""));
    }
  }
}

/* Makes a proof of the launch ready, of all that was not told yet. */
static void open_proof(const trial *t, proof *p, const launch *l, bool same_group, unsigned turns, bool products,
                       mem_arena *memory) {
  proof_open(p, t->kernel, t->request, l, same_group, turns, products, memory);
  p->without = t->without;
  p->told = t->told;
  p->told_count = t->told_count;
}

/* What the solver gave no answer to. */
static void note_open(trial *t, const proof *p, const hit *h) {
  if (h->open_pair != NULL) {
    const char *first = counterexample_access(p, h->open_pair->first);
    t->open = mem_arena_printf(t->memory, "%s and %s meet", first, counterexample_access(p, h->open_pair->second));
  } else if (h->open_mishap != NULL && h->open_mishap->kind == MISHAP_DIVERGENCE) {
    const char *where = counterexample_where(p, h->open_mishap->instruction);
    t->open = mem_arena_printf(t->memory, "work-items part at the barrier at %s", where);
  }
}

/* Why nothing is known. */
static const char *no_answer(const trial *t) {
  return t->open == NULL
             ? "the solver gave no answer within the limits"
             : mem_arena_printf(
                   t->memory,
                   "the solver gave no answer within the limits: can %s? --timeout gives it more time, --local, "
                   "--groups and --assume an easier question",
                   t->open);
}

/* The first iterations. OPEN: nothing certain was found, and there is more than they show. */
static looked look_bounded(trial *t, bool same_group, unsigned turns, unsigned most) {
  mem_arena memory = {0};
  proof p;
  hit h = {0};
  looked result = OPEN;
  t->effort.no_overflow = t->effort.no_division = false;
  open_proof(t, &p, t->launch, same_group, turns, false, &memory);
  p.most_turns = most;
  if (!proof_run(&p)) {
    result = p.budget == 0 ? TOO_LARGE : REFUSED;
    if (result == REFUSED) conclude_refused(t, &p);
  } else if (query_definite(&p, &t->effort, &h) == ANSWER_YES) {
    conclude_hit(t, &p, &h);
    result = FOUND;
  } else if (p.complete && !p.held) {
    const answer any = query_any(&p, &t->effort, &h);
    if (any == ANSWER_NO && !all_understood(t, &p)) {
      result = FOUND;
    } else if (any == ANSWER_NO) {
      result = SAFE;
      look_at_bounds(t, &p);
      look_at_overflow(t, &p);
      look_at_waits(t, &p);
    } else if (any == ANSWER_YES) {
      conclude_hit(t, &p, &h);
      result = FOUND;
    }
  }
  proof_close(&p);
  mem_arena_free(&memory);
  return result;
}

/* Whether anything can go wrong; where it can, with what holds in loops in which signed arithmetic does not overflow. */
static answer ask_any(trial *t, proof *p, hit *h) {
  const answer first = query_any(p, &t->effort, h);
  if (first == ANSWER_NO || !query_candidates_exact(p, &t->effort, p->alive)) return first;
  const answer second = query_any(p, &t->effort, h);
  t->effort.no_overflow = t->effort.no_overflow || second == ANSWER_NO;
  return second;
}

/* Any number of iterations. FOUND: something is possible. `*products`: of products, only what proofs need is used; set to
 * false where there are none. `until`: when asking ends, effort_now(). */
static looked look_until(trial *t, bool same_group, bool *products, double until) {
  mem_arena memory = {0};
  proof p;
  hit h = {0};
  looked result = OPEN;
  t->effort.no_overflow = t->effort.no_division = false;
  open_proof(t, &p, t->launch, same_group, 0, *products, &memory);
  if (!proof_run(&p)) {
    conclude_refused(t, &p);
    result = REFUSED;
  } else {
    const double deadline = t->effort.deadline;
    t->effort.deadline = until < deadline ? until : deadline;
    p.alive = mem_calloc(p.candidate_count + 1, sizeof *p.alive);
    (void)query_candidates(&p, &t->effort, p.alive);
    const answer any = ask_any(t, &p, &h);
    t->effort.deadline = deadline;
    result = any == ANSWER_NO ? SAFE : any == ANSWER_YES ? FOUND : OPEN;
    if (any == ANSWER_UNKNOWN) note_open(t, &p, &h);
    if (any == ANSWER_YES) {
      h.abstract = true; /* the iteration is not known to be reached */
      conclude_hit(t, &p, &h);
    } else if (any == ANSWER_NO && t->invariants != NULL) {
      bool *used = mem_calloc(p.candidate_count + 1, sizeof *used);
      query_used(&p, &t->effort, used);
      explain_invariants(&p, used, t->invariants);
      free(used);
    }
    if (any == ANSWER_NO && annotation_dropped(&p) != NONE) {
      conclude_annotation(t, &p, annotation_dropped(&p));
      result = FOUND;
    } else if (any == ANSWER_NO && !all_understood(t, &p)) {
      result = FOUND;
    }
  }
  if (result == SAFE) {
    look_at_bounds(t, &p);
    look_at_overflow(t, &p);
    look_at_waits(t, &p);
  }
  t->no_overflow = t->no_overflow || (result == SAFE && p.long_products);
  *products = p.product_count > 0;
  proof_close(&p);
  mem_arena_free(&memory);
  return result;
}

/* Nothing else goes wrong, and an access could not be shown to stay inside: does one leave for certain? Or in no iteration, where
 * these are few? */
static void look_deeper_at_bounds(trial *t, bool same_group) {
  enum { SECONDS = 5 };
  mem_arena memory = {0};
  proof p;
  hit h = {0};
  const double deadline = t->effort.deadline, soon = effort_now() + SECONDS;
  t->effort.deadline = soon < deadline ? soon : deadline;
  open_proof(t, &p, t->launch, same_group, MANY_TURNS, false, &memory);
  p.most_turns = CERTAIN_TURNS * 8;
  p.alone = true; /* races are not noted */
  if (proof_run(&p)) {
    if (query_definite(&p, &t->effort, &h) == ANSWER_YES && h.mishap->kind == MISHAP_BOUNDS)
      conclude_hit(t, &p, &h);
    else if (p.complete && !p.held)
      look_at_bounds(t, &p);
  }
  t->effort.deadline = deadline;
  proof_close(&p);
  mem_arena_free(&memory);
}

/* Numbers that are known make that easy to find. */
static bool look_at_small(trial *t, bool same_group, bool smallest, double seconds) {
  const launch small = sizes_small(t->launch, same_group, smallest);
  const double patience = t->effort.query_seconds;
  mem_arena memory = {0};
  proof p;
  hit h = {0};
  t->effort.query_seconds = patience < seconds ? patience : seconds;
  open_proof(t, &p, &small, same_group, FEW_TURNS, false, &memory);
  p.most_turns = CERTAIN_TURNS;
  const bool found = proof_run(&p) && query_definite(&p, &t->effort, &h) == ANSWER_YES;
  if (found) conclude_hit(t, &p, &h);
  t->effort.query_seconds = patience;
  proof_close(&p);
  mem_arena_free(&memory);
  return found && t->verdict >= OUT_OF_BOUNDS;
}

/* Whether accesses of a work-item stay inside, in any number of iterations. */
static void look_at_ends(trial *t, bool same_group) {
  mem_arena memory = {0};
  proof p;
  open_proof(t, &p, t->launch, same_group, 0, false, &memory);
  p.alone = true; /* races are not noted */
  if (proof_run(&p)) {
    p.alive = mem_calloc(p.candidate_count + 1, sizeof *p.alive);
    (void)query_candidates(&p, &t->effort, p.alive);
    look_at_bounds(t, &p);
  }
  proof_close(&p);
  mem_arena_free(&memory);
}

/* --- trials ------------------------------------------------------------------------------------------------------- */

enum { SOON_SECONDS = 2 };
#define SMALL_SECONDS 0.4
#define SHORT_SECONDS 0.4
#define FIRST_SECONDS 1.5

/* --- a proof ---------------------------------------------------------------------------------------------------------- */

static looked look_with(trial *t, bool same_group, bool *products) {
  return look_until(t, same_group, products, t->effort.deadline);
}

/* With what is known of products; where they are in the way, exactly. */
static looked look_any(trial *t, bool same_group) {
  bool products = true;
  const looked first = look_with(t, same_group, &products);
  if (first == SAFE || first == REFUSED || !products || t->easy_products) return first;
  products = false;
  const looked second = look_with(t, same_group, &products);
  if (second == SAFE) { /* what the first said is not so */
    t->exact_products = true;
    conclude(t, VERIFIED, "", NULL);
  }
  return second;
}

static bool only_one(const uint64_t sizes[3]) { return sizes[0] == 1 && sizes[1] == 1 && sizes[2] == 1; }

/* What the first iterations say, with less patience than there is. */
static looked look_soon(trial *t, bool same_group) {
  const double patience = t->effort.query_seconds;
  t->effort.query_seconds = patience < SOON_SECONDS ? patience : SOON_SECONDS;
  const looked result = look_bounded(t, same_group, FEW_TURNS, CERTAIN_TURNS);
  t->effort.query_seconds = patience;
  return result;
}

/* Deeper, after a proof that did not succeed: keeps what that said where nothing certain is found. */
static looked look_deeper(trial *t, bool same_group, looked proof_said) {
  const verdict before = proof_said == FOUND ? t->verdict : UNKNOWN;
  const char *reason = proof_said == FOUND ? t->reason : no_answer(t);
  json_t *finding = proof_said == FOUND ? json_incref(t->finding) : NULL;
  const looked deeper = look_bounded(t, same_group, MANY_TURNS, CERTAIN_TURNS * 8);
  if (deeper == SAFE)
    conclude(t, VERIFIED, "", NULL);
  else if (deeper != FOUND || (proof_said == FOUND && t->verdict < OUT_OF_BOUNDS))
    conclude(t, before, reason, json_incref(finding));
  json_decref(finding);
  return deeper;
}

/* Work-items of one group, or of two. true: nothing goes wrong. */
static bool prove(trial *t, bool same_group) {
  const looked any = look_any(t, same_group);
  return any == SAFE || (any != REFUSED && look_deeper(t, same_group, any) == SAFE);
}

/* Two work-items of a group, or of two: where there are such. One alone is looked at as if it were of a group. */
static bool is_looked_at(const trial *t, bool same_group) {
  const launch *l = t->launch;
  return same_group ? !only_one(l->local) || only_one(l->groups) || t->kernel->copies : !only_one(l->groups);
}

/* A group of one work-item may use what a copy brings before it has waited: of sizes that are free that is one more. */
static looked look_at_single(trial *t) {
  launch one = *t->launch;
  const launch *const asked = t->launch;
  bool is_free = t->kernel->copies && !only_one(asked->local), products = true;
  for (unsigned d = 0; d < 3; d++) {
    is_free = is_free && (one.local[d] == 1 || one.local[d] == SIZE_FREE);
    one.local[d] = 1;
  }
  if (!is_free) return SAFE;
  t->launch = &one;
  looked said = look_with(t, true, &products);
  if (said == OPEN || said == FOUND) {
    const looked soon = look_soon(t, true);
    said = soon == SAFE || soon == FOUND ? soon : said;
  }
  t->launch = asked;
  if (said == OPEN) conclude(t, UNKNOWN, no_answer(t), NULL);
  return said;
}

/* --- sizes that are free ---------------------------------------------------------------------------------------------- */

static bool look_small(trial *t, bool same_group) {
  if (look_at_small(t, same_group, true, SMALL_SECONDS)) return true;
  json_decref(t->finding);
  t->finding = NULL;
  return sizes_any_free(t->launch) && look_at_small(t, same_group, false, SMALL_SECONDS);
}

/* A look at a proof, for so long. `again`: of the proof more is to be said. */
static looked look_for(trial *t, bool same_group, double seconds, bool *again) {
  const double until = effort_now() + seconds;
  bool products = true;
  const looked said = is_looked_at(t, same_group) ? look_until(t, same_group, &products, until) : SAFE;
  *again = said == REFUSED || (said != SAFE && effort_now() > until);
  return said;
}

/* A short look at a proof; where that does not succeed, at few iterations, and small sizes where they are free. Where sizes are given
 * a longer one comes then. true: something goes wrong for certain. `again`: of the proof more is to be said. */
static bool look_first(trial *t, looked said[2], bool again[2]) {
  const bool is_free = sizes_any_free(t->launch);
  for (unsigned i = 0; i < 2; i++) {
    said[i] = look_for(t, i == 0, SHORT_SECONDS, &again[i]);
    if (said[i] != SAFE && said[i] != REFUSED && look_small(t, i == 0)) return true;
  }
  for (unsigned i = 0; i < 2 && !is_free; i++)
    if (again[i] && said[i] != REFUSED) said[i] = look_for(t, i == 0, FIRST_SECONDS, &again[i]);
  return false;
}

static void run(trial *t) {
  const bool is_free = sizes_any_free(t->launch);
  looked said[2] = {OPEN, OPEN};
  bool again[2] = {false, false};
  conclude(t, VERIFIED, "", NULL);
  if (look_first(t, said, again)) return;
  for (unsigned i = 0; i < 2; i++) {
    const bool same_group = i == 0;
    bool products = true;
    said[i] = again[i] && is_free              ? look_with(t, same_group, &products)
              : said[i] == REFUSED && !is_free ? OPEN
                                               : said[i];
    said[i] = said[i] == SAFE || said[i] == REFUSED ? said[i] : look_soon(t, same_group);
    if (said[i] == REFUSED || (said[i] == FOUND && t->verdict >= OUT_OF_BOUNDS)) return;
  }
  conclude(t, VERIFIED, "", NULL);
  for (unsigned i = 0; i < 2; i++)
    if (said[i] != SAFE && !prove(t, i == 0)) return;
}

void trial_run(trial *t) {
  t->inside = INSIDE_NOT_ASKED;
  run(t);
  if (t->verdict == VERIFIED) (void)look_at_single(t);
  if (t->verdict == VERIFIED && t->inside == INSIDE_OPEN) look_deeper_at_bounds(t, is_looked_at(t, true));
  t->left_open = t->left_open || (t->verdict == VERIFIED && t->inside == INSIDE_OPEN);
}

bool trial_more(trial *t) {
  for (unsigned i = 0; i < 2; i++) {
    const bool same_group = i == 0;
    t->finding = NULL;
    if (!is_looked_at(t, same_group)) continue;
    if (sizes_any_free(t->launch) && look_small(t, same_group)) return true;
    json_decref(t->finding);
    t->finding = NULL;
    if (look_soon(t, same_group) == FOUND && t->verdict >= OUT_OF_BOUNDS) return true;
    json_decref(t->finding);
  }
  t->finding = NULL;
  return false;
}

void trial_ends(trial *t) {
  const bool same_group = is_looked_at(t, true);
  t->inside = INSIDE_NOT_ASKED;
  conclude(t, VERIFIED, "", NULL);
  look_at_ends(t, same_group);
  if (t->inside != INSIDE_SHOWN && t->request->bounds) look_deeper_at_bounds(t, same_group);
  t->left_open = t->left_open || (t->verdict == VERIFIED && t->inside != INSIDE_SHOWN && t->request->bounds);
}

void trial_prove(trial *t) {
  t->inside = INSIDE_NOT_ASKED;
  conclude(t, VERIFIED, "", NULL);
  for (unsigned i = 0; i < 2; i++) {
    const bool same_group = i == 0;
    const bool copies = same_group && t->kernel->copies;
    if (((!only_one(same_group ? t->launch->local : t->launch->groups) || copies) && look_any(t, same_group) != SAFE) ||
        (copies && look_at_single(t) != SAFE)) {
      t->verdict = t->verdict == VERIFIED ? UNKNOWN : t->verdict;
      return;
    }
  }
  if (t->want_inside && t->inside != INSIDE_SHOWN) t->verdict = UNKNOWN;
}
