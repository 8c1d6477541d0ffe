/* What a counter holds when all of a group have counted: `place = atomic_inc(&kept)`, a barrier, and `kept` is read. As it is counted
 * up, and nothing sets it in between, what is read is at least one step above what each call before the barrier gave; and it is at
 * most all steps above what it began with. Both are said of the distance from what it began with, which holds as long as all steps of
 * the group together are less than the counter can count.
 *
 * Why there is nothing in between: whoever sets the memory between two barriers in which others count or read would race with them;
 * and what is set between other barriers stands between the call and the read in the text of the kernel, or in another iteration
 * of a loop, at whose beginning and end all of this is forgotten, unless the loop does no more than count. What is read is what is there when the interval begins: a work-item
 * that counts in the interval of the read would race with it. */
#include "base/memory.h"
#include "verify/counters.h"
#include "verify/leaders.h"
#include "verify/stores.h"

/* What is read, and by whom: in a proof about two groups, what the first work-item of a group reads is known to all of it. */
typedef struct reading {
  formula at, number, when;
} reading;

static bool reading_of(const proof *p, unsigned thread, reading *r) {
  if (p->same_group || !leader_only(p, thread, r->when)) {
    return true;
  }
  const formula at = leader_sees(p, thread, r->at), number = leader_reads(p, thread, r->number);
  if (at == NULL || number == NULL) {
    return false;
  }
  *r = (reading){at, number, leader_sees(p, thread, r->when)};
  return true;
}

/* Counted one by one in a loop: how often is not known, but for that it does not come round. */
static bool is_endless(const counter_use *u) { return u->counts && u->in_loop && u->unit == 1 && u->most == 1; }

/* All steps of a group together; 0: too many. */
static uint64_t all_steps(const proof *p, uint32_t memory, const counter_use *u, unsigned bits) {
  const uint64_t most = bits >= 64 ? UINT64_C(1) << 62 : UINT64_C(1) << (bits - 1);
  const uint64_t calls = u->calls * counter_items(p, memory);
  return u->in_loop || !u->counts || u->most <= 0 || calls >= most / (uint64_t)u->most ? 0 : calls * (uint64_t)u->most;
}

/* What is read is how often the counter was called in the group. */
static void note_count(proof *p, unsigned thread, const struct counted *c, const reading *r, formula when) {
  const formula zero = smt_number(&p->smt, 0, smt_bits(&p->smt, c->start));
  const formula counts = smt_and(&p->smt, when, smt_equal(&p->smt, c->start, zero));
  *ARRAY_ADD(p->tallies, p->tally_count, p->tally_capacity) = (struct tally){thread, r->number, counts};
}

/* `all`: steps of the group, 0: not known how many. Gives where it says something. */
static formula add_call(proof *p, const struct counted *c, const reading *r, uint64_t all) {
  const smt *s = &p->smt;
  const access *a = c->access;
  const unsigned bits = smt_bits(s, c->number);
  const offset begin = object_within(p, a->object, a->at);
  formula at = offset_number(&p->values, &begin, 1);
  const formula seen = counted_by_leader(p, a) ? leader_sees(p, a->thread, at) : at;
  at = seen == NULL ? at : seen;
  const formula read = smt_subtract(s, r->number, c->start), given = smt_subtract(s, c->number, c->start);
  const formula when = smt_and(s, smt_and(s, c->passed, r->when), smt_equal(s, at, r->at));
  if (all > 0) {
    proof_fact(p, smt_implies(s, when, Z3_mk_bvule(s->z3, read, smt_number(s, all, bits))));
  }
  const formula next = smt_add(s, given, c->amount);
  const formula above = smt_and(s, Z3_mk_bvult(s->z3, given, read), Z3_mk_bvule(s->z3, next, read));
  proof_fact(p, smt_implies(s, smt_and(s, when, counted_when(p, a)), above));
  return when;
}

void tallies_read(proof *p, unsigned thread, uint32_t memory, formula at, formula number, formula when) {
  const unsigned bits = smt_bits(&p->smt, number);
  const object *o = &p->objects[memory];
  if (p->turns > 0 || at == NULL || o->space != SPACE_LOCAL || bits < 32 || o->version > p->barrier_version ||
      o->read_bits != bits || o->other_widths || p->request->warp != 0 || p->request->alias || p->lock_count > 0) {
    return;
  }
  reading r = {at, number, when};
  const counter_use u = counter_use_of(p, memory, bits);
  const uint64_t all = all_steps(p, memory, &u, bits);
  const bool endless = is_endless(&u);
  const size_t count = (all > 0 || endless) && reading_of(p, thread, &r) ? p->counted_count : 0;
  for (size_t n = 0; n < count; n++) {
    const struct counted *c = &p->counted[n];
    if (p->objects[c->access->object].memory == memory && (p->same_group || c->access->thread == thread) && !c->lost &&
        smt_bits(&p->smt, c->number) == bits && c->amount != NULL && c->passed != p->smt.no) {
      const formula says = add_call(p, c, &r, all);
      if (endless) {
        note_count(p, thread, c, &r, says);
      }
    }
  }
  if (u.counts) {
    stores_note_read(p, memory, thread, when, at, number);
  }
}
