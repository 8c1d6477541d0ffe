/* The host program's memory as the walk sees it: objects, the places in them, and what each place holds in a state.
 *
 * A pointer that is lost sight of may point to each object that is *exposed*: whose address has gone somewhere that is
 * not followed. Whoever drops a value that may be an address exposes it first. */
#ifndef CLTC_HOST_STATE_H
#define CLTC_HOST_STATE_H

#include "proofs/host/term.h"

typedef enum object_kind {
  OBJECT_VARIABLE,
  OBJECT_HEAP,
  OBJECT_KERNEL,
  OBJECT_PROGRAM,
  OBJECT_MEMORY /* a buffer, image or pipe */
} object_kind;

typedef struct host_object {
  object_kind kind;
  const host_decl *decl;              /* of a variable */
  const struct host_context *context; /* the call in which it was made; NULL for globals */
  const struct host_place *place;     /* all of it */
  bool wild;                          /* it may change at any time from now on: a device writes to it */
} host_object;

typedef enum place_kind {
  PLACE_ALL,     /* the object */
  PLACE_FIELD,   /* `field` of the parent */
  PLACE_ELEMENT, /* `index` of the parent */
  /* what is known of an object, beside its contents */
  PLACE_REST,     /* of the parent: what its places hold of which nothing else is known */
  PLACE_EXPOSED,  /* 1: unknown pointers may point to it */
  PLACE_ARGUMENT, /* `index` of a kernel: what it is set to, a pair of the value and the bytes */
  PLACE_NAME,     /* of a kernel */
  PLACE_PROGRAM,  /* of a kernel */
  PLACE_OPTIONS,  /* of a program */
  PLACE_SIZE,     /* of memory, in bytes */
  PLACE_MEASURE,  /* of memory: sizeof in its size */
  PLACE_SETTER    /* `index` of a kernel: the call that has set the argument: the node's address as a number */
} place_kind;

typedef struct host_place {
  place_kind kind;
  const host_object *object;
  const struct host_place *parent; /* NULL for PLACE_ALL */
  const host_decl *field;
  int64_t index;
  const host_type *type;
  unsigned id;
} host_place;

/* Something that holds on the way to here. */
typedef struct host_condition {
  const struct host_condition *before;
  const host_term *term;
  host_where where;
  host_fact_kind kind;
  unsigned depth;
} host_condition;

typedef struct state_entry {
  const host_place *place;
  const host_term *value;
} state_entry;

typedef struct host_state {
  bool dead;            /* nothing gets here */
  state_entry *entries; /* by number of the place */
  size_t count, capacity;
  const host_condition *conditions;
} host_state;

typedef struct host_memory {
  host_pool *pool;
  host_terms terms;
  host_map objects, places;
  unsigned place_count;
  bool hidden_stores; /* exposed objects may change at any time */
} host_memory;

/* --- objects and places --- */
/* The object of a variable in a call, or that the node makes there; one and the same each time. */
host_object *memory_object(host_memory *m, object_kind kind, const void *origin, const struct host_context *context,
                           const host_type *type);
const host_place *memory_place(host_memory *m, const host_place *parent, place_kind kind, const host_decl *field,
                               int64_t index, const host_type *type);

/* --- states --- */
host_state state_copy(const host_state *s);
void state_free(host_state *s);
/* Takes the place of `to`; `from` is empty after it. */
void state_move(host_state *to, host_state *from);
const host_term *state_find(const host_state *s, const host_place *place);
void state_set(host_state *s, const host_place *place, const host_term *value);
/* Forgets what is known of all places below, and of the place itself. */
void state_drop(host_state *s, const host_place *above);

/* --- values --- */
const host_term *memory_load(host_memory *m, const host_state *s, const host_place *place);
void memory_store(host_memory *m, host_state *s, const host_place *place, const host_term *value);
/* Anything may be in the place, and below it, from now on. */
void memory_havoc(host_memory *m, host_state *s, const host_place *place);
/* A new object, or one that a declaration begins anew: `rest` is what its places hold, NULL: unset. */
void memory_begin(host_memory *m, host_state *s, const host_object *object, const host_term *rest);
void memory_copy(host_memory *m, host_state *s, const host_place *to, const host_place *from);
/* What an address in the value points to, and what can be reached from there, is exposed. */
void memory_expose(host_memory *m, host_state *s, const host_term *value);
/* The same of what the place holds now; the place itself is not. */
void memory_expose_held(host_memory *m, host_state *s, const host_place *place);
bool memory_is_exposed(host_memory *m, const host_state *s, const host_object *object);
/* Someone has stored a value of the type, NULL: of any, through a pointer that is not known. */
void memory_havoc_exposed(host_memory *m, host_state *s, const host_type *type);
/* Replaces all addresses of an object by unknown values: another object is made in its name. */
void memory_forget_object(host_memory *m, host_state *s, const host_object *object);

/* --- ways that meet --- */
/* `into` becomes what holds on either way; `condition` is true where `into` was the way, NULL: not known. Empties
 * `from`. */
void memory_join(host_memory *m, host_state *into, host_state *from, const host_term *condition);
/* A condition that holds on the way of the one state and does not on that of the other; NULL: none is known. */
const host_term *memory_tell_apart(const host_state *into, const host_state *from);
/* Makes places unknown in `head` that a turn of a loop, which ends in `end`, changes. `widened` has the symbols of those
 * places, `before` what they held. False when nothing is new. */
bool memory_widen(host_memory *m, host_state *head, const host_state *end, host_state *widened, host_state *before);
/* What a value is where the conditions hold. */
const host_term *memory_given(const host_state *s, const host_term *value);

#endif
