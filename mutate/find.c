/* Finding the mutants of a program: a walk over what its functions execute, and over their loops. */
#include "mutate/find.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "instrument/conditions.h"

/* --- candidates --------------------------------------------------------------------------------------------------- */

candidate *add_candidate(finder *f, mutate_operator op, place_kind kind, uint32_t token, span whole) {
  candidate *c = ARRAY_ADD(f->candidates, f->count, f->capacity);
  c->place.kind = kind;
  c->place.op = op;
  c->place.function = f->function;
  c->place.token = token;
  c->place.whole = whole;
  c->place.left = c->place.right = (span){1, 0};
  c->place.loop = NO_STATEMENT;
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

char *name_of_type(const tree_type *t) { return t == NULL ? NULL : tree_value_text(t); }

bool is_number(const tree_type *t) { return t != NULL && (tree_type_is_integer(t) || tree_type_is_float(t)); }

bool is_pointer(const tree_type *t) { return t != NULL && t->kind == TREE_TYPE_POINTER; }

/* --- loops -------------------------------------------------------------------------------------------------------- */

/* Whether a loop's condition never ends it: there is none, or a constant that is true. */
static bool is_endless(const pp_result *text, const statement *s) {
  if (span_empty(s->condition)) {
    return true;
  }
  const pp_token *t = &text->tokens[s->condition.first];
  bool number = t->kind == PP_NUMBER && text->text[t->begin] != '0';
  return s->condition.first == s->condition.last && (number || token_is(text, s->condition.first, "true"));
}

/* The header; of a `do` its keyword alone, for the header stands behind the body. */
static span loop_header(const statement *s) {
  switch (s->kind) {
    case STATEMENT_FOR:
      return (span){s->keyword, s->for_close};
    case STATEMENT_WHILE:
      return (span){s->keyword, s->condition.last + 1};
    default:
      return (span){s->keyword, s->keyword};
  }
}

static void add_turns(candidate *c, const char *key, char *description) {
  add_alternative(c, mem_strdup(key), mem_strdup(key), mem_strdup(""), description);
}

static void find_loops(finder *f) {
  const syntax *s = &f->program->functions[f->function].syntax;
  for (uint32_t i = 0; i < s->count; i++) {
    const statement *st = &s->items[i];
    if (!is_loop(st->kind) || is_done_once(tree_innermost(f->u->tree, st->keyword))) {
      continue;
    }
    candidate *c = add_candidate(f, MUTATE_LOOP, PLACE_LOOP, st->keyword, st->tokens);
    c->place.loop = i;
    c->replaced = loop_header(st);
    add_turns(c, "skip", mem_strdup("loop skipped"));
    if (is_endless(&f->u->text, st)) {
      continue;
    }
    if (schema_can_look_ahead(f->program, f->function, i)) {
      add_turns(c, "n-1", describe_turns(f, st, false));
    }
    add_turns(c, "n+1", describe_turns(f, st, true));
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
    free(c->place.type);
    free(c->place.left_type);
    free(c->place.right_type);
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
    free(at->type);
    free(at->left_type);
    free(at->right_type);
    for (uint32_t k = 0; k < at->count; k++) {
      free(at->replacements[k]);
    }
    free(at->replacements);
  }
  free(p->items);
  *p = (places){0};
}
