/* OpenCL calls: they make kernels and memory, set arguments, and launch. */
#include <stdlib.h>
#include <string.h>

#include "proofs/host/walk.h"

/* --- loops -------------------------------------------------------------------------------------------------------- */

/* Loops: what their turns change is a symbol, about which their condition and their step say something. */

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
  if (l->node->kind != HOST_DO && l->condition != NULL) check_condition(w, l);
  w->breaks = &l->exits;
  w->continues = &continues;
  walk_statement(w, l->body);
  memory_join(&w->memory, &w->state, &continues, NULL);
  w->breaks = outer_breaks;
  w->continues = outer_continues;
  if (l->step != NULL && !w->state.dead) (void)walk_value(w, l->step);
  if (l->node->kind == HOST_DO && !w->state.dead) check_condition(w, l);
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
  if (p->none) return;
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
  if (end == symbol) return;
  if (end->kind == TERM_CHOICE) {
    note_step(p, end->b, symbol);
    note_step(p, end->c, symbol);
    return;
  }
  if (end->kind != TERM_BINARY || !term_is_number(end->b)) {
    p->none = true;
    return;
  }
  if ((end->op == OP_ADD || end->op == OP_SUBTRACT) && end->a != symbol) { /* several steps in one turn */
    note_step(p, end->a, symbol);
  } else if (end->a != symbol) {
    p->none = true;
    return;
  }
  const int64_t by = end->b->value;
  switch (end->op) {
    case OP_ADD: note_addition(p, by); break;
    case OP_SUBTRACT: note_addition(p, by == INT64_MIN ? by : -by); break;
    case OP_MULTIPLY: note_factor(p, by, false); break;
    case OP_DIVIDE: note_factor(p, by, true); break;
    case OP_SHIFT_RIGHT: note_factor(p, by > 0 && by < 31 ? (int64_t)1 << by : 0, true); break;
    default: p->none = true; break;
  }
}

static void hold(host_walk *w, host_state *head, const loop *l, const host_term *fact) {
  walk_assume(w, head, fact, true, l->node->where, HOST_FACT_LOOP);
}

static bool is_power(int64_t value, int64_t factor) {
  while (value > 1 && value % factor == 0) value /= factor;
  return value == 1;
}

/* Of unsigned numbers, one that only grows may still wrap around to 0; a stride of a power of two survives that. */
static void hold_sums(host_walk *w, host_state *head, const loop *l, const progress *p, const host_term *symbol,
                      const host_term *first) {
  host_terms *t = &w->memory.terms;
  const bool safe = symbol->is_signed;
  if (safe && p->up) hold(w, head, l, term_binary(t, OP_GREATER_EQUAL, symbol, first));
  if (safe && p->down) hold(w, head, l, term_binary(t, OP_LESS_EQUAL, symbol, first));
  if (p->stride > 1 && (safe || is_power(p->stride, 2))) {
    const host_term *stride = term_number(t, p->stride, symbol->bits, symbol->is_signed);
    if (term_is_number(first) && first->value >= 0 && (p->up || !safe)) {
      const host_term *rest = term_number(t, first->value % p->stride, symbol->bits, symbol->is_signed);
      hold(w, head, l, term_binary(t, OP_EQUAL, term_binary(t, OP_REMAINDER, symbol, stride), rest));
    } else {
      const host_term *distance = term_binary(t, OP_SUBTRACT, symbol, first);
      const host_term *none = term_number(t, 0, symbol->bits, symbol->is_signed);
      hold(w, head, l, term_binary(t, OP_EQUAL, term_binary(t, OP_REMAINDER, distance, stride), none));
    }
  }
}

