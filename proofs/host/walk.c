/* The walk as a whole: where it begins, what holds on the way, and functions that run without a call that we see;
 * and values of expressions. */
#include "proofs/host/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_STEPS = 12000000, MOST_ROUNDS = 20 };

const host_term *walk_new(host_walk *w, const host_type *type) { return term_symbol(&w->memory.terms, type); }

const host_context *walk_context(host_walk *w, const host_node *call, host_decl *function) {
  const void *key[3] = {w->context, call, function};
  void **at = host_map_at(w->pool, &w->contexts, key, sizeof key);
  if (*at == NULL) {
    host_context *c = host_take(w->pool, sizeof *c);
    *c = (host_context){w->context, function, w->context == NULL ? 0 : w->context->depth + 1};
    *at = c;
  }
  return *at;
}

void walk_add_launch(host_walk *w, const met_launch *l) {
  if (w->dry == 0) {
    met_launch *copy = host_take(w->pool, sizeof *copy);
    *copy = *l;
    *ARRAY_ADD(w->launches, w->launch_count, w->launch_capacity) = copy;
  }
}

/* --- conditions --------------------------------------------------------------------------------------------------- */

static void add_condition(host_walk *w, host_state *s, const host_term *term, host_where where, host_fact_kind kind) {
  for (const host_condition *c = s->conditions; c != NULL; c = c->before)
    if (c->term == term) return;
  host_condition *c = host_take(w->pool, sizeof *c);
  *c = (host_condition){s->conditions, term, where, kind, s->conditions == NULL ? 1 : s->conditions->depth + 1};
  s->conditions = c;
}

static bool is_known(const host_term *a, bool truth) { return term_is_number(a) && (a->value != 0) == truth; }

void walk_assume(host_walk *w, host_state *s, const host_term *condition, bool holds, host_where where,
                 host_fact_kind kind) {
  w->steps += s->count / 4; /* a branch copies its state */
  if (s->dead) return;
  const host_term *t = memory_given(s, condition);
  if (term_is_number(t)) {
    s->dead = (t->value != 0) != holds;
  } else if (t->kind == TERM_UNARY && t->op == OP_NOT) {
    walk_assume(w, s, t->a, !holds, where, kind);
  } else if (t->kind == TERM_BINARY && ((t->op == OP_LOGICAL_AND && holds) || (t->op == OP_LOGICAL_OR && !holds))) {
    walk_assume(w, s, t->a, holds, where, kind);
    walk_assume(w, s, t->b, holds, where, kind);
  } else if (t->kind == TERM_CHOICE && is_known(t->c, !holds)) {
    walk_assume(w, s, t->a, true, where, kind);
    walk_assume(w, s, t->b, holds, where, kind);
  } else if (t->kind == TERM_CHOICE && is_known(t->b, !holds)) {
    walk_assume(w, s, t->a, false, where, kind);
    walk_assume(w, s, t->c, holds, where, kind);
  } else if (term_is_integer(t)) {
    add_condition(w, s, holds ? t : term_unary(&w->memory.terms, OP_NOT, t), where, kind);
  }
}

/* --- what other code may do --------------------------------------------------------------------------------------- */

void walk_havoc_world(host_walk *w) {
  host_state *s = &w->state;
  if (s->dead) return;
  for (size_t i = 0; i < w->tree->global_count; i++) {
    const host_decl *d = w->tree->globals[i];
    const host_place *place = walk_variable_place(w, d);
    if (d->type->is_const)
      memory_expose_held(&w->memory, s, place);
    else
      memory_expose(&w->memory, s, term_address(&w->memory.terms, place));
  }
  memory_havoc_exposed(&w->memory, s, NULL);
  for (size_t i = 0; i < s->count; i++) {
    const host_place *p = s->entries[i].place;
    if ((p->kind == PLACE_ARGUMENT || p->kind == PLACE_SETTER || p->kind == PLACE_OPTIONS) &&
        memory_is_exposed(&w->memory, s, p->object))
      s->entries[i].value = walk_new(w, NULL);
  }
}

static void havoc_named(host_walk *w, const host_node *n) {
  if (n == NULL) return;
  const host_place *place = NULL;
  if (n->kind == HOST_NAME && n->decl->kind == HOST_OBJECT)
    place = walk_variable_place(w, n->decl);
  else if (n->kind == HOST_THIS || (n->kind == HOST_MEMBER && n->count == 0))
    place = w->frame->self;
  else if (n->kind == HOST_NAME && n->decl->kind == HOST_FUNCTION)
    n->decl->hidden_calls = n->decl->hidden_calls || n->decl->body != NULL;
  if (place != NULL && n->type->kind != HOST_RECORD && place->type != NULL && place->type->is_const) {
    memory_expose_held(&w->memory, &w->state, place); /* it stays, and what it points to may change */
  } else if (place != NULL) {
    memory_expose(&w->memory, &w->state, term_address(&w->memory.terms, place));
    memory_havoc(&w->memory, &w->state, place);
  }
  for (size_t i = 0; i < n->count; i++) havoc_named(w, n->children[i]);
}

