/* Inside the writer of schemata (schema*.c).
 *
 * An edit's extent is LAYERS times the tokens that it encloses, plus its layer: edits around the same tokens nest as
 * their layers say and, within a layer, in the order in which they were added (first outermost). */
#ifndef CLTC_MUTATE_SCHEMA_H
#define CLTC_MUTATE_SCHEMA_H

#include "frontend/edits.h"
#include "instrument/program.h"
#include "mutate/find.h"

/* Layers of edits around the same tokens, inner ones first. */
enum { LAYER_PLACE = 1, LAYER_TURN = 5, LAYERS = 8 };

/* --- schema_place.c --- */
/* Small functions that switch an operator; each is written in front of the first function that uses it. */
typedef struct typed_functions {
  uint32_t unit;
  struct typed_function *made; /* hash tables, of schema_place.c */
  struct typed_name *names;
  struct spelled_type *types;
  buffer pending; /* those that are not written yet */
} typed_functions;

void typed_functions_free(typed_functions *set);
/* A number's, of which operands need the same number of components. */
static inline bool is_vector(const tree_type *t) { return t != NULL && t->kind == TREE_TYPE_VECTOR; }

typedef struct copies {
  uint32_t *numbers; /* ascending, 0 first */
  size_t count;
  unsigned char *needs; /* [number's index][function]: COPY_… */
  bool *touched;        /* [number's index][function]: it is, or reaches, where the mutant is */
  size_t function_count;
} copies;

/* --- the writer: one function, in the schema or for one number --- */
typedef struct replaced_span {
  span tokens;
  char *text;
} replaced_span;
typedef struct schema_writer {
  const places *places;
  const program *p;
  const unit *u;
  const function *f;
  uint32_t index;  /* of the function */
  uint32_t number; /* of the clone, or SCHEMA_TEXT */
  const copies *copies;
  typed_functions *functions;
  edits *edits;
  buffer locals;           /* declarations at the top of the body */
  replaced_span *replaced; /* what the clone's text has something else for */
  size_t replaced_count, replaced_capacity;
} schema_writer;
/* Adds an edit that encloses `around`. */
void put(const schema_writer *w, uint32_t token, enum edit_place where, span around, uint32_t layer, char *text);
/* The index of the clone's mutant among those of a place, NONE if it has another. */
uint32_t mutant_here(const schema_writer *w, const place *place);
/* To have the tokens replaced, with all edits in them. Takes over `text`. */
void replace_span(schema_writer *w, span tokens, char *text);

/* --- schema_place.c --- */
void edit_place(schema_writer *w, const place *place);

void edit_loops(schema_writer *w);

/* --- schema.c --- */
/* Program text in which calls of the program's functions are handed the context and go to the copies for the writer's
 * number; to be freed. */
char *with_calls(const schema_writer *w, const char *text);

#endif
