/* The walk as a whole: where it begins, what holds on the way, and functions that run without a call that we see. */
#include "proofs/host/walk.h"

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
  } else if (t->kind == TERM_UNARY && t->op == HOST_NOT) {
    walk_assume(w, s, t->a, !holds, where, kind);
  } else if (t->kind == TERM_BINARY && ((t->op == HOST_LAND && holds) || (t->op == HOST_LOR && !holds))) {
    walk_assume(w, s, t->a, holds, where, kind);
    walk_assume(w, s, t->b, holds, where, kind);
  } else if (t->kind == TERM_CHOICE && is_known(t->c, !holds)) {
    walk_assume(w, s, t->a, true, where, kind);
    walk_assume(w, s, t->b, holds, where, kind);
  } else if (t->kind == TERM_CHOICE && is_known(t->b, !holds)) {
    walk_assume(w, s, t->a, false, where, kind);
    walk_assume(w, s, t->c, holds, where, kind);
  } else if (term_is_integer(t)) {
    add_condition(w, s, holds ? t : term_unary(&w->memory.terms, HOST_NOT, t), where, kind);
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

static bool is_launch(const host_decl *d) {
  return strcmp(d->name, "clEnqueueNDRangeKernel") == 0 || strcmp(d->name, "clEnqueueTask") == 0;
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

void walk_unknown_launches(host_walk *w, const host_node *n) {
  if (n == NULL) return;
  const bool call = n->kind == HOST_CALL && n->decl != NULL;
  if (call && is_launch(n->decl))
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

void walk_release(host_walk *w, const host_node *n) {
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
