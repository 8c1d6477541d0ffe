#include "tests/frontend/tree_attributes.h"

static bool is_attribute(const pp_result *text, uint32_t t) {
  return token_is(text, t, "__attribute__") || token_is(text, t, "__attribute");
}

/* Those in a span, outside of what `except` has. */
static uint32_t attributes_in(const pp_result *text, span in, span except, span *found) {
  uint32_t count = 0;
  for (uint32_t t = in.first; t <= in.last && t < text->token_count && count < ATTRIBUTES_MOST; t++) {
    const uint32_t close = span_has(except, t) || !is_attribute(text, t) ? NO_TOKEN : token_match(text, t + 1);
    if (close != NO_TOKEN) {
      found[count++] = (span){t, close};
      t = close;
    }
  }
  return count;
}

/* In front of its `{` and after its `}`. */
static uint32_t of_record(const pp_result *text, const tree_node *n, span *found) {
  uint32_t open = n->tokens.first;
  while (open < n->tokens.last && !token_is(text, open, "{")) open++;
  span whole = n->tokens;
  while (is_attribute(text, whole.last + 1) && token_match(text, whole.last + 2) != NO_TOKEN)
    whole.last = token_match(text, whole.last + 2);
  return attributes_in(text, whole, (span){open, n->tokens.last}, found);
}

static uint32_t end_of_field(const pp_result *text, const tree_node *n) {
  uint32_t last = n->tokens.last;
  while (!token_is(text, last + 1, ";") && !token_is(text, last + 1, ",") && last + 1 < text->token_count) last++;
  return last;
}

/* Where a declarator ends: before its `=`, or what ends the declaration. */
static uint32_t end_of_declarator(const pp_result *text, uint32_t from) {
  static const char *const ends[] = {"=", ";", ",", ")", "{"};
  int depth = 0;
  for (uint32_t t = from; t < text->token_count; t++) {
    const bool open = token_is(text, t, "(") || token_is(text, t, "[");
    const bool close = token_is(text, t, ")") || token_is(text, t, "]");
    for (size_t i = 0; i < sizeof ends / sizeof ends[0] && depth == 0; i++)
      if (token_is(text, t, ends[i])) return t - 1;
    depth += open ? 1 : close ? -1 : 0;
  }
  return (uint32_t)text->token_count - 1;
}

static uint32_t of_function(const pp_result *text, const tree_node *n, span *found) {
  const tree_node *body = n->children[n->child_count - 1];
  const span behind = {n->token + 1, body == NULL ? 0 : body->tokens.last};
  return attributes_in(text, n->tokens, body == NULL ? (span){1, 0} : behind, found);
}

/* What stands after a pragma or an attribute that begins at a token; the token itself: there is none. */
static uint32_t after_hint(const pp_result *text, uint32_t t) {
  if (text->tokens[t].kind == PP_PRAGMA) return t + 1;
  const uint32_t close = is_attribute(text, t) || token_is(text, t, "_Pragma") ? token_match(text, t + 1) : NO_TOKEN;
  return close == NO_TOKEN ? t : close + 1;
}

/* Pragmas too. */
static uint32_t of_statement(const pp_result *text, const tree_node *n, span *found) {
  uint32_t t = n->tokens.first;
  while (after_hint(text, t) > t) t = after_hint(text, t);
  found[0] = (span){n->tokens.first, t - 1};
  return t > n->tokens.first ? 1 : 0;
}

uint32_t attributes_of(const tree *t, const tree_node *n, span found[ATTRIBUTES_MOST]) {
  static const span none = {1, 0};
  switch (n->kind) {
    case TREE_RECORD:
    case TREE_ENUM: return of_record(t->text, n, found);
    case TREE_FIELD: return attributes_in(t->text, (span){n->token, end_of_field(t->text, n)}, none, found);
    case TREE_VARIABLE:
      return attributes_in(t->text, (span){n->tokens.first, end_of_declarator(t->text, n->token)}, none, found);
    case TREE_TYPEDEF:
      return attributes_in(t->text, (span){n->token, end_of_declarator(t->text, n->token)}, none, found);
    case TREE_FUNCTION: return of_function(t->text, n, found);
    default: return tree_is_statement(n->kind) && n->kind != TREE_DECLARE ? of_statement(t->text, n, found) : 0;
  }
}