void walk_havoc_named(host_walk *w, const host_node *n) {
  if (!w->state.dead) {
    havoc_named(w, n);
    memory_havoc_exposed(&w->memory, &w->state, NULL);
  }
}

void walk_unknown_launch(host_walk *w, const host_node *n, const char *what) {
  host_tree_note(w->tree, "%s:%u: %s, and may launch kernels", n->where.file, n->where.line, what);
  walk_add_launch(w, &(met_launch){.node = n, .context = w->context});
}

bool walk_is_followed(const host_decl *d) {
  return d->body != NULL || (d->system && walk_is_library(d->name)) || host_is_known_function(d);
}

void walk_check_function(host_walk *w, const host_node *n, const host_decl *d) {
  if (d->kind == HOST_FUNCTION && !walk_is_followed(d))
    walk_unknown_launch(w, n, host_text_printf(w->pool, "%s is not followed", d->name));
}

/* Launches below a node that is not walked are met, with nothing known of them. */
static void walk_unknown_launches(host_walk *w, const host_node *n) {
  if (n == NULL) return;
  const bool call = n->kind == HOST_CALL && n->decl != NULL;
  if (call && (strcmp(n->decl->name, "clEnqueueNDRangeKernel") == 0 || strcmp(n->decl->name, "clEnqueueTask") == 0))
    walk_add_launch(w, &(met_launch){.node = n, .context = w->context});
  else if (n->kind == HOST_CALL && n->decl == NULL)
    walk_unknown_launch(w, n, "what is called here is not known");
  else if ((call && strncmp(n->decl->name, "clSetKernelArg", 14) != 0) || n->kind == HOST_NAME)
    walk_check_function(w, n, n->decl);
  for (size_t i = call ? 1 : 0; i < n->count; i++) walk_unknown_launches(w, n->children[i]);
}

bool walk_hide_calls(const host_node *n) {
  bool found = false;
  if (n == NULL) return false;
  if (n->decl != NULL && n->decl->kind == HOST_FUNCTION && n->decl->body != NULL && n->kind != HOST_MEMBER) {
    found = !n->decl->hidden_calls;
    n->decl->hidden_calls = true;
  }
  for (size_t i = 0; i < n->count; i++) found = walk_hide_calls(n->children[i]) || found;
  return found;
}

/* --- functions that may run at any time --------------------------------------------------------------------------- */

/* The variable or field that an expression changes when it is assigned to; NULL: something behind a pointer. */
static host_decl *changed_object(const host_node *n, bool *pointer) {
  for (; n != NULL; n = n->count > 0 ? n->children[0] : NULL) {
    if (n->kind == HOST_DEREFERENCE || n->kind == HOST_SUBSCRIPT || (n->kind == HOST_MEMBER && n->arrow))
      *pointer = *pointer || n->kind != HOST_SUBSCRIPT || n->children[0]->type->kind != HOST_ARRAY;
    if (n->kind == HOST_NAME || n->kind == HOST_MEMBER) return n->decl;
  }
  *pointer = true;
  return NULL;
}

/* Variables of one call are not those of another. */
static bool make_wild(host_decl *d, bool locals) {
  if (d == NULL || d->wild || (d->kind != HOST_OBJECT && d->kind != HOST_FIELD) ||
      (d->kind == HOST_OBJECT && !d->global && !locals))
    return false;
  d->wild = true;
  return true;
}

/* A function of the system that changes nothing behind pointers of ours. */
static bool is_quiet(const host_decl *d) {
  return d->system && (walk_is_library(d->name) || strncmp(d->name, "clRelease", 9) == 0 ||
                       strncmp(d->name, "clSetKernelArg", 14) == 0 || strncmp(d->name, "clEnqueueNDRange", 16) == 0);
}

/* References that a call is given may be changed by it. */
static bool release_references(const host_node *n, bool locals, bool *pointer) {
  bool found = false;
  for (size_t i = 1; i < n->count; i++) {
    const host_type *type = n->decl != NULL && i <= n->decl->type_count ? n->decl->types[i - 1] : NULL;
    if (type != NULL && type->kind == HOST_REFERENCE && n->children[i] != NULL)
      found = make_wild(changed_object(n->children[i], pointer), locals) || found;
  }
  return found;
}

static bool release_operands(const host_node *n, bool locals) {
  bool found = false;
  for (size_t i = 0; i < n->count; i++) {
    bool ignored = false;
    found = (n->children[i] != NULL && make_wild(changed_object(n->children[i], &ignored), locals)) || found;
  }
  return found;
}

