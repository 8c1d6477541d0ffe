/* States where ways meet: after branches, and at the head of a loop. */
#include <stdlib.h>

#include "base/memory.h"
#include "host/state.h"

/* What a state holds in a place that has an entry in the other. */
static const host_term *value_in(host_memory *m, const host_state *s, const host_place *place) {
  if (place->kind == PLACE_REST) {
    for (const host_place *p = place->parent; p != NULL; p = p->parent) {
      const host_term *rest = state_find(s, memory_place(m, p, PLACE_REST, NULL, 0, NULL));
      if (rest != NULL) {
        return rest;
      }
    }
    return term_unset(&m->terms);
  }
  const host_term *value = place->kind < PLACE_REST ? memory_load(m, s, place) : state_find(s, place);
  return value == NULL ? term_unset(&m->terms) : value;
}

static const host_term *either(host_memory *m, host_state *s, const host_place *place, const host_term *a,
                               const host_term *b, const host_term *condition) {
  if (a == b || b->kind == TERM_UNSET) {
    return a;
  }
  if (a->kind == TERM_UNSET) {
    return b;
  }
  if (place->kind == PLACE_REST ||
      (place->type != NULL && (place->type->kind == HOST_RECORD || place->type->kind == HOST_ARRAY))) {
    return term_symbol(&m->terms, NULL);
  }
  const host_term *chosen = term_choice(&m->terms, condition, a, b);
  if (chosen->kind == TERM_SYMBOL) { /* too much to follow */
    memory_expose(m, s, a);
    memory_expose(m, s, b);
    return term_symbol(&m->terms, place->type);
  }
  return chosen;
}

static const host_condition *shared(const host_condition *a, const host_condition *b) {
  while (a != b) {
    if (b == NULL || (a != NULL && a->depth > b->depth)) {
      a = a->before;
    } else if (a == NULL || b->depth > a->depth) {
      b = b->before;
    } else {
      a = a->before;
      b = b->before;
    }
  }
  return a;
}

const host_term *memory_tell_apart(const host_state *into, const host_state *from) {
  const host_condition *common = shared(into->conditions, from->conditions);
  for (const host_condition *c = into->conditions; c != common; c = c->before) {
    for (const host_condition *d = from->conditions; d != common; d = d->before) {
      if (term_is_opposite(c->term, d->term) || term_is_opposite(d->term, c->term)) {
        return c->term;
      }
    }
  }
  return NULL;
}

/* The places of both, in order. */
static const host_place **all_places(const host_state *a, const host_state *b, size_t *count) {
  const host_place **places = mem_calloc(a->count + b->count + 1, sizeof(*places));
  size_t i = 0;
  size_t k = 0;
  *count = 0;
  while (i < a->count || k < b->count) {
    const bool first = k == b->count || (i < a->count && a->entries[i].place->id <= b->entries[k].place->id);
    const bool second = i == a->count || (k < b->count && b->entries[k].place->id <= a->entries[i].place->id);
    places[(*count)++] = first ? a->entries[i].place : b->entries[k].place;
    i += first ? 1 : 0;
    k += second ? 1 : 0;
  }
  return places;
}

void memory_join(host_memory *m, host_state *into, host_state *from, const host_term *condition) {
  if (from->dead) {
    state_free(from);
    return;
  }
  if (into->dead) {
    state_move(into, from);
    return;
  }
  condition = condition == NULL ? memory_tell_apart(into, from) : condition;
  if (condition == NULL || condition->weight > 20) {
    host_type boolean = {.kind = HOST_INTEGER, .size = 4, .is_signed = true};
    condition = term_symbol(&m->terms, &boolean);
  }
  size_t count = 0;
  const host_place **places = all_places(into, from, &count);
  host_state joined = {.conditions = shared(into->conditions, from->conditions)};
  for (size_t i = 0; i < count; i++) {
    const host_term *value =
        either(m, &joined, places[i], value_in(m, into, places[i]), value_in(m, from, places[i]), condition);
    if (value->kind != TERM_UNSET) {
      state_set(&joined, places[i], value);
    }
  }
  free(places);
  state_free(from);
  state_move(into, &joined);
}

static const host_term *widened_symbol(host_memory *m, const host_place *place) {
  return term_symbol(&m->terms, place->kind == PLACE_REST ? NULL : place->type);
}

bool memory_widen(host_memory *m, host_state *head, const host_state *end, host_state *widened, host_state *before) {
  if (end->dead) {
    return false;
  }
  size_t count = 0;
  const host_place **places = all_places(head, end, &count);
  const size_t known = head->count;
  bool changed = false;
  for (size_t i = 0; i < count; i++) {
    const host_place *place = places[i];
    const host_term *old = value_in(m, head, place);
    const host_term *new = value_in(m, end, place);
    if (old == new || new->kind == TERM_UNSET) {
      continue;
    }
    memory_expose(m, head, new);
    if (state_find(widened, place) != NULL) {
      continue;
    }
    changed = true;
    memory_expose(m, head, old);
    const host_term *symbol = place->kind == PLACE_EXPOSED ? new : widened_symbol(m, place);
    state_set(head, place, symbol);
    state_set(widened, place, symbol);
    state_set(before, place, old);
  }
  free(places);
  return changed || head->count != known;
}
