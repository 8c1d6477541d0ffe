/* Listing expressions with their types from libclang's tree. */
#include "frontend/expression.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "frontend/frontend_internal.h"

/* --- types -------------------------------------------------------------------------------------------------------- */

static const struct {
  enum CXTypeKind kind;
  const char *name;
  front_class class;
  bool is_unsigned;
} scalars[] = {
    {CXType_Bool, "bool", FRONT_INTEGER, true},       {CXType_Char_S, "char", FRONT_INTEGER, false},
    {CXType_SChar, "char", FRONT_INTEGER, false},     {CXType_Char_U, "char", FRONT_INTEGER, false},
    {CXType_UChar, "uchar", FRONT_INTEGER, true},     {CXType_Short, "short", FRONT_INTEGER, false},
    {CXType_UShort, "ushort", FRONT_INTEGER, true},   {CXType_Int, "int", FRONT_INTEGER, false},
    {CXType_UInt, "uint", FRONT_INTEGER, true},       {CXType_Long, "long", FRONT_INTEGER, false},
    {CXType_ULong, "ulong", FRONT_INTEGER, true},     {CXType_LongLong, "long", FRONT_INTEGER, false},
    {CXType_ULongLong, "ulong", FRONT_INTEGER, true}, {CXType_Half, "half", FRONT_FLOATING, false},
    {CXType_Float16, "half", FRONT_FLOATING, false},  {CXType_Float, "float", FRONT_FLOATING, false},
    {CXType_Double, "double", FRONT_FLOATING, false},
};

/* Address spaces as libclang numbers them, from 1. */
enum { ADDRESS_LOCAL = 2 };
static const char *const address_spaces[] = {"", "__global ", "__local ", "__constant ", "__private ", "__generic "};

static void put_type(CXType type, bool qualified, buffer *out);

static void put_qualifiers(CXType type, buffer *out) {
  unsigned space = clang_getAddressSpace(type);
  if (space < sizeof address_spaces / sizeof address_spaces[0]) {
    buffer_puts(out, address_spaces[space]);
  }
  buffer_puts(out, clang_isConstQualifiedType(type) ? "const " : "");
  buffer_puts(out, clang_isVolatileQualifiedType(type) ? "volatile " : "");
}

/* What has no name in the table: structs, images, pointers to arrays. */
static void put_other(CXType type, buffer *out) {
  char *spelled = front_take_string(clang_getTypeSpelling(clang_getUnqualifiedType(type)));
  buffer_puts(out, spelled);
  free(spelled);
}

static void put_type(CXType type, bool qualified, buffer *out) {
  if (qualified) {
    put_qualifiers(type, out);
  }
  if (front_is_vector(type)) {
    put_type(clang_getElementType(type), false, out);
    buffer_printf(out, "%lld", clang_getNumElements(type));
    return;
  }
  CXType pointee = type.kind == CXType_Pointer ? clang_getCanonicalType(clang_getPointeeType(type)) : type;
  bool plain = pointee.kind != CXType_ConstantArray && pointee.kind != CXType_FunctionProto;
  if (type.kind == CXType_Pointer && plain) {
    put_type(pointee, true, out);
    buffer_puts(out, out->data[out->length - 1] == '*' ? "*" : " *");
    return;
  }
  for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++) {
    if (scalars[i].kind == type.kind) {
      buffer_puts(out, scalars[i].name);
      return;
    }
  }
  put_other(type, out);
}

char *front_type_name(CXType type) {
  buffer name = {0};
  put_type(type, false, &name);
  return buffer_take(&name);
}

static void classify(CXType element, front_type *out) {
  for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++) {
    if (scalars[i].kind == element.kind) {
      out->class = scalars[i].class;
      out->is_unsigned = scalars[i].is_unsigned;
    }
  }
  if (element.kind == CXType_Enum) {
    out->class = FRONT_INTEGER;
  }
}

