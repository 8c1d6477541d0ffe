/* Calls, loops and decisions of a tree's functions. */
#include "frontend/tree_graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* --- lists -------------------------------------------------------------------------------------------------------- */

static void add(const tree *t, tree_node_list *list, const tree_node *n) {
  if (list->count == list->capacity) {
    list->capacity = list->capacity == 0 ? 8 : 2 * list->capacity;
    tree_node **larger = mem_arena_take(t->arena, list->capacity * sizeof *larger);
    if (list->count > 0) memcpy(larger, list->items, list->count * sizeof *larger);
    list->items = larger;
  }
  list->items[list->count++] = (tree_node *)n;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool is_scalar(const tree_node *n) { return n != NULL && n->type != NULL && n->type->kind != TREE_TYPE_VECTOR; }

static bool is_decision(const tree_node *n) {
  switch (n->kind) {
    case TREE_IF:
    case TREE_SWITCH:
    case TREE_WHILE:
    case TREE_DO: return true;
    case TREE_FOR: return n->children[1] != NULL;
    case TREE_CONDITIONAL:
    case TREE_LOGICAL: return is_scalar(n->children[0]);
    default: return false;
  }
}

static bool is_jump(tree_kind kind) {
  return kind == TREE_BREAK || kind == TREE_CONTINUE || kind == TREE_GOTO || kind == TREE_RETURN;
}

static bool is_barrier(const tree_node *n) {
  return n->kind == TREE_CALL && n->builtin != NULL && n->builtin->kind == TREE_BARRIER;
}

static bool is_own_call(const tree_node *n) {
  return n->kind == TREE_CALL && n->symbol->kind == TREE_SYMBOL_FUNCTION && n->symbol->declaration != NULL &&
         tree_body(n->symbol->declaration) != NULL;
}

static void read_function(const tree *t, tree_graph_function *f) {
  const tree_node *body = tree_body(f->function);
  for (tree_node *n = tree_body(f->function); n != NULL; n = tree_next(body, n)) {
    if (n->not_executed) continue;
    if (tree_is_loop(n->kind)) add(t, &f->loops, n);
    if (is_decision(n)) add(t, &f->decisions, n);
    if (is_jump(n->kind)) add(t, &f->jumps, n);
    if (is_own_call(n)) add(t, &f->calls, n);
    f->reaches_barrier = f->reaches_barrier || is_barrier(n);
  }
}

static tree_graph_function *find(const tree_graph *g, const tree_symbol *function) {
  for (size_t i = 0; i < g->count; i++)
    if (g->functions[i].function->symbol == function) return &g->functions[i];
  return NULL;
}

const tree_graph_function *tree_graph_find(const tree_graph *g, const tree_symbol *function) {
  return find(g, function);
}

/* Barriers reach from callees to callers until nothing changes. */
static void spread_barriers(const tree_graph *g) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < g->count; i++) {
      tree_graph_function *f = &g->functions[i];
      for (size_t k = 0; k < f->calls.count && !f->reaches_barrier; k++) {
        const tree_graph_function *callee = find(g, f->calls.items[k]->symbol);
        f->reaches_barrier = callee != NULL && callee->reaches_barrier;
        changed = changed || f->reaches_barrier;
      }
    }
  }
}

static void list_waits(const tree *t, const tree_graph *g, tree_graph_function *f) {
  const tree_node *body = tree_body(f->function);
  for (tree_node *n = tree_body(f->function); n != NULL; n = tree_next(body, n)) {
    const tree_graph_function *callee = is_own_call(n) ? find(g, n->symbol) : NULL;
    if (!n->not_executed && (is_barrier(n) || (callee != NULL && callee->reaches_barrier))) add(t, &f->waits, n);
  }
}

tree_graph tree_graph_read(const tree *t) {
  tree_graph g = {.count = t->function_count};
  g.functions = mem_arena_take(t->arena, (g.count + 1) * sizeof *g.functions);
  for (size_t i = 0; i < g.count; i++) {
    g.functions[i].function = t->functions[i];
    read_function(t, &g.functions[i]);
  }
  spread_barriers(&g);
  for (size_t i = 0; i < g.count; i++) list_waits(t, &g, &g.functions[i]);
  return g;
}

