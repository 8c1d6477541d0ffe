/* Guards of barriers: decisions around barriers and async calls, around jumps that can bypass them, and arguments that
 * must be the same for all work-items of a group. */
#include <stdlib.h>

#include "base/memory.h"
#include "detectors/coverage/pass.h"
#include "instrument/forms.h"

/* The arguments of async copies and of wait_group_events, which must be the same for all work-items of a group: pointers
 * and numbers by their values, events by what they come from, as OpenCL C shows no event's value.
 *
 * An event that is read from a variable with several stores comes from the store that was the last. So each such store
 * keeps a number in a variable of ours; two stores of the same thing, `p = &a`, have the same number. */

enum { MOST = 24 };

/* What is compared for a call. */
typedef struct compared {
  const tree_node *values[MOST]; /* expressions */
  size_t value_count;
  const tree_symbol *events[MOST]; /* variables */
  size_t event_count;
} compared;

/* --- what is surely alike ----------------------------------------------------------------------------------------- */

static size_t count_stores(const program *p, const function *f, const tree_symbol *variable) {
  const stores *all = &p->units[f->unit].stores;
  size_t count = 0;
  for (size_t i = 0; i < all->count; i++)
    count += all->items[i].function == f->node && all->items[i].variable == variable ? 1 : 0;
  return count;
}

/* An array that the whole group has, or a pointer that the kernel got and that nothing changes. */
static bool is_fixed_pointer(const program *p, const function *f, const tree_symbol *s) {
  if (s->declaration == NULL || tree_function_of(s->declaration) != f->node) return false;
  if (s->kind == TREE_SYMBOL_VARIABLE) return s->type->kind == TREE_TYPE_ARRAY && s->type->space == TREE_SPACE_LOCAL;
  const bool own = f->node->symbol->kernel && !f->called;
  return s->kind == TREE_SYMBOL_PARAMETER && s->type->kind == TREE_TYPE_POINTER && own && count_stores(p, f, s) == 1;
}

static bool is_alike(const program *p, const function *f, const tree_node *argument) {
  const tree_node *n = tree_uncast(argument);
  if (n->constant.kind != TREE_NOT_CONSTANT) return true;
  if (n->type == NULL) return false;
  if (n->kind == TREE_NAME && (n->type->kind == TREE_TYPE_POINTER || n->type->kind == TREE_TYPE_ARRAY))
    return is_fixed_pointer(p, f, n->symbol);
  if (n->kind == TREE_BINARY && n->type->kind == TREE_TYPE_POINTER)
    return is_alike(p, f, n->children[0]) && is_alike(p, f, n->children[1]);
  if (n->kind == TREE_ADDRESS && tree_uncast(n->children[0])->kind == TREE_SUBSCRIPT) {
    const tree_node *element = tree_uncast(n->children[0]);
    return is_alike(p, f, element->children[0]) && is_alike(p, f, element->children[1]);
  }
  const uniform_scope scope = scope_of(p, f);
  return n->type->kind == TREE_TYPE_INTEGER && expression_is_uniform(&scope, n);
}

/* --- what is compared --------------------------------------------------------------------------------------------- */

static void add_value(const program *p, const function *f, const tree_node *value, compared *out) {
  const tree_type *type = value->type;
  const bool known = type != NULL && (type->kind == TREE_TYPE_INTEGER || type->kind == TREE_TYPE_POINTER);
  if (known && out->value_count < MOST && !is_alike(p, f, value)) out->values[out->value_count++] = value;
}

static bool is_event(const tree_type *t) {
  const tree_type *of = t->kind == TREE_TYPE_POINTER ? t->element : t;
  return of->kind == TREE_TYPE_OPAQUE;
}

/* A variable of the function whose value depends on which store was the last. */
static bool is_watched(const program *p, const function *f, const tree_symbol *s) {
  return s->kind == TREE_SYMBOL_VARIABLE && s->declaration != NULL && tree_function_of(s->declaration) == f->node &&
         is_event(s->type) && count_stores(p, f, s) > 1;
}

