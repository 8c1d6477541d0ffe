/* The walk through statements. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "proofs/host/walk.h"

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* Calls: functions of the program are walked where they are called; of others, what they may change is not known. */

enum { MOST_DEPTH = 40 };

/* --- who is called ------------------------------------------------------------------------------------------------ */

static bool is_walked_already(const host_walk *w, const host_decl *function) {
  for (const host_context *c = w->context; c != NULL; c = c->caller)
    if (c->function == function) return true;
  return w->context->depth >= MOST_DEPTH;
}

/* Does something below call a function of the program? */
static bool calls_program(const host_node *n) {
  if (n == NULL) return false;
  if (n->calls == 0) {
    bool calls = (n->kind == HOST_CALL || n->kind == HOST_CONSTRUCT || n->kind == HOST_EFFECT) &&
                 (n->decl == NULL || n->decl->body != NULL || !n->decl->system);
    for (size_t i = 0; i < n->count && !calls; i++) calls = calls_program(n->children[i]);
    ((host_node *)n)->calls = calls ? 2 : 1;
  }
  return n->calls == 2;
}

/* Nobody knows in which order arguments are evaluated. */
static bool is_order_important(const host_node *n) {
  size_t calls = 0;
  for (size_t i = 0; i < n->count; i++) calls += calls_program(n->children[i]) ? 1 : 0;
  return calls > 1;
}

/* Evaluating it changes nothing. */
static bool changes_nothing(const host_node *n) {
  bool nothing = n != NULL && (n->kind == HOST_NAME || n->kind == HOST_MEMBER || n->kind == HOST_SUBSCRIPT ||
                               n->kind == HOST_DEREFERENCE || n->kind == HOST_NUMBER || n->kind == HOST_CAST ||
                               n->kind == HOST_BINARY || n->kind == HOST_UNARY);
  for (size_t i = 0; nothing && i < n->count; i++) nothing = changes_nothing(n->children[i]);
  return nothing;
}

const host_term **walk_early(host_walk *w, const host_node *const *operands, size_t count) {
  const host_term **early = NULL;
  for (size_t i = 0; i < count && early == NULL; i++)
    early = calls_program(operands[i]) ? mem_calloc(count + 1, sizeof(*early)) : NULL;
  for (size_t i = 0; i < count && early != NULL; i++)
    early[i] = changes_nothing(operands[i]) ? walk_value(w, operands[i]) : NULL;
  return early;
}

void walk_late(host_walk *w, const host_node *const *operands, size_t count, const host_term **early,
               const host_term **values) {
  for (size_t i = 0; i < count && early != NULL; i++) {
    if (early[i] != NULL && walk_value(w, operands[i]) != early[i]) {
      memory_expose(&w->memory, &w->state, early[i]);
      values[i] = walk_lost(w, values[i], operands[i]->type);
    }
  }
  free(early);
}

/* --- arguments ---------------------------------------------------------------------------------------------------- */

static bool is_object(const host_node *n) {
  return n->kind == HOST_NAME || n->kind == HOST_MEMBER || n->kind == HOST_SUBSCRIPT || n->kind == HOST_DEREFERENCE;
}

static const host_type *parameter_type(const host_decl *d, size_t i) {
  return d != NULL && i < d->type_count ? d->types[i] : NULL;
}

/* A reference is the address of what is passed. */
const host_term *walk_reference(host_walk *w, const host_node *n) {
  if (n->kind == HOST_NAME && n->decl->kind == HOST_FUNCTION) return walk_value(w, n);
  while (n->kind == HOST_CAST && !is_object(n) && n->count == 1 && n->children[0]->type == n->type) n = n->children[0];
  if (!is_object(n)) {
    memory_expose(&w->memory, &w->state, walk_value(w, n));
    return walk_new(w, NULL);
  }
  const host_lvalue l = walk_lvalue(w, n);
  if (l.place != NULL) return term_address(&w->memory.terms, l.place);
  return l.within == NULL ? walk_new(w, NULL) : walk_lost(w, term_address(&w->memory.terms, l.within), NULL);
}

