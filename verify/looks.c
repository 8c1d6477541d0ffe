/* One look at a launch: at the first iterations of its loops, at any number of them, at the ends of its buffers. */
#include "verify/looks.h"

#include <stdlib.h>

#include "base/memory.h"
#include "verify/counterexample.h"
#include "verify/explain.h"
#include "verify/sizes.h"
#include "verify/waits.h"

/* --- what was found --------------------------------------------------------------------------------------------------- */

void conclude(trial *t, verdict v, const char *reason, json_t *finding) {
  json_decref(t->finding);
  t->verdict = v;
  t->reason = reason;
  t->finding = finding;
}

static verdict verdict_of_hit(const hit *h) {
  if (h->pair != NULL) {
    return h->abstract ? POSSIBLE_RACE : RACE;
  }
  if (h->mishap->kind == MISHAP_BOUNDS) {
    return OUT_OF_BOUNDS;
  }
  if (h->mishap->kind == MISHAP_ASSERTION) {
    return UNKNOWN;
  }
  return h->abstract ? POSSIBLE_DIVERGENCE : DIVERGENCE;
}

static void conclude_annotation(trial *t, const proof *p, uint32_t number) {
  const char *where = counterexample_where(p, number);
  conclude(t, UNKNOWN, arena_printf(t->memory, "the annotation at %s could not be shown", where), NULL);
}

/* Nothing goes wrong that is understood. false: there is more. */
static bool all_understood(trial *t, const proof *p) {
  if (p->not_understood == NONE) {
    return true;
  }
  const char *where = counterexample_where(p, p->not_understood);
  conclude(t, UNKNOWN, arena_printf(t->memory, "the annotation at %s is not understood", where), NULL);
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
      t->left = arena_text(t->memory, counterexample_access(p, h->mishap->access));
    }
  }
  conclude(t, verdict_of_hit(h), "", counterexample_finding(p, h));
}

static void conclude_refused(trial *t, const proof *p) {
  const char *where = counterexample_where(p, p->refused_at);
  t->wrong_assumption = p->wrong_assumption;
  conclude(t, UNSUPPORTED, arena_printf(t->memory, "%s (%s)", p->refused, where), NULL);
}

/* Nothing else goes wrong: do accesses stay inside? Once that is shown, of any work-item, it is. */
static void look_at_bounds(trial *t, proof *p) {
  enum { SECONDS = 2 };
  hit h = {0};
  if (!t->request->bounds || t->inside == INSIDE_SHOWN) {
    return;
  }
  const double patience = t->effort.query_seconds;
  t->effort.query_seconds = patience < SECONDS ? patience : SECONDS;
  const answer any = query_bounds(p, &t->effort, &h);
  t->effort.query_seconds = patience;
  t->inside = any == ANSWER_NO ? INSIDE_SHOWN : INSIDE_OPEN;
  if (any == ANSWER_YES) {
    t->outside = arena_text(t->memory, counterexample_access(p, h.mishap->access));
  }
}

/* Signed arithmetic that the proof takes not to overflow; and where sizes are given, what overflows in such a launch. */
static void look_at_overflow(trial *t, const proof *p) {
  if (t->effort.no_overflow) {
    overflows_find(p, &t->effort, true, false, &t->overflows);
  }
  if (t->effort.no_division || p->divides) {
    overflows_find(p, &t->effort, true, true, &t->overflows);
  }
  if (!sizes_any_free(t->launch) &&
      p->same_group) { /* stays true of that launch when the proof is made for more of them */
    overflows_find(p, &t->effort, false, false, &t->decided);
  }
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
                 arena_printf(t->memory, "loops end: the one at %s waits for other work-items%s",
                              counterexample_where(p, last), local ? " of its group" : ""));
    }
  }
}

/* Makes a proof of the launch ready, of all that was not told yet. */
static void open_proof(const trial *t, proof *p, const launch *l, bool same_group, unsigned turns, bool products,
                       arena *memory) {
  proof_open(p, t->kernel, t->request, l, same_group, turns, products, memory);
  p->without = t->without;
  p->told = t->told;
  p->told_count = t->told_count;
}

