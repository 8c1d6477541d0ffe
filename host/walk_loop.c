/* Loops: what their turns change is a symbol, about which their condition and their step say something. */
#include <stdlib.h>

#include "base/integer.h"
#include "host/walk.h"

enum { MOST_PASSES = 12 };

typedef struct loop {
  const host_node *node, *condition, *step, *body;
  host_state exits; /* where the loop ends */
} loop;

static void check_condition(host_walk *w, loop *l) {
  const host_term *holds = walk_truth(w, l->condition);
  host_state exit = state_copy(&w->state);
  walk_assume(w, &exit, holds, false, l->node->where, HOST_FACT_LOOP);
  walk_assume(w, &w->state, holds, true, l->node->where, HOST_FACT_LOOP);
  memory_join(&w->memory, &l->exits, &exit, NULL);
}

/* A variable of a range takes any value. */
static void begin_turn(host_walk *w, loop *l) {
  if (l->node->kind == HOST_RANGE) {
    for (size_t i = 0; i + 1 < l->node->count; i++) {
      (void)walk_value(w, l->node->children[i]);
      walk_havoc_named(w, l->node->children[i]);
    }
    host_state exit = state_copy(&w->state);
    memory_join(&w->memory, &l->exits, &exit, NULL);
    const host_place *place = walk_variable_place(w, l->node->decl);
    memory_begin(&w->memory, &w->state, place->object, walk_new(w, NULL));
  }
}

/* One turn from the state at the head; leaves the state at its end. */
static void turn(host_walk *w, loop *l) {
  host_state *const outer_breaks = w->breaks;
  host_state *const outer_continues = w->continues;
  host_state continues = {.dead = true};
  begin_turn(w, l);
  if (l->node->kind != HOST_DO && l->condition != NULL) {
    check_condition(w, l);
  }
  w->breaks = &l->exits;
  w->continues = &continues;
  walk_statement(w, l->body);
  memory_join(&w->memory, &w->state, &continues, NULL);
  w->breaks = outer_breaks;
  w->continues = outer_continues;
  if (l->step != NULL && !w->state.dead) {
    (void)walk_value(w, l->step);
  }
  if (l->node->kind == HOST_DO && !w->state.dead) {
    check_condition(w, l);
  }
}

/* --- what a step says --------------------------------------------------------------------------------------------- */

typedef struct progress {
  bool up, down;  /* it only grows, or only shrinks, or neither is known */
  int64_t stride; /* all steps are multiples of it; 0: no steps yet */
  int64_t factor; /* all steps multiply by it, or divide; 0: they do not */
  bool divides;
  bool none; /* something else happens */
} progress;

static void note_addition(progress *p, int64_t by) {
  p->none = p->none || p->factor != 0 || by == INT64_MIN;
  if (p->none) {
    return;
  }
  p->up = p->up && by >= 0;
  p->down = p->down && by <= 0;
  p->stride = (int64_t)common_divisor((uint64_t)p->stride, (uint64_t)(by < 0 ? -by : by));
}

static void note_factor(progress *p, int64_t by, bool divides) {
  p->none = p->none || by < 2 || p->stride != 0 || (p->factor != 0 && (p->factor != by || p->divides != divides));
  p->factor = by;
  p->divides = divides;
}

/* How the value at the end of a turn comes from the symbol at its head. */
static void note_step(progress *p, const host_term *end, const host_term *symbol) {
  if (end == symbol) {
    return;
  }
  if (end->kind == TERM_CHOICE) {
    note_step(p, end->b, symbol);
    note_step(p, end->c, symbol);
    return;
  }
  if (end->kind != TERM_BINARY || !term_is_number(end->b)) {
    p->none = true;
    return;
  }
  if ((end->op == HOST_ADD || end->op == HOST_SUB) && end->a != symbol) { /* several steps in one turn */
    note_step(p, end->a, symbol);
  } else if (end->a != symbol) {
    p->none = true;
    return;
  }
  const int64_t by = end->b->value;
  switch (end->op) {
    case HOST_ADD:
      note_addition(p, by);
      break;
    case HOST_SUB:
      note_addition(p, by == INT64_MIN ? by : -by);
      break;
    case HOST_MUL:
      note_factor(p, by, false);
      break;
    case HOST_DIV:
      note_factor(p, by, true);
      break;
    case HOST_SHR:
      note_factor(p, by > 0 && by < 31 ? (int64_t)1 << by : 0, true);
      break;
    default:
      p->none = true;
      break;
  }
}

static void hold(host_walk *w, host_state *head, const loop *l, const host_term *fact) {
  walk_assume(w, head, fact, true, l->node->where, HOST_FACT_LOOP);
}

static bool is_power(int64_t value, int64_t factor) {
  while (value > 1 && value % factor == 0) {
    value /= factor;
  }
  return value == 1;
}