static void add_event(const program *p, const function *f, const tree_symbol *s, compared *out) {
  bool known = !is_watched(p, f, s) || out->event_count == MOST;
  for (size_t i = 0; i < out->event_count; i++) known = known || out->events[i] == s;
  if (!known) out->events[out->event_count++] = s;
}

/* Which event, or which list of events: the variables in an expression, and the indices. */
static void add_events(const program *p, const function *f, const tree_node *argument, compared *out) {
  for (const tree_node *n = argument; n != NULL; n = tree_next(argument, n)) {
    if (n->kind == TREE_NAME) {
      add_event(p, f, n->symbol, out);
    } else if (n->kind == TREE_SUBSCRIPT) {
      add_value(p, f, n->children[1], out);
    } else if (n->kind == TREE_BINARY && n->type != NULL && n->type->kind == TREE_TYPE_POINTER) {
      const bool second = n->children[0]->type != NULL && n->children[0]->type->kind == TREE_TYPE_POINTER;
      add_value(p, f, n->children[second ? 1 : 0], out);
    }
  }
}

static compared read_arguments(const program *p, const function *f, const tree_node *made) {
  compared found = {0};
  const uint32_t values =
      made->builtin->kind == TREE_ASYNC_WAIT ? 1 : made->child_count - 1; /* the event is the last */
  for (uint32_t i = 0; i < made->child_count; i++)
    if (i < values)
      add_value(p, f, made->children[i], &found);
    else
      add_events(p, f, made->children[i], &found);
  return found;
}