static void hold_products(host_walk *w, host_state *head, const loop *l, const progress *p, const host_term *symbol,
                          const host_term *first) {
  host_terms *t = &w->memory.terms;
  if (!term_is_number(first) || first->value < 1 || !symbol->is_signed) return;
  hold(w, head, l, term_binary(t, p->divides ? OP_LESS_EQUAL : OP_GREATER_EQUAL, symbol, first));
  if (p->divides) hold(w, head, l, term_binary(t, OP_GREATER_EQUAL, symbol, term_number(t, 0, symbol->bits, true)));
  if (p->factor == 2 && is_power(first->value, 2)) {
    const host_term *less = term_binary(t, OP_SUBTRACT, symbol, term_number(t, 1, symbol->bits, true));
    const host_term *power = term_binary(t, OP_AND, symbol, less);
    const host_term *zero = term_number(t, 0, symbol->bits, true);
    if (!p->divides) {
      hold(w, head, l, term_binary(t, OP_EQUAL, power, zero));
    } else { /* 0 at the end */
      hold(
          w, head, l,
          term_binary(t, OP_LOGICAL_OR, term_binary(t, OP_EQUAL, symbol, zero), term_binary(t, OP_EQUAL, power, zero)));
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
        first->bits != symbol->bits || first->is_signed != symbol->is_signed)
      continue;
    progress p = {.up = true, .down = true};
    note_step(&p, last, symbol);
    if (p.none) continue;
    if (p.factor != 0)
      hold_products(w, head, l, &p, symbol, first);
    else
      hold_sums(w, head, l, &p, symbol, first);
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
  for (size_t i = 0; i < trial.jump_count; i++) state_free(&trial.jumps[i].state);
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
    if (!changed)
      hold_steps(w, &head, &l, &w->state, &widened, &before);
    else if (pass >= MOST_PASSES)
      w->exhausted = true;
  }
  state_free(&widened);
  state_free(&before);
  state_free(&w->state);
  w->state = head;
  turn(w, &l);
  state_move(&w->state, &l.exits);
}

typedef struct opencl_call {
  host_walk *w;
  const host_node *n;
  const host_term *const *values;
  size_t count;
} opencl_call;

static const host_term *value_at(const opencl_call *c, size_t i) {
  return i < c->count ? memory_given(&c->w->state, c->values[i]) : term_unset(&c->w->memory.terms);
}

static const host_place *property(host_walk *w, const host_object *o, place_kind kind, int64_t index) {
  return memory_place(&w->memory, o->place, kind, NULL, index, NULL);
}

/* --- objects ------------------------------------------------------------------------------------------------------ */

static void candidates(const host_term *value, object_kind kind, const host_object **found, bool *other) {
  if (value->kind == TERM_CHOICE) {
    candidates(value->b, kind, found, other);
    candidates(value->c, kind, found, other);
  } else if (value->kind == TERM_ADDRESS && value->place->kind == PLACE_ALL && value->place->object->kind == kind &&
             (*found == NULL || *found == value->place->object)) {
    *found = value->place->object;
  } else if (!term_is_null(value) && value->kind != TERM_UNSET) {
    *other = true;
  }
}

const host_object *walk_object(const host_term *value, object_kind kind) {
  const host_object *found = NULL;
  bool other = false;
  candidates(value, kind, &found, &other);
  return other ? NULL : found;
}

/* A kernel, program or memory object that this call makes. */
static const host_object *made(const opencl_call *c, object_kind kind) {
  host_walk *w = c->w;
  const host_object *o = memory_object(&w->memory, kind, c->n, w->context, NULL);
  memory_forget_object(&w->memory, &w->state, o);
  memory_begin(&w->memory, &w->state, o, NULL);
  return o;
}

static const host_term *create_kernel(const opencl_call *c) {
  host_walk *w = c->w;
  const host_term *name = value_at(c, 1);
  const host_place *place = name->kind == TERM_ADDRESS ? walk_target(w, name) : NULL;
  if (place != NULL) name = memory_load(&w->memory, &w->state, place);
  const host_object *o = made(c, OBJECT_KERNEL);
  state_set(&w->state, property(w, o, PLACE_NAME, 0), name);
  state_set(&w->state, property(w, o, PLACE_PROGRAM, 0), value_at(c, 0));
  return term_address(&w->memory.terms, o->place);
}

static const host_term *create_program(const opencl_call *c) {
  if (strcmp(c->n->decl->name, "clCreateProgramWithSource") == 0 && !term_is(value_at(c, 1), 1)) {
    host_tree_note(c->w->tree,
                   "%s:%u: the text of a program is put together here: it may be another than that of the file",
                   c->n->where.file, c->n->where.line);
    return walk_new(c->w, c->n->type);
  }
  return term_address(&c->w->memory.terms, made(c, OBJECT_PROGRAM)->place);
}