/* Of unsigned numbers, one that only grows may still wrap around to 0; a stride of a power of two survives that. */
static void hold_sums(host_walk *w, host_state *head, const loop *l, const progress *p, const host_term *symbol,
                      const host_term *first) {
  host_terms *t = &w->memory.terms;
  const bool safe = symbol->is_signed;
  if (safe && p->up) {
    hold(w, head, l, term_binary(t, HOST_GE, symbol, first));
  }
  if (safe && p->down) {
    hold(w, head, l, term_binary(t, HOST_LE, symbol, first));
  }
  if (p->stride > 1 && (safe || is_power(p->stride, 2))) {
    const host_term *stride = term_number(t, p->stride, symbol->bits, symbol->is_signed);
    if (term_is_number(first) && first->value >= 0 && (p->up || !safe)) {
      const host_term *rest = term_number(t, first->value % p->stride, symbol->bits, symbol->is_signed);
      hold(w, head, l, term_binary(t, HOST_EQ, term_binary(t, HOST_REM, symbol, stride), rest));
    } else {
      const host_term *distance = term_binary(t, HOST_SUB, symbol, first);
      const host_term *none = term_number(t, 0, symbol->bits, symbol->is_signed);
      hold(w, head, l, term_binary(t, HOST_EQ, term_binary(t, HOST_REM, distance, stride), none));
    }
  }
}

static void hold_products(host_walk *w, host_state *head, const loop *l, const progress *p, const host_term *symbol,
                          const host_term *first) {
  host_terms *t = &w->memory.terms;
  if (!term_is_number(first) || first->value < 1 || !symbol->is_signed) {
    return;
  }
  hold(w, head, l, term_binary(t, p->divides ? HOST_LE : HOST_GE, symbol, first));
  if (p->divides) {
    hold(w, head, l, term_binary(t, HOST_GE, symbol, term_number(t, 0, symbol->bits, true)));
  }
  if (p->factor == 2 && is_power(first->value, 2)) {
    const host_term *less = term_binary(t, HOST_SUB, symbol, term_number(t, 1, symbol->bits, true));
    const host_term *power = term_binary(t, HOST_AND, symbol, less);
    const host_term *zero = term_number(t, 0, symbol->bits, true);
    if (!p->divides) {
      hold(w, head, l, term_binary(t, HOST_EQ, power, zero));
    } else { /* 0 at the end */
      hold(w, head, l,
           term_binary(t, HOST_LOR, term_binary(t, HOST_EQ, symbol, zero), term_binary(t, HOST_EQ, power, zero)));
    }
  }
}

static void hold_steps(host_walk *w, host_state *head, const loop *l, const host_state *end, const host_state *widened,
                       const host_state *before) {
  for (size_t i = 0; i < widened->count && !end->dead; i++) {
    const host_place *place = widened->entries[i].place;
    const host_term *symbol = widened->entries[i].value;
    const host_term *first = state_find(before, place);
    const host_term *last = state_find(end, place);
    if (place->kind > PLACE_ELEMENT || symbol->bits < 32 || first == NULL || last == NULL ||
        first->bits != symbol->bits || first->is_signed != symbol->is_signed) {
      continue;
    }
    progress p = {.up = true, .down = true};
    note_step(&p, last, symbol);
    if (p.none) {
      continue;
    }
    if (p.factor != 0) {
      hold_products(w, head, l, &p, symbol, first);
    } else {
      hold_sums(w, head, l, &p, symbol, first);
    }
  }
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

/* A turn to see what changes: where it leads besides its end does not count. */
static void trial_turn(host_walk *w, loop *l) {
  walk_frame *const outer = w->frame;
  walk_frame trial = {.returned = {.dead = true}, .self = outer->self};
  w->frame = &trial;
  w->dry++;
  turn(w, l);
  w->dry--;
  w->frame = outer;
  state_free(&l->exits);
  state_free(&trial.returned);
  for (size_t i = 0; i < trial.jump_count; i++) {
    state_free(&trial.jumps[i].state);
  }
  free(trial.jumps);
}

void walk_loop(host_walk *w, const host_node *n, const host_node *condition, const host_node *step,
               const host_node *body) {
  loop l = {n, condition, step, body, {.dead = true}};
  host_state head = state_copy(&w->state);
  host_state widened = {0};
  host_state before = {0};
  bool changed = !head.dead;
  for (int pass = 0; changed && !w->exhausted; pass++) {
    state_free(&w->state);
    w->state = state_copy(&head);
    trial_turn(w, &l);
    changed = memory_widen(&w->memory, &head, &w->state, &widened, &before);
    if (!changed) {
      hold_steps(w, &head, &l, &w->state, &widened, &before);
    } else if (pass >= MOST_PASSES) {
      w->exhausted = true;
    }
  }
  state_free(&widened);
  state_free(&before);
  state_free(&w->state);
  w->state = head;
  turn(w, &l);
  state_move(&w->state, &l.exits);
}