/* Whether an async call surely has the same arguments for all work-items of a group that make it. */
static bool arguments_are_alike(const program *p, const function *f, const tree_node *made) {
  const compared found = read_arguments(p, f, made);
  return found.value_count == 0 && found.event_count == 0;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

void edit_arguments(const writer *w, const instance *i, uint32_t number) {
  if (i->arguments == NONE) return;
  const compared found = read_arguments(w->p, w->f, i->node);
  const unsigned hash = i->arguments;
  for (size_t k = 0; k < found.value_count; k++) {
    const bool pointer = found.values[k]->type->kind == TREE_TYPE_POINTER;
    edit_wrap(w->edits, found.values[k]->tokens, text_of("(cltc_a%u_%zu = (", (unsigned)number, k),
              text_of("), CLTC_ALIKE(cltc->h%u, (%s)cltc_a%u_%zu), cltc_a%u_%zu)", hash,
                      pointer ? "ulong)(uintptr_t" : "ulong", (unsigned)number, k, (unsigned)number, k));
  }
  buffer before = {0};
  for (size_t k = 0; k < found.event_count; k++)
    buffer_printf(&before, "CLTC_HASH(cltc->h%u, cltc_e%u), ", hash, (unsigned)found.events[k]->declaration->token);
  if (found.event_count > 0) edit_wrap(w->edits, i->node->tokens, text_of("(%s", buffer_text(&before)), text_of(")"));
  buffer_free(&before);
}

/* The watched variables of the function's calls, each once. */
static compared watched(const writer *w) {
  compared all = {0};
  for (size_t n = 0; n < w->f->instance_count; n++) {
    const instance *i = &w->f->instances[n];
    if (i->arguments == NONE) continue;
    const compared found = read_arguments(w->p, w->f, i->node);
    for (size_t k = 0; k < found.event_count; k++) add_event(w->p, w->f, found.events[k], &all);
  }
  return all;
}

void append_argument_locals(const writer *w, buffer *out) {
  for (size_t n = 0; n < w->f->instance_count; n++) {
    const instance *i = &w->f->instances[n];
    if (i->arguments == NONE) continue;
    const compared found = read_arguments(w->p, w->f, i->node);
    for (size_t k = 0; k < found.value_count; k++) {
      char *type = tree_value_text(found.values[k]->type);
      buffer_printf(out, " %s cltc_a%zu_%zu;", type, n, k);
      free(type);
    }
  }
  const compared all = watched(w);
  for (size_t k = 0; k < all.event_count; k++)
    buffer_printf(out, " uint cltc_e%u = 0u;", (unsigned)all.events[k]->declaration->token);
}

/* The number of what a store stores: the variable whose address or value it is, else the place. */
static unsigned number_of(const tree_node *value, const tree_node *store) {
  const tree_node *n = tree_uncast(value);
  n = n->kind == TREE_ADDRESS ? tree_uncast(n->children[0]) : n;
  return (unsigned)(n->kind == TREE_NAME && n->symbol->declaration != NULL ? n->symbol->declaration->token
                                                                           : store->token);
}

void edit_event_stores(const writer *w) {
  const compared all = watched(w);
  for (const tree_node *n = w->f->node; n != NULL && all.event_count > 0; n = tree_next(w->f->node, n)) {
    const bool assigns = n->kind == TREE_ASSIGN && tree_uncast(n->children[0])->kind == TREE_NAME;
    const bool begins = n->kind == TREE_VARIABLE && n->children[0] != NULL &&
                        n->children[0]->kind != TREE_INITIALIZER && n->children[0]->constant.kind == TREE_NOT_CONSTANT;
    const tree_symbol *s = assigns ? tree_uncast(n->children[0])->symbol : begins ? n->symbol : NULL;
    for (size_t k = 0; k < all.event_count; k++) {
      if (all.events[k] == s) {
        edit_wrap(
            w->edits, assigns ? n->tokens : n->children[0]->tokens,
            text_of("(cltc_e%u = %uu, ", (unsigned)s->declaration->token, number_of(n->children[assigns ? 1 : 0], n)),
            text_of(")"));
      }
    }
  }
}

static uint32_t plane_of(program *p, uint32_t function_index, uint32_t instance_index) {
  instance *i = &p->functions[function_index].instances[instance_index];
  if (i->plane == NONE) {
    *ARRAY_ADD(p->planes, p->plane_count, p->plane_capacity) = (plane){function_index, instance_index, false};
    i->plane = (uint32_t)(p->plane_count - 1);
  }
  return i->plane;
}

static void add_guard(program *p, uint32_t function_index, barrier_point *point, uint32_t instance_index) {
  uint32_t added = plane_of(p, function_index, instance_index);
  for (size_t i = 0; i < point->guard_count; i++)
    if (point->guards[i] == added) return;
  *ARRAY_ADD(point->guards, point->guard_count, point->guard_capacity) = added;
}

/* The instance of a decision, NONE for what has no site. */
static uint32_t instance_of(const function *f, const tree_node *decision) {
  for (uint32_t i = 0; i < f->instance_count; i++) {
    const site_kind kind = f->instances[i].kind;
    if (f->instances[i].node == decision && kind != SITE_REGION) return i;
  }
  return NONE;
}

uniform_scope scope_of(const program *p, const function *f) {
  const unit *u = &p->units[f->unit];
  return (uniform_scope){.tree = u->tree,
                         .graph = f->graph,
                         .statements = &f->statements,
                         .stores = &u->stores,
                         .arguments_alike = f->node->symbol->kernel && !f->called};
}

/* Planes for the decisions that guard a point, unless they are uniform. */
static void guard_point(program *p, uint32_t function_index, barrier_point *point) {
  const function *f = &p->functions[function_index];
  const uniform_scope scope = scope_of(p, f);
  const tree_node_list guards = uniform_guards(&scope, point->node);
  bool *uniform = mem_calloc(guards.count + 1, sizeof *uniform);
  if (!p->form->all_guards) find_uniform(&scope, &guards, uniform);
  for (size_t i = 0; i < guards.count; i++) {
    const uint32_t number = uniform[i] ? NONE : instance_of(f, guards.items[i]);
    if (number != NONE) add_guard(p, function_index, point, number);
  }
  point->uniform = !p->form->all_guards && point->guard_count == 0 && guards_are_all(&scope, point->node);
  free(uniform);
  free(guards.items);
}

static barrier_point *add_point(function *f, const tree_node *of, uint32_t instance_index, uint32_t callee) {
  barrier_point *point = ARRAY_ADD(f->points, f->point_count, f->point_capacity);
  point->node = of;
  point->instance = instance_index;
  point->callee = callee;
  return point;
}

static void mark_barriers(program *p) {
  for (size_t i = 0; i < p->function_count; i++) {
    function *f = &p->functions[i];
    for (size_t k = 0; k < f->instance_count; k++) f->has_barrier = f->has_barrier || is_meeting(f->instances[k].kind);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < p->function_count; i++) {
      function *f = &p->functions[i];
      for (size_t k = 0; k < f->call_count && !f->has_barrier; k++) {
        f->has_barrier = p->functions[f->calls[k].callee].has_barrier;
        changed = changed || f->has_barrier;
      }
    }
  }
}