/* What the solver gave no answer to. */
static void note_open(trial *t, const proof *p, const hit *h) {
  if (h->open_pair != NULL) {
    const char *first = counterexample_access(p, h->open_pair->first);
    t->open = arena_printf(t->memory, "%s and %s meet", first, counterexample_access(p, h->open_pair->second));
  } else if (h->open_mishap != NULL && h->open_mishap->kind == MISHAP_DIVERGENCE) {
    const char *where = counterexample_where(p, h->open_mishap->instruction);
    t->open = arena_printf(t->memory, "work-items part at the barrier at %s", where);
  }
}

const char *no_answer(const trial *t) {
  return t->open == NULL
             ? "the solver gave no answer within the limits"
             : arena_printf(
                   t->memory,
                   "the solver gave no answer within the limits: can %s? --timeout gives it more time, --local, "
                   "--groups and --assume an easier question",
                   t->open);
}

looked look_bounded(trial *t, bool same_group, unsigned turns, unsigned most) {
  arena memory = {0};
  proof p;
  hit h = {0};
  looked result = OPEN;
  t->effort.no_overflow = t->effort.no_division = false;
  open_proof(t, &p, t->launch, same_group, turns, false, &memory);
  p.most_turns = most;
  if (!proof_run(&p)) {
    result = p.budget == 0 ? TOO_LARGE : REFUSED;
    if (result == REFUSED) {
      conclude_refused(t, &p);
    }
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
  arena_free(&memory);
  return result;
}

/* Whether anything can go wrong; where it can, with what holds in loops in which signed arithmetic does not overflow. */
static answer ask_any(trial *t, proof *p, hit *h) {
  const answer first = query_any(p, &t->effort, h);
  if (first == ANSWER_NO || !query_candidates_exact(p, &t->effort, p->alive)) {
    return first;
  }
  const answer second = query_any(p, &t->effort, h);
  t->effort.no_overflow = t->effort.no_overflow || second == ANSWER_NO;
  return second;
}

looked look_until(trial *t, bool same_group, bool *products, double until) {
  arena memory = {0};
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
    if (any == ANSWER_UNKNOWN) {
      note_open(t, &p, &h);
    }
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
  arena_free(&memory);
  return result;
}

void look_deeper_at_bounds(trial *t, bool same_group) {
  enum { SECONDS = 5 };
  arena memory = {0};
  proof p;
  hit h = {0};
  const double deadline = t->effort.deadline, soon = effort_now() + SECONDS;
  t->effort.deadline = soon < deadline ? soon : deadline;
  open_proof(t, &p, t->launch, same_group, MANY_TURNS, false, &memory);
  p.most_turns = CERTAIN_TURNS * 8;
  p.alone = true; /* races are not noted */
  if (proof_run(&p)) {
    if (query_definite(&p, &t->effort, &h) == ANSWER_YES && h.mishap->kind == MISHAP_BOUNDS) {
      conclude_hit(t, &p, &h);
    } else if (p.complete && !p.held) {
      look_at_bounds(t, &p);
    }
  }
  t->effort.deadline = deadline;
  proof_close(&p);
  arena_free(&memory);
}

/* Numbers that are known make that easy to find. */
bool look_at_small(trial *t, bool same_group, bool smallest, double seconds) {
  const launch small = sizes_small(t->launch, same_group, smallest);
  const double patience = t->effort.query_seconds;
  arena memory = {0};
  proof p;
  hit h = {0};
  t->effort.query_seconds = patience < seconds ? patience : seconds;
  open_proof(t, &p, &small, same_group, FEW_TURNS, false, &memory);
  p.most_turns = CERTAIN_TURNS;
  const bool found = proof_run(&p) && query_definite(&p, &t->effort, &h) == ANSWER_YES;
  if (found) {
    conclude_hit(t, &p, &h);
  }
  t->effort.query_seconds = patience;
  proof_close(&p);
  arena_free(&memory);
  return found && t->verdict >= OUT_OF_BOUNDS;
}

void look_at_ends(trial *t, bool same_group) {
  arena memory = {0};
  proof p;
  open_proof(t, &p, t->launch, same_group, 0, false, &memory);
  p.alone = true; /* races are not noted */
  if (proof_run(&p)) {
    p.alive = mem_calloc(p.candidate_count + 1, sizeof *p.alive);
    (void)query_candidates(&p, &t->effort, p.alive);
    look_at_bounds(t, &p);
  }
  proof_close(&p);
  arena_free(&memory);
}
