/* Types of a tree, made from libclang's, each once, and printed as OpenCL C writes them; constants of these types. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/integer.h"
#include "frontend/tree_internal.h"

static const struct {
  enum CXTypeKind from;
  tree_type_kind kind;
  const char *name;
  bool is_unsigned;
} basics[] = {
    {CXType_Void, TREE_TYPE_VOID, "void", false},
    {CXType_Bool, TREE_TYPE_BOOL, "bool", true},
    {CXType_Char_S, TREE_TYPE_INTEGER, "char", false},
    {CXType_SChar, TREE_TYPE_INTEGER, "char", false},
    {CXType_Char_U, TREE_TYPE_INTEGER, "char", false},
    {CXType_UChar, TREE_TYPE_INTEGER, "uchar", true},
    {CXType_Short, TREE_TYPE_INTEGER, "short", false},
    {CXType_UShort, TREE_TYPE_INTEGER, "ushort", true},
    {CXType_Int, TREE_TYPE_INTEGER, "int", false},
    {CXType_UInt, TREE_TYPE_INTEGER, "uint", true},
    {CXType_Long, TREE_TYPE_INTEGER, "long", false},
    {CXType_ULong, TREE_TYPE_INTEGER, "ulong", true},
    {CXType_LongLong, TREE_TYPE_INTEGER, "long", false},
    {CXType_ULongLong, TREE_TYPE_INTEGER, "ulong", true},
    {CXType_Half, TREE_TYPE_FLOAT, "half", false},
    {CXType_Float16, TREE_TYPE_FLOAT, "half", false},
    {CXType_Float, TREE_TYPE_FLOAT, "float", false},
    {CXType_Double, TREE_TYPE_FLOAT, "double", false},
    {CXType_OCLSampler, TREE_TYPE_OPAQUE, "sampler_t", false},
};

static uint64_t size_of(CXType type) {
  const long long size = clang_Type_getSizeOf(type);
  return size > 0 ? (uint64_t)size : 0;
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static enum CXChildVisitResult add_field(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  *ARRAY_ADD(((cursor_list *)data)->items, ((cursor_list *)data)->count, ((cursor_list *)data)->capacity) = cursor;
  return CXChildVisit_Continue;
}

/* A tag that is written: libclang says "(unnamed …)" for none, and the typedef's name where one gives it. */
static bool has_tag(const tree_builder *b, CXCursor declaration) {
  const uint32_t first = tree_token_of(b, declaration);
  return b->tree->text->tokens[first].kind == PP_IDENTIFIER && !token_is(b->tree->text, first, "struct") &&
         !token_is(b->tree->text, first, "union") && !token_is(b->tree->text, first, "enum");
}

