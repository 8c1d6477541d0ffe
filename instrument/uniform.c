/* Decisions that all work-items of a work-group take alike, whatever they do: those that are computed from the kernel's
 * arguments, constants and what a work-group has in common, by code that all of them execute alike. A barrier that
 * depends on such decisions alone is met by all work-items of a group or by none.
 *
 * The rule is cautious: what is not known to be alike varies. A variable is alike if it is a private integer, its address is not taken, and
 * every value that it gets is alike and is given where only decisions that are alike lead. A decision is alike if its
 * condition is and if only such decisions lead to it. Both are found together: all are taken as alike until something
 * says otherwise. By induction over the steps of two work-items of a group: the first such step in which they differ
 * would need an earlier one. */
#include <stdlib.h>

#include "base/memory.h"
#include "instrument/conditions.h"
#include "instrument/program_internal.h"

/* A decision, or a variable, and what it depends on: other nodes, by number. */
typedef struct node {
  uint32_t instance;           /* NONE: a variable */
  const tree_symbol *variable; /* NULL: a decision, or an expression that is asked about */
  bool varies;
  uint32_t *needs;
  size_t need_count, need_capacity;
} node;

typedef struct graph {
  const program *p;
  const function *f;
  node *nodes;
  size_t count, capacity;
} graph;

static bool is_own(const graph *g, const variable_store *s) { return s->function == g->f->node; }

/* Stores in the function, and declarations outside of all functions. */
static bool concerns(const graph *g, const variable_store *s) { return s->function == NULL || is_own(g, s); }

/* The right operand of && and || is executed where the left one says so, which `guards_of` does not know. */
static bool is_lazy(const function *f, uint32_t token) {
  for (size_t i = 0; i < f->decision_count; i++) {
    if (span_has(right_operand(f->decisions[i]), token)) {
      return true;
    }
  }
  return false;
}

/* Functions with jumps that `guards_of` only bounds, and stores that are not seen. */
static bool is_opaque(const program *p, const function *f) {
  bool opaque = f->statements.jump_count > 0 || p->units[f->unit].stores.hidden;
  for (size_t s = 0; s < f->statements.count && !opaque; s++) {
    opaque = f->statements.items[s]->kind == TREE_GOTO;
  }
  return opaque;
}

bool guards_are_all(const program *p, const function *f, uint32_t token) {
  return !is_opaque(p, f) && !is_lazy(f, token);
}

/* --- the graph -----------------------------------------------------------------------------------------------------
 */

static uint32_t add_node(graph *g, uint32_t instance_index, const tree_symbol *variable) {
  for (uint32_t i = 0; i < g->count; i++) {
    if (g->nodes[i].instance == instance_index && g->nodes[i].variable == variable) {
      return i;
    }
  }
  *ARRAY_ADD(g->nodes, g->count, g->capacity) = (node){.instance = instance_index, .variable = variable};
  return (uint32_t)(g->count - 1);
}

static void need(graph *g, uint32_t index, uint32_t instance_index, const tree_symbol *variable) {
  const uint32_t needed = add_node(g, instance_index, variable);
  node *n = &g->nodes[index];
  *ARRAY_ADD(n->needs, n->need_count, n->need_capacity) = needed;
}

/* Floating-point numbers are left out: devices may round them differently from one work-item to the next. */
static bool is_integer(const tree_type *t) {
  return t != NULL && (t->kind == TREE_TYPE_INTEGER || t->kind == TREE_TYPE_BOOL);
}

/* Whether a node gives all work-items of a group the same if what is below it does. */
static bool hands_on(const tree_node *n) {
  switch (n->kind) {
    case TREE_CAST:
      return is_integer(n->type);
    case TREE_CALL:
      return n->builtin != NULL && n->builtin->uniform;
    case TREE_UNARY:
    case TREE_BINARY:
    case TREE_LOGICAL:
    case TREE_COMMA:
    case TREE_CONDITIONAL:
    case TREE_ASSIGN:
    case TREE_COMPOUND_ASSIGN:
    case TREE_STEP:
    case TREE_CONVERT:
    case TREE_PARENTHESES:
      return true;
    default:
      return false;
  }
}