static const host_term *argument(host_walk *w, const host_node *n, const host_type *type) {
  return type != NULL && type->kind == HOST_REFERENCE ? walk_reference(w, n) : walk_value(w, n);
}

/* --- functions that are not seen ---------------------------------------------------------------------------------- */

static const host_term *foreign(host_walk *w, const host_node *n, const host_term *const *values, size_t count) {
  for (size_t i = 0; i < count; i++) memory_expose(&w->memory, &w->state, values[i]);
  if (n->decl != NULL && n->decl->body == NULL && !n->decl->system) {
    w->tree->complete = false;
    host_tree_note(w->tree, "%s:%u: %s is in none of the files", n->where.file, n->where.line, n->decl->name);
  }
  if (n->decl != NULL) walk_check_function(w, n, n->decl);
  walk_havoc_world(w);
  return walk_new(w, n->type);
}

/* --- functions of the program ------------------------------------------------------------------------------------- */

static void pass(host_walk *w, const host_decl *function, const host_node *const *arguments,
                 const host_term *const *values, size_t count, const host_context *caller) {
  const host_context *inner = w->context;
  for (size_t i = 0; i < function->parameter_count; i++) {
    const host_decl *p = function->parameters[i];
    const host_place *place = walk_variable_place(w, p);
    memory_begin(&w->memory, &w->state, place->object, NULL);
    if (i >= count) { /* a default that nobody wrote at the call */
      memory_havoc(&w->memory, &w->state, place);
    } else if (p->type->kind == HOST_RECORD) {
      w->context = caller;
      const host_lvalue from = is_object(arguments[i]) ? walk_lvalue(w, arguments[i]) : (host_lvalue){0};
      w->context = inner;
      if (from.place != NULL)
        memory_copy(&w->memory, &w->state, place, from.place);
      else
        memory_havoc(&w->memory, &w->state, place);
    } else {
      memory_store(&w->memory, &w->state, place, values[i]);
    }
  }
}

/* Variables of a call that has ended. */
static void drop_locals(host_walk *w, const host_context *context) {
  size_t kept = 0;
  host_state *s = &w->state;
  for (size_t i = 0; i < s->count; i++) {
    const host_object *o = s->entries[i].place->object;
    if (o->kind != OBJECT_VARIABLE || o->context != context) s->entries[kept++] = s->entries[i];
  }
  s->count = kept;
}

static const host_term *inlined(host_walk *w, const host_node *n, const host_node *const *arguments,
                                const host_term *const *values, size_t count, const host_place *self) {
  host_decl *function = n->decl;
  walk_frame *const caller = w->frame;
  const host_context *const outer = w->context;
  host_state *const breaks = w->breaks;
  host_state *const continues = w->continues;
  host_state *const choices = w->choices;
  walk_frame frame = {.returned = {.dead = true}, .self = self};
  w->context = walk_context(w, n, function);
  *host_map_at(w->pool, &w->visited, &function, sizeof(host_decl *)) = function;
  pass(w, function, arguments, values, count, outer);
  w->frame = &frame;
  w->breaks = NULL;
  w->continues = NULL;
  w->choices = NULL;
  walk_statement(w, function->body);
  const host_term *result = frame.value;
  if (frame.value == NULL || !w->state.dead) {
    const host_term *nothing = term_unset(&w->memory.terms);
    result = frame.value == NULL ? nothing : frame.value; /* whoever uses what is not returned is undefined */
  }
  memory_join(&w->memory, &w->state, &frame.returned, NULL);
  drop_locals(w, w->context);
  walk_end_frame(w, &frame, function);
  w->frame = caller;
  w->context = outer;
  w->breaks = breaks;
  w->continues = continues;
  w->choices = choices;
  return result->kind == TERM_UNSET ? walk_new(w, n->type) : result;
}

