/* Finding the mutants of a program: a walk over its executed expressions and its loops. */
#include "mutate/find.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

static void add_turns(candidate *c, const char *key, const char *description) {
  add_alternative(c, mem_strdup(key), mem_strdup(key), mem_strdup(""), mem_strdup(description));
}

static void find_loops(finder *f) {
  const syntax *s = &f->program->functions[f->function].syntax;
  for (uint32_t i = 0; i < s->count; i++) {
    const statement *st = &s->items[i];
    if (!is_loop(st->kind)) {
      continue;
    }
    candidate *c = add_candidate(f, MUTATE_LOOP, PLACE_LOOP, st->keyword, st->tokens);
    c->place.loop = i;
    c->replaced = loop_header(st);
    add_turns(c, "skip", "loop skipped");
    if (is_endless(&f->u->text, st)) {
      continue;
    }
    if (schema_can_look_ahead(f->program, f->function, i)) {
      add_turns(c, "n-1", "n-1 iterations");
    }
    add_turns(c, "n+1", "n+1 iterations");
  }
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

static bool is_fixed(const finder *f, uint32_t token) {
  for (size_t i = 0; i < f->fixed_count; i++) {
    if (span_has(f->fixed[i], token)) {
      return true;
    }
  }
  return false;
}

static void find_expression(finder *f, const front_expression *x) {
  if (is_fixed(f, x->token)) {
    return;
  }
  switch (x->kind) {
    case FRONT_CALL:
      find_call(f, x);
      break;
    case FRONT_LITERAL:
      find_literal(f, x);
      break;
    default:
      find_operator(f, x);
      break;
  }
}

/* Goes on to the function that holds `token`; false if none does. Expressions come function by function. */
static bool enter_function(finder *f, uint32_t token) {
  const program *p = f->program;
  for (size_t tried = 0; tried <= p->function_count; tried++, f->function++) {
    f->function = f->function >= p->function_count ? 0 : f->function;
    const function *g = &p->functions[f->function];
    if (g->unit == f->unit && token > g->body.first && token < g->body.last) {
      return true;
    }
  }
  return false;
}

static void find_in_unit(finder *f) {
  const front_expressions *all = &f->u->expressions;
  uint32_t current = NONE;
  f->all = all;
  for (size_t i = 0; i < all->count; i++) {
    if (!enter_function(f, all->items[i].token)) {
      continue;
    }
    if (f->function != current) {
      current = f->function;
      f->truth_count = f->fixed_count = 0;
      note_conditions(f);
    }
    find_expression(f, &all->items[i]);
  }
  f->all = NULL;
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
  free(f->truths);
  free(f->fixed);
}

void find_places(program *p, places *out, mutate_result *r) {
  *out = (places){.program = p};
  finder f = {.program = p};
  for (f.unit = 0; f.unit < p->unit_count && p->function_count > 0; f.unit++) {
    f.u = &p->units[f.unit];
    f.function = 0;
    find_in_unit(&f);
  }
  for (f.function = 0; f.function < p->function_count; f.function++) {
    f.unit = p->functions[f.function].unit;
    f.u = &p->units[f.unit];
    find_loops(&f);
  }
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
