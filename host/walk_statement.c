/* The walk through statements. */
#include <stdlib.h>

#include "base/memory.h"
#include "host/walk.h"

/* --- declarations ------------------------------------------------------------------------------------------------- */

static void walk_variable(host_walk *w, const host_node *n) {
  const host_decl *d = n->decl;
  if (d->global || w->state.dead) {
    return; /* of `static` ones, the program's start has seen to */
  }
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
    while (first->kind == HOST_CAST && first->count == 1) {
      first = first->children[0];
    }
    if (first->kind == HOST_CONSTRUCT && (first->count == 0 || first->decl->body != NULL)) {
      memory_begin(&w->memory, &w->state, place->object, walk_new(w, NULL));
      if (!walk_construct_at(w, first, place)) {
        walk_initialise(w, place, first);
      }
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
  if (n->children[2] != NULL) {
    walk_statement(w, n->children[2]);
  }
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
  if (!w->has_default) {
    memory_join(&w->memory, &w->state, &choices, NULL);
  }
  memory_join(&w->memory, &w->state, &breaks, NULL);
  state_free(&choices);
  w->breaks = outer_breaks;
  w->choices = outer_choices;
  w->chosen = outer_chosen;
  w->has_default = outer_default;
}

static void walk_case(host_walk *w, const host_node *n) {
  if (w->choices == NULL) {
    return;
  }
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
      walk_assume(w, &here, term_binary(&w->memory.terms, HOST_EQ, w->chosen, label), true, n->where,
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
    if (l.place != NULL || l.within != NULL) {
      memory_expose(&w->memory, &w->state, term_address(&w->memory.terms, l.place != NULL ? l.place : l.within));
    }
  }
  if (w->state.dead) {
    return;
  }
  walk_frame *f = w->frame;
  const host_term *earlier = f->returned.dead ? NULL : memory_tell_apart(&f->returned, &w->state);
  if (earlier == NULL || earlier->weight > 20) {
    earlier = walk_new(w, host_integer_type(w->tree, 32, true));
  }
  f->value = f->returned.dead ? value : term_choice(&w->memory.terms, earlier, f->value, value);
  if (f->value->kind == TERM_SYMBOL && f->value != value) {
    memory_expose(&w->memory, &w->state, value);
  }
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
  for (size_t i = 0; i < f->jump_count; i++) {
    if (f->jumps[i].label == n->decl) {
      memory_join(&w->memory, &w->state, &f->jumps[i].state, NULL);
    }
  }
  walk_statement(w, n->children[0]);
}

/* What a handler may find: the body may have been left anywhere. */
static void walk_try(host_walk *w, const host_node *n) {
  host_state thrown = state_copy(&w->state);
  if (n->count > 0) {
    walk_statement(w, n->children[0]);
  }
  host_state after = state_copy(&w->state);
  state_free(&w->state);
  for (size_t i = 1; i < n->count; i++) {
    w->state = state_copy(&thrown);
    walk_havoc_named(w, n->children[0]);
    walk_havoc_world(w);
    for (size_t k = 0; k < n->children[i]->count; k++) {
      walk_statement(w, n->children[i]->children[k]);
    }
    memory_join(&w->memory, &after, &w->state, NULL);
  }
  state_free(&thrown);
  w->state = after;
}

/* --- statements --------------------------------------------------------------------------------------------------- */

static void walk_compound(host_walk *w, const host_node *n) {
  for (size_t i = 0; i < n->count; i++) {
    walk_statement(w, n->children[i]);
  }
  for (size_t i = 0; i < n->count; i++) { /* what is declared here is gone */
    const host_node *d = n->children[i];
    for (size_t k = 0; d->kind == HOST_DECLARE && k < d->count; k++) {
      if (d->children[k]->kind == HOST_VARIABLE && !d->children[k]->decl->global && !w->state.dead) {
        state_drop(&w->state, walk_variable_place(w, d->children[k]->decl));
      }
    }
  }
}

/* Statements that do nothing where nothing gets to: no label is in them. */
static void walk_plain(host_walk *w, const host_node *n) {
  if (w->state.dead) {
    return;
  }
  switch (n->kind) {
    case HOST_VARIABLE:
      walk_variable(w, n);
      return;
    case HOST_BREAK:
      leave(w, w->breaks);
      return;
    case HOST_CONTINUE:
      leave(w, w->continues);
      return;
    case HOST_RETURN:
      walk_return(w, n);
      return;
    case HOST_GOTO:
      walk_goto(w, n);
      return;
    case HOST_TRY:
      walk_try(w, n);
      return;
    case HOST_NOTHING:
      return;
    default:
      (void)walk_value(w, n);
      return;
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
    case HOST_COMPOUND:
      walk_compound(w, n);
      return;
    case HOST_IF:
      walk_if(w, n);
      return;
    case HOST_FOR:
      if (n->children[0] != NULL) {
        walk_statement(w, n->children[0]);
      }
      walk_loop(w, n, n->children[1], n->children[2], n->children[3]);
      return;
    case HOST_WHILE:
      walk_loop(w, n, n->children[0], NULL, n->children[1]);
      return;
    case HOST_DO:
      walk_loop(w, n, n->children[1], NULL, n->children[0]);
      return;
    case HOST_RANGE:
      walk_loop(w, n, NULL, NULL, n->children[n->count - 1]);
      return;
    case HOST_SWITCH:
      walk_switch(w, n);
      return;
    case HOST_CASE:
    case HOST_DEFAULT:
      walk_case(w, n);
      return;
    case HOST_LABEL:
      walk_label(w, n);
      return;
    case HOST_DECLARE:
      for (size_t i = 0; i < n->count; i++) {
        walk_statement(w, n->children[i]);
      }
      return;
    default:
      walk_plain(w, n);
      return;
  }
}
