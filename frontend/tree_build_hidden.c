/* The builder's expressions of which libclang's C interface says only that they are there. Their tokens say what they
 * are. */
#include <stdlib.h>
#include <string.h>

#include "base/integer.h"
#include "frontend/tree_internal.h"

static bool same(span a, span b) { return a.first == b.first && a.last == b.last; }

static tree_node *read_all(tree_builder *b, CXCursor cursor, tree_kind kind, const cursor_list *list) {
  tree_node *n = tree_new_expression(b, kind, cursor);
  for (size_t i = 0; i < list->count; i++) {
    tree_node *part = tree_read_expression(b, list->items[i]);
    tree_add_child(b, n, part == NULL ? NULL : tree_value_of(b, part));
  }
  n->type = n->type == NULL ? NULL : n->type->plain;
  return n;
}

tree_node *tree_read_unknown(tree_builder *b, CXCursor cursor) {
  cursor_list list = tree_expressions_of(cursor);
  tree_node *n = read_all(b, cursor, TREE_UNKNOWN_EXPRESSION, &list);
  n->type = NULL;
  free(list.items);
  return n;
}

/* --- macros of the compiler's header ------------------------------------------------------------------------------ */

bool tree_is_header_macro(const tree_builder *b, CXCursor cursor, span tokens) {
  CXFile spelled = NULL;
  const CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(cursor));
  if (b->tree->text->tokens[tokens.first].kind != PP_IDENTIFIER) return false;
  clang_getSpellingLocation(start, &spelled, NULL, NULL, NULL);
  const CXFile main_file = clang_getFile(clang_Cursor_getTranslationUnit(cursor), "cltestcheck.cl");
  if (spelled == NULL || clang_File_isEqual(spelled, main_file)) return false;
  return tokens.first == tokens.last ||
         (tree_token_is(b, tokens.first + 1, "(") && token_match(b->tree->text, tokens.first + 1) == tokens.last);
}

static void take_value(tree_node *n, CXCursor cursor) {
  const enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(cursor)).kind;
  CXEvalResult value = kind == CXType_Void || kind == CXType_Invalid ? NULL : clang_Cursor_Evaluate(cursor);
  if (value == NULL) return;
  if (clang_EvalResult_getKind(value) == CXEval_Int) {
    n->constant.kind = TREE_INTEGER_CONSTANT;
    n->constant.integer = clang_EvalResult_isUnsignedInt(value) ? (int64_t)clang_EvalResult_getAsUnsigned(value)
                                                                : clang_EvalResult_getAsLongLong(value);
  } else if (clang_EvalResult_getKind(value) == CXEval_Float) {
    n->constant.kind = TREE_FLOAT_CONSTANT;
    n->constant.real = clang_EvalResult_getAsDouble(value);
  }
  clang_EvalResult_dispose(value);
}

static tree_node *read_reinterpret(tree_builder *b, CXCursor cursor, CXCursor operand) {
  tree_node *n = tree_new_expression(b, TREE_REINTERPRET, cursor);
  n->type = n->type == NULL ? NULL : n->type->plain;
  tree_reserve(b, n, 1);
  tree_node *value = tree_read_expression(b, operand);
  tree_adopt(n, 0, value == NULL ? NULL : tree_value_of(b, value));
  return n;
}

static tree_node *convert(tree_builder *b, CXCursor cursor, CXCursor operand) {
  tree_node *inner = tree_read_expression(b, operand);
  tree_node *n = tree_new_expression(b, TREE_CONVERT, cursor);
  if (inner == NULL || inner->type == NULL || n->type == NULL) {
    n->kind = TREE_UNKNOWN_EXPRESSION;
    n->type = NULL;
    tree_add_child(b, n, inner);
    return n;
  }
  /* A parameter written as an array is told as one, its value too. */
  n->type = n->type->kind == TREE_TYPE_ARRAY && inner->type->kind == TREE_TYPE_POINTER ? inner->type : n->type;
  n->type = n->type->plain;
  tree_reserve(b, n, 1);
  tree_adopt(n, 0, inner);
  n->token = inner->token;
  tree_set_conversion(n);
  if (n->conversion == TREE_NO_CONVERSION) {
    inner->parent = NULL;
    return inner;
  }
  return n;
}

