/* Uniformity: decisions that all work-items of a work-group take alike, from the arguments, constants and what a
 * variable is stored; and which conditions are range checks.
 *
 * The rule is cautious: what is not known to be alike varies. A variable is alike if it is a private integer, its address
 * is not taken, and every value that it gets is alike and is given where only decisions that are alike lead. A decision is alike if its
 * condition is and if only such decisions lead to it. Both are found together: all are taken as alike until something
 * says otherwise. By induction over the steps of two work-items of a group: the first such step in which they differ
 * would need an earlier one. */
#include "frontend/facts/uniform.h"

#include <stdlib.h>
#include <string.h>

/* A decision, or a variable, and what it depends on: other nodes, by number. */
typedef struct node {
  const tree_node *decision;   /* or a call; NULL: a variable, or an expression that is asked about */
  const tree_symbol *variable; /* NULL: none */
  bool varies;
  uint32_t *needs;
  size_t need_count, need_capacity;
} node;

typedef struct graph {
  const uniform_scope *s;
  node *nodes;
  size_t count, capacity;
} graph;

static bool is_own(const graph *g, const variable_store *s) { return s->function == g->s->graph->function; }

/* Stores in the function, and declarations outside of all functions. */
static bool concerns(const graph *g, const variable_store *s) { return s->function == NULL || is_own(g, s); }

/* Whether a node stands in the right operand of && or ||, which is executed where the left one says so. */
static bool is_lazy(const tree_node *at) {
  bool lazy = false;
  for (const tree_node *n = at; n->parent != NULL && !lazy; n = n->parent) {
    const tree_node *p = n->parent;
    lazy = p->kind == TREE_LOGICAL && n->index == 1 && (p->type == NULL || p->type->kind != TREE_TYPE_VECTOR);
  }
  return lazy;
}

/* Functions with jumps that the guards only bound, and stores that are not seen. */
static bool is_opaque(const uniform_scope *s) {
  bool opaque = s->statements->jump_count > 0 || s->stores->hidden;
  for (size_t i = 0; i < s->statements->count && !opaque; i++) opaque = s->statements->items[i]->kind == TREE_GOTO;
  return opaque;
}

tree_node_list uniform_guards(const uniform_scope *s, const tree_node *at) {
  tree_node_list all = tree_guards(s->graph, at);
  size_t kept = 0;
  for (size_t i = 0; i < all.count; i++)
    if (all.items[i]->kind != TREE_LOGICAL && !is_done_once(all.items[i])) all.items[kept++] = all.items[i];
  all.count = kept;
  return all;
}

bool guards_are_all(const uniform_scope *s, const tree_node *at) { return !is_opaque(s) && !is_lazy(at); }

/* --- the graph ---------------------------------------------------------------------------------------------------- */

static uint32_t add_node(graph *g, const tree_node *decision, const tree_symbol *variable) {
  for (uint32_t i = 0; i < g->count; i++)
    if (g->nodes[i].decision == decision && g->nodes[i].variable == variable) return i;
  *ARRAY_ADD(g->nodes, g->count, g->capacity) = (node){.decision = decision, .variable = variable};
  return (uint32_t)(g->count - 1);
}

static void need(graph *g, uint32_t index, const tree_node *decision, const tree_symbol *variable) {
  const uint32_t needed = add_node(g, decision, variable);
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
    case TREE_CAST: return is_integer(n->type);
    case TREE_CALL: return n->builtin != NULL && n->builtin->uniform;
    case TREE_UNARY:
    case TREE_BINARY:
    case TREE_LOGICAL:
    case TREE_COMMA:
    case TREE_CONDITIONAL:
    case TREE_ASSIGN:
    case TREE_COMPOUND_ASSIGN:
    case TREE_STEP:
    case TREE_CONVERT:
    case TREE_PARENTHESES: return true;
    default: return false;
  }
}

static void need_expression(graph *g, uint32_t index, const tree_node *root) {
  for (const tree_node *n = root; n != NULL;) {
    const bool known = n->constant.kind == TREE_INTEGER_CONSTANT;
    if (n->kind == TREE_NAME && !known)
      need(g, index, NULL, n->symbol);
    else if (!known && !hands_on(n))
      g->nodes[index].varies = true;
    n = known ? tree_next_beyond(root, n) : tree_next(root, n);
  }
}

/* All that decides whether, and how often, the code at a node runs. */
static void need_control(graph *g, uint32_t index, const tree_node *at) {
  const tree_node_list guards = uniform_guards(g->s, at);
  for (size_t i = 0; i < guards.count; i++) need(g, index, guards.items[i], NULL);
  free(guards.items);
  g->nodes[index].varies = g->nodes[index].varies || is_lazy(at);
}

