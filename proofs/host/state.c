/* Objects, places, and loading and storing. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "proofs/host/walk.h"

/* --- joining ------------------------------------------------------------------------------------------------------ */

/* States where ways meet: after branches, and at the head of a loop. */

/* What a state holds in a place that has an entry in the other. */
static const host_term *value_in(host_memory *m, const host_state *s, const host_place *place) {
  if (place->kind == PLACE_REST) {
    for (const host_place *p = place->parent; p != NULL; p = p->parent) {
      const host_term *rest = state_find(s, memory_place(m, p, PLACE_REST, NULL, 0, NULL));
      if (rest != NULL) return rest;
    }
    return term_unset(&m->terms);
  }
  const host_term *value = place->kind < PLACE_REST ? memory_load(m, s, place) : state_find(s, place);
  return value == NULL ? term_unset(&m->terms) : value;
}

static const host_term *either(host_memory *m, host_state *s, const host_place *place, const host_term *a,
                               const host_term *b, const host_term *condition) {
  if (a == b || b->kind == TERM_UNSET) return a;
  if (a->kind == TERM_UNSET) return b;
  if (place->kind == PLACE_REST ||
      (place->type != NULL && (place->type->kind == HOST_RECORD || place->type->kind == HOST_ARRAY)))
    return term_symbol(&m->terms, NULL);
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
    for (const host_condition *d = from->conditions; d != common; d = d->before)
      if (term_is_opposite(c->term, d->term) || term_is_opposite(d->term, c->term)) return c->term;
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
    if (value->kind != TERM_UNSET) state_set(&joined, places[i], value);
  }
  free(places);
  state_free(from);
  state_move(into, &joined);
}

bool memory_widen(host_memory *m, host_state *head, const host_state *end, host_state *widened, host_state *before) {
  if (end->dead) return false;
  size_t count = 0;
  const host_place **places = all_places(head, end, &count);
  const size_t known = head->count;
  bool changed = false;
  for (size_t i = 0; i < count; i++) {
    const host_place *place = places[i];
    const host_term *old = value_in(m, head, place);
    const host_term *new = value_in(m, end, place);
    if (old == new || new->kind == TERM_UNSET) continue;
    memory_expose(m, head, new);
    if (state_find(widened, place) != NULL) continue;
    changed = true;
    memory_expose(m, head, old);
    const host_term *symbol =
        place->kind == PLACE_EXPOSED ? new : term_symbol(&m->terms, place->kind == PLACE_REST ? NULL : place->type);
    state_set(head, place, symbol);
    state_set(widened, place, symbol);
    state_set(before, place, old);
  }
  free(places);
  return changed || head->count != known;
}

/* --- objects and places ------------------------------------------------------------------------------------------- */

host_object *memory_object(host_memory *m, object_kind kind, const void *origin, const struct host_context *context,
                           const host_type *type) {
  const void *key[3] = {origin, context, (const void *)(uintptr_t)kind};
  void **at = host_map_at(m->pool, &m->objects, key, sizeof key);
  if (*at == NULL) {
    host_object *o = host_take(m->pool, sizeof *o);
    host_place *p = host_take(m->pool, sizeof *p);
    *p = (host_place){.kind = PLACE_ALL, .object = o, .type = type, .id = ++m->place_count};
    *o = (host_object){.kind = kind, .context = context, .place = p};
    o->decl = kind == OBJECT_VARIABLE ? origin : NULL;
    *at = o;
  }
  return *at;
}

const host_place *memory_place(host_memory *m, const host_place *parent, place_kind kind, const host_decl *field,
                               int64_t index, const host_type *type) {
  struct {
    const void *parent, *field;
    int64_t index, kind;
  } key = {parent, field, index, (int64_t)kind};
  void **at = host_map_at(m->pool, &m->places, &key, sizeof key);
  if (*at == NULL) {
    host_place *p = host_take(m->pool, sizeof *p);
    *p = (host_place){.kind = kind,
                      .object = parent->object,
                      .parent = parent,
                      .field = field,
                      .index = index,
                      .type = type,
                      .id = ++m->place_count};
    *at = p;
  }
  return *at;
}

static bool place_is_below(const host_place *place, const host_place *above) {
  while (place != NULL && place != above) place = place->parent;
  return place != NULL;
}

static bool is_content(const host_place *place) { return place->kind <= PLACE_REST; }

/* --- states ------------------------------------------------------------------------------------------------------- */

