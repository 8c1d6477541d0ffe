/* Calls: what functions of the language give and access, and those of the program, which are gone through where they are
 * called. */
#include <stdlib.h>
#include <string.h>

#include "frontend/facts/inside_internal.h"

enum { DEEPEST = 16 };

static bool is_pointer(const tree_type *t) { return t != NULL && t->kind == TREE_TYPE_POINTER; }

static value number_of(const tree_node *n, range r) { return (value){NO_OBJECT, range_as(r, n->type)}; }

void inside_touch(walker *w, value at, uint64_t bytes, bool reads, bool writes) {
  if (w->quiet > 0 || !w->now.reachable) {
    return;
  }
  const object *o = at.object < w->object_count ? &w->objects[at.object] : NULL;
  const bool fits = o != NULL && bytes > 0 && bytes <= o->bytes && !range_is_endless(&at.r) && at.r.low >= 0 &&
                    (uint64_t)at.r.high <= o->bytes - bytes;
  w->failed = w->failed || !fits || (reads && o->no_read) || (writes && o->no_write);
}

/* --- the launch ---------------------------------------------------------------------------------------------------- */

/* Of a dimension that the launch has. */
static range size_of_launch(const facts_launch *l, uint64_t d, const char *name) {
  const int64_t global = (int64_t)l->global[d], local = (int64_t)l->local[d], offset = (int64_t)l->offset[d];
  const int64_t most = local == 0 ? global : local, whole = local == 0 ? 1 : (global + local - 1) / local;
  const bool even = local != 0 && global % local == 0;
  if (strcmp(name, "get_global_id") == 0) {
    return range_between(offset, offset + global - 1);
  }
  if (strcmp(name, "get_global_size") == 0) {
    return range_number(global);
  }
  if (strcmp(name, "get_global_offset") == 0) {
    return range_number(offset);
  }
  if (strcmp(name, "get_local_id") == 0) {
    return range_between(0, most - 1);
  }
  if (strcmp(name, "get_local_size") == 0) {
    return even ? range_number(local) : range_between(1, most);
  }
  if (strcmp(name, "get_enqueued_local_size") == 0) {
    return local != 0 ? range_number(local) : range_between(1, most);
  }
  if (strcmp(name, "get_group_id") == 0) {
    return range_between(0, (local == 0 ? global : whole) - 1);
  }
  return strcmp(name, "get_num_groups") == 0 ? (local == 0 ? range_between(1, global) : range_number(whole))
                                             : range_of_type(NULL);
}

static value ask_launch(walker *w, const tree_node *n) {
  const range d = n->child_count == 1 ? inside_expression(w, n->children[0]).r : range_of_type(NULL);
  if (!range_is_number(&d) || d.low < 0) {
    return inside_anything(n->type);
  }
  if ((uint64_t)d.low >= w->launch->dimensions) {
    const bool size = strstr(n->symbol->name, "size") != NULL || strcmp(n->symbol->name, "get_num_groups") == 0;
    return number_of(n, range_number(size ? 1 : 0));
  }
  return number_of(n, size_of_launch(w->launch, (uint64_t)d.low, n->symbol->name));
}

/* --- functions of numbers ------------------------------------------------------------------------------------------ */

static range least_of(range a, range b) {
  const int64_t low = a.low < b.low ? a.low : b.low, high = a.high < b.high ? a.high : b.high;
  return range_between(low, high);
}

static range most_of(range a, range b) {
  const int64_t low = a.low > b.low ? a.low : b.low, high = a.high > b.high ? a.high : b.high;
  return range_between(low, high);
}

static value of_numbers(walker *w, const tree_node *n) {
  range v[3] = {{0}, {0}, {0}};
  bool plain = n->type != NULL && n->type->kind == TREE_TYPE_INTEGER && n->child_count <= 3;
  for (uint32_t i = 0; i < n->child_count; i++) {
    const value x = inside_expression(w, n->children[i]);
    plain = plain && n->children[i]->type == n->type;
    v[i < 3 ? i : 2] = x.r;
  }
  const char *name = n->symbol->name;
  if (!plain) {
    return inside_anything(n->type);
  }
  if (n->child_count == 2 && strcmp(name, "min") == 0) {
    return number_of(n, least_of(v[0], v[1]));
  }
  if (n->child_count == 2 && strcmp(name, "max") == 0) {
    return number_of(n, most_of(v[0], v[1]));
  }
  if (n->child_count == 3 && strcmp(name, "clamp") == 0 && v[1].high <= v[2].low) {
    return number_of(n, least_of(most_of(v[0], v[1]), v[2]));
  }
  return inside_anything(n->type);
}

/* --- functions that access memory ---------------------------------------------------------------------------------- */