static front_type read_type(CXType given) {
  front_type out = {.components = 1};
  if (given.kind == CXType_Invalid) {
    return out;
  }
  CXType type = clang_getCanonicalType(given);
  CXType element = front_is_vector(type) ? clang_getCanonicalType(clang_getElementType(type)) : type;
  out.name = front_type_name(type);
  out.components = front_is_vector(type) ? (uint32_t)clang_getNumElements(type) : 1;
  long long size = clang_Type_getSizeOf(element);
  out.size = size > 0 ? (uint32_t)size : 0;
  classify(element, &out);
  out.class = type.kind == CXType_Pointer ? FRONT_POINTER : out.class;
  return out;
}

static front_type type_of(CXCursor cursor) { return read_type(clang_getCursorType(cursor)); }

/* --- __local memory ----------------------------------------------------------------------------------------------- */

/* Whether an expression is something in __local memory, or a pointer to it. */
static bool is_local(CXCursor cursor) {
  CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
  if (type.kind == CXType_Pointer) {
    type = clang_getCanonicalType(clang_getPointeeType(type));
  }
  return type.kind != CXType_Invalid && clang_getAddressSpace(type) == ADDRESS_LOCAL;
}

static enum CXChildVisitResult find_local(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  *(bool *)data = *(bool *)data || is_local(cursor);
  return *(bool *)data ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static bool reads_local(CXCursor cursor) {
  bool found = is_local(cursor);
  (void)clang_visitChildren(cursor, find_local, &found);
  return found;
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

static front_expression *new_expression(walker *w, front_expression_kind kind, CXCursor cursor) {
  front_expressions *x = w->expressions;
  front_expression *added = ARRAY_ADD(x->items, x->count, x->capacity);
  added->kind = kind;
  added->whole = front_span(w, cursor);
  added->token = added->whole.first;
  added->left = added->right = (span){1, 0};
  added->type = type_of(cursor);
  return added;
}

/* Operands that do not lie around one operator token come from macros of the compiler's own header. */
static void add_binary(walker *w, CXCursor cursor, front_expression_kind kind) {
  CXCursor left = front_first_child(cursor);
  CXCursor right = front_last_child(cursor);
  span first = front_span(w, left);
  span second = front_span(w, right);
  if (first.last + 2 != second.first || w->text->tokens[first.last + 1].kind != PP_PUNCTUATOR) {
    return;
  }
  if (kind == FRONT_BINARY && token_is(w->text, first.last + 1, "=")) {
    kind = FRONT_ASSIGN;
  }
  front_expression *x = new_expression(w, kind, cursor);
  x->token = first.last + 1;
  x->left = first;
  x->right = second;
  x->left_type = type_of(left);
  x->right_type = type_of(right);
  x->to_local = kind == FRONT_ASSIGN && is_local(left) && x->left_type.class != FRONT_POINTER;
  x->reads_local = kind == FRONT_ASSIGN && reads_local(right);
}

static void add_unary(walker *w, CXCursor cursor) {
  CXCursor operand = front_first_child(cursor);
  span all = front_span(w, cursor);
  span inner = front_span(w, operand);
  if (w->text->tokens[all.first].kind == PP_PUNCTUATOR && inner.first == all.first + 1 && inner.last == all.last) {
    front_expression *x = new_expression(w, FRONT_PREFIX, cursor);
    x->right = inner;
    x->right_type = type_of(operand);
  } else if (w->text->tokens[all.last].kind == PP_PUNCTUATOR && inner.first == all.first &&
             inner.last + 1 == all.last) {
    front_expression *x = new_expression(w, FRONT_POSTFIX, cursor);
    x->token = all.last;
    x->left = inner;
    x->left_type = type_of(operand);
  }
}

static void add_conditional(walker *w, CXCursor cursor) {
  front_expression *x = new_expression(w, FRONT_CONDITIONAL, cursor);
  x->left = front_span(w, front_first_child(cursor));
}

static void add_parentheses(walker *w, CXCursor cursor) {
  span all = front_span(w, cursor);
  if (token_is(w->text, all.first, "(") && token_match(w->text, all.first) == all.last && all.last > all.first + 1) {
    front_expression *x = new_expression(w, FRONT_PARENTHESES, cursor);
    x->right = (span){all.first + 1, all.last - 1};
  }
}

/* A pointer without the conversions that the compiler put around it. */
static CXCursor unconverted(CXCursor pointer) {
  CXCursor inner = front_first_child(pointer);
  while (clang_getCursorKind(pointer) == CXCursor_UnexposedExpr &&
         clang_getCanonicalType(clang_getCursorType(inner)).kind == CXType_Pointer) {
    pointer = inner;
    inner = front_first_child(pointer);
  }
  return pointer;
}

static void add_call(walker *w, CXCursor cursor) {
  char *name = front_take_string(clang_getCursorSpelling(cursor));
  span all = front_span(w, cursor);
  if (!token_is(w->text, all.first, name) || !token_is(w->text, all.first + 1, "(") ||
      token_match(w->text, all.first + 1) != all.last) {
    free(name);
    return;
  }
  front_expression *x = new_expression(w, FRONT_CALL, cursor);
  x->callee = name;
  int count = clang_Cursor_getNumArguments(cursor);
  x->argument_count = count > 0 ? (size_t)count : 0;
  x->arguments = mem_calloc(x->argument_count, sizeof *x->arguments);
  for (size_t i = 0; i < x->argument_count; i++) {
    CXCursor argument = clang_Cursor_getArgument(cursor, (unsigned)i);
    x->arguments[i] = (front_argument){front_span(w, argument), type_of(argument), type_of(unconverted(argument))};
  }
}

/* Whether a conversion leads to something that one does not compute with. */
static bool is_handle(CXCursor conversion) {
  front_type type = type_of(conversion);
  bool handle = clang_getCursorKind(conversion) == CXCursor_UnexposedExpr && type.name != NULL &&
                (type.class == FRONT_POINTER || type.class == FRONT_OTHER) && strcmp(type.name, "void") != 0;
  free(type.name);
  return handle;
}

static void add_literal(walker *w, CXCursor cursor, CXCursor parent) {
  span all = front_span(w, cursor);
  if (all.first != all.last || w->text->tokens[all.first].kind != PP_NUMBER) {
    return;
  }
  front_expression *x = new_expression(w, FRONT_LITERAL, cursor);
  x->makes_handle = is_handle(parent);
}

void front_add_expression(walker *w, CXCursor cursor, CXCursor parent) {
  switch (clang_getCursorKind(cursor)) {
    case CXCursor_BinaryOperator:
      add_binary(w, cursor, FRONT_BINARY);
      break;
    case CXCursor_CompoundAssignOperator:
      add_binary(w, cursor, FRONT_COMPOUND);
      break;
    case CXCursor_UnaryOperator:
      add_unary(w, cursor);
      break;
    case CXCursor_ConditionalOperator:
      add_conditional(w, cursor);
      break;
    case CXCursor_ParenExpr:
      add_parentheses(w, cursor);
      break;
    case CXCursor_CallExpr:
      add_call(w, cursor);
      break;
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
      add_literal(w, cursor, parent);
      break;
    default:
      break;
  }
}

void front_expressions_free(front_expressions *x) {
  for (size_t i = 0; i < x->count; i++) {
    front_expression *item = &x->items[i];
    free(item->type.name);
    free(item->left_type.name);
    free(item->right_type.name);
    free(item->callee);
    for (size_t k = 0; k < item->argument_count; k++) {
      free(item->arguments[k].type.name);
      free(item->arguments[k].given.name);
    }
    free(item->arguments);
  }
  free(x->items);
  *x = (front_expressions){0};
}