/* Whatever a body may change is wild; its own variables only where `locals` says so. True where something new was
 * found. */
static bool release(host_walk *w, const host_node *n, bool locals) {
  bool found = false;
  bool pointer = false;
  if (n == NULL) return false;
  switch (n->kind) {
    case HOST_ASSIGN:
    case HOST_UPDATE:
    case HOST_STEP:
    case HOST_ADDRESS: {
      host_decl *d = changed_object(n->children[0], &pointer);
      pointer = pointer || (d != NULL && d->type->kind == HOST_REFERENCE);
      found = make_wild(d, locals);
      break;
    }
    case HOST_NAME:
    case HOST_MEMBER:
      if (n->type->kind == HOST_ARRAY || n->type->kind == HOST_RECORD) found = make_wild(n->decl, locals);
      break;
    case HOST_CALL:
      w->hidden_settings = w->hidden_settings || (n->decl != NULL && strncmp(n->decl->name, "clSetKernelArg", 14) == 0);
      pointer = n->decl == NULL || (n->decl->body == NULL && !is_quiet(n->decl));
      found = release_references(n, locals, &pointer);
      break;
    case HOST_OTHER:
    case HOST_EFFECT:
      pointer = n->count > 0;
      found = release_operands(n, locals);
      break;
    default: break;
  }
  w->memory.hidden_stores = w->memory.hidden_stores || pointer;
  for (size_t i = 0; i < n->count; i++) found = release(w, n->children[i], locals) || found;
  return found;
}

/* What stands below a node may run at any time from now on: a function without a name. */
static void walk_release(host_walk *w, const host_node *n) {
  const bool stores = w->memory.hidden_stores;
  const bool settings = w->hidden_settings;
  const bool found = release(w, n, true);
  w->again = w->again || found || stores != w->memory.hidden_stores || settings != w->hidden_settings;
}

/* Functions that run unseen, with all that they call. True where something new was found. */
static bool release_hidden(host_walk *w) {
  bool found = false;
  for (size_t i = 0; i < w->tree->function_count; i++) {
    host_decl *d = w->tree->functions[i];
    if (d->hidden_calls || d->unstructured) {
      const bool stores = w->memory.hidden_stores;
      const bool settings = w->hidden_settings;
      found = release(w, d->body, false) || found;
      found = walk_hide_calls(d->body) || found;
      found = found || stores != w->memory.hidden_stores || settings != w->hidden_settings;
    }
  }
  return found;
}

/* --- beginnings --------------------------------------------------------------------------------------------------- */

/* What it is when the program starts: in C++ it may be computed later, of what variables hold then. */
static bool is_plain_initialiser(const host_node *n) {
  const bool reads =
      n->kind == HOST_NAME || n->kind == HOST_MEMBER || n->kind == HOST_SUBSCRIPT || n->kind == HOST_DEREFERENCE;
  if (n->kind == HOST_ADDRESS || (reads && (n->type->kind == HOST_ARRAY || n->type->is_const ||
                                            (n->decl != NULL && n->decl->kind == HOST_FUNCTION))))
    return true;
  if (reads || n->kind == HOST_CALL || n->kind == HOST_CONSTRUCT || n->kind == HOST_OTHER || n->kind == HOST_EFFECT ||
      n->kind == HOST_NEW)
    return false;
  for (size_t i = 0; i < n->count; i++)
    if (!is_plain_initialiser(n->children[i])) return false;
  return true;
}

/* Global variables as the program's start leaves them; `known` is false where anything may have run before. */
static void begin_globals(host_walk *w, bool known) {
  for (size_t i = 0; i < w->tree->global_count; i++) {
    host_decl *d = w->tree->globals[i];
    const host_place *place = walk_variable_place(w, d);
    const bool foreign = d->system || !d->defined;
    const bool fixed = d->type->is_const || (d->type->kind == HOST_ARRAY && d->type->target->is_const);
    if (foreign || (!known && !fixed)) {
      memory_begin(&w->memory, &w->state, place->object, walk_new(w, NULL));
      memory_expose(&w->memory, &w->state, term_address(&w->memory.terms, place));
      continue;
    }
    memory_begin(&w->memory, &w->state, place->object, term_number(&w->memory.terms, 0, 32, true));
    if (d->first != NULL && (d->type->kind == HOST_REFERENCE || is_plain_initialiser(d->first))) {
      walk_initialise(w, place, d->first);
    } else if (d->first != NULL) {
      (void)walk_hide_calls(d->first);
      walk_unknown_launches(w, d->first);
      memory_havoc(&w->memory, &w->state, place);
    } else if (d->type->kind == HOST_RECORD && fixed) {
      memory_havoc(&w->memory, &w->state, place);
    }
  }
}