static const host_term *program_call(host_walk *w, const host_node *n, const host_node *const *arguments,
                                     const host_term *const *values, size_t count, const host_place *self) {
  if (is_walked_already(w, n->decl) || n->decl->unstructured || n->decl->variadic || n->decl->dynamic) {
    *host_map_at(w->pool, &w->recursive, &n->decl, sizeof(host_decl *)) = n->decl;
    if (self != NULL) memory_expose(&w->memory, &w->state, term_address(&w->memory.terms, self));
    return foreign(w, n, values, count);
  }
  return inlined(w, n, arguments, values, count, self);
}

/* Whether a value is a function that is followed, or a choice of such functions. */
static bool is_followed(const host_term *value) {
  return value->kind == TERM_CHOICE ? is_followed(value->b) && is_followed(value->c)
                                    : value->kind == TERM_FUNCTION && walk_is_followed(value->decl);
}

/* What is called by a pointer. */
static void walk_pointer(host_walk *w, const host_node *n, const host_node *callee) {
  const host_term *value = walk_value(w, callee);
  memory_expose(&w->memory, &w->state, value);
  if (!w->state.dead && !is_followed(memory_given(&w->state, value)))
    walk_unknown_launch(w, n, "what is called here is not known");
}

/* The object of a method call; NULL when it is not known. */
static const host_place *object_of(host_walk *w, const host_node *callee) {
  if (callee == NULL || callee->kind != HOST_MEMBER) return NULL;
  if (callee->count == 0) return w->frame->self;
  const host_node *object = callee->children[0];
  if (callee->arrow) return walk_pointee(w, walk_value(w, object), object->type->target).place;
  return walk_lvalue(w, object).place;
}

const host_term *walk_call(host_walk *w, const host_node *n) {
  const host_node *callee = n->count > 0 ? n->children[0] : NULL;
  const host_decl *d = n->decl;
  const size_t count = n->count > 0 ? n->count - 1 : 0;
  const host_node *const *arguments = n->count > 0 ? (const host_node *const *)&n->children[1] : NULL;
  if (is_order_important(n)) {
    (void)walk_hide_calls(n);
    walk_havoc_named(w, n);
  }
  const host_place *self = d != NULL && d->method ? object_of(w, callee) : NULL;
  if (d == NULL && callee != NULL) walk_pointer(w, n, callee);
  const host_term **values = mem_calloc(count + 1, sizeof(*values));
  const host_term **early = walk_early(w, arguments, count);
  for (size_t i = 0; i < count; i++) values[i] = argument(w, arguments[i], parameter_type(d, i));
  walk_late(w, arguments, count, early, values);
  const host_term *result = NULL;
  if (w->state.dead) {
    result = walk_new(w, n->type);
  } else if (d != NULL && walk_opencl(w, n, values, count, &result)) {
    /* done */
  } else if (d != NULL && d->body != NULL) {
    if (d->method && self == NULL && callee != NULL) walk_havoc_named(w, callee);
    result = program_call(w, n, arguments, values, count, self);
  } else if (d != NULL && (walk_is_library(d->name) || host_is_known_function(d))) {
    if (d->method && callee != NULL) walk_havoc_named(w, callee);
    result = walk_library(w, n, values, count);
  } else {
    result = foreign(w, n, values, count);
  }
  free(values);
  return result;
}

/* The same where the object is to lie in a place. False: the constructor is not seen. */
static bool walk_construct_at(host_walk *w, const host_node *n, const host_place *place) {
  if (n->decl->body == NULL || n->decl->unstructured || is_order_important(n)) return false;
  const host_term **values = mem_calloc(n->count + 1, sizeof(*values));
  for (size_t i = 0; i < n->count; i++) values[i] = argument(w, n->children[i], parameter_type(n->decl, i));
  if (!w->state.dead) (void)program_call(w, n, (const host_node *const *)n->children, values, n->count, place);
  free(values);
  return true;
}

