/* The walk through expressions: the places that they name, and what pointers point to. */
#include <string.h>

#include "host/walk.h"

const host_place *walk_variable_place(host_walk *w, const host_decl *d) {
  const host_context *context = d->global ? NULL : w->context;
  return memory_object(&w->memory, OBJECT_VARIABLE, d, context, d->type)->place;
}

static bool same_layout(const host_type *a, const host_type *b) {
  if (a == b || a == NULL || b == NULL) {
    return true;
  }
  const bool plain = a->kind == HOST_INTEGER || a->kind == HOST_FLOAT || a->kind == HOST_POINTER;
  if (plain) {
    return a->kind == b->kind && a->size == b->size && a->is_signed == b->is_signed && a->is_bool == b->is_bool;
  }
  const char *left = strncmp(a->name, "const ", 6) == 0 ? a->name + 6 : a->name;
  const char *right = strncmp(b->name, "const ", 6) == 0 ? b->name + 6 : b->name;
  return a->kind == b->kind && strcmp(left, right) == 0;
}

/* The only address among what a value may be; the null pointer points to nothing. */
static const host_term *only_address(const host_term *value, bool *several) {
  if (value->kind == TERM_CHOICE) {
    const host_term *a = only_address(value->b, several);
    const host_term *b = only_address(value->c, several);
    *several = *several || (a != NULL && b != NULL && a != b);
    return a == NULL ? b : a;
  }
  if (value->kind == TERM_ADDRESS) {
    return value;
  }
  *several = *several || !term_is_null(value);
  return NULL;
}

host_lvalue walk_pointee(host_walk *w, const host_term *pointer, const host_type *type) {
  bool several = false;
  const host_term *address = only_address(memory_given(&w->state, pointer), &several);
  if (address == NULL || several) {
    memory_expose(&w->memory, &w->state, pointer);
    return (host_lvalue){.type = type};
  }
  const host_place *place = address->place;
  if (place->kind == PLACE_ALL && place->object->kind == OBJECT_HEAP && place->type == NULL) {
    place = memory_place(&w->memory, place, PLACE_ELEMENT, NULL, 0, type);
  }
  if (!same_layout(place->type, type)) {
    return (host_lvalue){.within = place->object->place, .type = type};
  }
  return (host_lvalue){.place = place, .type = type};
}

const host_place *walk_target(host_walk *w, const host_term *pointer) {
  bool several = false;
  const host_term *address = only_address(memory_given(&w->state, pointer), &several);
  return several || address == NULL ? NULL : address->place;
}

const host_place *walk_element(host_walk *w, const host_term *pointer, int64_t index, const host_type *type) {
  const host_place *place = walk_target(w, pointer);
  if (place == NULL) {
    return NULL;
  }
  if (place->kind == PLACE_ALL && place->object->kind == OBJECT_HEAP && place->type == NULL) {
    return memory_place(&w->memory, place, PLACE_ELEMENT, NULL, index, type);
  }
  if (place->type != NULL && place->type->kind == HOST_ARRAY) {
    place = memory_place(&w->memory, place, PLACE_ELEMENT, NULL, 0, place->type->target);
  }
  if (!same_layout(place->type, type)) {
    return NULL;
  }
  if (place->kind == PLACE_ELEMENT) {
    return memory_place(&w->memory, place->parent, PLACE_ELEMENT, NULL, place->index + index, place->type);
  }
  return index == 0 ? place : NULL;
}

const host_term *walk_lost(host_walk *w, const host_term *value, const host_type *type) {
  memory_expose(&w->memory, &w->state, value);
  return walk_new(w, type);
}

const host_term *walk_shifted(host_walk *w, const host_term *pointer, const host_term *by, host_op op) {
  pointer = memory_given(&w->state, pointer);
  if (pointer->kind == TERM_ADDRESS && term_is_number(by)) {
    const host_place *place = pointer->place;
    const int64_t distance = op == HOST_SUB ? -by->value : by->value;
    if (distance == 0) {
      return pointer;
    }
    if (place->kind == PLACE_ELEMENT) {
      return term_address(&w->memory.terms, memory_place(&w->memory, place->parent, PLACE_ELEMENT, NULL,
                                                         place->index + distance, place->type));
    }
  }
  return walk_lost(w, pointer, NULL);
}

/* --- lvalues ------------------------------------------------------------------------------------------------------ */