static const host_term *build_program(const opencl_call *c) {
  host_walk *w = c->w;
  const host_object *o = walk_object(value_at(c, 0), OBJECT_PROGRAM);
  const host_term *options = value_at(c, 3);
  const host_place *place = options->kind == TERM_ADDRESS ? walk_target(w, options) : NULL;
  if (place != NULL) options = memory_load(&w->memory, &w->state, place);
  if (o != NULL) state_set(&w->state, property(w, o, PLACE_OPTIONS, 0), options);
  return walk_new(w, c->n->type);
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

static void hold_size(host_walk *w, c_operator op, const host_term *a, const host_node *n) {
  const host_term *zero = term_number(&w->memory.terms, 0, a->bits, a->is_signed);
  walk_assume(w, &w->state, term_binary(&w->memory.terms, op, a, zero), true, n->where, HOST_FACT_ALLOCATION);
}

/* A factor of what is not 0 is not 0. */
static void factor_is_not_zero(host_walk *w, const host_term *factor, const host_node *n) {
  for (;;)
    if (factor->kind == TERM_CAST && factor->a->bits > 0 && factor->a->bits <= factor->bits)
      factor = factor->a;
    else if (factor->kind == TERM_BINARY && factor->op == OP_MULTIPLY && term_is_number(factor->a))
      factor = factor->b;
    else
      break;
  if (!term_is_number(factor)) hold_size(w, OP_NOT_EQUAL, factor, n);
}

/* A size is positive; what is negative becomes larger than any memory. */
static void positive(host_walk *w, const host_term *size, const host_node *n) {
  size = memory_given(&w->state, size);
  if (!term_is_integer(size) || term_is_number(size)) return;
  if (term_keeps_size(size)) {
    positive(w, size->a, n);
    return;
  }
  if (size->kind == TERM_BINARY && size->op == OP_MULTIPLY) {
    const host_term *factor = term_is_number(size->a) ? size->a : size->b;
    const host_term *rest = term_is_number(size->a) ? size->b : size->a;
    const bool narrow = rest->kind == TERM_CAST && rest->a->bits <= 32;
    if (term_is_number(factor) && factor->value > 0 && factor->value < INT32_MAX && (size->is_signed || narrow)) {
      positive(w, rest, n);
      return;
    }
    factor_is_not_zero(w, size->a, n);
    factor_is_not_zero(w, size->b, n);
  }
  hold_size(w, OP_GREATER, size, n);
}

/* The sizeof that stands in an expression, 0: none, or more than one. */
static int64_t measure_in(const host_node *n) {
  int64_t found = n->measured ? n->value : 0;
  for (size_t i = 0; i < n->count; i++) {
    const int64_t inner = n->children[i] == NULL ? 0 : measure_in(n->children[i]);
    found = inner == 0 ? found : inner;
  }
  return found;
}

enum { USE_HOST_POINTER = 1 << 3 }; /* CL_MEM_USE_HOST_PTR */

static const host_term *create_memory(const opencl_call *c, size_t size_at, size_t host_at) {
  host_walk *w = c->w;
  const host_object *o = made(c, OBJECT_MEMORY);
  const host_node *size = size_at + 1 < c->n->count ? c->n->children[size_at + 1] : NULL;
  if (size != NULL) {
    positive(w, value_at(c, size_at), c->n);
    state_set(&w->state, property(w, o, PLACE_SIZE, 0), value_at(c, size_at));
    state_set(&w->state, property(w, o, PLACE_MEASURE, 0), term_number(&w->memory.terms, measure_in(size), 64, true));
  }
  const host_term *flags = value_at(c, size_at - 1),
                  *mine = term_number(&w->memory.terms, (int64_t)(intptr_t)c->n, 64, true);
  state_set(&w->state, property(w, o, PLACE_SETTER, 0), mine);
  const bool copies = term_is_number(flags) && (flags->value & USE_HOST_POINTER) == 0;
  const host_place *shared = walk_target(w, value_at(c, host_at));
  if (shared != NULL && !copies) { /* two of one memory of the host: they may be one */
    const host_place *used = property(w, shared->object, PLACE_SETTER, 0);
    const host_term *other = state_find(&w->state, used);
    if (other != NULL && other != mine) return walk_new(w, c->n->type);
    state_set(&w->state, used, mine);
  }
  if (shared == NULL && !copies && !term_is_null(value_at(c, host_at))) return walk_new(w, c->n->type);
  if (shared != NULL) { /* the device may write to it while it exists */
    memory_expose(&w->memory, &w->state, value_at(c, host_at));
    memory_havoc(&w->memory, &w->state, shared->object->place);
    ((host_object *)shared->object)->wild = true;
  }
  return term_address(&w->memory.terms, o->place);
}

static const host_term *create_buffer(const opencl_call *c) {
  const bool properties = strcmp(c->n->decl->name, "clCreateBufferWithProperties") == 0;
  return create_memory(c, properties ? 3 : 2, properties ? 4 : 3);
}

static const host_term *create_image(const opencl_call *c) {
  if (c->w->tree->images_of_memory && strcmp(c->n->decl->name, "clCreateImage") == 0) /* of a buffer, maybe */
    return walk_new(c->w, c->n->type);
  return term_address(&c->w->memory.terms, made(c, OBJECT_MEMORY)->place);
}

/* --- arguments ---------------------------------------------------------------------------------------------------- */

/* Any argument of the index, or of all, of kernels that may be meant. */
static void forget_arguments(host_walk *w, const host_object *kernel, const host_term *index) {
  for (size_t i = 0; i < w->state.count; i++) {
    const host_place *p = w->state.entries[i].place;
    const bool meant = kernel == NULL ? memory_is_exposed(&w->memory, &w->state, p->object) : p->object == kernel;
    if (meant && (p->kind == PLACE_ARGUMENT || p->kind == PLACE_SETTER) &&
        (!term_is_number(index) || index->value == p->index))
      w->state.entries[i].value = walk_new(w, NULL);
  }
}

/* What is passed: the bytes at an address, all of one object. */
static const host_term *passed_value(const opencl_call *c, const host_term *size) {
  host_walk *w = c->w;
  const host_term *address = value_at(c, 3);
  const host_place *place = walk_target(w, address);
  if (place == NULL || !term_is_number(size) || place->type == NULL || place->type->size < (uint64_t)size->value)
    return walk_new(w, NULL);
  if (place->type->size > (uint64_t)size->value) { /* the low bytes come first */
    const bool power = size->value == 1 || size->value == 2 || size->value == 4;
    const host_term *value = memory_load(&w->memory, &w->state, place);
    return power && place->type->kind == HOST_INTEGER && term_is_integer(value)
               ? term_cast(&w->memory.terms, value, (unsigned)size->value * 8, place->type->is_signed)
               : walk_new(w, NULL);
  }
  if (place->type->kind == HOST_INTEGER || place->type->kind == HOST_POINTER || place->type->kind == HOST_FLOAT)
    return memory_load(&w->memory, &w->state, place);
  return walk_new(w, NULL);
}

static const host_term *set_argument(const opencl_call *c) {
  host_walk *w = c->w;
  const host_object *kernel = walk_object(value_at(c, 0), OBJECT_KERNEL);
  const host_term *index = value_at(c, 1);
  const host_term *size = value_at(c, 2);
  if (kernel == NULL || !term_is_number(index)) {
    forget_arguments(w, kernel, index);
    return walk_new(w, c->n->type);
  }
  const bool plain = strcmp(c->n->decl->name, "clSetKernelArg") == 0;
  const host_term *value = NULL;
  if (plain && term_is_null(value_at(c, 3)))
    value = term_null(&w->memory.terms); /* local memory of `size` bytes */
  else
    value = plain ? passed_value(c, size) : walk_new(w, NULL);
  size = plain && term_is_integer(size) ? size : term_number(&w->memory.terms, 0, 64, false);
  state_set(&w->state, property(w, kernel, PLACE_ARGUMENT, index->value), term_pair(&w->memory.terms, value, size));
  state_set(&w->state, property(w, kernel, PLACE_SETTER, index->value),
            term_number(&w->memory.terms, (int64_t)(intptr_t)c->n, 64, true));
  return walk_new(w, c->n->type);
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* `count` numbers in an array; what is not known stays NULL. */
static void read_sizes(const opencl_call *c, size_t at, unsigned count, const host_term **sizes) {
  const host_type *type = host_integer_type(c->w->tree, 64, false);
  for (unsigned d = 0; d < count && d < 3; d++) {
    const host_place *place = walk_element(c->w, value_at(c, at), d, type);
    const host_term *value = place == NULL ? NULL : memory_load(&c->w->memory, &c->w->state, place);
    sizes[d] = value != NULL && value->bits == 64 ? value : NULL;
  }
}

/* Can functions that run at any time have got hold of a kernel? */
static bool is_reachable(host_walk *w, const host_object *kernel) {
  bool found = memory_is_exposed(&w->memory, &w->state, kernel);
  for (size_t i = 0; i < w->state.count && !found; i++) {
    const state_entry *e = &w->state.entries[i];
    const host_object *holder = e->place->object;
    const bool open =
        (holder->decl != NULL && holder->decl->global) || memory_is_exposed(&w->memory, &w->state, holder);
    found = open && holder != kernel && walk_object(e->value, OBJECT_KERNEL) == kernel;
  }
  return found;
}

static void read_argument(host_walk *w, const host_object *kernel, const host_place *place, met_launch *l) {
  met_argument *a = &l->arguments[place->index];
  const host_term *pair = memory_given(&w->state, state_find(&w->state, place));
  const host_term *setter = state_find(&w->state, property(w, kernel, PLACE_SETTER, place->index));
  if (setter != NULL && term_is_number(setter)) a->setter = (const host_node *)(intptr_t)setter->value;
  l->argument_count = place->index >= l->argument_count ? (unsigned)place->index + 1 : l->argument_count;
  if (pair->kind != TERM_PAIR || w->tree->unread_setting || (w->hidden_settings && is_reachable(w, kernel))) {
    a->value = NULL;
    return;
  }
  a->value = memory_given(&w->state, pair->a);
  a->size = term_is_number(pair->b) && pair->b->value < 4096 ? (unsigned)pair->b->value : 0;
  if (term_is_null(pair->a)) {
    a->local = true;
    a->bytes = pair->b;
    a->measured = a->setter == NULL ? 0 : measure_in(a->setter->children[3]);
  }
  const host_object *memory = walk_object(a->value, OBJECT_MEMORY);
  if (memory != NULL) {
    const host_term *size = state_find(&w->state, property(w, memory, PLACE_SIZE, 0));
    const host_term *measured = state_find(&w->state, property(w, memory, PLACE_MEASURE, 0));
    a->bytes = size != NULL && term_is_integer(size) ? memory_given(&w->state, size) : NULL;
    a->measured = measured != NULL && term_is_number(measured) ? measured->value : 0;
    const host_term *maker = state_find(&w->state, property(w, memory, PLACE_SETTER, 0));
    a->maker = maker != NULL && term_is_number(maker) ? (const host_node *)(intptr_t)maker->value : NULL;
  }
}

static void read_kernel(host_walk *w, const host_object *kernel, met_launch *l) {
  const host_term *name = state_find(&w->state, property(w, kernel, PLACE_NAME, 0));
  name = name == NULL ? NULL : memory_given(&w->state, name);
  l->kernel = name != NULL && name->kind == TERM_TEXT ? name->text : NULL;
  for (size_t i = 0; i < w->state.count; i++) {
    const host_place *p = w->state.entries[i].place;
    if (p->object == kernel && p->kind == PLACE_ARGUMENT && p->index >= 0 && p->index < MOST_ARGUMENTS)
      read_argument(w, kernel, p, l);
  }
  const host_term *program = state_find(&w->state, property(w, kernel, PLACE_PROGRAM, 0));
  const host_object *o = program == NULL ? NULL : walk_object(memory_given(&w->state, program), OBJECT_PROGRAM);
  l->options = o == NULL ? NULL : state_find(&w->state, property(w, o, PLACE_OPTIONS, 0));
}

static const host_term *launch(const opencl_call *c) {
  host_walk *w = c->w;
  met_launch l = {.node = c->n, .context = w->context};
  const host_object *kernel = walk_object(value_at(c, 1), OBJECT_KERNEL);
  if (strcmp(c->n->decl->name, "clEnqueueTask") == 0) {
    const host_term *one = term_number(&w->memory.terms, 1, 64, false);
    l.dimensions = 1;
    l.global[0] = one;
    l.local[0] = one;
    l.offset[0] = term_number(&w->memory.terms, 0, 64, false);
  } else {
    const host_term *dimensions = value_at(c, 2);
    l.dimensions = term_is_number(dimensions) && dimensions->value >= 1 && dimensions->value <= 3
                       ? (unsigned)dimensions->value
                       : 0;
    for (unsigned d = 0; d < l.dimensions && term_is_null(value_at(c, 3)); d++)
      l.offset[d] = term_number(&w->memory.terms, 0, 64, false);
    if (!term_is_null(value_at(c, 3))) read_sizes(c, 3, l.dimensions, l.offset);
    read_sizes(c, 4, l.dimensions, l.global);
    read_sizes(c, 5, l.dimensions, l.local);
  }
  for (unsigned d = 0; d < l.dimensions; d++) {
    if (l.global[d] != NULL) positive(w, l.global[d], c->n);
    if (l.local[d] != NULL) positive(w, l.local[d], c->n);
  }
  if (kernel != NULL) read_kernel(w, kernel, &l);
  l.conditions = w->state.conditions;
  walk_add_launch(w, &l);
  return walk_new(w, c->n->type);
}

/* --- memory that the device writes to ----------------------------------------------------------------------------- */

static const host_term *read_back(const opencl_call *c, size_t at, size_t blocking) {
  host_walk *w = c->w;
  const host_term *pointer = value_at(c, at);
  const host_place *place = walk_target(w, pointer);
  walk_havoc_target(w, pointer, NULL);
  memory_expose(&w->memory, &w->state, pointer);
  if (place != NULL && !term_is(value_at(c, blocking), 1)) /* it may arrive at any time */
    ((host_object *)place->object)->wild = true;
  return walk_new(w, c->n->type);
}

static const host_term *read_buffer(const opencl_call *c) { return read_back(c, 5, 2); }
static const host_term *read_image(const opencl_call *c) { return read_back(c, 7, 2); }
static const host_term *read_rectangle(const opencl_call *c) { return read_back(c, 9, 2); }
static const host_term *copy_shared(const opencl_call *c) { return read_back(c, 2, 1); }

static const struct {
  const char *name;
  const host_term *(*walk)(const opencl_call *c);
} calls[] = {
    {"clCreateKernel", create_kernel},
    {"clCreateProgramWithSource", create_program},
    {"clCreateProgramWithBinary", create_program},
    {"clCreateProgramWithIL", create_program},
    {"clBuildProgram", build_program},
    {"clCreateBuffer", create_buffer},
    {"clCreateBufferWithProperties", create_buffer},
    {"clCreateImage", create_image},
    {"clCreateImage2D", create_image},
    {"clCreateImage3D", create_image},
    {"clCreatePipe", create_image},
    {"clSetKernelArg", set_argument},
    {"clSetKernelArgSVMPointer", set_argument},
    {"clEnqueueNDRangeKernel", launch},
    {"clEnqueueTask", launch},
    {"clEnqueueReadBuffer", read_buffer},
    {"clEnqueueReadImage", read_image},
    {"clEnqueueReadBufferRect", read_rectangle},
    {"clEnqueueSVMMemcpy", copy_shared},
};

bool walk_opencl(host_walk *w, const host_node *n, const host_term *const *values, size_t count,
                 const host_term **result) {
  if (n->decl->body != NULL || !n->decl->system) return false;
  const opencl_call c = {w, n, values, count};
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    if (strcmp(calls[i].name, n->decl->name) == 0) {
      *result = calls[i].walk(&c);
      (void)walk_library(w, n, values, count); /* where else its pointers lead: errors, events */
      return true;
    }
  }
  return false;
}
