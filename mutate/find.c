/* Finding the mutants of a program: a walk over what its functions execute, and over their loops. */
#include "mutate/find.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/facts/look_ahead.h"

/* --- candidates --------------------------------------------------------------------------------------------------- */

candidate *add_candidate(finder *f, mutate_operator op, place_kind kind, uint32_t token, span whole) {
  candidate *c = ARRAY_ADD(f->candidates, f->count, f->capacity);
  c->place.kind = kind;
  c->place.op = op;
  c->place.function = f->function;
  c->place.token = token;
  c->place.whole = whole;
  c->place.left = c->place.right = (span){1, 0};
  c->unit = f->unit;
  c->replaced = (span){token, token};
  return c;
}

void add_alternative(candidate *c, char *key, char *text, char *shown, char *description) {
  alternative *a = ARRAY_ADD(c->items, c->count, c->capacity);
  *a = (alternative){key, text, shown, description, 0};
}

void add_replacement(candidate *c, const char *text) {
  add_alternative(c, mem_strdup(text), mem_strdup(text), mem_strdup(text), NULL);
}

bool is_number(const tree_type *t) { return t != NULL && (tree_type_is_integer(t) || tree_type_is_float(t)); }

bool is_pointer(const tree_type *t) { return t != NULL && t->kind == TREE_TYPE_POINTER; }

/* --- loops -------------------------------------------------------------------------------------------------------- */

/* Whether a loop's condition never ends it: there is none, or a literal that is true. */
static bool is_endless(const tree_node *loop) {
  const tree_node *decides = condition_node(loop);
  if (decides == NULL) {
    return true;
  }
  while (decides->kind == TREE_CONVERT) {
    decides = decides->children[0];
  }
  const tree_constant *c = &decides->constant;
  const bool literal = decides->kind == TREE_LITERAL || decides->kind == TREE_MACRO;
  return literal &&
         ((c->kind == TREE_INTEGER_CONSTANT && c->integer != 0) || (c->kind == TREE_FLOAT_CONSTANT && c->real != 0));
}

/* The header; of a `do` its keyword alone, for the header stands after the body. */
static span loop_header(const tree_node *loop) {
  const uint32_t begin = statement_begin(loop);
  return (span){begin, loop->kind == TREE_DO ? begin : loop->parts->close};
}

/* Whether n-1 iterations can be had. */
static bool can_look_ahead(const statements *s, const tree_node *loop) {
  look_ahead l;
  const bool can = find_look_ahead(s, loop, &l);
  look_ahead_free(&l);
  return can;
}

static void add_turns(candidate *c, const char *key, char *description) {
  add_alternative(c, mem_strdup(key), mem_strdup(key), mem_strdup(""), description);
}

static void find_loops(finder *f) {
  const statements *s = &f->program->functions[f->function].statements;
  for (size_t i = 0; i < s->count; i++) {
    const tree_node *loop = s->items[i];
    if (!tree_is_loop(loop->kind) || is_done_once(loop)) {
      continue;
    }
    candidate *c = add_candidate(f, MUTATE_LOOP, PLACE_LOOP, statement_begin(loop), statement_tokens(loop));
    c->place.loop = loop;
    c->replaced = loop_header(loop);
    add_turns(c, "skip", mem_strdup("loop skipped"));
    if (is_endless(loop)) {
      continue;
    }
    if (can_look_ahead(s, loop)) {
      add_turns(c, "n-1", describe_turns(f, loop, false));
    }
    add_turns(c, "n+1", describe_turns(f, loop, true));
  }
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

static void find_expression(finder *f, const tree_node *x) {
  switch (x->kind) {
    case TREE_CALL:
      find_call(f, x);
      break;
    case TREE_LITERAL:
      find_literal(f, x);
      break;
    default:
      find_operator(f, x);
      break;
  }
}

static void find_in_function(finder *f) {
  const tree_node *root = tree_function_of(tree_innermost(f->u->tree, f->program->functions[f->function].body.first));
  const tree_node *n = tree_body(root);
  while (n != NULL) {
    const bool left_out = n->not_executed || is_fixed(n);
    if (!left_out) {
      find_expression(f, n);
    }
    n = left_out ? tree_next_beyond(root, n) : tree_next(root, n);
  }
}

static void free_candidates(finder *f) {
  for (size_t i = 0; i < f->count; i++) {
    candidate *c = &f->candidates[i];
    for (size_t k = 0; k < c->count; k++) {
      free(c->items[k].key);
      free(c->items[k].text);
      free(c->items[k].shown);
      free(c->items[k].description);
    }
    free(c->items);
  }
  free(f->candidates);
}

void find_places(program *p, places *out, mutate_result *r) {
  *out = (places){.program = p};
  finder f = {.program = p};
  for (f.function = 0; f.function < p->function_count; f.function++) {
    f.unit = p->functions[f.function].unit;
    f.u = &p->units[f.unit];
    find_in_function(&f);
    find_loops(&f);
  }
  find_fixed(&f);
  merge_candidates(&f, out, r);
  free_candidates(&f);
}

void places_free(places *p) {
  for (size_t i = 0; i < p->count; i++) {
    place *at = &p->items[i];
    mem_free_all(at->replacements, at->count);
  }
  free(p->items);
  *p = (places){0};
}