host_state state_copy(const host_state *s) {
  host_state copy = *s;
  copy.entries = NULL;
  copy.capacity = 0;
  if (s->count > 0) {
    copy.entries = mem_grow(NULL, &copy.capacity, s->count, sizeof *s->entries);
    memcpy(copy.entries, s->entries, s->count * sizeof *s->entries);
  }
  return copy;
}

void state_free(host_state *s) {
  free(s->entries);
  *s = (host_state){.dead = true};
}

void state_move(host_state *to, host_state *from) {
  free(to->entries);
  *to = *from;
  *from = (host_state){.dead = true};
}

static size_t position(const host_state *s, const host_place *place) {
  size_t low = 0;
  size_t high = s->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (s->entries[middle].place->id < place->id)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const host_term *state_find(const host_state *s, const host_place *place) {
  const size_t at = position(s, place);
  return at < s->count && s->entries[at].place == place ? s->entries[at].value : NULL;
}

void state_set(host_state *s, const host_place *place, const host_term *value) {
  const size_t at = position(s, place);
  if (at == s->count || s->entries[at].place != place) {
    (void)ARRAY_ADD(s->entries, s->count, s->capacity);
    memmove(&s->entries[at + 1], &s->entries[at], (s->count - 1 - at) * sizeof *s->entries);
  }
  s->entries[at] = (state_entry){place, value};
}

void state_drop(host_state *s, const host_place *above) {
  size_t kept = 0;
  for (size_t i = 0; i < s->count; i++)
    if (!place_is_below(s->entries[i].place, above)) s->entries[kept++] = s->entries[i];
  s->count = kept;
}

/* --- loading ------------------------------------------------------------------------------------------------------ */

static bool is_wild(const host_place *place) {
  for (; place != NULL; place = place->parent)
    if ((place->field != NULL && place->field->wild) ||
        (place->parent == NULL && (place->object->wild || (place->object->decl != NULL && place->object->decl->wild))))
      return true;
  return false;
}

static const host_term *new_symbol(host_memory *m, const host_place *place) {
  return term_symbol(&m->terms, place->type);
}

static const host_term *zero_of(host_memory *m, const host_type *type) {
  if (type != NULL && type->kind == HOST_INTEGER)
    return term_number(&m->terms, 0, (unsigned)type->size * 8, type->is_signed);
  return type != NULL && type->kind == HOST_FLOAT ? term_real(&m->terms, 0) : term_null(&m->terms);
}

/* What places below `place` hold that have no entry: unset, all 0, or symbols of a time. */
static const host_term *rest_of(host_memory *m, const host_state *s, const host_place *place) {
  for (; place != NULL; place = place->parent) {
    const host_term *rest = state_find(s, memory_place(m, place, PLACE_REST, NULL, 0, NULL));
    if (rest != NULL) return rest;
  }
  return term_unset(&m->terms);
}

typedef enum decision { UNDECIDED, FALSE, TRUE } decision;

static decision inverse(decision d) { return d == UNDECIDED ? d : d == TRUE ? FALSE : TRUE; }

/* Whether a condition holds, as far as the way to here says. */
static decision decide(const host_state *s, const host_term *t) {
  if (term_is_number(t)) return t->value != 0 ? TRUE : FALSE;
  for (const host_condition *c = s->conditions; c != NULL; c = c->before) {
    if (c->term == t) return TRUE;
    if (term_is_opposite(c->term, t)) return FALSE;
  }
  if (t->kind == TERM_UNARY && t->op == OP_NOT) return inverse(decide(s, t->a));
  if (t->kind == TERM_BINARY && (t->op == OP_LOGICAL_AND || t->op == OP_LOGICAL_OR)) {
    const decision strong = t->op == OP_LOGICAL_AND ? FALSE : TRUE; /* either side is enough for it */
    const decision left = decide(s, t->a);
    const decision right = left == strong ? left : decide(s, t->b);
    return left == strong || right == strong ? strong : left == right ? left : UNDECIDED;
  }
  return UNDECIDED;
}

const host_term *memory_given(const host_state *s, const host_term *value) {
  while (value->kind == TERM_CHOICE) {
    const decision d = decide(s, value->a);
    if (d == UNDECIDED) return value;
    value = d == TRUE ? value->b : value->c;
  }
  return value;
}

static const host_term *load_rest(host_memory *m, const host_state *s, const host_place *place) {
  const host_term *rest = rest_of(m, s, place);
  if (rest->kind == TERM_UNSET) return rest;
  if (rest->kind == TERM_NUMBER) return zero_of(m, place->type);
  return term_symbol_of(&m->terms, place->type, place, rest);
}

const host_term *memory_load(host_memory *m, const host_state *s, const host_place *place) {
  if (!is_content(place)) return state_find(s, place);
  if (is_wild(place) || (m->hidden_stores && memory_is_exposed(m, s, place->object))) return new_symbol(m, place);
  const host_term *value = state_find(s, place);
  return memory_given(s, value != NULL ? value : load_rest(m, s, place));
}

/* --- storing ------------------------------------------------------------------------------------------------------ */

static bool is_plain(const host_type *type) {
  return type == NULL || (type->kind != HOST_RECORD && type->kind != HOST_ARRAY);
}

/* Addresses that are held below a place will be forgotten. */
void memory_expose_held(host_memory *m, host_state *s, const host_place *place) {
  for (size_t i = 0; i < s->count; i++)
    if (place_is_below(s->entries[i].place, place) && is_content(s->entries[i].place))
      memory_expose(m, s, s->entries[i].value);
}

/* What sprintf has written stands in the first element: it is another text when one of its characters changes. */
static void forget_text(host_memory *m, host_state *s, const host_place *place) {
  if (place->kind != PLACE_ELEMENT || place->index == 0) return;
  const host_place *first = memory_place(m, place->parent, PLACE_ELEMENT, NULL, 0, place->type);
  const host_term *text = state_find(s, first);
  if (text != NULL && (text->kind == TERM_TEXT || text->kind == TERM_FORMAT) && place->type != NULL &&
      place->type->size == 1)
    memory_havoc(m, s, first);
}

void memory_store(host_memory *m, host_state *s, const host_place *place, const host_term *value) {
  if (is_wild(place) || memory_is_exposed(m, s, place->object)) memory_expose(m, s, value);
  for (const host_place *p = place->parent; p != NULL; p = p->parent) {
    if (p->type != NULL && p->type->kind == HOST_RECORD && strncmp(p->type->name, "union ", 6) == 0) {
      memory_expose(m, s, value);
      memory_havoc(m, s, p);
      return;
    }
  }
  forget_text(m, s, place);
  state_set(s, place, value);
}

void memory_havoc(host_memory *m, host_state *s, const host_place *place) {
  memory_expose_held(m, s, place);
  for (size_t i = s->count; i-- > 0;) {
    if (place_is_below(s->entries[i].place, place) && is_content(s->entries[i].place)) {
      memmove(&s->entries[i], &s->entries[i + 1], (s->count - i - 1) * sizeof *s->entries);
      s->count--;
    }
  }
  if (is_plain(place->type) && place->type != NULL && place->parent != NULL) {
    state_set(s, place, new_symbol(m, place));
  } else {
    const host_term *time = term_symbol(&m->terms, NULL);
    state_set(s, memory_place(m, place, PLACE_REST, NULL, 0, NULL), time);
  }
}

void memory_begin(host_memory *m, host_state *s, const host_object *object, const host_term *rest) {
  const bool exposed = memory_is_exposed(m, s, object);
  state_drop(s, object->place);
  if (rest != NULL) state_set(s, memory_place(m, object->place, PLACE_REST, NULL, 0, NULL), rest);
  if (exposed) state_set(s, memory_place(m, object->place, PLACE_EXPOSED, NULL, 0, NULL), term_null(&m->terms));
}

/* The place below `to` that is where `place` is below `from`. */
static const host_place *moved(host_memory *m, const host_place *place, const host_place *from, const host_place *to) {
  if (place == from) return to;
  return memory_place(m, moved(m, place->parent, from, to), place->kind, place->field, place->index, place->type);
}

void memory_copy(host_memory *m, host_state *s, const host_place *to, const host_place *from) {
  if (to == from) return;
  const host_term *rest = rest_of(m, s, from);
  host_state before = state_copy(s);
  memory_havoc(m, s, to);
  if (rest->kind == TERM_UNSET || rest->kind == TERM_NUMBER)
    state_set(s, memory_place(m, to, PLACE_REST, NULL, 0, NULL), rest);
  const bool exposed = is_wild(to) || memory_is_exposed(m, s, to->object);
  for (size_t i = 0; i < before.count; i++) {
    const host_place *place = before.entries[i].place;
    if (place_is_below(place, from) && is_content(place)) {
      state_set(s, moved(m, place, from, to), before.entries[i].value);
      if (exposed) memory_expose(m, s, before.entries[i].value);
    }
  }
  state_free(&before);
}

/* --- exposing ----------------------------------------------------------------------------------------------------- */

bool memory_is_exposed(host_memory *m, const host_state *s, const host_object *object) {
  return state_find(s, memory_place(m, object->place, PLACE_EXPOSED, NULL, 0, NULL)) != NULL;
}

void memory_expose(host_memory *m, host_state *s, const host_term *value) {
  if (value->kind == TERM_CHOICE) {
    memory_expose(m, s, value->b);
    memory_expose(m, s, value->c);
  } else if (value->kind == TERM_FORMAT || value->kind == TERM_PAIR) {
    return; /* texts hold no addresses that can be used */
  } else if (value->kind == TERM_ADDRESS && !memory_is_exposed(m, s, value->place->object)) {
    const host_place *all = value->place->object->place;
    state_set(s, memory_place(m, all, PLACE_EXPOSED, NULL, 0, NULL), term_null(&m->terms));
    for (size_t i = 0; i < s->count; i++) { /* what is exposed meanwhile may move entries: values are kept by place */
      if (place_is_below(s->entries[i].place, all) && s->entries[i].value->kind != TERM_NUMBER &&
          s->entries[i].place->kind != PLACE_EXPOSED) {
        const host_place *at = s->entries[i].place;
        memory_expose(m, s, s->entries[i].value);
        i = position(s, at);
      }
    }
  }
}

/* May a store of the one type change a place of the other? C says no where they differ. */
static bool is_told_apart(const host_type *type) {
  return type != NULL && is_plain(type) && type->size != 1 && type->kind != HOST_OTHER_TYPE;
}

static const char *without_const(const char *name) { return strncmp(name, "const ", 6) == 0 ? name + 6 : name; }

/* C lets nobody store a pointer to one struct where a pointer to another lies, or one to numbers. */
static bool may_overlap(const host_type *stored, const host_type *place) {
  if (!is_told_apart(stored) || !is_told_apart(place)) return true;
  if (stored->kind != HOST_POINTER || place->kind != HOST_POINTER || stored->target->kind == HOST_VOID ||
      place->target->kind == HOST_VOID)
    return stored->kind == place->kind && stored->size == place->size;
  const host_type *a = stored->target;
  const host_type *b = place->target;
  return a->kind == b->kind && (a->kind != HOST_RECORD || strcmp(without_const(a->name), without_const(b->name)) == 0);
}

/* A value of the type may have been stored anywhere in the place. */
static void havoc_typed(host_memory *m, host_state *s, const host_place *place, const host_type *type) {
  if (is_told_apart(type) && place->type != NULL && place->type->kind == HOST_RECORD && place->type->field_count > 0) {
    for (size_t i = 0; i < place->type->field_count; i++) {
      const host_decl *field = place->type->fields[i];
      havoc_typed(m, s, memory_place(m, place, PLACE_FIELD, field, 0, field->type), type);
    }
    return;
  }
  const host_type *element = place->type;
  while (element != NULL && element->kind == HOST_ARRAY) element = element->target;
  if (may_overlap(type, element)) memory_havoc(m, s, place);
}

void memory_havoc_exposed(host_memory *m, host_state *s, const host_type *type) {
  const host_object **objects = mem_calloc(s->count + 1, sizeof(*objects));
  size_t count = 0;
  for (size_t i = 0; i < s->count; i++)
    if (s->entries[i].place->kind == PLACE_EXPOSED) objects[count++] = s->entries[i].place->object;
  for (size_t i = 0; i < count; i++)
    if (objects[i]->kind == OBJECT_VARIABLE || objects[i]->kind == OBJECT_HEAP)
      havoc_typed(m, s, objects[i]->place, type);
  free(objects);
}

static const host_term *without_object(host_memory *m, const host_term *value, const host_object *object) {
  if (value->kind == TERM_ADDRESS && value->place->object == object) return term_symbol(&m->terms, NULL);
  if (value->kind == TERM_CHOICE && value->bits == 0)
    return term_choice(&m->terms, value->a, without_object(m, value->b, object), without_object(m, value->c, object));
  return value;
}

void memory_forget_object(host_memory *m, host_state *s, const host_object *object) {
  memory_expose_held(m, s, object->place);
  for (size_t i = 0; i < s->count; i++) s->entries[i].value = without_object(m, s->entries[i].value, object);
}