static host_lvalue named(host_walk *w, const host_node *n) {
  const host_place *place = walk_variable_place(w, n->decl);
  if (n->decl->type->kind == HOST_REFERENCE) {
    return walk_pointee(w, memory_load(&w->memory, &w->state, place), n->type);
  }
  return (host_lvalue){.place = place, .type = n->type};
}

static host_lvalue member(host_walk *w, const host_node *n) {
  if (n->decl->kind == HOST_OBJECT) { /* a static member */
    return (host_lvalue){.place = walk_variable_place(w, n->decl), .type = n->type};
  }
  host_lvalue object = {0};
  if (n->count == 0) {
    object.place = w->frame->self;
  } else if (n->arrow) {
    object = walk_pointee(w, walk_value(w, n->children[0]), n->children[0]->type->target);
  } else {
    object = walk_lvalue(w, n->children[0]);
  }
  if (n->decl->kind != HOST_FIELD || n->decl->type->kind == HOST_REFERENCE || object.place == NULL) {
    return (host_lvalue){.within = object.within, .type = n->type};
  }
  return (host_lvalue){.place = memory_place(&w->memory, object.place, PLACE_FIELD, n->decl, 0, n->decl->type),
                       .type = n->type};
}

static host_lvalue element_of(host_walk *w, const host_place *array, const host_term *index, const host_type *type) {
  if (!term_is_number(index)) {
    return (host_lvalue){.within = array, .type = type};
  }
  return (host_lvalue){.place = memory_place(&w->memory, array, PLACE_ELEMENT, NULL, index->value, type), .type = type};
}

static host_lvalue subscript(host_walk *w, const host_node *n) {
  const host_node *base = n->children[0];
  const host_node *index = n->children[1];
  if (base->type->kind == HOST_INTEGER) { /* 2[a] */
    base = n->children[1];
    index = n->children[0];
  }
  const host_term *pointer = memory_given(&w->state, walk_value(w, base));
  const host_term *by = memory_given(&w->state, walk_value(w, index));
  host_lvalue first = walk_pointee(w, pointer, n->type);
  if (first.place == NULL || term_is(by, 0)) {
    return first;
  }
  if (first.place->kind != PLACE_ELEMENT) { /* of one object, only the first is there */
    return (host_lvalue){.within = first.place->object->place, .type = n->type};
  }
  if (term_is_number(by)) {
    by = term_number(&w->memory.terms, by->value + first.place->index, 64, true);
  }
  return element_of(w, first.place->parent, by, n->type);
}

host_lvalue walk_lvalue(host_walk *w, const host_node *n) {
  w->steps++;
  switch (n->kind) {
    case HOST_NAME:
      if (n->decl->kind == HOST_OBJECT) {
        return named(w, n);
      }
      break;
    case HOST_MEMBER:
      return member(w, n);
    case HOST_SUBSCRIPT:
      return subscript(w, n);
    case HOST_DEREFERENCE:
      return walk_pointee(w, walk_value(w, n->children[0]), n->type);
    case HOST_CAST: { /* of an object: the same object, where it is no copy */
      const host_type *from = n->children[0]->type;
      if (same_layout(from, n->type)) {
        return walk_lvalue(w, n->children[0]);
      }
      (void)walk_value(w, n->children[0]);
      walk_havoc_named(w, n);
      return (host_lvalue){.type = n->type};
    }
    case HOST_ASSIGN:
    case HOST_UPDATE:
      (void)walk_value(w, n);
      return walk_lvalue(w, n->children[0]);
    case HOST_STEP:
      (void)walk_value(w, n);
      if (!n->postfix) {
        return walk_lvalue(w, n->children[0]);
      }
      break;
    case HOST_COMMA:
      (void)walk_value(w, n->children[0]);
      return walk_lvalue(w, n->children[1]);
    case HOST_STRING:
      break;
    default: /* one of several objects, or what a function gives of those that it is given */
      memory_expose(&w->memory, &w->state, walk_value(w, n));
      if (n->kind == HOST_CONDITIONAL || (n->kind == HOST_CALL && (n->decl == NULL || n->decl->body == NULL))) {
        walk_havoc_named(w, n);
      }
      break;
  }
  return (host_lvalue){.type = n->type};
}

const host_term *walk_load(host_walk *w, host_lvalue l) {
  if (l.place != NULL) {
    return memory_load(&w->memory, &w->state, l.place);
  }
  const bool plain = l.type != NULL && (l.type->kind == HOST_INTEGER || l.type->kind == HOST_FLOAT);
  if (l.within != NULL && !plain) { /* any of the addresses in there */
    memory_expose(&w->memory, &w->state, term_address(&w->memory.terms, l.within));
  }
  return walk_new(w, l.type);
}

