/* Following pointer parameters through the expressions of a kernel. */
#include "frontend/accesses.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "frontend/frontend_internal.h"

/* What becomes of an expression's value, or of the object that it names. */
typedef enum use {
  USE_NONE,  /* compared, or dropped */
  USE_VALUE, /* read, and kept where we do not follow it */
  USE_WRITE,
  USE_BOTH,
  USE_ADDRESS, /* of an object: kept where we do not follow it */
  USE_AT_READ, /* a pointer: what it points to is read */
  USE_AT_WRITE,
  USE_AT_BOTH
} use;

typedef struct search {
  const walker *w;
  front_kernel *kernel;
} search;

/* Of an object with this use, a pointer to it has … */
static use use_of_pointer(use object) {
  switch (object) {
    case USE_WRITE:
      return USE_AT_WRITE;
    case USE_BOTH:
      return USE_AT_BOTH;
    case USE_ADDRESS:
      return USE_VALUE;
    default:
      return USE_AT_READ;
  }
}

/* … and the other way round. */
static use use_of_object(use pointer) {
  switch (pointer) {
    case USE_AT_READ:
      return USE_VALUE;
    case USE_AT_WRITE:
      return USE_WRITE;
    case USE_AT_BOTH:
      return USE_BOTH;
    default:
      return pointer;
  }
}

static bool is_at(use u) { return u >= USE_AT_READ; }

/* --- cursors ------------------------------------------------------------------------------------------------------ */

enum { MAX_CHILDREN = 4 };

typedef struct children {
  CXCursor items[MAX_CHILDREN];
  unsigned count; /* of all; the first ones are kept */
} children;

static enum CXChildVisitResult keep_child(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  children *c = data;
  if (c->count < MAX_CHILDREN) {
    c->items[c->count] = cursor;
  }
  c->count++;
  return CXChildVisit_Continue;
}

static children children_of(CXCursor cursor) {
  children c = {.count = 0};
  (void)clang_visitChildren(cursor, keep_child, &c);
  return c;
}

static CXType type_of(CXCursor cursor) { return clang_getCanonicalType(clang_getCursorType(cursor)); }

static bool is_pointer(CXCursor cursor) { return type_of(cursor).kind == CXType_Pointer; }

