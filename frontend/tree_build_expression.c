/* The builder's expressions, with operators and types: those that libclang tells, and those that it hides. */
#include <stdlib.h>
#include <string.h>

#include "base/integer.h"
#include "frontend/tree_internal.h"

static void tree_set_conversion(tree_node *n);

static tree_node *tree_new_expression(tree_builder *b, tree_kind kind, CXCursor cursor);

/* --- hidden expressions ------------------------------------------------------------------------------------------- */

/* The builder's expressions of which libclang's C interface says only that they are there. Their tokens say what they
 * are. */

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

/* What has no other kind, with the expressions that libclang tells in it. */
static tree_node *tree_read_unknown(tree_builder *b, CXCursor cursor) {
  cursor_list list = tree_expressions_of(cursor);
  tree_node *n = read_all(b, cursor, TREE_UNKNOWN_EXPRESSION, &list);
  n->type = NULL;
  free(list.items);
  return n;
}

/* --- macros of the compiler's header ------------------------------------------------------------------------------ */

/* Whether the tokens are a use of a macro of the compiler's own header. */
static bool tree_is_header_macro(const tree_builder *b, CXCursor cursor, span tokens) {
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
static tree_node *tree_read_header_macro(tree_builder *b, CXCursor cursor) {
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

/* Argument `index` of a call, whose tokens are known. */
/* In place of a constant sampler libclang tells its initialiser, where that stands. */
static tree_node *tree_read_argument(tree_builder *b, const tree_node *call, uint32_t index, CXCursor cursor) {
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

/* Expressions that libclang's C interface has no kind for. */
static tree_node *tree_read_hidden(tree_builder *b, CXCursor cursor) {
  cursor_list list = tree_expressions_of(cursor);
  tree_node *n = read_by_tokens(b, cursor, &list);
  free(list.items);
  return n;
}

/* --- types of nodes ----------------------------------------------------------------------------------------------- */

/* libclang tells a parameter that is written as an array as one; an array is no value, so it is a pointer there. */
static const tree_type *type_of_cursor(tree_builder *b, CXCursor cursor) {
  return tree_read_type(b, clang_getCursorType(cursor));
}

/* The first child that is an expression. */
static tree_node *tree_new_expression(tree_builder *b, tree_kind kind, CXCursor cursor) {
  tree_node *n = tree_new_node(b, kind, front_span(&b->w, cursor));
  n->type = type_of_cursor(b, cursor);
  return n;
}

static CXCursor tree_operand_of(CXCursor cursor) {
  cursor_list list = tree_expressions_of(cursor);
  const CXCursor operand = list.count == 0 ? clang_getNullCursor() : list.items[list.count - 1];
  free(list.items);
  return operand;
}

static bool is_number(const tree_type *t) {
  return t->kind == TREE_TYPE_BOOL || t->kind == TREE_TYPE_INTEGER || t->kind == TREE_TYPE_ENUM ||
         t->kind == TREE_TYPE_FLOAT;
}

static tree_conversion between_numbers(const tree_type *from, const tree_type *to) {
  if (to->kind == TREE_TYPE_BOOL) return from->kind == TREE_TYPE_BOOL ? TREE_NO_CONVERSION : TREE_TO_BOOL;
  const bool was_float = from->kind == TREE_TYPE_FLOAT;
  const bool is_float = to->kind == TREE_TYPE_FLOAT;
  return was_float ? (is_float ? TREE_FLOAT_TO_FLOAT : TREE_FLOAT_TO_INTEGER)
                   : (is_float ? TREE_INTEGER_TO_FLOAT : TREE_INTEGER_TO_INTEGER);
}

static tree_conversion conversion_between(const tree_node *operand, const tree_type *to) {
  const tree_type *from = operand->type->plain;
  to = to->plain;
  if (from->kind == TREE_TYPE_ARRAY || from->kind == TREE_TYPE_FUNCTION) return TREE_DECAY;
  if (from == to) return operand->lvalue ? TREE_LOAD : TREE_NO_CONVERSION;
  if (to->kind == TREE_TYPE_VOID) return TREE_TO_VOID;
  if (to->kind == TREE_TYPE_VECTOR) return from->kind == TREE_TYPE_VECTOR ? TREE_SAME_BITS : TREE_SPLAT;
  if (to->kind == TREE_TYPE_POINTER)
    return from->kind == TREE_TYPE_POINTER ? TREE_POINTER_TO_POINTER : TREE_INTEGER_TO_POINTER;
  if (from->kind == TREE_TYPE_POINTER) return to->kind == TREE_TYPE_BOOL ? TREE_TO_BOOL : TREE_POINTER_TO_INTEGER;
  if (is_number(from) && is_number(to)) return between_numbers(from, to);
  return from->kind == TREE_TYPE_ATOMIC || to->kind == TREE_TYPE_ATOMIC ? TREE_LOAD : TREE_TO_OPAQUE;
}

static void tree_set_conversion(tree_node *n) {
  const tree_node *operand = n->children[0];
  if (operand != NULL && operand->type != NULL && n->type != NULL) n->conversion = conversion_between(operand, n->type);
}

tree_node *tree_value_of(tree_builder *b, tree_node *n) {
  const bool decays = n->type != NULL && n->type->kind == TREE_TYPE_ARRAY;
  if (!n->lvalue || n->type == NULL) return n;
  tree_node *load = tree_new_node(b, TREE_CONVERT, n->tokens);
  load->token = n->token;
  load->type = decays ? tree_pointer_to(b, n->type->element) : n->type->plain;
  tree_reserve(b, load, 1);
  tree_adopt(load, 0, n);
  tree_set_conversion(load);
  return load;
}

/* --- operands ----------------------------------------------------------------------------------------------------- */

/* A node with the expressions among libclang's children. */
static tree_node *read_parts(tree_builder *b, CXCursor cursor, tree_kind kind, size_t least) {
  tree_node *n = tree_new_expression(b, kind, cursor);
  cursor_list list = tree_expressions_of(cursor);
  tree_reserve(b, n, list.count > least ? list.count : least);
  for (size_t i = 0; i < list.count; i++) tree_adopt(n, (uint32_t)i, tree_read_expression(b, list.items[i]));
  free(list.items);
  return n;
}

static void load_parts(tree_builder *b, tree_node *n) {
  for (uint32_t i = 0; i < n->child_count; i++)
    if (n->children[i] != NULL) tree_adopt(n, i, tree_value_of(b, n->children[i]));
}

/* From CXBinaryOperator_Mul on, in the order of libclang's numbers; without a name are <=> and =. */
static const c_operator binaries[] = {
    OP_MULTIPLY, OP_DIVIDE,      OP_REMAINDER,   OP_ADD,           OP_SUBTRACT, OP_SHIFT_LEFT, OP_SHIFT_RIGHT, OP_NONE,
    OP_LESS,     OP_GREATER,     OP_LESS_EQUAL,  OP_GREATER_EQUAL, OP_EQUAL,    OP_NOT_EQUAL,  OP_AND,         OP_XOR,
    OP_OR,       OP_LOGICAL_AND, OP_LOGICAL_OR,  OP_NONE,          OP_MULTIPLY, OP_DIVIDE,     OP_REMAINDER,   OP_ADD,
    OP_SUBTRACT, OP_SHIFT_LEFT,  OP_SHIFT_RIGHT, OP_AND,           OP_XOR,      OP_OR};
enum { FIRST = CXBinaryOperator_Mul, BINARIES = sizeof binaries / sizeof *binaries };
_Static_assert(CXBinaryOperator_LT == FIRST + 8 && CXBinaryOperator_MulAssign == FIRST + 20 &&
                   CXBinaryOperator_OrAssign == FIRST + BINARIES - 1,
               "libclang's order");

c_operator front_binary_operator(unsigned kind) {
  return kind >= FIRST && kind < FIRST + BINARIES ? binaries[kind - FIRST] : OP_NONE;
}

/* The token between the operands. */
static void find_operator(const tree_builder *b, tree_node *n) {
  const uint32_t t = n->children[0]->tokens.last + 1;
  n->token = t < b->tree->text->token_count ? t : n->token;
}

static tree_kind binary_kind(enum CXBinaryOperatorKind kind) {
  switch (kind) {
    case CXBinaryOperator_Assign: return TREE_ASSIGN;
    case CXBinaryOperator_Comma: return TREE_COMMA;
    case CXBinaryOperator_LAnd:
    case CXBinaryOperator_LOr: return TREE_LOGICAL;
    default: return TREE_BINARY;
  }
}

static tree_node *unknown(tree_node *n) {
  n->kind = TREE_UNKNOWN_EXPRESSION;
  n->type = NULL;
  return n;
}

static bool has_both(const tree_node *n) {
  return n->child_count == 2 && n->children[0] != NULL && n->children[1] != NULL;
}

static tree_node *read_binary(tree_builder *b, CXCursor cursor) {
  tree_node *n = read_parts(b, cursor, binary_kind(clang_getCursorBinaryOperatorKind(cursor)), 2);
  n->op = front_binary_operator(clang_getCursorBinaryOperatorKind(cursor));
  const bool known = n->kind == TREE_ASSIGN || n->kind == TREE_COMMA || n->op != OP_NONE;
  if (!has_both(n) || !known) return unknown(n);
  find_operator(b, n);
  return n;
}

/* The type in which `a op= b` computes. clang converts `b` to it, but for shifts and pointers. */
static const tree_type *computed_type(const tree_node *n, const tree_type *integer) {
  const tree_type *left = n->children[0]->type;
  const tree_type *right = n->children[1]->type;
  if (left == NULL || right == NULL) return NULL;
  if (left->kind == TREE_TYPE_POINTER) return left->plain;
  if (n->op != OP_SHIFT_LEFT && n->op != OP_SHIFT_RIGHT) return right->plain;
  return left->kind != TREE_TYPE_VECTOR && left->size < 4 ? integer : left->plain;
}

static tree_node *read_compound_assign(tree_builder *b, CXCursor cursor) {
  tree_node *n = read_parts(b, cursor, TREE_COMPOUND_ASSIGN, 2);
  n->op = front_binary_operator(clang_getCursorBinaryOperatorKind(cursor));
  if (!has_both(n) || n->op == OP_NONE) return unknown(n);
  n->computed = computed_type(n, b->integer);
  find_operator(b, n);
  return n;
}

static const struct {
  enum CXUnaryOperatorKind from;
  tree_kind kind;
  c_operator op;
  bool postfix;
} unaries[] = {
    {CXUnaryOperator_PostInc, TREE_STEP, OP_ADD, true},      {CXUnaryOperator_PostDec, TREE_STEP, OP_SUBTRACT, true},
    {CXUnaryOperator_PreInc, TREE_STEP, OP_ADD, false},      {CXUnaryOperator_PreDec, TREE_STEP, OP_SUBTRACT, false},
    {CXUnaryOperator_AddrOf, TREE_ADDRESS, OP_NONE, false},  {CXUnaryOperator_Deref, TREE_DEREFERENCE, OP_NONE, false},
    {CXUnaryOperator_Plus, TREE_UNARY, OP_ADD, false},       {CXUnaryOperator_Minus, TREE_UNARY, OP_SUBTRACT, false},
    {CXUnaryOperator_Not, TREE_UNARY, OP_COMPLEMENT, false}, {CXUnaryOperator_LNot, TREE_UNARY, OP_NOT, false},
};

static tree_node *read_unary(tree_builder *b, CXCursor cursor) {
  const enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);
  tree_node *n = read_parts(b, cursor, TREE_UNKNOWN_EXPRESSION, 1);
  for (size_t i = 0; i < sizeof unaries / sizeof unaries[0] && n->children[0] != NULL; i++) {
    if (unaries[i].from == kind) {
      n->kind = unaries[i].kind;
      n->op = unaries[i].op;
      n->postfix = unaries[i].postfix;
      n->token = n->postfix ? n->tokens.last : n->tokens.first;
      n->lvalue = n->kind == TREE_DEREFERENCE;
      return n;
    }
  }
  return unknown(n);
}

/* --- names, members, elements ------------------------------------------------------------------------------------- */

static tree_node *read_name(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_new_expression(b, TREE_NAME, cursor);
  const CXCursor target = clang_getCursorReferenced(cursor);
  n->symbol = tree_symbol_of(b, target);
  if (n->symbol == NULL) return unknown(n);
  n->lvalue = n->symbol->kind == TREE_SYMBOL_VARIABLE || n->symbol->kind == TREE_SYMBOL_PARAMETER;
  n->type = n->lvalue ? n->symbol->type : n->type;
  return n;
}

static tree_node *read_member(tree_builder *b, CXCursor cursor) {
  tree_node *n = read_parts(b, cursor, TREE_MEMBER, 1);
  n->symbol = tree_symbol_of(b, clang_getCursorReferenced(cursor));
  if (n->symbol == NULL || n->symbol->kind != TREE_SYMBOL_FIELD) return unknown(n);
  n->token = n->tokens.last;
  if (n->children[0] == NULL) return unknown(n);
  /* A member of an anonymous member is told as a member of a hidden one, which has the same tokens. */
  const tree_node *object = n->children[0];
  n->arrow = tree_token_is(b, n->token - 1, "->") && object->type != NULL && object->type->kind == TREE_TYPE_POINTER;
  n->lvalue = n->arrow || object->lvalue;
  return n;
}

static tree_node *read_subscript(tree_builder *b, CXCursor cursor) {
  tree_node *n = read_parts(b, cursor, TREE_SUBSCRIPT, 2);
  if (!has_both(n)) return unknown(n);
  const tree_type *first = n->children[0]->type;
  if (first != NULL && first->kind != TREE_TYPE_POINTER && first->kind != TREE_TYPE_VECTOR &&
      first->kind != TREE_TYPE_ARRAY) { /* 1[p] */
    tree_node *index = n->children[0];
    tree_adopt(n, 0, n->children[1]);
    tree_adopt(n, 1, index);
  }
  n->token = n->children[0]->tokens.last + 1;
  n->lvalue = n->children[0]->type == NULL || n->children[0]->type->kind != TREE_TYPE_VECTOR || n->children[0]->lvalue;
  tree_adopt(n, 1, tree_value_of(b, n->children[1]));
  return n;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* libclang begins some calls of the language's own functions at their first argument. `(f)(x)` has the name in
 * parentheses. */
static void find_call_tokens(const tree_builder *b, tree_node *n) {
  const char *name = n->symbol->name;
  uint32_t at = n->tokens.first;
  while (at > 0 && at + 2 > n->tokens.first && !tree_token_is(b, at, name)) at--;
  if (tree_token_is(b, at, name)) n->tokens.first = at;
  for (at = n->tokens.first; tree_token_is(b, at, "("); at++) {
  }
  n->token = tree_token_is(b, at, name) ? at : n->tokens.first;
}

static tree_node *read_call(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_new_expression(b, TREE_CALL, cursor);
  CXCursor name = front_first_child(cursor);
  while (!clang_Cursor_isNull(name) && clang_getCursorKind(name) != CXCursor_DeclRefExpr)
    name = front_first_child(name);
  n->symbol = clang_Cursor_isNull(name) ? NULL : tree_symbol_of(b, clang_getCursorReferenced(name));
  if (n->symbol == NULL) return tree_read_unknown(b, cursor);
  find_call_tokens(b, n);
  n->builtin = n->symbol->kind == TREE_SYMBOL_BUILTIN ? tree_find_builtin(n->symbol->name) : NULL;
  const int count = clang_Cursor_getNumArguments(cursor);
  tree_reserve(b, n, count > 0 ? (size_t)count : 0);
  for (int i = 0; i < count; i++) {
    const uint32_t number = (uint32_t)i;
    tree_adopt(n, number, tree_read_argument(b, n, number, clang_Cursor_getArgument(cursor, number)));
  }
  load_parts(b, n);
  return n;
}

/* --- casts, literals, initialisers -------------------------------------------------------------------------------- */

static tree_node *read_cast(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_new_expression(b, TREE_CAST, cursor);
  const CXCursor operand = tree_operand_of(cursor);
  tree_reserve(b, n, 1);
  tree_adopt(n, 0, clang_Cursor_isNull(operand) ? NULL : tree_read_expression(b, operand));
  if (n->children[0] == NULL) return unknown(n);
  tree_set_conversion(n);
  return n;
}

/* `(float4)(a, b)` is a vector; `(struct s){…}` and `(float4){…}` are objects. */
static tree_node *read_compound_literal(tree_builder *b, CXCursor cursor) {
  const CXCursor operand = tree_operand_of(cursor);
  if (clang_Cursor_isNull(operand)) return tree_read_unknown(b, cursor);
  if (clang_getCursorKind(operand) == CXCursor_InitListExpr &&
      tree_token_is(b, front_span(&b->w, operand).first, "(")) {
    tree_node *n = read_parts(b, operand, TREE_VECTOR, 0);
    const span all = front_span(&b->w, cursor);
    n->tokens.first = all.first < n->tokens.first ? all.first : n->tokens.first;
    n->token = n->tokens.first;
    n->type = n->type == NULL ? NULL : n->type->plain;
    load_parts(b, n);
    return n;
  }
  tree_node *n = tree_new_expression(b, TREE_COMPOUND_LITERAL, cursor);
  tree_reserve(b, n, 1);
  tree_adopt(n, 0, tree_read_expression(b, operand));
  n->lvalue = true;
  return n;
}

static tree_node *read_initializer(tree_builder *b, CXCursor cursor) {
  tree_node *n = read_parts(b, cursor, TREE_INITIALIZER, 0);
  for (uint32_t i = 0; i < n->child_count; i++) {
    const tree_node *value = n->children[i];
    if (value != NULL && value->lvalue && value->kind != TREE_STRING)
      tree_adopt(n, i, tree_value_of(b, n->children[i]));
  }
  return n;
}

static tree_node *read_conditional(tree_builder *b, CXCursor cursor) {
  tree_node *n = read_parts(b, cursor, TREE_CONDITIONAL, 3);
  if (n->child_count != 3 || n->children[2] == NULL) return unknown(n);
  load_parts(b, n);
  n->token = n->children[0]->tokens.last + 1;
  return n;
}

/* sizeof, alignment, vec_step: of a type, or of an expression that is not executed. */
static tree_node *read_sizeof(tree_builder *b, CXCursor cursor) {
  tree_node *n = read_parts(b, cursor, TREE_SIZEOF, 1);
  CXEvalResult value = clang_Cursor_Evaluate(cursor);
  if (value != NULL) {
    if (clang_EvalResult_getKind(value) == CXEval_Int) {
      n->constant.kind = TREE_INTEGER_CONSTANT;
      n->constant.integer = clang_EvalResult_getAsLongLong(value);
    }
    clang_EvalResult_dispose(value);
  }
  n->computed = n->children[0] == NULL ? NULL : n->children[0]->type;
  return n;
}

static tree_node *read_statement_expression(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_new_expression(b, TREE_STATEMENT_EXPRESSION, cursor);
  const CXCursor body = front_first_child(cursor);
  tree_reserve(b, n, 1);
  tree_adopt(n, 0, clang_Cursor_isNull(body) ? NULL : tree_read_statement(b, body));
  return n;
}

static tree_node *read_parentheses(tree_builder *b, CXCursor cursor) {
  tree_node *n = read_parts(b, cursor, TREE_PARENTHESES, 1);
  if (n->children[0] == NULL) return unknown(n);
  n->lvalue = n->children[0]->lvalue;
  n->type = n->children[0]->type;
  return n;
}

static tree_node *read_string(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_new_expression(b, TREE_STRING, cursor);
  n->lvalue = true;
  return n;
}

tree_node *tree_read_expression(tree_builder *b, CXCursor cursor) {
  if (tree_is_header_macro(b, cursor, front_span(&b->w, cursor))) return tree_read_header_macro(b, cursor);
  switch (clang_getCursorKind(cursor)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_CXXBoolLiteralExpr: return tree_new_expression(b, TREE_LITERAL, cursor);
    case CXCursor_StringLiteral: return read_string(b, cursor);
    case CXCursor_DeclRefExpr: return read_name(b, cursor);
    case CXCursor_MemberRefExpr: return read_member(b, cursor);
    case CXCursor_ArraySubscriptExpr: return read_subscript(b, cursor);
    case CXCursor_UnaryOperator: return read_unary(b, cursor);
    case CXCursor_BinaryOperator: return read_binary(b, cursor);
    case CXCursor_CompoundAssignOperator: return read_compound_assign(b, cursor);
    case CXCursor_ConditionalOperator: return read_conditional(b, cursor);
    case CXCursor_CallExpr: return read_call(b, cursor);
    case CXCursor_CStyleCastExpr: return read_cast(b, cursor);
    case CXCursor_CompoundLiteralExpr: return read_compound_literal(b, cursor);
    case CXCursor_InitListExpr: return read_initializer(b, cursor);
    case CXCursor_ParenExpr: return read_parentheses(b, cursor);
    case CXCursor_UnaryExpr: return read_sizeof(b, cursor);
    case CXCursor_StmtExpr: return read_statement_expression(b, cursor);
    case CXCursor_GenericSelectionExpr: return tree_new_expression(b, TREE_SELECTION, cursor);
    case CXCursor_UnexposedExpr: return tree_read_hidden(b, cursor);
    default: return tree_read_unknown(b, cursor);
  }
}