void walk_end_frame(host_walk *w, walk_frame *f, host_decl *function) {
  for (size_t i = 0; i < f->jump_count; i++) {
    if (!f->jumps[i].state.dead && !function->unstructured) {
      function->unstructured = true;
      w->again = true;
    }
    state_free(&f->jumps[i].state);
  }
  free(f->jumps);
}

static void walk_from(host_walk *w, host_decl *function, bool start) {
  walk_frame frame = {.returned = {.dead = true}};
  w->context = NULL;
  w->context = walk_context(w, NULL, function);
  w->frame = &frame;
  w->state = (host_state){0};
  *host_map_at(w->pool, &w->visited, &function, sizeof(host_decl *)) = function;
  begin_globals(w, start);
  if (function->unstructured) {
    walk_unknown_launches(w, function->body);
  } else {
    for (size_t i = 0; i < function->parameter_count; i++) {
      const host_place *place = walk_variable_place(w, function->parameters[i]);
      memory_havoc(&w->memory, &w->state, place);
    }
    walk_statement(w, function->body);
  }
  state_free(&w->state);
  state_free(&frame.returned);
  walk_end_frame(w, &frame, function);
}

static bool is_main(const host_decl *d) { return strcmp(d->name, "main") == 0 && !d->method; }

static void list_calls(host_walk *w, host_map *called, const host_node *n) {
  if (n == NULL) return;
  if (n->decl != NULL && n->decl->kind == HOST_FUNCTION)
    *host_map_at(w->pool, called, &n->decl, sizeof(host_decl *)) = n->decl;
  for (size_t i = 0; i < n->count; i++) list_calls(w, called, n->children[i]);
}

static void reach_calls(host_walk *w, host_map *reached, const host_node *n);

static void reach(host_walk *w, host_map *reached, host_decl *function) {
  void **at = host_map_at(w->pool, reached, &function, sizeof(host_decl *));
  if (*at == NULL) {
    *at = function;
    reach_calls(w, reached, function->body);
  }
}

static void reach_calls(host_walk *w, host_map *reached, const host_node *n) {
  if (n == NULL) return;
  if (n->decl != NULL && n->decl->kind == HOST_FUNCTION && n->decl->body != NULL) reach(w, reached, n->decl);
  for (size_t i = 0; i < n->count; i++) reach_calls(w, reached, n->children[i]);
}

/* The functions that may run when all of the program is known: what `main` calls, what runs unseen, and what global
 * variables name. False where a function may be called by code that is not here. */
static bool find_reachable(host_walk *w, host_map *reached) {
  bool whole = false;
  for (size_t i = 0; i < w->tree->function_count; i++) whole = whole || is_main(w->tree->functions[i]);
  if (!whole || !w->tree->plain || !w->tree->complete) return false;
  for (size_t i = 0; i < w->tree->function_count; i++) {
    host_decl *d = w->tree->functions[i];
    if (is_main(d) || d->hidden_calls) reach(w, reached, d);
  }
  for (size_t i = 0; i < w->tree->global_count; i++) reach_calls(w, reached, w->tree->globals[i]->first);
  return true;
}

/* Walks from the functions that `main` does not lead to. */
static void walk_others(host_walk *w, host_map *called) {
  host_map walked = {0};
  host_map reached = {0};
  const bool whole = find_reachable(w, &reached);
  /* Those that nobody calls come first: the others are walked from there. */
  for (int round = 0; round < 2; round++) {
    for (size_t i = 0; i < w->tree->function_count; i++) {
      host_decl *d = w->tree->functions[i];
      const bool unused = whole && *host_map_at(w->pool, &reached, &d, sizeof(host_decl *)) == NULL;
      const bool has_caller = *host_map_at(w->pool, called, &d, sizeof(host_decl *)) != NULL;
      const bool visited = *host_map_at(w->pool, &w->visited, &d, sizeof(host_decl *)) != NULL;
      const bool recursive = *host_map_at(w->pool, &w->recursive, &d, sizeof(host_decl *)) != NULL;
      void **done = host_map_at(w->pool, &walked, &d, sizeof(host_decl *));
      if (*done == NULL && !unused && (recursive || d->hidden_calls || (!visited && (round == 1 || !has_caller)))) {
        *done = d;
        walk_from(w, d, false);
      }
    }
  }
  host_map_free(&walked);
  host_map_free(&reached);
}

/* A walk from the start, and from each function that may run otherwise. */
static void walk_once(host_walk *w) {
  w->launch_count = 0;
  host_map called = {0};
  for (size_t i = 0; i < w->tree->function_count; i++) {
    list_calls(w, &called, w->tree->functions[i]->body);
    if (is_main(w->tree->functions[i])) walk_from(w, w->tree->functions[i], true);
  }
  walk_others(w, &called);
  host_map_free(&called);
}