static void find_points(program *p) {
  for (uint32_t i = 0; i < p->function_count; i++) {
    function *f = &p->functions[i];
    for (uint32_t k = 0; k < f->instance_count; k++)
      if (is_meeting(f->instances[k].kind)) (void)add_point(f, f->instances[k].node, k, NONE);
    for (size_t k = 0; k < f->call_count; k++)
      if (p->functions[f->calls[k].callee].has_barrier)
        (void)add_point(f, tree_innermost(p->units[f->unit].tree, f->calls[k].token), NONE, f->calls[k].callee);
    for (size_t k = 0; k < f->point_count; k++) guard_point(p, i, &f->points[k]);
  }
}

/* The functions that work-items of a group do not surely enter equally often; to be freed. */
static bool *varying_functions(const program *p) {
  bool *varying = mem_calloc(p->function_count + 1, sizeof *varying);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < p->function_count; i++) {
      for (size_t k = 0; k < p->functions[i].point_count; k++) {
        const barrier_point *point = &p->functions[i].points[k];
        if (point->callee != NONE && !varying[point->callee] && (varying[i] || !point->uniform))
          varying[point->callee] = changed = true;
      }
    }
  }
  return varying;
}

static void add_bit(function *f, instance *barrier) {
  barrier->outcomes = 1;
  barrier->bit = take_bits(f, 1);
}

static void compare_arguments(program *p, uint32_t function_index, uint32_t instance_index) {
  const function *f = &p->functions[function_index];
  instance *i = &f->instances[instance_index];
  if (i->kind == SITE_ASYNC && !arguments_are_alike(p, f, i->node)) {
    *ARRAY_ADD(p->planes, p->plane_count, p->plane_capacity) = (plane){function_index, instance_index, true};
    i->arguments = (uint32_t)(p->plane_count - 1);
  }
}

/* What tells whether work-items come to a barrier alike. */
static void watch_point(program *p, uint32_t function_index, const barrier_point *point, bool alike) {
  function *f = &p->functions[function_index];
  if (!alike)
    (void)plane_of(p, function_index, point->instance);
  else if (f->instances[point->instance].kind == SITE_BARRIER)
    add_bit(f, &f->instances[point->instance]);
  compare_arguments(p, function_index, point->instance);
}

void find_guards(program *p) {
  mark_barriers(p);
  find_points(p);
  bool *varying = varying_functions(p);
  for (uint32_t i = 0; i < p->function_count; i++) {
    function *f = &p->functions[i];
    for (size_t k = 0; k < f->point_count; k++)
      if (f->points[k].instance != NONE) watch_point(p, i, &f->points[k], f->points[k].uniform && !varying[i]);
  }
  free(varying);
  if (!p->form->all_guards) find_settled(p);
}
