/* Reads through parameters that nothing in the program writes through. They race with nothing as long as no other
 * argument of the launch leads to the same memory, and the form with CLTC_APART leaves out their checks. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/facts/accesses.h"
#include "instrument/checked.h"

typedef struct parameter_set {
  const tree_symbol **items;
  size_t count, capacity;
} parameter_set;

static bool has(const parameter_set *set, const tree_symbol *s) {
  for (size_t i = 0; s != NULL && i < set->count; i++) {
    if (set->items[i] == s) {
      return true;
    }
  }
  return false;
}

static void drop(parameter_set *set, const tree_symbol *s) {
  for (size_t i = 0; i < set->count; i++) {
    if (set->items[i] == s) {
      set->items[i] = set->items[--set->count];
      return;
    }
  }
}

static bool leads_to_global(const tree_symbol *s) {
  return s != NULL && s->type != NULL && s->type->kind == TREE_TYPE_POINTER &&
         s->type->element->space == TREE_SPACE_GLOBAL;
}

/* What a kernel writes is known of its objects. */
static bool kernel_writes(const kernel_objects *k, const tree_symbol *s) {
  for (size_t i = 0; i < k->count; i++) {
    if (k->items[i].symbol == s) {
      return k->items[i].writes;
    }
  }
  return false;
}

/* The parameters of a function that it does not write through itself. */
static void add_unwritten(const checked *c, uint32_t index, parameter_set *set) {
  const tree_node *node = c->p->functions[index].node;
  parameter_accesses all = read_accesses(node);
  for (uint32_t i = 0; i + 1 < node->child_count; i++) {
    const tree_symbol *s = node->children[i]->symbol;
    bool written =
        !leads_to_global(s) || kernel_writes(&c->kernels[index], s) || (all.escapes[i] && !s->type->element->is_const);
    for (size_t n = 0; n < all.count; n++) {
      written = written || (all.items[n].writes && all.items[n].parameter == i);
    }
    if (!written) {
      *ARRAY_ADD(set->items, set->count, set->capacity) = s;
    }
  }
  accesses_free(&all);
}

/* Parameters of the function that is called stay only if the call gives them memory of such parameters. */
static bool look_at_call(const checked *c, const tree_node *body, const tree_node *at, parameter_set *set) {
  bool dropped = false;
  for (size_t k = 0; k < c->p->function_count; k++) {
    const tree_node *callee = c->p->functions[k].node;
    if (strcmp(callee->symbol->name, at->symbol->name) != 0) {
      continue;
    }
    for (uint32_t i = 0; i + 1 < callee->child_count; i++) {
      const tree_symbol *s = callee->children[i]->symbol;
      const bool given = i < at->child_count && has(set, root_symbol(body, at->children[i]));
      if (has(set, s) && !given) {
        drop(set, s);
        dropped = true;
      }
    }
  }
  return dropped;
}

static bool look_at_calls(const checked *c, parameter_set *set) {
  bool dropped = false;
  for (size_t f = 0; f < c->p->function_count; f++) {
    const tree_node *body = tree_body(c->p->functions[f].node);
    for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
      if (n->kind == TREE_CALL && n->builtin == NULL && n->symbol != NULL) {
        dropped = look_at_call(c, body, n, set) || dropped;
      }
    }
  }
  return dropped;
}

void find_apart(checked *c) {
  parameter_set set = {0};
  for (uint32_t i = 0; i < c->p->function_count; i++) {
    add_unwritten(c, i, &set);
  }
  while (look_at_calls(c, &set)) {
  }
  for (size_t i = 0; i < c->found.count; i++) {
    access *a = &c->found.items[i];
    const bool plain =
        a->form == ACCESS_LVALUE || a->form == ACCESS_ARROW || a->form == ACCESS_POINTER || a->form == ACCESS_VECTOR;
    if (plain && a->kind == CHECK_READ && !a->local) {
      a->apart = has(&set, root_symbol(tree_body(c->p->functions[a->function].node), a->object));
    }
  }
  free(set.items);
}