/* `as_float4(x)` is clang's __builtin_astype((x), float4); what else there is stands for a value. */
tree_node *tree_read_header_macro(tree_builder *b, CXCursor cursor) {
  const span all = front_span(&b->w, cursor);
  const CXCursor child = front_first_child(cursor);
  const bool hidden = clang_getCursorKind(cursor) == CXCursor_UnexposedExpr && !clang_Cursor_isNull(child);
  if (hidden && same(front_span(&b->w, child), all)) {
    const pp_token *name = &b->tree->text->tokens[all.first];
    const bool as = name->end - name->begin > 3 && strncmp(b->tree->text->text + name->begin, "as_", 3) == 0;
    return as && clang_getCursorKind(child) == CXCursor_ParenExpr
               ? read_reinterpret(b, cursor, front_first_child(child))
               : convert(b, cursor, child);
  }
  tree_node *n = tree_new_expression(b, TREE_MACRO, cursor);
  if (n->type == NULL) {
    n->kind = TREE_UNKNOWN_EXPRESSION;
    return n;
  }
  n->type = n->type->plain;
  take_value(n, cursor);
  return n;
}

/* --- components of vectors ---------------------------------------------------------------------------------------- */

static int lane_of(char c) {
  static const char *const names[] = {"xyzw", "rgba"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const char *found = strchr(names[i], c);
    if (found != NULL) return (int)(found - names[i]);
  }
  return -1;
}

/* A vector of 3 has halves like one of 4; the last component of these is not defined. */
static bool set_half(tree_node *n, const char *name, size_t length, uint64_t count) {
  static const struct {
    const char *name;
    uint8_t first, step;
    bool second_half;
  } halves[] = {{"lo", 0, 1, false}, {"hi", 0, 1, true}, {"even", 0, 2, false}, {"odd", 1, 2, false}};
  const uint8_t half = (uint8_t)((count + 1) / 2);
  for (size_t i = 0; i < sizeof halves / sizeof halves[0]; i++) {
    if (strlen(halves[i].name) == length && memcmp(halves[i].name, name, length) == 0) {
      n->lane_count = half;
      for (uint8_t k = 0; k < half; k++)
        n->lanes[k] = (uint8_t)(halves[i].first + halves[i].step * k + (halves[i].second_half ? half : 0));
      return true;
    }
  }
  return false;
}

static bool set_lanes(tree_node *n, const char *name, size_t length, uint64_t count) {
  if (set_half(n, name, length, count)) return true;
  const bool numbers = length > 1 && (name[0] == 's' || name[0] == 'S');
  for (size_t i = numbers ? 1 : 0; i < length; i++) {
    const int lane = numbers ? hex_digit(name[i]) : lane_of(name[i]);
    if (lane < 0 || (uint64_t)lane >= count || n->lane_count >= 16) return false;
    n->lanes[n->lane_count++] = (uint8_t)lane;
  }
  return true;
}

static bool has_twice(const tree_node *n) {
  uint32_t seen = 0;
  for (uint8_t i = 0; i < n->lane_count; i++) {
    if ((seen >> n->lanes[i] & 1) != 0) return true;
    seen |= UINT32_C(1) << n->lanes[i];
  }
  return false;
}

/* What has a component twice is no object to clang; it reads one. */
static tree_node *read_swizzle(tree_builder *b, CXCursor cursor, CXCursor vector) {
  tree_node *n = tree_new_expression(b, TREE_SWIZZLE, cursor);
  tree_reserve(b, n, 1);
  tree_adopt(n, 0, tree_read_expression(b, vector));
  n->token = n->tokens.last;
  n->arrow = tree_token_is(b, n->token - 1, "->");
  const tree_node *inner = n->children[0];
  const tree_type *object = inner == NULL ? NULL : inner->type;
  object = n->arrow && object != NULL && object->kind == TREE_TYPE_POINTER ? object->element : object;
  const pp_token *name = &b->tree->text->tokens[n->token];
  if (object == NULL || object->kind != TREE_TYPE_VECTOR ||
      !set_lanes(n, b->tree->text->text + name->begin, name->end - name->begin, object->count)) {
    n->kind = TREE_UNKNOWN_EXPRESSION;
    n->type = NULL;
    return n;
  }
  n->lvalue = n->arrow || inner->lvalue;
  /* clang forgets after `->` where the vector lies. */
  n->type = n->lvalue && n->type != NULL ? tree_qualified_like(b, n->type, object) : n->type;
  return has_twice(n) ? tree_value_of(b, n) : n;
}

/* --- samplers ----------------------------------------------------------------------------------------------------- */

/* The token that argument `index` of a call is, NO_TOKEN if it has several. */
static uint32_t argument_token(const tree_builder *b, const tree_node *call, uint32_t index) {
  uint32_t t = call->token + 1;
  while (tree_token_is(b, t, ")")) /* `(f)(x)` */
    t++;
  for (t++; index > 0 && t < call->tokens.last; t++) {
    const uint32_t close = tree_token_is(b, t, "(") || tree_token_is(b, t, "[") || tree_token_is(b, t, "{")
                               ? token_match(b->tree->text, t)
                               : t;
    index -= tree_token_is(b, t, ",") ? 1 : 0;
    t = close == NO_TOKEN ? t : close;
  }
  return tree_token_is(b, t + 1, ",") || tree_token_is(b, t + 1, ")") ? t : NO_TOKEN;
}