/* Through pointers, as far as memory.h has a check there. */
static value of_pointers(walker *w, const tree_node *n) {
  bool first = true;
  for (uint32_t i = 0; i < n->child_count; i++) {
    const tree_node *argument = n->children[i];
    const value v = inside_expression(w, argument);
    if (is_pointer(argument->type)) {
      const tree_effect effect = first ? n->builtin->first : n->builtin->others;
      const tree_type *to = argument->type->element;
      if (effect != TREE_EFFECT_NONE) {
        inside_touch(w, v, to->size, effect != TREE_EFFECT_WRITE, effect != TREE_EFFECT_READ);
      }
      first = false;
    }
  }
  return inside_anything(n->type);
}

/* vloadn, vstoren; those of halves are left out. */
static value of_vectors(walker *w, const tree_node *n) {
  const bool loads = n->builtin->kind == TREE_VECTOR_LOAD;
  const char *name = n->symbol->name + (loads ? 5 : 6);
  const uint64_t count = strtoul(name, NULL, 10);
  if (n->child_count != (loads ? 2u : 3u) || count < 2 || count > 16 || strstr(name, "half") != NULL) {
    w->failed = true;
    return inside_anything(n->type);
  }
  if (!loads) {
    (void)inside_expression(w, n->children[0]);
  }
  const value index = inside_expression(w, n->children[loads ? 0 : 1]);
  value at = inside_expression(w, n->children[loads ? 1 : 2]);
  const tree_type *t = n->children[loads ? 1 : 2]->type, all = {.kind = TREE_TYPE_INTEGER, .size = 8};
  const uint64_t bytes = is_pointer(t) ? count * t->element->size : 0;
  at.r = range_compute(TREE_ADD, at.r, range_compute(TREE_MULTIPLY, index.r, range_number((int64_t)bytes), &all), &all);
  inside_touch(w, at, bytes, loads, !loads);
  return inside_anything(n->type);
}

static value of_the_language(walker *w, const tree_node *n) {
  switch (n->builtin->kind) {
    case TREE_WORK_ITEM:
      return ask_launch(w, n);
    case TREE_INTEGER:
    case TREE_COMMON:
      return of_numbers(w, n);
    case TREE_VECTOR_LOAD:
    case TREE_VECTOR_STORE:
      return of_vectors(w, n);
    case TREE_ATOMIC_ANY:
    case TREE_ATOMIC_LOAD:
    case TREE_ATOMIC_STORE:
    case TREE_MATH:
      return of_pointers(w, n);
    case TREE_BARRIER:
    case TREE_FENCE:
    case TREE_IMAGE_QUERY:
    case TREE_PREFETCH:
    case TREE_GEOMETRIC:
    case TREE_RELATIONAL:
    case TREE_CONVERSION:
    case TREE_VECTOR_MISC:
    case TREE_GROUP:
    case TREE_SUB_GROUP:
    case TREE_PRINTF:
      for (uint32_t i = 0; i < n->child_count; i++) {
        (void)inside_expression(w, n->children[i]);
      }
      return inside_anything(n->type);
    default: /* images, copies, pipes, … */
      w->failed = true;
      return inside_anything(n->type);
  }
}

/* --- functions of the program -------------------------------------------------------------------------------------- */

static void run_body(walker *w, const tree_node *function) {
  state returns = {0}, *const before[] = {w->returns, w->breaks, w->continues, w->cases};
  w->returns = &returns;
  w->breaks = w->continues = w->cases = NULL;
  inside_statement(w, tree_body(function));
  inside_join(w, &w->now, &returns);
  w->returns = before[0];
  w->breaks = before[1];
  w->continues = before[2];
  w->cases = before[3];
}

static value of_the_program(walker *w, const tree_node *n) {
  const tree_node *function = n->symbol != NULL ? n->symbol->declaration : NULL;
  const tree_node *body = function != NULL && function->kind == TREE_FUNCTION ? tree_body(function) : NULL;
  value given[32];
  if (body == NULL || n->child_count + 1 != function->child_count || n->child_count > 32 || w->depth == DEEPEST) {
    w->failed = true;
    return inside_anything(n->type);
  }
  for (uint32_t i = 0; i < n->child_count; i++) {
    given[i] = inside_expression(w, n->children[i]);
  }
  for (uint32_t i = 0; i < n->child_count && w->now.reachable; i++) {
    const uint32_t variable = inside_variable_of(w, function->children[i]->symbol);
    if (variable != NO_VARIABLE) {
      inside_set(w, &w->now, variable, given[i]);
    }
  }
  const value before = w->returned;
  w->returned = (value){.object = NO_OBJECT, .r = {1, 0, 0}}; /* none yet */
  w->depth++;
  run_body(w, function);
  w->depth--;
  const value out = w->returned.r.low > w->returned.r.high ? inside_anything(n->type) : w->returned;
  w->returned = before;
  return out;
}

value inside_call(walker *w, const tree_node *n) {
  if (n->builtin != NULL) {
    return of_the_language(w, n);
  }
  if (n->symbol == NULL || n->symbol->kind != TREE_SYMBOL_FUNCTION) {
    w->failed = true;
    return inside_anything(n->type);
  }
  return of_the_program(w, n);
}
