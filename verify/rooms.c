/* Rooms that are reserved in a counter: `first = atomic_add(&used, n)` gives `first` to `first + n - 1`. Where all that is added to the
 * counter in the launch is less than it can count, it does not come round, and whoever adds gets places that nobody else gets: two
 * calls that gave x and y and added a and b came one after the other, so y is at least a after x, and, going round, x at least b after
 * y; both as unsigned numbers, whatever the counter held at first. (That a and b alone are small says nothing: what others add counts,
 * too.)
 *
 * How much is added in all is bounded by how often it is called, and by the largest amount. That no call adds more than that is a guess
 * (ROOM), which is shown like those about loops, but without what it says itself: a proof from it would go round in a circle.
 *
 * Where each group adds once how often a counter of its own was called, all that is added is how often these are called in all: that
 * is taken not to come round, as of any counter. */
#include "base/memory.h"
#include "verify/candidates.h"
#include "verify/counters.h"
#include "verify/leaders.h"

enum { IN_LOOP = 1 << 24 }; /* calls of a loop: see comes_round */

/* Groups that may call. */
static uint64_t most_groups(const proof *p, uint32_t number) {
  uint64_t all = 1;
  for (unsigned d = 0; d < DIMENSIONS && p->objects[number].space != SPACE_LOCAL; d++) {
    uint64_t groups = 0;
    groups = smt_is_number(&p->smt, p->groups[d], &groups) ? groups : UINT64_C(1) << 20;
    all = groups > (UINT64_C(1) << 30) / all ? UINT64_C(1) << 30 : all * groups;
  }
  return all;
}

/* How often it is called in the launch, by what is known of the places of calls: each work-item, or the first of each group, is there
 * once. `*whole`: each place is known. */
static uint64_t most_calls(const proof *p, uint32_t number, const counter_use *u, bool *whole) {
  uint64_t calls = u->in_loop ? IN_LOOP : 0;
  unsigned places = 0;
  for (size_t n = 0; n < p->counted_count; n++) {
    const access *a = p->counted[n].access;
    bool first = p->objects[a->object].memory == p->objects[number].memory, leader = true;
    for (size_t k = 0; k < p->counted_count && first; k++) {
      const access *other = p->counted[k].access;
      first = other->instruction != a->instruction || k >= n;
      leader = leader && (other->instruction != a->instruction || leader_only(p, other->thread, other->enabled));
    }
    if (first) {
      const bool again = p->kernel->blocks[kernel_instruction(p->kernel, a->instruction)->block].loop != NONE;
      calls += again ? 0 : leader ? most_groups(p, number) : counter_items(p, number);
      places++;
    }
  }
  *whole = places == u->places;
  return calls;
}

/* That it adds how often a counter of the group was called. */
static formula adds_count(const proof *p, const struct counted *c) {
  formula any = p->smt.no;
  for (size_t i = 0; i < p->tally_count; i++) {
    const struct tally *t = &p->tallies[i];
    const bool same = t->thread == c->access->thread && smt_bits(&p->smt, t->number) == smt_bits(&p->smt, c->amount);
    if (same) {
      any = smt_or(&p->smt, any, smt_and(&p->smt, t->when, smt_equal(&p->smt, t->number, c->amount)));
    }
  }
  return any;
}

/* The guess about the memory; made where there is none. `once`: each group adds once. */
static const candidate *room_of(proof *p, uint32_t number, uint64_t most, bool once) {
  const uint32_t memory = p->objects[number].memory;
  for (size_t i = 0; i < p->candidate_count; i++) {
    if (p->candidates[i]->kind == ROOM && p->candidates[i]->other == memory) {
      return p->candidates[i];
    }
  }
  candidate *made = arena_get(p->memory, 1, sizeof *made);
  *made = (candidate){.kind = ROOM, .loop = NONE, .phi = NONE, .other = memory};
  made->holds = smt_fresh(&p->smt, "holds", 0, false);
  const uint32_t guess = (uint32_t)p->candidate_count;
  *ARRAY_ADD(p->candidates, p->candidate_count, p->candidate_capacity) = made;
  for (size_t n = 0; n < p->counted_count; n++) { /* the first work-item stands for any */
    const struct counted *c = &p->counted[n];
    if (c->access->thread == 0 && p->objects[c->access->object].memory == memory) {
      const unsigned bits = smt_bits(&p->smt, c->amount);
      const formula more = smt_simplify(&p->smt, Z3_mk_bvugt(p->smt.z3, c->amount, smt_number(&p->smt, most, bits)));
      const formula count = once ? adds_count(p, c) : p->smt.no;
      const formula broken = smt_and(&p->smt, c->access->enabled, smt_and(&p->smt, more, smt_not(&p->smt, count)));
      *ARRAY_ADD(p->obligations, p->obligation_count, p->obligation_capacity) = (obligation){c->reached, broken, guess};
      made->phi = c->access->instruction;
    }
  }
  return made;
}

/* What the call adds, where it counts for the whole group as the first work-item of that has it. NULL: that is not known. */
static formula amount_of(const proof *p, const struct counted *c) {
  return counted_by_leader(p, c->access) ? leader_reads(p, c->access->thread, c->amount) : c->amount;
}

void rooms_add(proof *p, const struct counted_pair *both, const counter_use *u, formula condition) {
  const smt *s = &p->smt;
  const access *a = both->first.access, *b = both->second.access;
  const unsigned bits = smt_bits(s, both->first.number);
  const formula first = amount_of(p, &both->first), second = amount_of(p, &both->second);
  bool whole = false;
  const uint64_t calls = p->turns > 0 ? 0 : most_calls(p, a->object, u, &whole);
  const uint64_t most = calls == 0 ? 0 : (bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1) / calls;
  if (!whole || most == 0 || first == NULL || second == NULL || bits < 8) {
    return;
  }
  const formula same = smt_equal(s, counted_at(p, a), counted_at(p, b));
  const formula called = smt_and(s, counted_when(p, a), counted_when(p, b));
  const bool once = u->places == 1 && !u->in_loop && leader_only(p, a->thread, a->enabled);
  const formula fits = room_of(p, a->object, most, once)->holds;
  const formula when = smt_and(s, smt_and(s, condition, fits), smt_and(s, called, same));
  const formula x = both->first.number, y = both->second.number;
  const formula after = Z3_mk_bvuge(s->z3, smt_subtract(s, y, x), first);
  const formula before = Z3_mk_bvuge(s->z3, smt_subtract(s, x, y), second);
  proof_fact(p, smt_implies(s, when, smt_and(s, after, before)));
}