static bool is_array(CXCursor cursor) {
  enum CXTypeKind kind = type_of(cursor).kind;
  return kind == CXType_ConstantArray || kind == CXType_IncompleteArray || kind == CXType_VariableArray;
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

static void follow(search *s, CXCursor cursor, use u);

static void add_access(front_parameter *p, uint32_t token, bool writes) {
  *ARRAY_ADD(p->accesses, p->access_count, p->access_capacity) = (front_access){token, writes};
}

static void follow_name(search *s, CXCursor cursor, use u) {
  char *name = front_take_string(clang_getCursorSpelling(cursor));
  bool parameter = clang_getCursorKind(clang_getCursorReferenced(cursor)) == CXCursor_ParmDecl;
  for (size_t i = 0; parameter && i < s->kernel->parameter_count; i++) {
    front_parameter *p = &s->kernel->parameters[i];
    if (strcmp(p->name, name) != 0 || p->type[0] == '\0') {
      continue;
    }
    uint32_t token = front_token_at(s->w->text, front_offset(clang_getCursorLocation(cursor)));
    if (u == USE_AT_READ || u == USE_AT_BOTH) {
      add_access(p, token, false);
    }
    if (u == USE_AT_WRITE || u == USE_AT_BOTH) {
      add_access(p, token, true);
    }
    p->escapes = p->escapes || u == USE_VALUE || u == USE_ADDRESS;
  }
  free(name);
}

static void follow_unary(search *s, CXCursor cursor, use u) {
  CXCursor operand = front_last_child(cursor);
  switch (clang_getCursorUnaryOperatorKind(cursor)) {
    case CXUnaryOperator_Deref:
      follow(s, operand, is_at(u) && !is_array(cursor) ? USE_AT_READ : use_of_pointer(use_of_object(u)));
      break;
    case CXUnaryOperator_AddrOf:
      follow(s, operand, is_at(u) ? use_of_object(u) : USE_ADDRESS);
      break;
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
      follow(s, operand, is_at(u) ? u : USE_BOTH);
      break;
    default:
      follow(s, operand, USE_NONE);
      break;
  }
}

/* The pointer of a sum goes on with the sum's use. */
static void follow_sum(search *s, const children *c, use u) {
  for (unsigned i = 0; i < 2; i++) {
    follow(s, c->items[i], is_pointer(c->items[i]) ? u : USE_VALUE);
  }
}

static void follow_binary(search *s, CXCursor cursor, use u) {
  const children c = children_of(cursor);
  if (c.count != 2) {
    return;
  }
  switch (clang_getCursorBinaryOperatorKind(cursor)) {
    case CXBinaryOperator_Assign:
      follow(s, c.items[0], USE_WRITE);
      follow(s, c.items[1], USE_VALUE);
      break;
    case CXBinaryOperator_Comma:
      follow(s, c.items[0], USE_NONE);
      follow(s, c.items[1], u);
      break;
    case CXBinaryOperator_Add:
    case CXBinaryOperator_Sub:
      follow_sum(s, &c, is_pointer(cursor) ? u : USE_NONE); /* the distance of two pointers is none */
      break;
    default:
      follow(s, c.items[0], USE_NONE);
      follow(s, c.items[1], USE_NONE);
      break;
  }
}

static void follow_compound(search *s, CXCursor cursor, use u) {
  const children c = children_of(cursor);
  if (c.count == 2) {
    follow(s, c.items[0], is_at(u) ? u : USE_BOTH);
    follow(s, c.items[1], USE_VALUE);
  }
}

static void follow_subscript(search *s, CXCursor cursor, use u) {
  const children c = children_of(cursor);
  const use element = is_at(u) && !is_array(cursor) ? USE_AT_READ : use_of_pointer(use_of_object(u));
  for (unsigned i = 0; i < c.count && i < 2; i++) {
    follow(s, c.items[i], is_pointer(c.items[i]) ? element : USE_VALUE);
  }
}

static void follow_conditional(search *s, CXCursor cursor, use u) {
  const children c = children_of(cursor);
  for (unsigned i = 0; i < c.count && i < MAX_CHILDREN; i++) {
    follow(s, c.items[i], i == 0 ? USE_NONE : u);
  }
}

/* `a.b`, `a->b`, components of vectors, conversions. */
static void follow_part(search *s, CXCursor cursor, use u) {
  const children c = children_of(cursor);
  for (unsigned i = 0; i < c.count && i < MAX_CHILDREN; i++) {
    const bool arrow = is_pointer(c.items[i]) && !is_pointer(cursor);
    const use object = is_array(cursor) ? use_of_object(u) : u;
    follow(s, c.items[i], c.count > 1 ? USE_VALUE : arrow ? use_of_pointer(use_of_object(u)) : object);
  }
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* What functions of the language do through their pointer arguments, by how their names begin; the first that fits. */
static const struct {
  const char *name;
  use first, others;
} built_in[] = {
    {"atomic_load", USE_AT_READ, USE_NONE},
    {"atomic_store", USE_AT_WRITE, USE_NONE},
    {"atomic_init", USE_AT_WRITE, USE_NONE},
    {"atomic_flag_clear", USE_AT_WRITE, USE_NONE},
    {"atomic_", USE_AT_BOTH, USE_AT_BOTH},
    {"atom_", USE_AT_BOTH, USE_AT_BOTH},
    {"vload", USE_AT_READ, USE_AT_READ},
    {"vstore", USE_AT_WRITE, USE_AT_WRITE},
    {"async_work_group", USE_AT_WRITE, USE_AT_READ},
    {"write_pipe", USE_AT_READ, USE_AT_READ},
    {"prefetch", USE_NONE, USE_NONE},
    {"printf", USE_NONE, USE_NONE},
    {"", USE_AT_WRITE, USE_AT_WRITE}, /* modf, sincos, read_pipe, … */
};

static use use_by_built_in(const char *name, bool first) {
  size_t i = 0;
  while (strncmp(name, built_in[i].name, strlen(built_in[i].name)) != 0) {
    i++;
  }
  return first ? built_in[i].first : built_in[i].others;
}

/* libclang declares a function of the language where it is called. */
static bool is_built_in(CXCursor call) {
  CXCursor name = front_first_child(call);
  while (clang_getCursorKind(name) != CXCursor_DeclRefExpr && !clang_Cursor_isNull(name)) {
    name = front_first_child(name);
  }
  const CXCursor callee = clang_getCursorReferenced(call);
  return !clang_Cursor_isNull(callee) && (!front_in_text(callee) || front_offset(clang_getCursorLocation(callee)) ==
                                                                        front_offset(clang_getCursorLocation(name)));
}

static void follow_call(search *s, CXCursor cursor) {
  char *name = front_take_string(clang_getCursorSpelling(cursor));
  const bool own = !is_built_in(cursor);
  const int count = clang_Cursor_getNumArguments(cursor);
  bool first = true;
  for (int i = 0; i < count; i++) {
    CXCursor argument = clang_Cursor_getArgument(cursor, (unsigned)i);
    if (!is_pointer(argument) || own) {
      follow(s, argument, USE_VALUE);
      continue;
    }
    follow(s, argument, use_by_built_in(name, first));
    first = false;
  }
  free(name);
}

/* --- the walk ----------------------------------------------------------------------------------------------------- */

static enum CXChildVisitResult follow_child(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  follow(data, cursor, USE_VALUE);
  return CXChildVisit_Continue;
}

static void follow(search *s, CXCursor cursor, use u) {
  switch (clang_getCursorKind(cursor)) {
    case CXCursor_DeclRefExpr:
      follow_name(s, cursor, u);
      break;
    case CXCursor_UnaryOperator:
      follow_unary(s, cursor, u);
      break;
    case CXCursor_BinaryOperator:
      follow_binary(s, cursor, u);
      break;
    case CXCursor_CompoundAssignOperator:
      follow_compound(s, cursor, u);
      break;
    case CXCursor_ArraySubscriptExpr:
      follow_subscript(s, cursor, u);
      break;
    case CXCursor_ConditionalOperator:
      follow_conditional(s, cursor, u);
      break;
    case CXCursor_MemberRefExpr:
    case CXCursor_UnexposedExpr:
    case CXCursor_ParenExpr:
      follow_part(s, cursor, u);
      break;
    case CXCursor_CStyleCastExpr:
      follow(s, front_last_child(cursor), u);
      break;
    case CXCursor_CallExpr:
      follow_call(s, cursor);
      break;
    case CXCursor_UnaryExpr: /* sizeof */
    case CXCursor_ParmDecl:
      break;
    default:
      (void)clang_visitChildren(cursor, follow_child, s);
      break;
  }
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

/* Address spaces as libclang numbers them. */
enum { ADDRESS_GLOBAL = 1 };

/* "float4", "float4[8]". */
static char *object_name(CXType type) {
  buffer name = {0};
  buffer sizes = {0};
  for (; type.kind == CXType_ConstantArray; type = clang_getCanonicalType(clang_getArrayElementType(type))) {
    buffer_printf(&sizes, "[%lld]", clang_getArraySize(type));
  }
  char *element = front_type_name(type);
  buffer_printf(&name, "%s%s", element, buffer_text(&sizes));
  buffer_free(&sizes);
  free(element);
  return buffer_take(&name);
}

/* What a pointer to global memory, `p[]` too, points to; "" for anything else. */
static char *pointee_name(CXType type) {
  CXType given = clang_getCanonicalType(type);
  const bool pointer = given.kind == CXType_Pointer;
  CXType object = pointer ? clang_getPointeeType(given) : clang_getArrayElementType(given);
  if (object.kind == CXType_Invalid) {
    return mem_strdup("");
  }
  object = clang_getCanonicalType(object);
  const bool global = clang_getAddressSpace(pointer ? object : given) == ADDRESS_GLOBAL; /* an array has it itself */
  return global ? object_name(object) : mem_strdup("");
}

static bool is_kernel(const walker *w, CXCursor cursor, uint32_t name) {
  for (uint32_t t = front_span(w, cursor).first; t < name; t++) {
    if (token_is(w->text, t, "__kernel") || token_is(w->text, t, "kernel")) {
      return true;
    }
  }
  return false;
}

void front_add_kernel(walker *w, CXCursor cursor) {
  const uint32_t name = front_token_at(w->text, front_offset(clang_getCursorLocation(cursor)));
  if (!is_kernel(w, cursor, name)) {
    return;
  }
  front_kernel *k = ARRAY_ADD(w->kernels->items, w->kernels->count, w->kernels->capacity);
  k->name_token = name;
  const int count = clang_Cursor_getNumArguments(cursor);
  for (int i = 0; i < count; i++) {
    CXCursor given = clang_Cursor_getArgument(cursor, (unsigned)i);
    front_parameter *p = ARRAY_ADD(k->parameters, k->parameter_count, k->parameter_capacity);
    p->name = front_take_string(clang_getCursorSpelling(given));
    p->type = pointee_name(clang_getCursorType(given));
  }
  search s = {w, k};
  (void)clang_visitChildren(cursor, follow_child, &s);
}

int front_kernels_read(const pp_result *text, const char *options, front_kernels *out, error *e) {
  *out = (front_kernels){0};
  walker w = {.text = text, .kernels = out};
  return front_walk(&w, options, e);
}

void front_kernels_free(front_kernels *k) {
  for (size_t i = 0; i < k->count; i++) {
    for (size_t n = 0; n < k->items[i].parameter_count; n++) {
      free(k->items[i].parameters[n].name);
      free(k->items[i].parameters[n].type);
      free(k->items[i].parameters[n].accesses);
    }
    free(k->items[i].parameters);
  }
  free(k->items);
  *k = (front_kernels){0};
}
