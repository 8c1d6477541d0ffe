/* Building the tree: statements. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/tree_internal.h"

static bool is(const tree_builder *b, uint32_t token, const char *spelling) {
  return token_is(b->tree->text, token, spelling);
}

static void take_semicolon(const tree_builder *b, tree_node *n) {
  n->tokens.last += is(b, n->tokens.last + 1, ";") && !is(b, n->tokens.last, ";") ? 1 : 0;
}

/* An expression in its place: a condition, a returned value. */
static tree_node *read_value(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_read_expression(b, cursor);
  return n == NULL ? NULL : tree_value_of(b, n);
}

static tree_node *read_plain_expression(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_new_node(b, TREE_EXPRESSION, front_span(&b->w, cursor));
  tree_reserve(b, n, 1);
  tree_adopt(n, 0, tree_read_expression(b, cursor));
  n->token = n->children[0]->token;
  take_semicolon(b, n);
  return n;
}

static tree_node *read_compound(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_new_node(b, TREE_COMPOUND, front_span(&b->w, cursor));
  tree_node *outer = b->scope;
  b->scope = n;
  cursor_list list = tree_children_of(cursor);
  for (size_t i = 0; i < list.count; i++) {
    tree_add_child(b, n, tree_read_statement(b, list.items[i]));
  }
  free(list.items);
  b->scope = outer;
  tree_insert_pragmas(b, n, n->tokens.first + 1, n->tokens.last);
  return n;
}

static tree_node *read_declare(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_new_node(b, TREE_DECLARE, front_span(&b->w, cursor));
  const uint32_t outer = b->specifiers;
  b->specifiers = n->tokens.first;
  cursor_list list = tree_children_of(cursor);
  for (size_t i = 0; i < list.count; i++) {
    tree_add_child(b, n, tree_read_declaration(b, list.items[i]));
  }
  b->specifiers = outer;
  free(list.items);
  take_semicolon(b, n);
  return n;
}

/* `if`, `while`, `switch`, labels: children in the order of the text. */
static tree_node *read_headed(tree_builder *b, CXCursor cursor, tree_kind kind, size_t most) {
  tree_node *n = tree_new_node(b, kind, front_span(&b->w, cursor));
  cursor_list list = tree_children_of(cursor);
  tree_reserve(b, n, most);
  size_t at = 0;
  for (size_t i = 0; i < list.count && at < most; i++) {
    const enum CXCursorKind child = clang_getCursorKind(list.items[i]);
    if (child == CXCursor_LabelRef || clang_isAttribute(child)) {
      continue;
    }
    const bool value = (at == 0 && (kind == TREE_IF || kind == TREE_WHILE || kind == TREE_SWITCH)) ||
                       (at == 1 && kind == TREE_DO) || kind == TREE_RETURN;
    tree_adopt(n, (uint32_t)at++, value ? read_value(b, list.items[i]) : tree_read_statement(b, list.items[i]));
  }
  free(list.items);
  return n;
}

void tree_find_semicolons(const tree *t, uint32_t open, uint32_t close, uint32_t ends[2]) {
  const pp_result *text = t->text;
  uint32_t found = 0;
  ends[0] = ends[1] = close;
  for (uint32_t at = open + 1; at < close && found < 2; at++) {
    const bool opens = token_is(text, at, "(") || token_is(text, at, "{") || token_is(text, at, "[");
    const uint32_t match = opens ? token_match(text, at) : at;
    if (match == NO_TOKEN) {
      return;
    }
    if (token_is(text, at, ";")) {
      ends[found++] = at;
    }
    at = match;
  }
}

static tree_node *read_for(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_new_node(b, TREE_FOR, front_span(&b->w, cursor));
  const uint32_t open = n->tokens.first + 1;
  const uint32_t close = token_match(b->tree->text, open);
  uint32_t ends[2];
  tree_find_semicolons(b->tree, open, close, ends);
  tree_reserve(b, n, 4);
  tree_node *outer = b->scope;
  b->scope = n;
  cursor_list list = tree_children_of(cursor);
  for (size_t i = 0; i < list.count; i++) {
    const uint32_t first = front_span(&b->w, list.items[i]).first;
    const uint32_t part = first > close ? 3 : first > ends[1] ? 2 : first > ends[0] ? 1 : 0;
    const bool declares = clang_getCursorKind(list.items[i]) == CXCursor_DeclStmt;
    tree_adopt(n, part,
               part == 3 || declares ? tree_read_statement(b, list.items[i])
               : part == 1           ? read_value(b, list.items[i])
                                     : tree_read_expression(b, list.items[i]));
  }
  free(list.items);
  b->scope = outer;
  return n;
}