void walk_program(host_walk *w) {
  w->pool = w->tree->pool;
  w->memory.pool = w->pool;
  w->memory.terms.pool = w->pool;
  w->most_steps = MOST_STEPS;
  (void)release_hidden(w);
  bool again = true;
  for (int round = 0; again && !w->exhausted; round++) {
    const bool complete = w->tree->complete;
    host_map_free(&w->visited);
    host_map_free(&w->recursive);
    w->again = false;
    walk_once(w);
    again = release_hidden(w) || w->again || complete != w->tree->complete;
    w->exhausted = w->exhausted || (again && round >= MOST_ROUNDS);
  }
}

void walk_free(host_walk *w) {
  host_map_free(&w->contexts);
  host_map_free(&w->visited);
  host_map_free(&w->recursive);
  host_map_free(&w->memory.objects);
  host_map_free(&w->memory.places);
  host_map_free(&w->memory.terms.map);
  free(w->launches);
}

/* --- values of expressions ---------------------------------------------------------------------------------------- */

static bool is_integer(const host_type *type) { return type->kind == HOST_INTEGER; }

/* --- conversions -------------------------------------------------------------------------------------------------- */

static const host_term *to_integer(host_walk *w, const host_term *value, const host_type *to) {
  const unsigned bits = (unsigned)to->size * 8;
  if (to->is_bool && term_is_integer(value))
    return term_cast(&w->memory.terms, term_truth(&w->memory.terms, value), bits, to->is_signed);
  if (term_is_integer(value)) return term_cast(&w->memory.terms, value, bits, to->is_signed);
  if (value->kind == TERM_REAL && fabs(value->real) < 9e15) {
    const double lowest = to->is_signed ? -ldexp(1, (int)bits - 1) : 0;
    const double limit = ldexp(1, (int)bits - (to->is_signed ? 1 : 0));
    if (value->real >= lowest && value->real < limit)
      return term_number(&w->memory.terms, (int64_t)value->real, bits, to->is_signed);
  }
  if (value->real_number) return term_apply(&w->memory.terms, "truncate", value, NULL, to);
  return walk_lost(w, value, to);
}

static const host_term *to_real(host_walk *w, const host_term *value, const host_type *to) {
  const bool single = to->size == 4;
  if (to->size > 8) return walk_lost(w, value, to); /* `long double` has more bits on some machines */
  if (term_is_number(value)) {
    const double wide = value->is_signed ? (double)value->value : (double)(uint64_t)value->value;
    return term_real(&w->memory.terms, single ? (double)(float)wide : wide);
  }
  if (value->kind == TERM_REAL) return term_real(&w->memory.terms, single ? (double)(float)value->real : value->real);
  return term_apply(&w->memory.terms, single ? "float" : "double", value, NULL, to);
}

const host_term *walk_convert(host_walk *w, const host_term *value, const host_type *to) {
  switch (to->kind) {
    case HOST_INTEGER: return to_integer(w, value, to);
    case HOST_FLOAT: return to_real(w, value, to);
    case HOST_POINTER:
      if (term_is_integer(value)) return term_is(value, 0) ? term_null(&w->memory.terms) : walk_new(w, to);
      return value;
    default: return value;
  }
}

static const host_type *int_type(host_walk *w) { return host_integer_type(w->tree, 32, true); }

/* --- operators ---------------------------------------------------------------------------------------------------- */

static bool compute_reals(c_operator op, double a, double b, double *result) {
  switch (op) {
    case OP_ADD: *result = a + b; return true;
    case OP_SUBTRACT: *result = a - b; return true;
    case OP_MULTIPLY: *result = a * b; return true;
    case OP_DIVIDE: *result = b == 0 ? NAN : a / b; return b != 0;
    default: return false;
  }
}

/* Of two numbers that are not integers. */
static const host_term *walk_reals(host_walk *w, const host_node *n, c_operator op, const host_term *a,
                                   const host_term *b) {
  const bool arithmetic = op >= OP_ADD && op <= OP_DIVIDE;
  double result = 0;
  const bool single = n->type->kind == HOST_FLOAT && n->type->size == 4;
  if (a->kind == TERM_REAL && b->kind == TERM_REAL && compute_reals(op, a->real, b->real, &result))
    return term_real(&w->memory.terms, single ? (double)(float)result : result);
  return arithmetic || c_operator_negated(op) != OP_NONE
             ? term_apply(&w->memory.terms, c_operators[op].text, a, b, n->type)
             : walk_new(w, n->type);
}

