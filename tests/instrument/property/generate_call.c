/* Calls of functions and uses of macros with a value. */
#include "generate.h"

/* Whether a function may be called from where we are. */
static bool callable(const generator *g, const scope *s, const function *f) {
  if (f->kernel || (f->effect && (s->pure || s->only_uniform)) || (f->reads_id && s->only_uniform)) {
    return false;
  }
  if (s->macro != NULL) {
    return !f->takes_input && !f->takes_slice && !f->effect;
  }
  return !(f->takes_input && !g->input) && !(f->takes_slice && !g->slice);
}

static function *pick_function(generator *g, const scope *s, value_type result, bool barriers) {
  function *found = NULL;
  uint32_t seen = 0;
  for (size_t i = 0; i < g->p->function_count; i++) {
    function *f = g->p->functions[i];
    if (f != s->function && f->result == result && f->barriers == barriers && callable(g, s, f) &&
        below(g, ++seen) == 0) {
      found = f;
    }
  }
  return found;
}

/* A variable whose address can be taken. */
static variable *addressable(generator *g, const scope *s) {
  variable *found = NULL;
  for (size_t i = 0; i < s->visible_count && s->macro == NULL; i++) {
    variable *v = s->visible[i];
    if (v->type == TYPE_UINT && v->length == 0 && !v->constant && (found == NULL || chance(g, 50))) {
      found = v;
    }
  }
  return found;
}

static expression *call_of(generator *g, const scope *s, function *f, int depth) {
  expression *e = tree_expression(g->p, EXPRESSION_CALL, f->result);
  e->function = f;
  scope inner = *s;
  inner.pure = true;
  for (size_t i = 0; i < f->parameter_count; i++) {
    if (f->parameters[i]->storage == STORE_POINTER) {
      variable *v = addressable(g, s);
      if (v == NULL) {
        return NULL;
      }
      expression *address = tree_expression(g->p, EXPRESSION_ADDRESS, TYPE_UINT);
      address->variable = v;
      e->operands[e->operand_count++] = address;
      continue;
    }
    inner.only_uniform = s->only_uniform || f->parameters[i]->uniform;
    e->operands[e->operand_count++] = generate_uint(g, &inner, depth - 1);
  }
  s->function->reads_id = s->function->reads_id || f->reads_id;
  return e;
}

expression *generate_call(generator *g, const scope *s, int depth) {
  function *f = pick_function(g, s, TYPE_UINT, false);
  return f == NULL ? NULL : call_of(g, s, f, depth);
}

statement *generate_void_call(generator *g, const scope *s, bool barriers) {
  function *f = pick_function(g, s, TYPE_VOID, barriers);
  expression *e = f == NULL ? NULL : call_of(g, s, f, 2);
  return e == NULL ? NULL : make_plain(g, e);
}

macro *pick_macro(generator *g, const scope *s, bool (*fits)(const macro *)) {
  macro *found = NULL;
  uint32_t seen = 0;
  for (size_t i = 0; i < g->p->macro_count; i++) {
    macro *m = g->p->macros[i];
    if (m != s->macro && fits(m) && below(g, ++seen) == 0) {
      found = m;
    }
  }
  return found;
}

static bool has_value(const macro *m) { return m->value != NULL && m->value->type != TYPE_VOID && !m->effect; }

expression *generate_macro_value(generator *g, const scope *s, int depth) {
  macro *m = pick_macro(g, s, has_value);
  if (m == NULL || (s->macro != NULL && s->macro->use_count >= 2)) {
    return NULL;
  }
  if (s->macro != NULL) {
    s->macro->use_count++;
  }
  expression *e = tree_expression(g->p, EXPRESSION_MACRO, m->value->type);
  e->macro = m;
  e->bound = m->value->bound;
  scope inner = *s;
  inner.pure = true;
  for (size_t i = 0; i < m->parameters; i++) {
    e->operands[e->operand_count++] = generate_uint(g, &inner, depth - 1);
  }
  return e;
}