tree_record *tree_record_of(tree_builder *b, CXCursor declaration) {
  const CXCursor key = clang_getCanonicalCursor(declaration);
  tree_record *r = tree_map_get(&b->records, key.data[0]);
  if (r == NULL) {
    r = mem_arena_take(b->arena, sizeof *r);
    tree_map_set(&b->records, key.data[0], r);
    const enum CXCursorKind kind = clang_getCursorKind(declaration);
    r->keyword = kind == CXCursor_EnumDecl ? "enum" : kind == CXCursor_UnionDecl ? "union" : "struct";
    r->anonymous = clang_Cursor_isAnonymousRecordDecl(declaration) != 0;
    r->tagged = front_in_text(declaration) && has_tag(b, declaration);
    buffer tag = {0};
    if (r->tagged) {
      char *spelled = front_take_string(clang_getCursorSpelling(declaration));
      buffer_puts(&tag, spelled);
      free(spelled);
    } else {
      buffer_printf(&tag, "cltc_record_%zu", ++b->record_count);
    }
    r->tag = mem_arena_copy(b->arena, buffer_text(&tag));
    buffer_free(&tag);
    char *spelled = front_take_string(clang_getTypeSpelling(clang_getCursorType(declaration)));
    r->spelled = mem_arena_copy(b->arena, spelled);
    free(spelled);
  }
  const CXCursor definition = clang_getCursorDefinition(declaration);
  if (!r->complete && !clang_Cursor_isNull(definition)) {
    r->complete = true;
    if (r->keyword[0] != 'e') {
      cursor_list members = {0};
      (void)clang_visitChildren(definition, add_field, &members);
      r->fields = mem_arena_take(b->arena, (members.count + 1) * sizeof *r->fields);
      for (size_t i = 0; i < members.count; i++)
        if (clang_getCursorKind(members.items[i]) == CXCursor_FieldDecl)
          r->fields[r->field_count++] = tree_symbol_of(b, members.items[i]);
      free(members.items);
    }
  }
  return r;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool read_basic(CXType type, tree_type *out) {
  for (size_t i = 0; i < sizeof basics / sizeof basics[0]; i++) {
    if (basics[i].from == type.kind) {
      out->kind = basics[i].kind;
      out->name = basics[i].name;
      out->is_unsigned = basics[i].is_unsigned;
      return true;
    }
  }
  return false;
}

static void read_function(tree_builder *b, CXType type, tree_type *out) {
  out->kind = TREE_TYPE_FUNCTION;
  out->element = tree_read_type(b, clang_getResultType(type));
  out->variadic = clang_isFunctionTypeVariadic(type) != 0;
  const int count = clang_getNumArgTypes(type);
  out->parameter_count = count > 0 ? (size_t)count : 0;
  out->parameters = mem_arena_take(b->arena, (out->parameter_count + 1) * sizeof *out->parameters);
  for (size_t i = 0; i < out->parameter_count; i++)
    out->parameters[i] = tree_read_type(b, clang_getArgType(type, (unsigned)i));
}

static void read_vector(tree_builder *b, CXType type, tree_type *out) {
  out->kind = TREE_TYPE_VECTOR;
  out->element = tree_read_type(b, clang_getElementType(type));
  out->element = out->element == NULL ? NULL : out->element->plain;
  out->count = (uint64_t)clang_getNumElements(type);
  if (out->element != NULL) {
    out->is_unsigned = out->element->is_unsigned;
    buffer name = {0};
    buffer_puts(&name, out->element->name);
    buffer_printf(&name, "%llu", (unsigned long long)out->count);
    out->name = mem_arena_copy(b->arena, buffer_text(&name));
    buffer_free(&name);
  }
}

static void read_record(tree_builder *b, CXType type, tree_type *out) {
  const CXCursor declaration = clang_getTypeDeclaration(type);
  tree_record *r = tree_record_of(b, declaration);
  out->record = r;
  out->kind = type.kind == CXType_Enum ? TREE_TYPE_ENUM : TREE_TYPE_RECORD;
  if (out->kind == TREE_TYPE_ENUM) {
    const tree_type *integer = tree_read_type(b, clang_getEnumDeclIntegerType(declaration));
    out->is_unsigned = integer != NULL && integer->is_unsigned;
  }
  buffer name = {0};
  buffer_printf(&name, "%s %s", r->keyword, r->tag);
  out->name = mem_arena_copy(b->arena, buffer_text(&name));
  buffer_free(&name);
}

/* Images, events and their like: they have names alone. */
static void read_opaque(tree_builder *b, CXType type, tree_type *out) {
  char *name = front_take_string(clang_getTypeSpelling(clang_getUnqualifiedType(type)));
  out->kind = strstr(name, "image") != NULL   ? TREE_TYPE_IMAGE
              : strstr(name, "pipe ") != NULL ? TREE_TYPE_PIPE
                                              : TREE_TYPE_OPAQUE;
  out->name = mem_arena_copy(b->arena, name);
  free(name);
}

static void read_shape(tree_builder *b, CXType type, tree_type *out) {
  if (read_basic(type, out)) return;
  switch (type.kind) {
    case CXType_Vector:
    case CXType_ExtVector: read_vector(b, type, out); break;
    case CXType_FunctionProto:
    case CXType_FunctionNoProto: read_function(b, type, out); break;
    case CXType_Record:
    case CXType_Enum: read_record(b, type, out); break;
    case CXType_Atomic:
      out->kind = TREE_TYPE_ATOMIC;
      out->element = tree_read_type(b, clang_Type_getValueType(type));
      if (out->element != NULL) {
        buffer name = {0};
        buffer_printf(&name, "atomic_%s", out->element->name);
        out->name = mem_arena_copy(b->arena, buffer_text(&name));
        buffer_free(&name);
      }
      break;
    default: read_opaque(b, type, out); break;
  }
}

/* --- each once ---------------------------------------------------------------------------------------------------- */

typedef struct variant {
  tree_type type;
  struct variant *next;
} variant;

static bool same_variant(const tree_type *a, const tree_type *b) {
  return a->kind == b->kind && a->element == b->element && a->count == b->count && a->space == b->space &&
         a->is_const == b->is_const && a->is_volatile == b->is_volatile && a->is_restrict == b->is_restrict;
}

/* Finds or adds `wanted` among those that are made of `base`; without `plain` it is plain itself. */
static const tree_type *variant_of(tree_builder *b, const tree_type *base, const tree_type *wanted) {
  variant *first = tree_map_get(&b->variants, base);
  for (variant *v = first; v != NULL; v = v->next)
    if (same_variant(&v->type, wanted)) return &v->type;
  variant *v = mem_arena_take(b->arena, sizeof *v);
  v->type = *wanted;
  v->type.plain = wanted->plain == NULL ? &v->type : wanted->plain;
  v->next = first;
  tree_map_set(&b->variants, base, v);
  return &v->type;
}

const tree_type *tree_pointer_to(tree_builder *b, const tree_type *element) {
  const tree_type t = {.kind = TREE_TYPE_POINTER, .element = element, .count = 1, .size = 8, .name = ""};
  return variant_of(b, element, &t);
}

/* What an array holds has the array's qualifiers. */
static const tree_type *array_of(tree_builder *b, const tree_type *element, uint64_t count) {
  const tree_type t = {.kind = TREE_TYPE_ARRAY,
                       .element = element,
                       .count = count,
                       .size = count == TREE_UNSIZED ? 0 : count * element->size,
                       .name = ""};
  return variant_of(b, element, &t);
}

const tree_type *tree_qualified_like(tree_builder *b, const tree_type *type, const tree_type *like) {
  tree_type t = *type->plain;
  t.plain = type->plain;
  t.space = like->space;
  t.is_const = like->is_const;
  t.is_volatile = like->is_volatile;
  t.is_restrict = like->is_restrict && t.kind == TREE_TYPE_POINTER;
  if (t.kind == TREE_TYPE_ARRAY) t.element = tree_qualified_like(b, t.element, like);
  return same_variant(&t, type->plain) ? type->plain : variant_of(b, type->plain, &t);
}

static bool is_array(CXType type) {
  return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray || type.kind == CXType_VariableArray;
}

static const tree_type *read_plain(tree_builder *b, CXType type) {
  if (type.kind == CXType_Pointer || is_array(type)) {
    const tree_type *element =
        tree_read_type(b, is_array(type) ? clang_getArrayElementType(type) : clang_getPointeeType(type));
    const long long count = clang_getArraySize(type);
    const bool sized = type.kind == CXType_ConstantArray && count >= 0;
    return element == NULL  ? NULL
           : is_array(type) ? array_of(b, element, sized ? (uint64_t)count : TREE_UNSIZED)
                            : tree_pointer_to(b, element);
  }
  tree_type *t = type.kind == CXType_Int ? b->integer : mem_arena_take(b->arena, sizeof *t);
  tree_map_set(&b->types, type.data[0], t); /* a record may hold pointers to itself */
  t->name = "";
  t->count = 1;
  t->size = size_of(type);
  const long long align = clang_Type_getAlignOf(type);
  t->align = align > 0 ? (uint32_t)align : 1;
  t->plain = t;
  read_shape(b, type, t);
  return t;
}

const tree_type *tree_read_type(tree_builder *b, CXType given) {
  const CXType type = clang_getCanonicalType(given);
  if (type.kind == CXType_Invalid || type.kind == CXType_Dependent || type.data[0] == NULL) return NULL;
  const tree_type *known = tree_map_get(&b->types, type.data[0]);
  if (known != NULL) return known;
  const unsigned space = clang_getAddressSpace(type);
  const tree_type like = {.space = space < TREE_SPACE_COUNT ? (tree_space)space : TREE_SPACE_NONE,
                          .is_const = clang_isConstQualifiedType(type) != 0,
                          .is_volatile = clang_isVolatileQualifiedType(type) != 0,
                          .is_restrict = clang_isRestrictQualifiedType(type) != 0};
  const CXType bare = clang_getCanonicalType(clang_getUnqualifiedType(type));
  const tree_type *t = bare.data[0] == type.data[0] ? read_plain(b, type) : tree_read_type(b, bare);
  t = t == NULL ? NULL : tree_qualified_like(b, t, &like);
  if (t != NULL) tree_map_set(&b->types, type.data[0], (void *)t);
  return t;
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

uint32_t tree_lanes(const tree_type *t) { return t->kind == TREE_TYPE_VECTOR ? (uint32_t)t->count : 1; }

const tree_type *tree_component(const tree_type *t) { return t->kind == TREE_TYPE_VECTOR ? t->element : t; }

bool tree_type_is_integer(const tree_type *t) {
  const tree_type_kind kind = tree_component(t)->kind;
  return kind == TREE_TYPE_INTEGER || kind == TREE_TYPE_BOOL || kind == TREE_TYPE_ENUM;
}

bool tree_type_is_float(const tree_type *t) { return tree_component(t)->kind == TREE_TYPE_FLOAT; }

/* Types as OpenCL C writes them: specifiers, and declarators around a name. */

static const char *const spaces[TREE_SPACE_COUNT] = {"", "__global", "__local", "__constant", "__private", "__generic"};

const char *tree_space_name(tree_space space) { return spaces[space]; }

/* Nothing is said of private memory but where a pointer leads there. */
static void put_qualifiers(const tree_type *t, bool pointed_at, buffer *out) {
  if (t->space != TREE_SPACE_NONE && (pointed_at || t->space != TREE_SPACE_PRIVATE))
    buffer_printf(out, "%s ", spaces[t->space]);
  buffer_puts(out, t->is_const ? "const " : "");
  buffer_puts(out, t->is_volatile ? "volatile " : "");
  buffer_puts(out, t->is_restrict ? "restrict " : "");
}

/* The type at the end of pointers, arrays and functions stands in front. The qualifiers of an array are those of what
 * it holds. */
void tree_put_specifiers(const tree_type *t, buffer *out) {
  bool pointed_at = false;
  while (t->kind == TREE_TYPE_POINTER || t->kind == TREE_TYPE_ARRAY || t->kind == TREE_TYPE_FUNCTION) {
    pointed_at = t->kind == TREE_TYPE_POINTER || (t->kind == TREE_TYPE_ARRAY && pointed_at);
    t = t->element;
  }
  put_qualifiers(t, pointed_at, out);
  buffer_puts(out, t->name);
}

static void put_around(const tree_type *t, const buffer *name, bool pointed_at, buffer *out) {
  buffer inner = {0};
  switch (t->kind) {
    case TREE_TYPE_POINTER: {
      const bool group = t->element->kind == TREE_TYPE_ARRAY || t->element->kind == TREE_TYPE_FUNCTION;
      buffer_puts(&inner, group ? "(*" : "*");
      put_qualifiers(t, pointed_at, &inner);
      buffer_puts(&inner, buffer_text(name));
      buffer_puts(&inner, group ? ")" : "");
      put_around(t->element, &inner, true, out);
      break;
    }
    case TREE_TYPE_ARRAY:
      buffer_puts(&inner, buffer_text(name));
      if (t->count == TREE_UNSIZED)
        buffer_puts(&inner, "[]");
      else
        buffer_printf(&inner, "[%llu]", (unsigned long long)t->count);
      put_around(t->element, &inner, pointed_at, out);
      break;
    case TREE_TYPE_FUNCTION:
      buffer_puts(&inner, buffer_text(name));
      buffer_putc(&inner, '(');
      for (size_t i = 0; i < t->parameter_count; i++) {
        buffer_puts(&inner, i == 0 ? "" : ", ");
        tree_put_declaration(t->parameters[i], "", &inner);
      }
      buffer_puts(&inner, t->variadic ? ", ...)" : t->parameter_count == 0 ? "void)" : ")");
      put_around(t->element, &inner, false, out);
      break;
    default: buffer_puts(out, buffer_text(name)); break;
  }
  buffer_free(&inner);
}

void tree_put_declarator(const tree_type *t, const char *name, buffer *out) {
  buffer inner = {0};
  buffer_puts(&inner, name);
  put_around(t, &inner, false, out);
  buffer_free(&inner);
}

void tree_put_declaration(const tree_type *t, const char *name, buffer *out) {
  tree_put_specifiers(t, out);
  buffer declarator = {0};
  tree_put_declarator(t, name, &declarator);
  if (declarator.length > 0) buffer_printf(out, " %s", buffer_text(&declarator));
  buffer_free(&declarator);
}

char *tree_type_text(const tree_type *t) {
  buffer out = {0};
  tree_put_declaration(t, "", &out);
  return buffer_take(&out);
}

char *tree_plain_text(const tree_type *t) {
  buffer sizes = {0};
  for (; t->kind == TREE_TYPE_ARRAY && t->count != TREE_UNSIZED; t = t->element)
    buffer_printf(&sizes, "[%llu]", (unsigned long long)t->count);
  buffer out = {0};
  if (t->record != NULL)
    buffer_puts(&out, t->record->spelled);
  else
    tree_put_declaration(t->plain, "", &out);
  buffer_puts(&out, buffer_text(&sizes));
  buffer_free(&sizes);
  return buffer_take(&out);
}

void tree_put_qualifiers(const tree_type *t, buffer *out) {
  buffer_printf(out, "%s%s", spaces[t->space], t->space == TREE_SPACE_NONE ? "" : " ");
  buffer_puts(out, t->is_const ? "const " : "");
  buffer_puts(out, t->is_volatile ? "volatile " : "");
}

static void put_value(const tree_type *t, bool pointed_at, buffer *out) {
  if (pointed_at) tree_put_qualifiers(t, out);
  if (t->record != NULL) {
    buffer_puts(out, t->record->spelled);
  } else if (t->kind != TREE_TYPE_POINTER) {
    tree_put_declaration(t->plain, "", out);
  } else if (t->element->kind == TREE_TYPE_ARRAY || t->element->kind == TREE_TYPE_FUNCTION) {
    tree_put_declaration(t->plain, "", out);
  } else {
    put_value(t->element, true, out);
    buffer_puts(out, out->data[out->length - 1] == '*' ? "*" : " *");
  }
}

char *tree_value_text(const tree_type *t) {
  buffer out = {0};
  put_value(t, false, &out);
  return buffer_take(&out);
}

/* --- constants ---------------------------------------------------------------------------------------------------- */

/* Constants: literals read from their tokens, operators computed as OpenCL C says. What would overflow a signed type,
 * divide by zero or is not the same on all devices is no constant. */

static const tree_constant none = {.kind = TREE_NOT_CONSTANT};

static unsigned width_of(const tree_type *t) { return t->kind == TREE_TYPE_BOOL ? 1 : (unsigned)(8 * t->size); }

static tree_constant integer_of(const tree_type *t, uint64_t bits) {
  return (tree_constant){.kind = TREE_INTEGER_CONSTANT,
                         .integer = integer_wrap(bits, (integer_type){width_of(t), t->is_unsigned})};
}

/* Numbers of half precision are left alone. */
static tree_constant float_of(const tree_type *t, double value) {
  if (t->size == 2) return none;
  return (tree_constant){.kind = TREE_FLOAT_CONSTANT, .real = t->size == 4 ? (double)(float)value : value};
}

static bool is_scalar(const tree_type *t) {
  return t != NULL && t->kind != TREE_TYPE_VECTOR && (tree_type_is_integer(t) || tree_type_is_float(t));
}

/* --- literals ----------------------------------------------------------------------------------------------------- */

static tree_constant number(const char *text, const tree_type *t) {
  char *end = NULL;
  errno = 0;
  if (tree_type_is_float(t)) {
    const double value = t->size == 4 ? (double)strtof(text, &end) : strtod(text, &end);
    return end == text ? none : float_of(t, value);
  }
  const bool binary = text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
  const unsigned long long value = strtoull(binary ? text + 2 : text, &end, binary ? 2 : 0);
  return errno != 0 || end == text ? none : integer_of(t, value);
}

/* Plain characters and the escapes of one letter. */
static tree_constant character(const char *text, size_t length, const tree_type *t) {
  static const char escapes[] = "abfnrtv\\'\"?";
  static const char meanings[] = "\a\b\f\n\r\t\v\\'\"?";
  if (length == 3 && (unsigned char)text[1] < 0x80) return integer_of(t, (uint64_t)text[1]);
  const char *found = length == 4 && text[1] == '\\' ? strchr(escapes, text[2]) : NULL;
  if (found != NULL && *found != '\0') return integer_of(t, (uint64_t)meanings[found - escapes]);
  return length == 4 && text[1] == '\\' && text[2] == '0' ? integer_of(t, 0) : none;
}

static tree_constant literal(const tree *t, const tree_node *n) {
  const pp_token *token = &t->text->tokens[n->token];
  const char *text = t->text->text + token->begin;
  const size_t length = token->end - token->begin;
  char copy[128];
  if (!is_scalar(n->type) || length >= sizeof copy) return none;
  memcpy(copy, text, length);
  copy[length] = '\0';
  switch (token->kind) {
    case PP_NUMBER: return number(copy, n->type);
    case PP_CHARACTER: return copy[0] == '\'' ? character(copy, length, n->type) : none;
    default:
      return strcmp(copy, "true") == 0    ? integer_of(n->type, 1)
             : strcmp(copy, "false") == 0 ? integer_of(n->type, 0)
                                          : none;
  }
}

/* --- conversions -------------------------------------------------------------------------------------------------- */

static bool is_true(const tree_constant *c) { return c->kind == TREE_FLOAT_CONSTANT ? c->real != 0 : c->integer != 0; }

static double as_real(const tree_constant *c, const tree_type *t) {
  return c->kind == TREE_FLOAT_CONSTANT ? c->real : t->is_unsigned ? (double)(uint64_t)c->integer : (double)c->integer;
}

/* A number that does not fit into the integer type is no constant. */
static tree_constant to_integer(double value, const tree_type *t) {
  const double whole = trunc(value);
  const double above = ldexp(1, (int)width_of(t) - (t->is_unsigned ? 0 : 1));
  if (!(whole < above) || !(whole >= (t->is_unsigned ? 0 : -above))) return none;
  return integer_of(t, t->is_unsigned ? (uint64_t)whole : (uint64_t)(int64_t)whole);
}

static tree_constant converted(const tree_node *operand, const tree_type *to) {
  const tree_constant *c = &operand->constant;
  if (c->kind == TREE_NOT_CONSTANT || !is_scalar(operand->type) || !is_scalar(to)) return none;
  if (to->kind == TREE_TYPE_BOOL) return integer_of(to, is_true(c));
  if (tree_type_is_float(to)) return float_of(to, as_real(c, operand->type));
  return c->kind == TREE_FLOAT_CONSTANT ? to_integer(c->real, to) : integer_of(to, (uint64_t)c->integer);
}

/* --- operators ---------------------------------------------------------------------------------------------------- */

static tree_constant truth(const tree_type *t, bool value) { return integer_of(t, value ? 1 : 0); }

static bool compare(c_operator op, bool less, bool equal) {
  switch (op) {
    case OP_LESS: return less;
    case OP_LESS_EQUAL: return less || equal;
    case OP_EQUAL: return equal;
    case OP_NOT_EQUAL: return !equal;
    case OP_GREATER: return !less && !equal;
    default: return !less;
  }
}

static bool is_relation(c_operator op) { return op >= OP_LESS && op <= OP_NOT_EQUAL; }

/* Of shifts as many bits count as the type's width lets count: OpenCL C 6.3.j. */
static tree_constant integers(c_operator op, int64_t a, int64_t b, const tree_type *t) {
  const unsigned width = width_of(t);
  int64_t result = 0;
  if (op == OP_SHIFT_LEFT || op == OP_SHIFT_RIGHT) b = (int64_t)((uint64_t)b & (width - 1));
  return integer_compute(op, a, b, (integer_type){width, t->is_unsigned}, &result) == INTEGER_EXACT
             ? integer_of(t, (uint64_t)result)
             : none;
}

static tree_constant reals(c_operator op, double a, double b, const tree_type *t) {
  const bool single = t->size == 4;
  switch (op) {
    case OP_ADD: return float_of(t, single ? (double)((float)a + (float)b) : a + b);
    case OP_SUBTRACT: return float_of(t, single ? (double)((float)a - (float)b) : a - b);
    case OP_MULTIPLY: return float_of(t, single ? (double)((float)a * (float)b) : a * b);
    default: /* the precision of a division is the device's */ return none;
  }
}

static tree_constant binary(const tree_node *n) {
  const tree_node *left = n->children[0];
  const tree_node *right = n->children[1];
  const tree_constant *a = &left->constant;
  const tree_constant *b = &right->constant;
  if (a->kind == TREE_NOT_CONSTANT || b->kind == TREE_NOT_CONSTANT || !is_scalar(left->type) || !is_scalar(right->type))
    return none;
  if (is_relation(n->op) && a->kind == TREE_FLOAT_CONSTANT) {
    return isnan(a->real) || isnan(b->real) ? none
                                            : truth(n->type, compare(n->op, a->real < b->real, a->real == b->real));
  }
  if (is_relation(n->op)) {
    const tree_constant holds = integers(n->op, a->integer, b->integer, left->type);
    return truth(n->type, holds.integer != 0);
  }
  return tree_type_is_float(n->type) ? reals(n->op, a->real, b->real, n->type)
                                     : integers(n->op, a->integer, b->integer, n->type);
}

static tree_constant logical(const tree_node *n) {
  const tree_constant *a = &n->children[0]->constant;
  const tree_constant *b = &n->children[1]->constant;
  if (a->kind == TREE_NOT_CONSTANT) return none;
  const bool decides = n->op == OP_LOGICAL_AND ? !is_true(a) : is_true(a);
  if (decides) return truth(n->type, is_true(a));
  return b->kind == TREE_NOT_CONSTANT ? none : truth(n->type, is_true(b));
}

static tree_constant unary(const tree_node *n) {
  const tree_constant *c = &n->children[0]->constant;
  if (c->kind == TREE_NOT_CONSTANT || n->op == OP_ADD) return *c;
  if (n->op == OP_NOT) return truth(n->type, !is_true(c));
  if (c->kind == TREE_FLOAT_CONSTANT) return n->op == OP_SUBTRACT ? float_of(n->type, -c->real) : none;
  return n->op == OP_SUBTRACT ? integers(OP_SUBTRACT, 0, c->integer, n->type)
                              : integer_of(n->type, ~(uint64_t)c->integer);
}

static tree_constant conditional(const tree_node *n) {
  const tree_constant *c = &n->children[0]->constant;
  if (c->kind == TREE_NOT_CONSTANT) return none;
  const tree_node *chosen = is_true(c) ? n->children[1] : n->children[2];
  return chosen == NULL ? none : chosen->constant;
}

static tree_constant value_of(const tree *t, const tree_node *n) {
  switch (n->kind) {
    case TREE_LITERAL: return literal(t, n);
    case TREE_NAME:
      return n->symbol->kind == TREE_SYMBOL_ENUMERATOR ? integer_of(n->type, (uint64_t)n->symbol->value) : none;
    case TREE_PARENTHESES: return n->children[0]->constant;
    case TREE_CAST:
    case TREE_CONVERT: return converted(n->children[0], n->type);
    case TREE_UNARY: return unary(n);
    case TREE_BINARY: return binary(n);
    case TREE_LOGICAL: return logical(n);
    case TREE_CONDITIONAL: return conditional(n);
    default: return n->constant; /* that libclang has told */
  }
}

void tree_evaluate(const tree *t, tree_node *root) {
  for (uint32_t i = 0; i < root->child_count; i++)
    if (root->children[i] != NULL) tree_evaluate(t, root->children[i]);
  if (tree_is_expression(root->kind) && is_scalar(root->type)) root->constant = value_of(t, root);
}
