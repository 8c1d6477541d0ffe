/* Calls, loops, decisions and statements of a tree's functions. */
#include <stdlib.h>
#include <string.h>

#include "frontend/tree.h"

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
    if (n->kind == TREE_BREAK || n->kind == TREE_CONTINUE || n->kind == TREE_GOTO || n->kind == TREE_RETURN)
      add(t, &f->jumps, n);
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

/* --- statements --------------------------------------------------------------------------------------------------- */

/* Statements, their parts, and jumps into statements past their beginning: `goto` to a label inside, and cases of a
 * `switch` around the statement. */

static const span nothing = {1, 0};

/* --- one statement ------------------------------------------------------------------------------------------------ */

span statement_tokens(const tree_node *n) { return (span){n->parts->first, n->tokens.last}; }

uint32_t statement_begin(const tree_node *n) { return n->parts->begin; }

/* The span strictly between two tokens. */
static span between(uint32_t open, uint32_t close) {
  return open == NO_TOKEN || close == NO_TOKEN || open + 1 >= close ? nothing : (span){open + 1, close - 1};
}

span statement_condition(const tree_node *n) {
  const tree_parts *p = n->parts;
  if (n->kind == TREE_CASE) return between(p->begin, p->colon);
  return n->kind == TREE_FOR ? between(p->ends[0], p->ends[1]) : between(p->open, p->close);
}

span statement_step(const tree_node *n) {
  return n->kind == TREE_FOR ? between(n->parts->ends[1], n->parts->close) : nothing;
}

const tree_node *statement_body(const tree_node *n) {
  switch (n->kind) {
    case TREE_IF:
    case TREE_WHILE:
    case TREE_SWITCH: return n->children[1];
    case TREE_FOR: return n->children[3];
    case TREE_DO: return n->children[0];
    case TREE_CASE:
    case TREE_DEFAULT:
    case TREE_LABEL: {
      const tree_node *labelled = n->children[n->child_count - 1];
      return labelled != NULL && labelled->tokens.first > n->parts->colon ? labelled : NULL; /* `a: }` has none */
    }
    default: return NULL;
  }
}

const tree_node *statement_otherwise(const tree_node *n) { return n->kind == TREE_IF ? n->children[2] : NULL; }

const tree_node *statement_around(const tree_node *n) { return tree_statement_of(n->parent); }

bool is_case(const tree_node *n) { return n->kind == TREE_CASE || n->kind == TREE_DEFAULT; }

bool is_label(const tree_node *n) { return is_case(n) || n->kind == TREE_LABEL; }

/* --- jumps -------------------------------------------------------------------------------------------------------- */

const tree_node *goto_target(const tree_node *jump) { return jump->symbol->declaration; }

const tree_node *switch_of_case(const tree_node *label) {
  const tree_node *owner = label->parent;
  while (owner->kind != TREE_SWITCH) owner = owner->parent;
  return owner;
}

const tree_node **cases_of_switch(const statements *s, const tree_node *of, size_t *count) {
  const tree_node **labels = NULL;
  size_t capacity = 0;
  *count = 0;
  for (size_t i = 0; i < s->count; i++)
    if (is_case(s->items[i]) && switch_of_case(s->items[i]) == of) *ARRAY_ADD(labels, *count, capacity) = s->items[i];
  return labels;
}

/* A label of the block that is the body of its switch, as most are: nothing is jumped into. */
static bool is_plain_case(const tree_node *label) {
  const tree_node *around = label->parent;
  while (is_label(around)) around = around->parent;
  return around->kind == TREE_COMPOUND && around->parent == switch_of_case(label);
}

static void list_jumps(statements *s) {
  for (size_t i = 0; i < s->count; i++) {
    const tree_node *n = s->items[i];
    const tree_node *target = n->kind == TREE_GOTO ? goto_target(n) : NULL;
    if (target != NULL) {
      *ARRAY_ADD(s->jumps, s->jump_count, s->jump_capacity) =
          (statement_jump){statement_begin(n), statement_begin(target)};
    } else if (is_case(n) && !is_plain_case(n)) {
      const uint32_t from = statement_begin(switch_of_case(n));
      *ARRAY_ADD(s->jumps, s->jump_count, s->jump_capacity) = (statement_jump){from, statement_begin(n)};
    }
  }
}

bool jumped_into(const statements *s, const tree_node *n) {
  const span tokens = statement_tokens(n);
  for (size_t i = 0; i < s->jump_count; i++)
    if (span_has(tokens, s->jumps[i].to) && !span_has(tokens, s->jumps[i].from)) return true;
  return false;
}

const tree_node *condition_node(const tree_node *n) {
  switch (n->kind) {
    case TREE_IF:
    case TREE_WHILE:
    case TREE_SWITCH:
    case TREE_CONDITIONAL: return n->children[0];
    case TREE_FOR:
    case TREE_DO: return n->children[1];
    default: return NULL;
  }
}

bool is_done_once(const tree_node *n) {
  if (n == NULL || n->kind != TREE_DO || n->children[1] == NULL) return false;
  const tree_constant *c = &n->children[1]->constant;
  return (c->kind == TREE_INTEGER_CONSTANT && c->integer == 0) || (c->kind == TREE_FLOAT_CONSTANT && c->real == 0);
}

bool needs_braces(const statements *s, const tree_node *n) {
  const tree_kind around = n->parent->kind;
  return n->kind != TREE_COMPOUND && (around == TREE_IF || around == TREE_SWITCH || tree_is_loop(around)) &&
         jumped_into(s, n);
}

bool starts_turn(const tree_node *loop, uint32_t from, uint32_t to) {
  const span body = statement_tokens(statement_body(loop));
  return loop->kind != TREE_DO && span_has(body, to) && !span_has(body, from);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

/* Whether nothing below a node is listed: the head of a statement. */
static bool is_head(const tree_node *n) {
  const tree_node *p = n->parent;
  switch (p->kind) {
    case TREE_IF:
    case TREE_WHILE:
    case TREE_SWITCH: return n->index == 0;
    case TREE_FOR: return n->index < 3;
    case TREE_DO: return n->index == 1;
    case TREE_CASE: return n->index < 2;
    default: return false;
  }
}

static bool is_listed(const tree_node *n) {
  const bool labels_nothing = is_label(n->parent) && statement_body(n->parent) != n;
  return tree_is_statement(n->kind) && n->kind != TREE_PRAGMA && !is_head(n) && !labels_nothing;
}

const tree_node *next_statement(const tree_node *root, const tree_node *at) {
  const tree_node *n = tree_next(root, at);
  while (n != NULL && !is_listed(n)) n = is_head(n) ? tree_next_beyond(root, n) : tree_next(root, n);
  return n;
}

statements list_statements(const tree_node *function) {
  statements s = {0};
  const tree_node *body = tree_body(function);
  for (const tree_node *n = body; n != NULL; n = next_statement(body, n)) *ARRAY_ADD(s.items, s.count, s.capacity) = n;
  list_jumps(&s);
  return s;
}

void statements_free(statements *s) {
  free(s->items);
  free(s->jumps);
  *s = (statements){0};
}