/* --- guards ------------------------------------------------------------------------------------------------------- */

static bool within(const tree_node *n, uint32_t token) { return n != NULL && span_has(n->tokens, token); }

/* Whether a decision says if, or how often, code at a token runs. */
static bool decides(const tree_node *d, uint32_t token) {
  switch (d->kind) {
    case TREE_IF: return within(d->children[1], token) || within(d->children[2], token);
    case TREE_SWITCH: return within(d->children[1], token);
    case TREE_CONDITIONAL: return within(d->children[1], token) || within(d->children[2], token);
    case TREE_LOGICAL: return within(d->children[1], token);
    case TREE_FOR: return within(d, token) && !within(d->children[0], token);
    default: return within(d, token);
  }
}

/* The statement that a break leaves or a continue goes on with. */
static const tree_node *jump_target(const tree_node *jump) {
  const tree_node *n = jump->parent;
  while (n != NULL && !tree_is_loop(n->kind) && !(jump->kind == TREE_BREAK && n->kind == TREE_SWITCH)) n = n->parent;
  return n;
}

/* Whether a loop has both tokens; `out` NO_TOKEN, or is not in that loop. */
static bool loop_has(const tree_graph_function *f, uint32_t a, uint32_t b, uint32_t out) {
  for (size_t i = 0; i < f->loops.count; i++) {
    const tree_node *loop = f->loops.items[i];
    if (within(loop, a) && within(loop, b) && (out == NO_TOKEN || !within(loop, out))) return true;
  }
  return false;
}

static bool goto_bypasses(const tree_graph_function *f, const tree_node *jump, uint32_t token) {
  const tree_node *label = jump->symbol->declaration;
  const uint32_t to = label == NULL ? jump->token : label->token;
  const uint32_t low = to < jump->token ? to : jump->token;
  const uint32_t high = to < jump->token ? jump->token : to;
  return (token > low && token < high) || loop_has(f, token, jump->token, to);
}

/* Whether taking the jump can keep a work-item from the code at a token. */
static bool bypasses(const tree_graph_function *f, const tree_node *jump, uint32_t token) {
  const tree_node *target = jump_target(jump);
  switch (jump->kind) {
    case TREE_RETURN: return token > jump->token || loop_has(f, token, jump->token, NO_TOKEN);
    case TREE_GOTO: return goto_bypasses(f, jump, token);
    case TREE_BREAK: return within(target, token) && (tree_is_loop(target->kind) || token > jump->token);
    default: return within(target, token) && token > jump->token;
  }
}

static void list_guard(tree_node_list *list, tree_node *decision) {
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i] == decision) return;
  *ARRAY_ADD(list->items, list->count, list->capacity) = decision;
}

/* A break or continue stays inside its statement: what is around that has decided before. */
static void list_guards_by_jump(const tree_graph_function *f, const tree_node *jump, tree_node_list *list) {
  const bool local = jump->kind == TREE_BREAK || jump->kind == TREE_CONTINUE;
  const tree_node *target = local ? jump_target(jump) : NULL;
  for (size_t i = 0; i < f->decisions.count; i++) {
    tree_node *d = f->decisions.items[i];
    const bool inside = target == NULL || (within(target, d->token) && d != target);
    if (inside && decides(d, jump->token)) list_guard(list, d);
  }
}

tree_node_list tree_guards(const tree_graph_function *f, const tree_node *at) {
  tree_node_list out = {0};
  for (size_t i = 0; i < f->decisions.count; i++)
    if (decides(f->decisions.items[i], at->token)) list_guard(&out, f->decisions.items[i]);
  for (size_t i = 0; i < f->jumps.count; i++)
    if (bypasses(f, f->jumps.items[i], at->token)) list_guards_by_jump(f, f->jumps.items[i], &out);
  return out;
}

/* --- places ------------------------------------------------------------------------------------------------------- */

uint32_t tree_loop_depth(const tree_node *n) {
  uint32_t depth = 0;
  for (const tree_node *p = n->parent; p != NULL; p = p->parent) depth += tree_is_loop(p->kind) ? 1 : 0;
  return depth;
}