static void need_expression(graph *g, uint32_t index, const tree_node *root) {
  for (const tree_node *n = root; n != NULL;) {
    const bool known = n->constant.kind == TREE_INTEGER_CONSTANT;
    if (n->kind == TREE_NAME && !known) {
      need(g, index, NONE, n->symbol);
    } else if (!known && !hands_on(n)) {
      g->nodes[index].varies = true;
    }
    n = known ? tree_next_beyond(root, n) : tree_next(root, n);
  }
}

/* All that decides whether, and how often, the code at a token runs. */
static void need_control(graph *g, uint32_t index, uint32_t token) {
  size_t count = 0;
  uint32_t *guards = guards_of(g->p, g->f, token, &count);
  for (size_t i = 0; i < count; i++) {
    need(g, index, guards[i], NULL);
  }
  free(guards);
  g->nodes[index].varies = g->nodes[index].varies || is_lazy(g->f, token);
}

static void follow_instance(graph *g, uint32_t index) {
  const instance *i = &g->f->instances[g->nodes[index].instance];
  if (!is_meeting(i->kind)) {
    need_expression(g, index, condition_node(i->node));
  }
  need_control(g, index, i->token);
}

static void follow_variable(graph *g, uint32_t index) {
  const stores *all = &g->p->units[g->f->unit].stores;
  const bool arguments_alike = g->f->node->symbol->kernel && !g->f->called;
  bool known = false;
  for (size_t i = 0; i < all->count; i++) {
    const variable_store *s = &all->items[i];
    if (s->variable != g->nodes[index].variable || !concerns(g, s)) {
      continue;
    }
    known = true;
    if (s->untracked || (s->parameter && !arguments_alike) || !is_own(g, s)) {
      g->nodes[index].varies = true;
    } else if (!s->parameter) {
      need_expression(g, index, s->value);
      need_control(g, index, s->name);
    }
  }
  g->nodes[index].varies = g->nodes[index].varies || !known;
}

static void spread(graph *g) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < g->count; i++) {
      node *n = &g->nodes[i];
      for (size_t k = 0; k < n->need_count && !n->varies; k++) {
        n->varies = g->nodes[n->needs[k]].varies;
        changed = changed || n->varies;
      }
    }
  }
}

/* All that the nodes from `first` on need, and what varies. `assumed` decisions need nothing; NULL: there are none. */
static void complete(graph *g, uint32_t first, const bool *assumed) {
  for (uint32_t i = first; i < g->count; i++) { /* grows while it is walked */
    const uint32_t number = g->nodes[i].instance;
    if (number == NONE) {
      follow_variable(g, i);
    } else if (assumed == NULL || !assumed[number]) {
      follow_instance(g, i);
    }
  }
  spread(g);
}

static void release(graph *g) {
  for (size_t i = 0; i < g->count; i++) {
    free(g->nodes[i].needs);
  }
  free(g->nodes);
}

void find_uniform(program *p, function *f, const uint32_t *guards, size_t count) {
  if (is_opaque(p, f)) {
    return;
  }
  graph g = {.p = p, .f = f};
  for (size_t i = 0; i < count; i++) {
    (void)add_node(&g, guards[i], NULL);
  }
  complete(&g, 0, NULL);
  for (size_t i = 0; i < g.count; i++) {
    if (g.nodes[i].instance != NONE && !g.nodes[i].varies) {
      f->instances[g.nodes[i].instance].uniform = true;
    }
  }
  release(&g);
}

bool uniform_under(const program *p, const function *f, uint32_t wanted, const bool *assumed, bool *used) {
  if (is_opaque(p, f)) {
    return false;
  }
  graph g = {.p = p, .f = f};
  (void)add_node(&g, wanted, NULL);
  complete(&g, 0, assumed);
  const bool uniform = !g.nodes[0].varies;
  for (size_t i = 0; i < g.count; i++) { /* all that it needs, directly or not, and nothing else is here */
    if (g.nodes[i].instance != NONE && assumed[g.nodes[i].instance]) {
      used[g.nodes[i].instance] = true;
    }
  }
  release(&g);
  return uniform;
}

bool expression_is_uniform(const program *p, const function *f, const tree_node *expression) {
  if (is_opaque(p, f)) {
    return false;
  }
  graph g = {.p = p, .f = f};
  *ARRAY_ADD(g.nodes, g.count, g.capacity) = (node){.instance = NONE};
  need_expression(&g, 0, expression);
  complete(&g, 1, NULL);
  const bool uniform = !g.nodes[0].varies;
  release(&g);
  return uniform;
}