/* A constructor or an operator of a header that is not known. Those that nobody wrote have no body either. */
static void check_class(host_walk *w, const host_node *n) {
  if (n->decl->system) walk_check_function(w, n, n->decl);
}

const host_term *walk_construct(host_walk *w, const host_node *n) {
  check_class(w, n);
  for (size_t i = 0; i < n->count; i++) {
    const host_type *type = parameter_type(n->decl, i);
    const host_term *value = argument(w, n->children[i], type);
    const bool constant = type != NULL && type->target != NULL && type->target->is_const;
    memory_expose(&w->memory, &w->state, value);
    if (!constant && n->decl->system) walk_havoc_target(w, value, NULL);
  }
  if (!n->decl->system && n->decl->body != NULL) { /* it runs on an object that we do not place */
    (void)walk_hide_calls(n);
    walk_havoc_world(w);
  } else if (!n->decl->system && n->count > 0 && n->decl->body == NULL && n->children[0]->type->kind != HOST_RECORD) {
    walk_havoc_world(w);
  }
  return walk_new(w, n->type);
}

const host_term *walk_effect(host_walk *w, const host_node *n) {
  const host_decl *d = n->decl;
  check_class(w, n);
  if (d->body != NULL || !d->system) (void)walk_hide_calls(n);
  for (size_t i = 0; i < n->count; i++) {
    const bool object = d->method && i == 0;
    const host_type *type = object ? NULL : parameter_type(d, d->method ? i - 1 : i);
    const bool by_reference = type != NULL && type->kind == HOST_REFERENCE;
    const bool changes = object || type == NULL || (by_reference && !type->target->is_const);
    if (!changes) {
      memory_expose(&w->memory, &w->state,
                    by_reference ? walk_reference(w, n->children[i]) : walk_value(w, n->children[i]));
      continue;
    }
    (void)walk_value(w, n->children[i]);
    if (is_object(n->children[i]))
      walk_havoc_named(w, n->children[i]);
    else /* of another operator, say: an object that is known to it */
      memory_havoc_exposed(&w->memory, &w->state, NULL);
  }
  if (d->body != NULL || !d->system) walk_havoc_world(w);
  return walk_new(w, n->type);
}

/* --- declarations ------------------------------------------------------------------------------------------------- */

static void walk_variable(host_walk *w, const host_node *n) {
  const host_decl *d = n->decl;
  if (d->global || w->state.dead) return; /* of `static` ones, the program's start has seen to */
  const host_place *place = walk_variable_place(w, d);
  if (n->count == 0) {
    const bool constructed = d->type->kind == HOST_RECORD;
    memory_begin(&w->memory, &w->state, place->object, constructed ? walk_new(w, NULL) : term_unset(&w->memory.terms));
    return;
  }
  const host_node *first = n->children[0];
  if (d->type->kind == HOST_REFERENCE) {
    host_lvalue l = walk_lvalue(w, first);
    const host_term *address = l.place != NULL    ? term_address(&w->memory.terms, l.place)
                               : l.within != NULL ? walk_lost(w, term_address(&w->memory.terms, l.within), NULL)
                                                  : walk_new(w, NULL);
    memory_begin(&w->memory, &w->state, place->object, NULL);
    state_set(&w->state, place, address);
    return;
  }
  if (d->type->kind == HOST_RECORD) {
    while (first->kind == HOST_CAST && first->count == 1) first = first->children[0];
    if (first->kind == HOST_CONSTRUCT && (first->count == 0 || first->decl->body != NULL)) {
      memory_begin(&w->memory, &w->state, place->object, walk_new(w, NULL));
      if (!walk_construct_at(w, first, place)) walk_initialise(w, place, first);
      return;
    }
  }
  memory_begin(&w->memory, &w->state, place->object, term_unset(&w->memory.terms));
  walk_initialise(w, place, first);
}

/* --- branches ----------------------------------------------------------------------------------------------------- */

