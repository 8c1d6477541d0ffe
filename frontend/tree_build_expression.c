/* The builder's expressions that libclang tells, with operators and types. */
#include <stdlib.h>
#include <string.h>

#include "frontend/tree_internal.h"

/* --- types of nodes ----------------------------------------------------------------------------------------------- */

/* libclang tells a parameter that is written as an array as one; an array is no value, so it is a pointer there. */
static const tree_type *type_of_cursor(tree_builder *b, CXCursor cursor) {
  return tree_read_type(b, clang_getCursorType(cursor));
}

tree_node *tree_new_expression(tree_builder *b, tree_kind kind, CXCursor cursor) {
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

void tree_set_conversion(tree_node *n) {
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

static const struct {
  enum CXBinaryOperatorKind from;
  tree_operator op;
} binaries[] = {
    {CXBinaryOperator_Add, TREE_ADD},
    {CXBinaryOperator_Sub, TREE_SUBTRACT},
    {CXBinaryOperator_Mul, TREE_MULTIPLY},
    {CXBinaryOperator_Div, TREE_DIVIDE},
    {CXBinaryOperator_Rem, TREE_REMAINDER},
    {CXBinaryOperator_Shl, TREE_SHIFT_LEFT},
    {CXBinaryOperator_Shr, TREE_SHIFT_RIGHT},
    {CXBinaryOperator_LT, TREE_LESS},
    {CXBinaryOperator_GT, TREE_GREATER},
    {CXBinaryOperator_LE, TREE_LESS_EQUAL},
    {CXBinaryOperator_GE, TREE_GREATER_EQUAL},
    {CXBinaryOperator_EQ, TREE_EQUAL},
    {CXBinaryOperator_NE, TREE_NOT_EQUAL},
    {CXBinaryOperator_And, TREE_AND},
    {CXBinaryOperator_Xor, TREE_XOR},
    {CXBinaryOperator_Or, TREE_OR},
    {CXBinaryOperator_LAnd, TREE_LOGICAL_AND},
    {CXBinaryOperator_LOr, TREE_LOGICAL_OR},
    {CXBinaryOperator_AddAssign, TREE_ADD},
    {CXBinaryOperator_SubAssign, TREE_SUBTRACT},
    {CXBinaryOperator_MulAssign, TREE_MULTIPLY},
    {CXBinaryOperator_DivAssign, TREE_DIVIDE},
    {CXBinaryOperator_RemAssign, TREE_REMAINDER},
    {CXBinaryOperator_ShlAssign, TREE_SHIFT_LEFT},
    {CXBinaryOperator_ShrAssign, TREE_SHIFT_RIGHT},
    {CXBinaryOperator_AndAssign, TREE_AND},
    {CXBinaryOperator_XorAssign, TREE_XOR},
    {CXBinaryOperator_OrAssign, TREE_OR},
};

static tree_operator binary_operator(CXCursor cursor) {
  const enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
  for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++)
    if (binaries[i].from == kind) return binaries[i].op;
  return TREE_NO_OPERATOR;
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
  n->op = binary_operator(cursor);
  const bool known = n->kind == TREE_ASSIGN || n->kind == TREE_COMMA || n->op != TREE_NO_OPERATOR;
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
  if (n->op != TREE_SHIFT_LEFT && n->op != TREE_SHIFT_RIGHT) return right->plain;
  return left->kind != TREE_TYPE_VECTOR && left->size < 4 ? integer : left->plain;
}

static tree_node *read_compound_assign(tree_builder *b, CXCursor cursor) {
  tree_node *n = read_parts(b, cursor, TREE_COMPOUND_ASSIGN, 2);
  n->op = binary_operator(cursor);
  if (!has_both(n) || n->op == TREE_NO_OPERATOR) return unknown(n);
  n->computed = computed_type(n, b->integer);
  find_operator(b, n);
  return n;
}

static const struct {
  enum CXUnaryOperatorKind from;
  tree_kind kind;
  tree_operator op;
  bool postfix;
} unaries[] = {
    {CXUnaryOperator_PostInc, TREE_STEP, TREE_ADD, true},
    {CXUnaryOperator_PostDec, TREE_STEP, TREE_SUBTRACT, true},
    {CXUnaryOperator_PreInc, TREE_STEP, TREE_ADD, false},
    {CXUnaryOperator_PreDec, TREE_STEP, TREE_SUBTRACT, false},
    {CXUnaryOperator_AddrOf, TREE_ADDRESS, TREE_NO_OPERATOR, false},
    {CXUnaryOperator_Deref, TREE_DEREFERENCE, TREE_NO_OPERATOR, false},
    {CXUnaryOperator_Plus, TREE_UNARY, TREE_ADD, false},
    {CXUnaryOperator_Minus, TREE_UNARY, TREE_SUBTRACT, false},
    {CXUnaryOperator_Not, TREE_UNARY, TREE_COMPLEMENT, false},
    {CXUnaryOperator_LNot, TREE_UNARY, TREE_NOT, false},
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

static CXCursor callee_of(CXCursor call) {
  CXCursor name = front_first_child(call);
  while (!clang_Cursor_isNull(name) && clang_getCursorKind(name) != CXCursor_DeclRefExpr)
    name = front_first_child(name);
  return name;
}

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
  const CXCursor name = callee_of(cursor);
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