static const host_term *compare_pointers(host_walk *w, const host_node *n, const host_term *a, const host_term *b) {
  if (term_is_null(a) && term_is_null(b) && (n->op == OP_EQUAL || n->op == OP_NOT_EQUAL))
    return term_number(&w->memory.terms, n->op == OP_EQUAL ? 1 : 0, 32, true);
  return walk_new(w, n->type);
}

static const host_term *binary(host_walk *w, const host_node *n, c_operator op, const host_term *a,
                               const host_term *b) {
  if (term_is_integer(a) && term_is_integer(b)) {
    const host_term *result = term_binary(&w->memory.terms, op, a, b);
    return is_integer(n->type) ? walk_convert(w, result, n->type) : result;
  }
  const host_type *left = n->children[0]->type;
  const host_type *right = n->children[1]->type;
  if (n->type->kind == HOST_POINTER && (op == OP_ADD || op == OP_SUBTRACT))
    return term_is_integer(b) ? walk_shifted(w, a, b, op) : walk_shifted(w, b, a, op);
  if (left->kind == HOST_POINTER || right->kind == HOST_POINTER) return compare_pointers(w, n, a, b);
  if (left->kind == HOST_FLOAT && right->kind == HOST_FLOAT) return walk_reals(w, n, op, a, b);
  return walk_new(w, n->type);
}

static const host_term *unary(host_walk *w, const host_node *n) {
  const host_term *a = walk_value(w, n->children[0]);
  if (n->op == OP_ADD) return a;
  if (term_is_integer(a)) {
    const host_term *result = term_unary(&w->memory.terms, n->op, a);
    return is_integer(n->type) ? walk_convert(w, result, n->type) : result;
  }
  if (a->kind == TERM_REAL && n->op == OP_NEGATE) return term_real(&w->memory.terms, -a->real);
  return a->real_number && n->op == OP_NEGATE ? term_apply(&w->memory.terms, "negate", a, NULL, n->type)
                                              : walk_new(w, n->type);
}

const host_term *walk_truth(host_walk *w, const host_node *n) {
  const host_term *value = walk_value(w, n);
  return term_is_integer(value) ? term_truth(&w->memory.terms, value) : walk_new(w, int_type(w));
}

/* The second operand is evaluated in a state of its own. */
static const host_term *logical(host_walk *w, const host_node *n) {
  const bool and = n->op == OP_LOGICAL_AND;
  const host_term *a = walk_truth(w, n->children[0]);
  host_state skipped = state_copy(&w->state);
  walk_assume(w, &skipped, a, !and, n->where, HOST_FACT_CONDITION);
  walk_assume(w, &w->state, a, and, n->where, HOST_FACT_CONDITION);
  const host_term *b = walk_truth(w, n->children[1]);
  memory_join(&w->memory, &w->state, &skipped, and? a : term_unary(&w->memory.terms, OP_NOT, a));
  const host_term *result = term_binary(&w->memory.terms, n->op, a, b);
  return is_integer(n->type) ? walk_convert(w, result, n->type) : result;
}