void walk_store(host_walk *w, host_lvalue l, const host_term *value) {
  if (l.place != NULL) {
    memory_store(&w->memory, &w->state, l.place, value);
    return;
  }
  memory_expose(&w->memory, &w->state, value);
  if (l.within != NULL) {
    memory_havoc(&w->memory, &w->state, l.within);
  } else {
    memory_havoc_exposed(&w->memory, &w->state, l.type);
  }
}

/* --- initialisers ------------------------------------------------------------------------------------------------- */

/* Are braces left out, so that several values fill one field or element? */
static bool is_elided(const host_type *type, const host_node *list) {
  for (size_t i = 0; i < list->count; i++) {
    const host_type *slot = type->kind == HOST_ARRAY ? type->target
                            : i < type->field_count  ? type->fields[i]->type
                                                     : NULL;
    const host_node *value = list->children[i];
    const bool whole = slot != NULL && (slot->kind == HOST_RECORD || slot->kind == HOST_ARRAY);
    if (whole && value->kind != HOST_LIST && value->kind != HOST_STRING && value->type->kind != slot->kind) {
      return true;
    }
  }
  return false;
}

/* A list of values; what it has no values for is 0. Where fields are not known, anything may be in them. */
static void fill(host_walk *w, const host_place *place, const host_node *list) {
  const host_type *type = place->type;
  const host_term *zero = term_number(&w->memory.terms, 0, 32, true);
  const bool array = type->kind == HOST_ARRAY;
  const bool zeros =
      list->count == 0 || (list->count == 1 && list->children[0]->kind == HOST_NUMBER && list->children[0]->value == 0);
  const bool known = !list->designated && !type->begins && !is_elided(type, list) &&
                     (array || zeros || list->count <= type->field_count);
  memory_havoc(&w->memory, &w->state, place);
  if (known) {
    state_set(&w->state, memory_place(&w->memory, place, PLACE_REST, NULL, 0, NULL), zero);
  }
  for (size_t i = 0; i < list->count; i++) {
    if (known && array) {
      walk_initialise(w, memory_place(&w->memory, place, PLACE_ELEMENT, NULL, (int64_t)i, type->target),
                      list->children[i]);
    } else if (known && i < type->field_count) {
      host_decl *field = type->fields[i];
      walk_initialise(w, memory_place(&w->memory, place, PLACE_FIELD, field, 0, field->type), list->children[i]);
    } else {
      memory_expose(&w->memory, &w->state, walk_value(w, list->children[i]));
    }
  }
}

static const host_node *without_casts(const host_node *n) {
  while (n->kind == HOST_CAST && n->type->kind == HOST_RECORD && n->count == 1) {
    n = n->children[0];
  }
  return n;
}

void walk_initialise(host_walk *w, const host_place *place, const host_node *first) {
  const host_type *type = place->type;
  if (type != NULL && (type->kind == HOST_RECORD || type->kind == HOST_ARRAY)) {
    const host_node *plain = without_casts(first);
    if (plain->kind == HOST_CONSTRUCT && plain->count == 1 && plain->children[0]->type->kind == HOST_RECORD &&
        same_layout(plain->children[0]->type, type) && plain->decl->body == NULL) {
      plain = without_casts(plain->children[0]); /* a copy */
    }
    if (plain->kind == HOST_LIST) {
      fill(w, place, plain);
      return;
    }
    if (plain->kind == HOST_NAME || plain->kind == HOST_MEMBER || plain->kind == HOST_SUBSCRIPT ||
        plain->kind == HOST_DEREFERENCE) {
      host_lvalue from = walk_lvalue(w, plain);
      if (from.place != NULL && same_layout(from.place->type, type)) {
        memory_copy(&w->memory, &w->state, place, from.place);
        return;
      }
    }
    const host_term *value = walk_value(w, first);
    memory_havoc(&w->memory, &w->state, place);
    memory_expose(&w->memory, &w->state, value);
    return;
  }
  if (type != NULL && type->kind == HOST_REFERENCE) {
    const host_term *to = walk_reference(w, first);
    memory_expose(&w->memory, &w->state, to);
    state_set(&w->state, place, to);
    return;
  }
  /* in lists of C++ libclang shows no conversion to the type of what is initialised */
  const host_term *value = walk_value(w, first);
  const bool converted = type != NULL && (type->kind == HOST_INTEGER || term_is_integer(value));
  memory_store(&w->memory, &w->state, place, converted ? walk_convert(w, value, type) : value);
}
