/* What a program's text says of its variables: where they are declared, what is assigned to them and where, and whether
 * they can change in ways that are not seen here. */
#include <strings.h>

#include "base/memory.h"
#include "frontend/frontend_internal.h"

/* Address spaces as clang numbers those of the language. */
enum { SPACE_DEFAULT = 0, SPACE_PRIVATE = 4 };

static front_store *add_store(walker *w, CXCursor name, span value) {
  front_store *s = ARRAY_ADD(w->facts->stores, w->facts->store_count, w->facts->store_capacity);
  *s = (front_store){.name = front_token_at(w->text, front_offset(clang_getCursorLocation(name))), .value = value};
  s->token = s->name;
  return s;
}

static const span nothing = {1, 0};

/* A private integer that only its own thread of execution can change. */
static bool is_private_integer(CXCursor variable) {
  CXType type = clang_getCanonicalType(clang_getCursorType(variable));
  unsigned space = clang_getAddressSpace(type);
  enum CX_StorageClass storage = clang_Cursor_getStorageClass(variable);
  return type.kind >= CXType_Bool && type.kind <= CXType_LongLong && !clang_isVolatileQualifiedType(type) &&
         (space == SPACE_DEFAULT || space == SPACE_PRIVATE) &&
         (storage == CX_SC_None || storage == CX_SC_Auto || storage == CX_SC_Register || storage == CX_SC_Invalid);
}

void front_add_variable(walker *w, CXCursor cursor) {
  CXCursor value = clang_Cursor_getVarDeclInitializer(cursor);
  front_store *s = add_store(w, cursor, clang_Cursor_isNull(value) ? nothing : front_span(w, value));
  s->untracked = !is_private_integer(cursor);
}

void front_add_parameters(walker *w, CXCursor function) {
  const int count = clang_Cursor_getNumArguments(function);
  for (int i = 0; i < count; i++) {
    CXCursor parameter = clang_Cursor_getArgument(function, (unsigned)i);
    front_store *s = add_store(w, parameter, nothing);
    s->untracked = !is_private_integer(parameter);
    s->parameter = true;
  }
}

static CXCursor without_parentheses(CXCursor cursor) {
  while (clang_getCursorKind(cursor) == CXCursor_ParenExpr || clang_getCursorKind(cursor) == CXCursor_UnexposedExpr) {
    cursor = front_first_child(cursor);
  }
  return cursor;
}

/* A variable by its name; anything else stands for memory, for a part of a variable that is not tracked, or is odd. */
static front_store *add_store_to(walker *w, CXCursor target, span value) {
  target = without_parentheses(target);
  const enum CXCursorKind kind = clang_getCursorKind(target);
  if (kind == CXCursor_DeclRefExpr) {
    return add_store(w, target, value);
  }
  const bool plain =
      kind == CXCursor_MemberRefExpr || kind == CXCursor_ArraySubscriptExpr ||
      (kind == CXCursor_UnaryOperator && clang_getCursorUnaryOperatorKind(target) == CXUnaryOperator_Deref);
  w->facts->hidden_stores = w->facts->hidden_stores || !plain;
  return NULL;
}

void front_add_store(walker *w, CXCursor cursor) {
  CXCursor target = front_first_child(cursor);
  switch (clang_getCursorKind(cursor)) {
    case CXCursor_BinaryOperator:
      if (clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign) {
        (void)add_store_to(w, target, front_span(w, front_last_child(cursor)));
      }
      break;
    case CXCursor_CompoundAssignOperator:
      (void)add_store_to(w, target, front_span(w, front_last_child(cursor)));
      break;
    case CXCursor_UnaryOperator: {
      const enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);
      if (kind == CXUnaryOperator_PreInc || kind == CXUnaryOperator_PreDec || kind == CXUnaryOperator_PostInc ||
          kind == CXUnaryOperator_PostDec) {
        (void)add_store_to(w, target, nothing);
      } else if (kind == CXUnaryOperator_AddrOf) {
        front_store *s = add_store_to(w, target, nothing);
        if (s != NULL) {
          s->untracked = true;
        }
      }
      break;
    }
    default: /* a statement expression, an asm statement, …: what happens in it is not followed */
      w->facts->hidden_stores = true;
      break;
  }
}
