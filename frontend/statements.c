/* Statements, their parts, and jumps into statements past their beginning: `goto` to a label inside, and cases of a
 * `switch` around the statement. */
#include "frontend/statements.h"

#include <stdlib.h>

#include "base/memory.h"

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