/* The variable in whose declaration some tokens are. */
static tree_symbol *variable_around(const tree_builder *b, span tokens) {
  for (size_t i = 0; i < b->symbols.capacity; i++) {
    tree_symbol *s = b->symbols.values[i];
    const bool symbol = s != NULL && (void *)s != (void *)b->tree; /* not a record that is known */
    const tree_node *n = symbol && s->kind == TREE_SYMBOL_VARIABLE ? s->declaration : NULL;
    if (n != NULL && span_has(n->tokens, tokens.first) && span_has(n->tokens, tokens.last)) return s;
  }
  return NULL;
}

/* In place of a constant sampler libclang tells its initialiser, where that stands. */
tree_node *tree_read_argument(tree_builder *b, const tree_node *call, uint32_t index, CXCursor cursor) {
  tree_node *n = tree_read_expression(b, cursor);
  if (n == NULL || span_has(call->tokens, n->tokens.first)) return n;
  const uint32_t token = argument_token(b, call, index);
  tree_symbol *variable = variable_around(b, n->tokens);
  if (token == NO_TOKEN || variable == NULL) return n;
  tree_node *name = tree_new_node(b, TREE_NAME, (span){token, token});
  name->symbol = variable;
  name->type = variable->type;
  name->lvalue = true;
  return name;
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

/* `a ?: b`: libclang tells the first operand three times. */
static tree_node *read_short_conditional(tree_builder *b, CXCursor cursor, const cursor_list *list) {
  tree_node *n = tree_new_expression(b, TREE_CONDITIONAL, cursor);
  tree_reserve(b, n, 3);
  tree_node *first = tree_read_expression(b, list->items[0]);
  tree_node *last = tree_read_expression(b, list->items[list->count - 1]);
  tree_adopt(n, 0, tree_value_of(b, first));
  tree_adopt(n, 2, tree_value_of(b, last));
  n->token = n->children[0]->tokens.last + 1;
  return n;
}

/* What is designated are the tokens in front of the value; the type is that of the value. */
static tree_node *read_designated(tree_builder *b, CXCursor cursor, const cursor_list *list) {
  tree_node *n = tree_new_expression(b, TREE_DESIGNATED, cursor);
  tree_reserve(b, n, 1);
  tree_node *value = tree_read_expression(b, list->items[list->count - 1]);
  tree_adopt(n, 0, value->kind == TREE_STRING ? value : tree_value_of(b, value));
  n->type = n->children[0]->type;
  return n;
}

static tree_node *read_by_tokens(tree_builder *b, CXCursor cursor, const cursor_list *list) {
  const span all = front_span(&b->w, cursor);
  const uint32_t first = all.first;
  if (tree_token_is(b, first, "__builtin_astype") && list->count == 1)
    return read_reinterpret(b, cursor, list->items[0]);
  if (tree_token_is(b, first, "__builtin_shufflevector")) return read_all(b, cursor, TREE_SHUFFLE, list);
  if (tree_token_is(b, first, "__func__") || tree_token_is(b, first, "__FUNCTION__") ||
      tree_token_is(b, first, "__PRETTY_FUNCTION__")) {
    tree_node *n = tree_new_expression(b, TREE_STRING, cursor);
    n->lvalue = true;
    return n;
  }
  if (tree_token_is(b, first, "__builtin_offsetof")) {
    tree_node *n = tree_new_expression(b, TREE_MACRO, cursor);
    take_value(n, cursor);
    return n;
  }
  const bool valueless = clang_getCursorType(cursor).kind == CXType_Void;
  if (valueless && list->count > 0 &&
      (tree_token_is(b, first, "[") || tree_token_is(b, first, ".") || tree_token_is(b, first + 1, ":")))
    return read_designated(b, cursor, list);
  if (list->count == 4) return read_short_conditional(b, cursor, list);
  if (list->count != 1) return tree_read_unknown(b, cursor);
  const span inner = front_span(&b->w, list->items[0]);
  const bool component = all.last > inner.first &&
                         (tree_token_is(b, all.last - 1, ".") || tree_token_is(b, all.last - 1, "->")) &&
                         b->tree->text->tokens[all.last].kind == PP_IDENTIFIER && inner.last < all.last;
  if (component) return read_swizzle(b, cursor, list->items[0]);
  /* Some of the language's functions are told to begin at their first argument. */
  return all.last == inner.last ? convert(b, cursor, list->items[0]) : tree_read_unknown(b, cursor);
}

tree_node *tree_read_hidden(tree_builder *b, CXCursor cursor) {
  cursor_list list = tree_expressions_of(cursor);
  tree_node *n = read_by_tokens(b, cursor, &list);
  free(list.items);
  return n;
}
