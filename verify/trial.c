/* The order in which a launch is looked at: shortly at a proof, at the first iterations of its loops for something that really goes
 * wrong, longer at a proof, then deeper for what that could not exclude. */
#include "verify/trial.h"

#include "verify/looks.h"
#include "verify/sizes.h"

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
  if (first == SAFE || first == REFUSED || !products || t->easy_products) {
    return first;
  }
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
  if (deeper == SAFE) {
    conclude(t, VERIFIED, "", NULL);
  } else if (deeper != FOUND || (proof_said == FOUND && t->verdict < OUT_OF_BOUNDS)) {
    conclude(t, before, reason, json_incref(finding));
  }
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
  if (!is_free) {
    return SAFE;
  }
  t->launch = &one;
  looked said = look_with(t, true, &products);
  if (said == OPEN || said == FOUND) {
    const looked soon = look_soon(t, true);
    said = soon == SAFE || soon == FOUND ? soon : said;
  }
  t->launch = asked;
  if (said == OPEN) {
    conclude(t, UNKNOWN, no_answer(t), NULL);
  }
  return said;
}

/* --- sizes that are free ---------------------------------------------------------------------------------------------- */

static bool look_small(trial *t, bool same_group) {
  if (look_at_small(t, same_group, true, SMALL_SECONDS)) {
    return true;
  }
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
    if (said[i] != SAFE && said[i] != REFUSED && look_small(t, i == 0)) {
      return true;
    }
  }
  for (unsigned i = 0; i < 2 && !is_free; i++) {
    if (again[i] && said[i] != REFUSED) {
      said[i] = look_for(t, i == 0, FIRST_SECONDS, &again[i]);
    }
  }
  return false;
}

static void run(trial *t) {
  const bool is_free = sizes_any_free(t->launch);
  looked said[2] = {OPEN, OPEN};
  bool again[2] = {false, false};
  conclude(t, VERIFIED, "", NULL);
  if (look_first(t, said, again)) {
    return;
  }
  for (unsigned i = 0; i < 2; i++) {
    const bool same_group = i == 0;
    bool products = true;
    said[i] = again[i] && is_free              ? look_with(t, same_group, &products)
              : said[i] == REFUSED && !is_free ? OPEN
                                               : said[i];
    said[i] = said[i] == SAFE || said[i] == REFUSED ? said[i] : look_soon(t, same_group);
    if (said[i] == REFUSED || (said[i] == FOUND && t->verdict >= OUT_OF_BOUNDS)) {
      return;
    }
  }
  conclude(t, VERIFIED, "", NULL);
  for (unsigned i = 0; i < 2; i++) {
    if (said[i] != SAFE && !prove(t, i == 0)) {
      return;
    }
  }
}

void trial_run(trial *t) {
  t->inside = INSIDE_NOT_ASKED;
  run(t);
  if (t->verdict == VERIFIED) {
    (void)look_at_single(t);
  }
  if (t->verdict == VERIFIED && t->inside == INSIDE_OPEN) {
    look_deeper_at_bounds(t, is_looked_at(t, true));
  }
  t->left_open = t->left_open || (t->verdict == VERIFIED && t->inside == INSIDE_OPEN);
}

bool trial_more(trial *t) {
  for (unsigned i = 0; i < 2; i++) {
    const bool same_group = i == 0;
    t->finding = NULL;
    if (!is_looked_at(t, same_group)) {
      continue;
    }
    if (sizes_any_free(t->launch) && look_small(t, same_group)) {
      return true;
    }
    json_decref(t->finding);
    t->finding = NULL;
    if (look_soon(t, same_group) == FOUND && t->verdict >= OUT_OF_BOUNDS) {
      return true;
    }
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
  if (t->inside != INSIDE_SHOWN && t->request->bounds) {
    look_deeper_at_bounds(t, same_group);
  }
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
  if (t->want_inside && t->inside != INSIDE_SHOWN) {
    t->verdict = UNKNOWN;
  }
}
