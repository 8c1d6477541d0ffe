/* Branch and bound over the clauses: the barrier that is put in next stands at a spot of the shortest clause that is
 * not met. */
#include "repair/cover.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { STEPS_MOST = 300000 }; /* of a search; what is the best by then is taken */

typedef struct solving {
  const cover *cover;
  unsigned *now, *best;
  double cost, best_cost;
  bool found;
  size_t put_in, steps;
} solving;

void cover_init(cover *c, const spots *s, size_t most) {
  *c = (cover){.spots = s, .most = most, .turns = COVER_TURNS};
  c->banned = mem_calloc(s->count + 1, sizeof *c->banned);
  c->existing = mem_calloc(s->count + 1, sizeof *c->existing);
  for (size_t i = 0; i < s->count; i++) {
    c->existing[i] = s->items[i].kind == SPOT_BARRIER ? s->items[i].flags : 0;
  }
}

cover_clause *cover_add(cover *c, unsigned fence, size_t kernel) {
  cover_clause *made = ARRAY_ADD(c->clauses, c->count, c->capacity);
  *made = (cover_clause){.fence = fence, .kernel = kernel};
  return made;
}

void cover_allow(cover_clause *clause, uint32_t spot) {
  *ARRAY_ADD(clause->spots, clause->count, clause->capacity) = spot;
}

void cover_forget(cover *c, size_t kernel) {
  size_t kept = 0;
  for (size_t i = 0; i < c->count; i++) {
    if (c->clauses[i].kernel == kernel) {
      free(c->clauses[i].spots);
    } else {
      c->clauses[kept++] = c->clauses[i];
    }
  }
  c->count = kept;
  for (size_t i = 0; i < c->spots->count; i++) {
    c->banned[i] = c->banned[i] == kernel + 1 ? 0 : c->banned[i];
  }
}

void cover_free(cover *c) {
  for (size_t i = 0; i < c->count; i++) {
    free(c->clauses[i].spots);
  }
  free(c->clauses);
  free(c->banned);
  free(c->existing);
  *c = (cover){0};
}

/* --- costs -------------------------------------------------------------------------------------------------------- */

static double weight(const cover *c, const repair_spot *s) {
  double w = s->executed > 0 ? s->executed : 1;
  for (uint32_t i = 0; i < s->depth && s->executed == 0; i++) {
    w *= c->turns;
  }
  return w;
}

/* What `flags` cost at a spot more than what is there. Barriers in branches come after others that are as cheap. */
static double spot_cost(const cover *c, size_t i, unsigned flags) {
  static const double fences[] = {0, 0, 0.02, 0.05};
  const repair_spot *s = &c->spots->items[i];
  const unsigned there = c->banned[i] != 0 ? 0 : c->existing[i];
  if (flags == there) {
    return 0;
  }
  if (s->kind == SPOT_BARRIER || s->kind == SPOT_COUNT) {
    return weight(c, s) * (0.1 + fences[flags & FENCES]);
  }
  if (s->kind == SPOT_ATOMIC) {
    return weight(c, s) * 3;
  }
  const double split = s->kind == SPOT_SPLIT ? 1.5 : 0; /* the statement looks otherwise, too */
  return weight(c, s) * (1 + split + fences[flags & FENCES] + 0.001 * s->nesting);
}

double cover_cost(const cover *c, const unsigned *flags) {
  double sum = 0;
  for (size_t i = 0; i < c->spots->count; i++) {
    sum += spot_cost(c, i, flags[i]);
  }
  return sum;
}

/* --- search ------------------------------------------------------------------------------------------------------- */

static bool is_met(const cover_clause *clause, const unsigned *flags) {
  for (size_t i = 0; i < clause->count; i++) {
    if ((flags[clause->spots[i]] & clause->fence) != 0) {
      return true;
    }
  }
  return false;
}

bool cover_allows(const cover *c, const unsigned *flags) {
  for (size_t i = 0; i < c->count; i++) {
    if (!is_met(&c->clauses[i], flags)) {
      return false;
    }
  }
  for (size_t i = 0; i < c->spots->count; i++) {
    if (c->banned[i] != 0 && flags[i] != 0) {
      return false;
    }
  }
  return true;
}

static bool is_free(const cover *c, uint32_t spot, const unsigned *flags) {
  const repair_spot *s = &c->spots->items[spot];
  return c->banned[spot] == 0 && !s->closed && (s->kind != SPOT_BARRIER || s->wide) &&
         (s->rival == PATCH_NO_SPOT || flags[s->rival] == 0);
}

static const cover_clause *shortest_unmet(const cover *c, const unsigned *flags) {
  const cover_clause *best = NULL;
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < c->count; i++) {
    if (is_met(&c->clauses[i], flags)) {
      continue;
    }
    size_t choices = 0;
    for (size_t k = 0; k < c->clauses[i].count; k++) {
      choices += is_free(c, c->clauses[i].spots[k], flags) ? 1 : 0;
    }
    if (choices < least) {
      least = choices;
      best = &c->clauses[i];
    }
  }
  return best;
}

typedef struct choice {
  uint32_t spot;
  double more;
} choice;

static int cheaper(const void *a, const void *b) {
  const choice *left = a, *right = b;
  if (left->more < right->more || left->more > right->more) {
    return left->more < right->more ? -1 : 1;
  }
  return left->spot > right->spot ? -1 : left->spot < right->spot ? 1 : 0; /* the later one: nearer to the second */
}

static size_t choices_of(const solving *s, const cover_clause *clause, choice *out) {
  size_t count = 0;
  for (size_t i = 0; i < clause->count; i++) {
    const uint32_t n = clause->spots[i];
    if (is_free(s->cover, n, s->now)) {
      const unsigned wider = s->now[n] | clause->fence;
      out[count++] = (choice){n, spot_cost(s->cover, n, wider) - spot_cost(s->cover, n, s->now[n])};
    }
  }
  qsort(out, count, sizeof *out, cheaper);
  return count;
}

static void take_best(solving *s) {
  s->found = true;
  s->best_cost = s->cost;
  memcpy(s->best, s->now, s->cover->spots->count * sizeof *s->best);
}

static void search(solving *s) {
  const double little = 1e-9;
  if (s->steps++ > STEPS_MOST || (s->found && s->cost >= s->best_cost - little)) {
    return;
  }
  const cover_clause *clause = shortest_unmet(s->cover, s->now);
  if (clause == NULL) {
    take_best(s);
    return;
  }
  choice *choices = mem_calloc(clause->count + 1, sizeof *choices);
  const size_t count = choices_of(s, clause, choices);
  for (size_t i = 0; i < count; i++) {
    const uint32_t n = choices[i].spot;
    const unsigned before = s->now[n];
    const double cost = s->cost;
    const size_t put_in = s->put_in;
    s->put_in += before == 0 && spots_is_place(&s->cover->spots->items[n]) ? 1 : 0;
    s->now[n] = before | clause->fence;
    s->cost += choices[i].more;
    if (s->put_in <= s->cover->most) {
      search(s);
    }
    s->now[n] = before;
    s->cost = cost;
    s->put_in = put_in;
  }
  free(choices);
}

bool cover_solve(const cover *c, unsigned *flags, double *cost) {
  solving s = {.cover = c, .best = flags};
  s.now = mem_calloc(c->spots->count + 1, sizeof *s.now);
  for (size_t i = 0; i < c->spots->count; i++) {
    s.now[i] = c->banned[i] != 0 ? 0 : c->existing[i];
  }
  search(&s);
  free(s.now);
  *cost = s.best_cost;
  return s.found;
}