/* `case a:`, `case a ... b:`; the statement is the last child. */
static tree_node *read_case(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_new_node(b, TREE_CASE, front_span(&b->w, cursor));
  cursor_list list = tree_children_of(cursor);
  tree_reserve(b, n, 3);
  for (size_t i = 0; i + 1 < list.count && i < 2; i++) {
    tree_adopt(n, (uint32_t)i, read_value(b, list.items[i]));
  }
  if (list.count > 1) {
    tree_adopt(n, 2, tree_read_statement(b, list.items[list.count - 1]));
  }
  free(list.items);
  return n;
}

/* --- labels ------------------------------------------------------------------------------------------------------- */

static tree_symbol *label_at(tree_builder *b, uint32_t token) {
  const pp_token *t = &b->tree->text->tokens[token];
  const char *name = b->tree->text->text + t->begin;
  const size_t length = t->end - t->begin;
  for (size_t i = 0; i < b->label_count; i++) {
    if (strlen(b->labels[i]->name) == length && memcmp(b->labels[i]->name, name, length) == 0) {
      return b->labels[i];
    }
  }
  tree_symbol *s = mem_arena_take(b->arena, sizeof *s);
  s->kind = TREE_SYMBOL_LABEL;
  s->name = mem_arena_copy_part(b->arena, name, length);
  *ARRAY_ADD(b->labels, b->label_count, b->label_capacity) = s;
  return s;
}

static tree_node *read_label(tree_builder *b, CXCursor cursor) {
  tree_node *n = read_headed(b, cursor, TREE_LABEL, 1);
  n->symbol = label_at(b, n->tokens.first);
  n->symbol->declaration = n;
  return n;
}

static tree_node *read_jump(tree_builder *b, CXCursor cursor, tree_kind kind) {
  tree_node *n = tree_new_node(b, kind, front_span(&b->w, cursor));
  if (kind == TREE_GOTO) {
    n->symbol = label_at(b, n->tokens.first + 1);
    n->tokens.last = n->tokens.first + 1;
  }
  take_semicolon(b, n);
  return n;
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

/* A statement with attributes or a pragma in front of it, else something that has no kind. */
static tree_node *read_hidden_statement(tree_builder *b, CXCursor cursor) {
  const span all = front_span(&b->w, cursor);
  cursor_list list = tree_children_of(cursor);
  tree_node *n = NULL;
  if (list.count > 0) {
    n = tree_read_statement(b, list.items[list.count - 1]);
  }
  free(list.items);
  if (n == NULL || n->tokens.first <= all.first || n->tokens.last < all.last) {
    n = tree_new_node(b, TREE_UNKNOWN_STATEMENT, all);
    take_semicolon(b, n);
    return n;
  }
  n->tokens.first = all.first;
  return n;
}

static tree_node *read_with_semicolon(tree_builder *b, tree_node *n) {
  take_semicolon(b, n);
  return n;
}

tree_node *tree_read_statement(tree_builder *b, CXCursor cursor) {
  const enum CXCursorKind kind = clang_getCursorKind(cursor);
  switch (kind) {
    case CXCursor_CompoundStmt:
      return read_compound(b, cursor);
    case CXCursor_DeclStmt:
      return read_declare(b, cursor);
    case CXCursor_IfStmt:
      return read_headed(b, cursor, TREE_IF, 3);
    case CXCursor_ForStmt:
      return read_for(b, cursor);
    case CXCursor_WhileStmt:
      return read_headed(b, cursor, TREE_WHILE, 2);
    case CXCursor_DoStmt:
      return read_with_semicolon(b, read_headed(b, cursor, TREE_DO, 2));
    case CXCursor_SwitchStmt:
      return read_headed(b, cursor, TREE_SWITCH, 2);
    case CXCursor_CaseStmt:
      return read_case(b, cursor);
    case CXCursor_DefaultStmt:
      return read_headed(b, cursor, TREE_DEFAULT, 1);
    case CXCursor_LabelStmt:
      return read_label(b, cursor);
    case CXCursor_GotoStmt:
      return read_jump(b, cursor, TREE_GOTO);
    case CXCursor_BreakStmt:
      return read_jump(b, cursor, TREE_BREAK);
    case CXCursor_ContinueStmt:
      return read_jump(b, cursor, TREE_CONTINUE);
    case CXCursor_ReturnStmt:
      return read_with_semicolon(b, read_headed(b, cursor, TREE_RETURN, 1));
    case CXCursor_NullStmt:
      return tree_new_node(b, TREE_EMPTY, front_span(&b->w, cursor));
    default:
      return clang_isExpression(kind) ? read_plain_expression(b, cursor) : read_hidden_statement(b, cursor);
  }
}