static void walk_if(host_walk *w, const host_node *n) {
  const host_term *condition = walk_truth(w, n->children[0]);
  host_state other = state_copy(&w->state);
  walk_assume(w, &other, condition, false, n->where, HOST_FACT_CONDITION);
  walk_assume(w, &w->state, condition, true, n->where, HOST_FACT_CONDITION);
  walk_statement(w, n->children[1]);
  host_state after = w->state;
  w->state = other;
  if (n->children[2] != NULL) walk_statement(w, n->children[2]);
  other = w->state;
  w->state = after;
  memory_join(&w->memory, &w->state, &other, condition);
}

static void walk_switch(host_walk *w, const host_node *n) {
  const host_term *value = walk_value(w, n->children[0]);
  host_state *const outer_breaks = w->breaks;
  host_state *const outer_choices = w->choices;
  const host_term *const outer_chosen = w->chosen;
  const bool outer_default = w->has_default;
  host_state breaks = {.dead = true};
  host_state choices = state_copy(&w->state);
  w->breaks = &breaks;
  w->choices = &choices;
  w->chosen = value;
  w->has_default = false;
  w->state.dead = true;
  walk_statement(w, n->children[1]);
  if (!w->has_default) memory_join(&w->memory, &w->state, &choices, NULL);
  memory_join(&w->memory, &w->state, &breaks, NULL);
  state_free(&choices);
  w->breaks = outer_breaks;
  w->choices = outer_choices;
  w->chosen = outer_chosen;
  w->has_default = outer_default;
}

static void walk_case(host_walk *w, const host_node *n) {
  if (w->choices == NULL) return;
  host_state here = state_copy(w->choices);
  if (n->kind == HOST_DEFAULT) {
    w->has_default = true;
  } else if (term_is_integer(w->chosen)) {
    const bool dead = w->state.dead;
    w->state.dead = false; /* it is a constant: it changes nothing */
    const host_term *label = walk_value(w, n->children[0]);
    w->state.dead = dead;
    if (term_is_number(label)) {
      label = term_cast(&w->memory.terms, label, w->chosen->bits, w->chosen->is_signed);
      walk_assume(w, &here, term_binary(&w->memory.terms, OP_EQUAL, w->chosen, label), true, n->where,
                  HOST_FACT_CONDITION);
    }
  }
  memory_join(&w->memory, &w->state, &here, NULL);
  walk_statement(w, n->children[n->count - 1]);
}

/* --- jumps -------------------------------------------------------------------------------------------------------- */

static void leave(host_walk *w, host_state *to) {
  if (to == NULL) {
    w->state.dead = true;
    return;
  }
  host_state here = state_copy(&w->state);
  memory_join(&w->memory, to, &here, NULL);
  w->state.dead = true;
}

static void walk_return(host_walk *w, const host_node *n) {
  const bool reference = w->context->function != NULL && w->context->function->type->kind == HOST_REFERENCE;
  const host_term *value = n->count == 0 ? term_unset(&w->memory.terms) : walk_value(w, n->children[0]);
  if (reference && n->count > 0) {
    const host_lvalue l = walk_lvalue(w, n->children[0]);
    if (l.place != NULL || l.within != NULL)
      memory_expose(&w->memory, &w->state, term_address(&w->memory.terms, l.place != NULL ? l.place : l.within));
  }
  if (w->state.dead) return;
  walk_frame *f = w->frame;
  const host_term *earlier = f->returned.dead ? NULL : memory_tell_apart(&f->returned, &w->state);
  if (earlier == NULL || earlier->weight > 20) earlier = walk_new(w, host_integer_type(w->tree, 32, true));
  f->value = f->returned.dead ? value : term_choice(&w->memory.terms, earlier, f->value, value);
  if (f->value->kind == TERM_SYMBOL && f->value != value) memory_expose(&w->memory, &w->state, value);
  host_state here = state_copy(&w->state);
  memory_join(&w->memory, &f->returned, &here, earlier);
  w->state.dead = true;
}

