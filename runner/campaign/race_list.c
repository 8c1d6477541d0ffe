/* Pairs of accesses, by their places in the original source. */
#include <stdlib.h>

#include "base/memory.h"
#include "runner/campaign/races.h"

static bool same_place(const race_place *a, const race_place *b) {
  return a->file == b->file && a->begin < b->end && b->begin < a->end;
}

/* Of two pairs one of which has an access that is not known, the other one decides: it is better to overlook a mutant's
 * race than to blame it for the original's. */
static bool same_pair(const race_pair *a, const race_pair *b) {
  if (a->program != b->program || a->kernel != b->kernel || a->divergence != b->divergence) {
    return false;
  }
  const bool crossed = a->known && b->known && same_place(&a->now, &b->before) && same_place(&a->before, &b->now);
  const bool straight = same_place(&a->now, &b->now) && (!a->known || !b->known || same_place(&a->before, &b->before));
  const bool half = (!a->known && b->known && same_place(&a->now, &b->before)) ||
                    (a->known && !b->known && same_place(&a->before, &b->now));
  return crossed || straight || half;
}

static bool has(const race_list *l, const race_pair *p) {
  for (size_t i = 0; i < l->count; i++) {
    if (same_pair(&l->items[i], p)) {
      return true;
    }
  }
  return false;
}

bool races_are_new(const race_list *original, const race_list *seen) {
  for (size_t i = 0; i < seen->count; i++) {
    if (!has(original, &seen->items[i])) {
      return true;
    }
  }
  return false;
}

void races_add(race_list *to, const race_list *from) {
  for (size_t i = 0; i < from->count; i++) {
    *ARRAY_ADD(to->items, to->count, to->capacity) = from->items[i];
  }
  to->unclear = to->unclear || from->unclear;
}

void race_list_free(race_list *l) {
  if (l != NULL) {
    free(l->items);
    free(l);
  }
}

race_look *race_look_new(check_look at, const mutant *of) {
  race_look *l = mem_calloc(1, sizeof *l);
  l->at = at;
  l->of = of;
  return l;
}

void race_look_free(race_look *l) {
  if (l != NULL) {
    instrument_free(&l->made);
    free(l->why);
    free(l->seen.items);
    free(l);
  }
}