static const host_term *conditional(host_walk *w, const host_node *n) {
  const host_term *condition = walk_truth(w, n->children[0]);
  host_state other = state_copy(&w->state);
  walk_assume(w, &other, condition, false, n->where, HOST_FACT_CONDITION);
  walk_assume(w, &w->state, condition, true, n->where, HOST_FACT_CONDITION);
  const host_term *yes = walk_value(w, n->children[1]);
  host_state after = w->state;
  w->state = other;
  const host_term *no = walk_value(w, n->children[2]);
  other = w->state;
  w->state = after;
  const bool only_yes = other.dead;
  const bool only_no = w->state.dead;
  memory_join(&w->memory, &w->state, &other, condition);
  if (only_yes || only_no) return only_yes ? yes : no;
  const host_term *chosen = term_choice(&w->memory.terms, condition, yes, no);
  if (chosen->kind == TERM_SYMBOL && chosen != yes && chosen != no) {
    memory_expose(&w->memory, &w->state, yes);
    memory_expose(&w->memory, &w->state, no);
    return walk_new(w, n->type);
  }
  return chosen;
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

/* The type in which `object op= value` is computed. */
static const host_type *common_type(host_walk *w, const host_type *a, const host_type *b, c_operator op) {
  const host_type *plain = int_type(w);
  const host_type *left = a->size < 4 ? plain : a;
  const host_type *right = b->size < 4 ? plain : b;
  if (op == OP_SHIFT_LEFT || op == OP_SHIFT_RIGHT || left->size > right->size) return left;
  return right->size > left->size || !right->is_signed ? right : left;
}

static const host_term *update(host_walk *w, const host_node *n) {
  const host_node *object = n->children[0];
  const host_term **early = walk_early(w, (const host_node *const *)n->children, 2), *values[2];
  values[1] = walk_value(w, n->children[1]);
  host_lvalue l = walk_lvalue(w, object);
  values[0] = walk_load(w, l);
  walk_late(w, (const host_node *const *)n->children, 2, early, values);
  const host_term *old = values[0], *by = values[1];
  const host_term *new = NULL;
  if (term_is_integer(old) && term_is_integer(by) && object->type->kind == HOST_INTEGER &&
      n->children[1]->type->kind == HOST_INTEGER) {
    const host_type *type = common_type(w, object->type, n->children[1]->type, n->op);
    const host_type *right = n->op == OP_SHIFT_LEFT || n->op == OP_SHIFT_RIGHT ? n->children[1]->type : type;
    new = term_binary(&w->memory.terms, n->op, walk_convert(w, old, type), walk_convert(w, by, right));
    new = walk_convert(w, new, object->type);
  } else if (object->type->kind == HOST_POINTER && term_is_integer(by)) {
    new = walk_shifted(w, old, by, n->op);
  } else {
    new = walk_new(w, object->type);
  }
  walk_store(w, l, new);
  return new;
}

static const host_term *step(host_walk *w, const host_node *n) {
  host_lvalue l = walk_lvalue(w, n->children[0]);
  const host_term *old = walk_load(w, l);
  const host_term *new = NULL;
  if (term_is_integer(old) && n->type->size >= 4)
    new = term_binary(&w->memory.terms, n->op, old, term_number(&w->memory.terms, 1, old->bits, old->is_signed));
  else if (n->type->kind == HOST_POINTER)
    new = walk_shifted(w, old, term_number(&w->memory.terms, 1, 32, true), n->op);
  else
    new = walk_new(w, n->type);
  walk_store(w, l, new);
  return n->postfix ? old : new;
}

static const host_term *assign(host_walk *w, const host_node *n) {
  if (n->type->kind == HOST_RECORD) {
    host_lvalue to = walk_lvalue(w, n->children[0]);
    const host_node *from = n->children[1];
    while (from->kind == HOST_CAST && from->count == 1) from = from->children[0];
    if (to.place != NULL && from->kind != HOST_LIST) /* a list may use what it replaces */
      walk_initialise(w, to.place, n->children[1]);
    else
      walk_store(w, to, walk_value(w, n->children[1]));
    return walk_new(w, n->type);
  }
  if (n->children[0]->kind == HOST_MEMBER && n->children[0]->decl->type->kind == HOST_REFERENCE)
    memory_expose(&w->memory, &w->state, walk_reference(w, n->children[1])); /* it may begin here */
  const host_term **early = walk_early(w, (const host_node *const *)n->children, 2);
  const bool elsewhere = early != NULL && early[0] != NULL;
  const host_lvalue first = elsewhere ? walk_lvalue(w, n->children[0]) : (host_lvalue){0};
  const host_term *value = walk_value(w, n->children[1]);
  host_lvalue l = walk_lvalue(w, n->children[0]);
  if (elsewhere && first.place != l.place && first.place != NULL && l.place != NULL) { /* which is not known */
    memory_expose(&w->memory, &w->state, term_address(&w->memory.terms, first.place));
    memory_expose(&w->memory, &w->state, term_address(&w->memory.terms, l.place));
    l.place = NULL;
  }
  free(early);
  walk_store(w, l, value);
  return value;
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

/* The value of an object: of an array, the address of its first element. */
static const host_term *object_value(host_walk *w, const host_node *n) {
  if (n->kind == HOST_NAME && n->decl->kind == HOST_FUNCTION) {
    n->decl->hidden_calls = true; /* its address is taken: it may be called from anywhere */
    walk_check_function(w, n, n->decl);
    return term_function(&w->memory.terms, n->decl);
  }
  host_lvalue l = walk_lvalue(w, n);
  if (n->type->kind == HOST_ARRAY) {
    if (l.place == NULL) {
      return walk_lost(w, l.within == NULL ? term_null(&w->memory.terms) : term_address(&w->memory.terms, l.within),
                       n->type);
    }
    return term_address(&w->memory.terms, memory_place(&w->memory, l.place, PLACE_ELEMENT, NULL, 0, n->type->target));
  }
  if (n->type->kind == HOST_RECORD && l.place != NULL) { /* who sees it sees the addresses in it */
    memory_expose(&w->memory, &w->state, term_address(&w->memory.terms, l.place));
    return walk_new(w, n->type);
  }
  return walk_load(w, l);
}

static const host_term *address(host_walk *w, const host_node *n) {
  const host_node *object = n->children[0];
  if (object->kind == HOST_NAME && object->decl->kind == HOST_FUNCTION) return object_value(w, object);
  host_lvalue l = walk_lvalue(w, object);
  if (l.place != NULL) return term_address(&w->memory.terms, l.place);
  return walk_lost(w, l.within == NULL ? term_null(&w->memory.terms) : term_address(&w->memory.terms, l.within),
                   n->type);
}

static const host_term *other(host_walk *w, const host_node *n) {
  (void)walk_hide_calls(n);
  walk_unknown_launches(w, n);
  if (n->count > 0) {
    host_tree_note(w->tree, "%s:%u:%u: not followed: all that is written here may change", n->where.file, n->where.line,
                   n->where.column);
    if (n->has_body) walk_release(w, n);
    walk_havoc_named(w, n);
    walk_havoc_world(w);
  }
  return walk_new(w, n->type);
}

static const host_term *block(host_walk *w, const host_node *n) {
  const host_node *body = n->children[0];
  walk_statement(w, body);
  return walk_new(w, n->type);
}

static const host_term *number(host_walk *w, const host_node *n) {
  if (n->type->kind == HOST_INTEGER)
    return term_number(&w->memory.terms, n->value, (unsigned)n->type->size * 8, n->type->is_signed);
  return n->type->kind == HOST_POINTER && n->value == 0 ? term_null(&w->memory.terms) : walk_new(w, n->type);
}

/* An address that is given may be where it is made. */
static const host_term *make_new(host_walk *w, const host_node *n) {
  bool placed = false;
  for (size_t i = 0; i < n->count; i++) {
    const host_term *value = walk_value(w, n->children[i]);
    placed = placed || (value->bits == 0 && value->kind != TERM_REAL && !value->real_number);
    memory_expose(&w->memory, &w->state, value);
    walk_havoc_target(w, value, NULL);
  }
  if (placed) return walk_new(w, n->type);
  const host_object *o = memory_object(&w->memory, OBJECT_HEAP, n, w->context, NULL);
  memory_forget_object(&w->memory, &w->state, o);
  memory_begin(&w->memory, &w->state, o, walk_new(w, NULL));
  return term_address(&w->memory.terms, o->place);
}

/* A list of values that fills nothing that we know. */
static const host_term *list(host_walk *w, const host_node *n) {
  if (n->count == 1 && n->type->kind != HOST_RECORD && n->type->kind != HOST_ARRAY)
    return walk_value(w, n->children[0]);
  for (size_t i = 0; i < n->count; i++) memory_expose(&w->memory, &w->state, walk_value(w, n->children[i]));
  if (n->type->kind == HOST_RECORD)
    walk_havoc_named(w, n); /* members may be references, and a destructor may use them */
  return walk_new(w, n->type);
}

/* What has operands, but for names of objects. */
static const host_term *compound_value(host_walk *w, const host_node *n) {
  switch (n->kind) {
    case HOST_ADDRESS: return address(w, n);
    case HOST_UNARY: return unary(w, n);
    case HOST_STEP: return step(w, n);
    case HOST_BINARY: {
      const host_term **early = walk_early(w, (const host_node *const *)n->children, 2), *values[2];
      values[0] = walk_value(w, n->children[0]);
      values[1] = walk_value(w, n->children[1]);
      walk_late(w, (const host_node *const *)n->children, 2, early, values);
      return binary(w, n, n->op, values[0], values[1]);
    }
    case HOST_LOGICAL: return logical(w, n);
    case HOST_COMMA: (void)walk_value(w, n->children[0]); return walk_value(w, n->children[1]);
    case HOST_ASSIGN: return assign(w, n);
    case HOST_UPDATE: return update(w, n);
    case HOST_CONDITIONAL: return conditional(w, n);
    case HOST_CALL: return walk_call(w, n);
    case HOST_CONSTRUCT: return walk_construct(w, n);
    case HOST_CAST: return walk_convert(w, walk_value(w, n->children[0]), n->type);
    case HOST_LIST: return list(w, n);
    case HOST_NEW: return make_new(w, n);
    case HOST_BLOCK: return block(w, n);
    case HOST_EFFECT: return walk_effect(w, n);
    default: return other(w, n);
  }
}

const host_term *walk_value(host_walk *w, const host_node *n) {
  w->steps++;
  if (w->state.dead) return walk_new(w, n->type);
  switch (n->kind) {
    case HOST_NUMBER: return number(w, n);
    case HOST_REAL: return to_real(w, term_real(&w->memory.terms, n->real), n->type);
    case HOST_STRING: return term_text(&w->memory.terms, n->text);
    case HOST_NAME:
    case HOST_MEMBER:
    case HOST_SUBSCRIPT:
    case HOST_DEREFERENCE: return object_value(w, n);
    case HOST_THIS:
      return w->frame->self == NULL ? walk_new(w, n->type) : term_address(&w->memory.terms, w->frame->self);
    case HOST_NOTHING: return walk_new(w, n->type);
    case HOST_THROW: w->state.dead = true; return walk_new(w, n->type);
    default: return compound_value(w, n);
  }
}