static void walk_goto(host_walk *w, const host_node *n) {
  walk_frame *f = w->frame;
  for (size_t i = 0; i < f->jump_count; i++) {
    if (f->jumps[i].label == n->decl) {
      leave(w, &f->jumps[i].state);
      return;
    }
  }
  pending_jump *jump = ARRAY_ADD(f->jumps, f->jump_count, f->jump_capacity);
  *jump = (pending_jump){n->decl, state_copy(&w->state)};
  w->state.dead = true;
}

static void walk_label(host_walk *w, const host_node *n) {
  walk_frame *f = w->frame;
  for (size_t i = 0; i < f->jump_count; i++)
    if (f->jumps[i].label == n->decl) memory_join(&w->memory, &w->state, &f->jumps[i].state, NULL);
  walk_statement(w, n->children[0]);
}

/* What a handler may find: the body may have been left anywhere. */
static void walk_try(host_walk *w, const host_node *n) {
  host_state thrown = state_copy(&w->state);
  if (n->count > 0) walk_statement(w, n->children[0]);
  host_state after = state_copy(&w->state);
  state_free(&w->state);
  for (size_t i = 1; i < n->count; i++) {
    w->state = state_copy(&thrown);
    walk_havoc_named(w, n->children[0]);
    walk_havoc_world(w);
    for (size_t k = 0; k < n->children[i]->count; k++) walk_statement(w, n->children[i]->children[k]);
    memory_join(&w->memory, &after, &w->state, NULL);
  }
  state_free(&thrown);
  w->state = after;
}

/* --- statements --------------------------------------------------------------------------------------------------- */

static void walk_compound(host_walk *w, const host_node *n) {
  for (size_t i = 0; i < n->count; i++) walk_statement(w, n->children[i]);
  for (size_t i = 0; i < n->count; i++) { /* what is declared here is gone */
    const host_node *d = n->children[i];
    for (size_t k = 0; d->kind == HOST_DECLARE && k < d->count; k++)
      if (d->children[k]->kind == HOST_VARIABLE && !d->children[k]->decl->global && !w->state.dead)
        state_drop(&w->state, walk_variable_place(w, d->children[k]->decl));
  }
}

/* Statements that do nothing where nothing gets to: no label is in them. */
static void walk_plain(host_walk *w, const host_node *n) {
  if (w->state.dead) return;
  switch (n->kind) {
    case HOST_VARIABLE: walk_variable(w, n); return;
    case HOST_BREAK: leave(w, w->breaks); return;
    case HOST_CONTINUE: leave(w, w->continues); return;
    case HOST_RETURN: walk_return(w, n); return;
    case HOST_GOTO: walk_goto(w, n); return;
    case HOST_TRY: walk_try(w, n); return;
    case HOST_NOTHING: return;
    default: (void)walk_value(w, n); return;
  }
}

void walk_statement(host_walk *w, const host_node *n) {
  w->steps++;
  if (w->steps > w->most_steps) {
    w->exhausted = true;
    w->state.dead = true;
    return;
  }
  switch (n->kind) {
    case HOST_COMPOUND: walk_compound(w, n); return;
    case HOST_IF: walk_if(w, n); return;
    case HOST_FOR:
      if (n->children[0] != NULL) walk_statement(w, n->children[0]);
      walk_loop(w, n, n->children[1], n->children[2], n->children[3]);
      return;
    case HOST_WHILE: walk_loop(w, n, n->children[0], NULL, n->children[1]); return;
    case HOST_DO: walk_loop(w, n, n->children[1], NULL, n->children[0]); return;
    case HOST_RANGE: walk_loop(w, n, NULL, NULL, n->children[n->count - 1]); return;
    case HOST_SWITCH: walk_switch(w, n); return;
    case HOST_CASE:
    case HOST_DEFAULT: walk_case(w, n); return;
    case HOST_LABEL: walk_label(w, n); return;
    case HOST_DECLARE:
      for (size_t i = 0; i < n->count; i++) walk_statement(w, n->children[i]);
      return;
    default: walk_plain(w, n); return;
  }
}