static void follow_variable(graph *g, uint32_t index) {
  const stores *all = g->s->stores;
  bool known = false;
  for (size_t i = 0; i < all->count; i++) {
    const variable_store *s = &all->items[i];
    if (s->variable != g->nodes[index].variable || !concerns(g, s)) continue;
    known = true;
    if (s->untracked || (s->parameter && !g->s->arguments_alike) || !is_own(g, s)) {
      g->nodes[index].varies = true;
    } else if (!s->parameter) {
      need_expression(g, index, s->value);
      need_control(g, index, tree_innermost(g->s->tree, s->name));
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

static bool is_assumed(const tree_node_list *assumed, const tree_node *decision) {
  bool found = false;
  for (size_t i = 0; assumed != NULL && i < assumed->count; i++) found = found || assumed->items[i] == decision;
  return found;
}

/* All that the nodes from `first` on need, and what varies. `assumed` decisions need nothing; NULL: there are none. */
static void complete(graph *g, uint32_t first, const tree_node_list *assumed) {
  for (uint32_t i = first; i < g->count; i++) /* grows while it is walked */
    if (g->nodes[i].decision == NULL)
      follow_variable(g, i);
    else if (!is_assumed(assumed, g->nodes[i].decision)) {
      const tree_node *decision = g->nodes[i].decision;
      const tree_node *condition = condition_node(decision);
      if (condition != NULL) need_expression(g, i, condition);
      need_control(g, i, decision);
    }
  spread(g);
}

static void release(graph *g) {
  for (size_t i = 0; i < g->count; i++) free(g->nodes[i].needs);
  free(g->nodes);
}

/* --- questions ----------------------------------------------------------------------------------------------------- */

void find_uniform(const uniform_scope *s, const tree_node_list *decisions, bool *uniform) {
  graph g = {.s = s};
  for (size_t i = 0; i < decisions->count; i++) (void)add_node(&g, decisions->items[i], NULL);
  const bool opaque = is_opaque(s);
  if (!opaque) complete(&g, 0, NULL);
  for (size_t i = 0; i < decisions->count; i++)
    uniform[i] = !opaque && !g.nodes[add_node(&g, decisions->items[i], NULL)].varies;
  release(&g);
}

bool uniform_under(const uniform_scope *s, const tree_node *wanted, const tree_node_list *assumed, bool *used) {
  if (is_opaque(s)) return false;
  graph g = {.s = s};
  (void)add_node(&g, wanted, NULL);
  complete(&g, 0, assumed);
  const bool uniform = !g.nodes[0].varies;
  for (size_t i = 0; i < g.count; i++) /* all that it needs, directly or not, and nothing else is here */
    for (size_t k = 0; k < assumed->count; k++)
      used[k] = used[k] || (g.nodes[i].decision != NULL && g.nodes[i].decision == assumed->items[k]);
  release(&g);
  return uniform;
}

bool expression_is_uniform(const uniform_scope *s, const tree_node *expression) {
  if (is_opaque(s)) return false;
  graph g = {.s = s};
  *ARRAY_ADD(g.nodes, g.count, g.capacity) = (node){.decision = NULL};
  need_expression(&g, 0, expression);
  complete(&g, 1, NULL);
  const bool uniform = !g.nodes[0].varies;
  release(&g);
  return uniform;
}

/* --- decisions that some take, and after which the others are gone ------------------------------------------------ */

/* Whether a statement is a `return` or a block that ends with one. */
static bool returns(const tree_node *n) {
  if (n == NULL || n->kind != TREE_COMPOUND) return n != NULL && n->kind == TREE_RETURN;
  const tree_node *last = n->child_count == 0 ? NULL : n->children[n->child_count - 1];
  return last != NULL && last->kind == TREE_RETURN;
}

bool took_alike(const tree_node *decision, const tree_node *at) {
  const uint32_t token = at->token;
  const tree_node *yes = statement_body(decision);
  const tree_node *no = statement_otherwise(decision);
  if (span_has(statement_tokens(yes), token) || (no != NULL && span_has(statement_tokens(no), token))) return true;
  const tree_node *around = decision->parent;
  const bool block = around->kind == TREE_COMPOUND && around->parent->kind != TREE_SWITCH;
  return block && token > decision->tokens.last && span_has(around->tokens, token) && (returns(yes) || returns(no));
}

/* Reading the stores of a unit from its tree. */

static variable_store *add_store(stores *s, const tree_node *name, const tree_node *value) {
  variable_store *added = ARRAY_ADD(s->items, s->count, s->capacity);
  *added = (variable_store){
      .variable = name->symbol, .name = name->token, .function = tree_function_of(name), .value = value};
  return added;
}

/* A private integer that only its own thread of execution can change. */
static bool is_private_integer(const tree_node *variable) {
  const tree_type *t = variable->type;
  return t != NULL && (t->kind == TREE_TYPE_BOOL || t->kind == TREE_TYPE_INTEGER) && !t->is_volatile &&
         (t->space == TREE_SPACE_NONE || t->space == TREE_SPACE_PRIVATE) && !variable->symbol->is_static &&
         !variable->symbol->is_extern;
}

/* A variable by its name; anything else stands for memory, for a part of a variable that is not tracked, or is odd. */
static variable_store *add_store_to(stores *s, const tree_node *target, const tree_node *value) {
  while (target->kind == TREE_PARENTHESES || target->kind == TREE_CONVERT || target->kind == TREE_SWIZZLE)
    target = target->children[0];
  if (target->kind == TREE_NAME) return add_store(s, target, value);
  const bool plain = target->kind == TREE_MEMBER || target->kind == TREE_SUBSCRIPT || target->kind == TREE_DEREFERENCE;
  s->hidden = s->hidden || !plain;
  return NULL;
}

static void add_address(stores *s, const tree_node *object) {
  variable_store *added = add_store_to(s, object, NULL);
  if (added != NULL) added->untracked = true;
}

static void add_declaration(stores *s, const tree_node *n) {
  const bool defined = n->kind == TREE_VARIABLE || tree_body(n->parent) != NULL;
  if (defined) {
    variable_store *added = add_store(s, n, n->kind == TREE_VARIABLE ? n->children[0] : NULL);
    added->untracked = !is_private_integer(n);
    added->parameter = n->kind == TREE_PARAMETER;
  }
}

static void read_node(stores *s, const tree_node *n) {
  switch (n->kind) {
    case TREE_VARIABLE:
    case TREE_PARAMETER: add_declaration(s, n); break;
    case TREE_ASSIGN:
    case TREE_COMPOUND_ASSIGN: (void)add_store_to(s, n->children[0], n->children[1]); break;
    case TREE_STEP: (void)add_store_to(s, n->children[0], NULL); break;
    case TREE_ADDRESS: add_address(s, n->children[0]); break;
    case TREE_STATEMENT_EXPRESSION:
    case TREE_SELECTION:
    case TREE_UNKNOWN_STATEMENT:
    case TREE_UNKNOWN_EXPRESSION: /* what happens in it is not followed */ s->hidden = true; break;
    default: break;
  }
}

stores read_stores(const tree *t, const char *options) {
  stores s = {.hidden = options != NULL && strcasestr(options, "clc++") != NULL};
  for (const tree_node *n = t->unit; n != NULL; n = tree_next(t->unit, n))
    if (!n->not_executed) read_node(&s, n);
  return s;
}

/* Which conditions are range checks. */

typedef struct range_scope {
  const tree *tree;
  const stores *stores;
  const tree_node *function;
} range_scope;

/* A variable of the function that is a private integer, to which nothing leads but its name. */
static bool is_own_integer(const range_scope *r, const tree_symbol *variable) {
  bool own = false;
  for (size_t i = 0; i < r->stores->count; i++) {
    const variable_store *s = &r->stores->items[i];
    if (s->variable == variable) {
      if (s->untracked) return false;
      own = own || s->function == r->function;
    }
  }
  return own;
}

static bool is_size(const tree_node *n) {
  static const char *const names[] = {"get_local_size", "get_global_size", "get_num_groups"};
  bool found = false;
  for (size_t i = 0; i < sizeof names / sizeof *names && n->builtin != NULL; i++)
    found = found || strcmp(n->symbol->name, names[i]) == 0;
  return found;
}

static bool is_pure_node(const range_scope *r, const tree_node *n) {
  switch (n->kind) {
    case TREE_LITERAL: return r->tree->text->tokens[n->token].kind == PP_NUMBER;
    case TREE_CONVERT:
    case TREE_PARENTHESES:
    case TREE_LOGICAL: return true;
    case TREE_UNARY: return n->op != OP_COMPLEMENT;
    case TREE_BINARY:
      return n->op == OP_ADD || n->op == OP_SUBTRACT || n->op == OP_MULTIPLY ||
             (n->op >= OP_LESS && n->op <= OP_NOT_EQUAL);
    case TREE_NAME: return is_own_integer(r, n->symbol);
    case TREE_CALL: return is_size(n);
    default: return false;
  }
}

/* Whether it can be evaluated twice, with one result. */
static bool is_pure(const range_scope *r, const tree_node *decision) {
  for (const tree_node *n = decision; n != NULL; n = tree_next(decision, n))
    if (!is_pure_node(r, n)) return false;
  return true;
}

/* Whether it is about one variable, parameters of the function apart. */
static bool tests_one_variable(const tree_node *decision) {
  const tree_symbol *first = NULL;
  for (const tree_node *n = decision; n != NULL; n = tree_next(decision, n)) {
    const bool counts = n->kind == TREE_NAME && n->symbol->kind != TREE_SYMBOL_PARAMETER;
    if (counts && first != NULL && n->symbol != first) return false;
    first = counts ? n->symbol : first;
  }
  return true;
}

bool is_range_check(const tree *t, const stores *all, const tree_node *decision) {
  const range_scope r = {t, all, tree_function_of(decision)};
  return !all->hidden && is_pure(&r, decision) && tests_one_variable(decision);
}
