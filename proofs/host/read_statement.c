/* Statements of host programs, read with libclang. */
#include <stdlib.h>
#include <string.h>

#include "frontend/frontend.h"
#include "proofs/host/tree.h"

/* --- expressions -------------------------------------------------------------------------------------------------- */

static const struct {
  enum CXUnaryOperatorKind clang;
  host_kind kind;
  c_operator op;
  bool postfix;
} unaries[] = {
    {CXUnaryOperator_PostInc, HOST_STEP, OP_ADD, true},      {CXUnaryOperator_PostDec, HOST_STEP, OP_SUBTRACT, true},
    {CXUnaryOperator_PreInc, HOST_STEP, OP_ADD, false},      {CXUnaryOperator_PreDec, HOST_STEP, OP_SUBTRACT, false},
    {CXUnaryOperator_AddrOf, HOST_ADDRESS, OP_NONE, false},  {CXUnaryOperator_Deref, HOST_DEREFERENCE, OP_NONE, false},
    {CXUnaryOperator_Plus, HOST_UNARY, OP_ADD, false},       {CXUnaryOperator_Minus, HOST_UNARY, OP_NEGATE, false},
    {CXUnaryOperator_Not, HOST_UNARY, OP_COMPLEMENT, false}, {CXUnaryOperator_LNot, HOST_UNARY, OP_NOT, false},
};

static void adopt_expressions(host_reader *r, host_node *n, CXCursor cursor) {
  cursor_list children = host_children_of(cursor);
  n->children = host_take(r->tree->pool, (children.count + 1) * sizeof *n->children);
  for (size_t i = 0; i < children.count; i++)
    if (clang_isExpression(clang_getCursorKind(children.items[i])))
      n->children[n->count++] = host_read_expression(r, children.items[i]);
  free(children.items);
}

/* A node whose children are those of the cursor, each read. */
static host_node *host_read_opaque(host_reader *r, CXCursor cursor) {
  host_node *n = host_new_node(r, HOST_OTHER, cursor);
  cursor_list children = host_children_of(cursor);
  n->children = host_take(r->tree->pool, (children.count + 1) * sizeof *n->children);
  for (size_t i = 0; i < children.count; i++) {
    const enum CXCursorKind kind = clang_getCursorKind(children.items[i]);
    if (clang_isExpression(kind))
      n->children[n->count++] = host_read_expression(r, children.items[i]);
    else if (clang_isStatement(kind) || kind == CXCursor_VarDecl)
      n->children[n->count++] = host_read_statement(r, children.items[i]);
  }
  free(children.items);
  return n;
}

/* A node with all of its operands, or one that says nothing. */
static host_node *with_operands(host_reader *r, host_node *n, CXCursor cursor, size_t count) {
  adopt_expressions(r, n, cursor);
  if (n->count != count) n->kind = HOST_OTHER;
  return n;
}

static host_node *read_constant(host_reader *r, CXCursor cursor) {
  host_node *n = host_new_node(r, HOST_OTHER, cursor);
  CXEvalResult value = clang_Cursor_Evaluate(cursor);
  if (value == NULL) return n;
  switch (clang_EvalResult_getKind(value)) {
    case CXEval_Int:
      n->kind = HOST_NUMBER;
      n->value = clang_EvalResult_isUnsignedInt(value) != 0 ? (int64_t)clang_EvalResult_getAsUnsigned(value)
                                                            : clang_EvalResult_getAsLongLong(value);
      break;
    case CXEval_Float:
      n->kind = HOST_REAL;
      n->real = clang_EvalResult_getAsDouble(value);
      break;
    default: break;
  }
  clang_EvalResult_dispose(value);
  return n;
}

/* One character after a backslash; moves after it. */
static char escaped(const char **at) {
  static const char names[] = "nrtabfv0";
  static const char values[] = "\n\r\t\a\b\f\v\0";
  const char *known = strchr(names, *(*at)++);
  return known == NULL || known == &names[sizeof names - 1] ? (*at)[-1] : values[known - names];
}

/* The text between the quotes. Numbers of characters are left out: such a text is not known. */
static host_node *read_string(host_reader *r, CXCursor cursor) {
  host_node *n = host_new_node(r, HOST_STRING, cursor);
  const char *text = host_take_string(r, clang_getCursorSpelling(cursor));
  const size_t length = strlen(text);
  if (length < 2 || text[0] != '"' || text[length - 1] != '"') {
    n->kind = HOST_OTHER;
    return n;
  }
  buffer out = {0};
  for (const char *at = text + 1; at < text + length - 1;) {
    if (*at != '\\') {
      buffer_putc(&out, *at++);
      continue;
    }
    at++;
    if (*at == 'x' || *at == 'u' || *at == 'U' || (*at >= '0' && *at <= '7')) n->kind = HOST_OTHER;
    buffer_putc(&out, escaped(&at));
  }
  n->text = host_text(r->tree->pool, buffer_text(&out));
  buffer_free(&out);
  return n;
}

/* What is measured is not executed. */
static host_node *read_size(host_reader *r, CXCursor cursor) {
  host_node *n = read_constant(r, cursor);
  if (n->kind == HOST_OTHER) {
    host_node operand = *n;
    adopt_expressions(r, &operand, cursor);
    const uint64_t size = operand.count == 1 ? operand.children[0]->type->size : 0;
    n->kind = size > 0 ? HOST_NUMBER : HOST_NOTHING;
    n->value = (int64_t)size;
  }
  n->measured = n->kind == HOST_NUMBER;
  return n;
}

static host_node *read_name(host_reader *r, CXCursor cursor) {
  CXCursor referenced = clang_getCursorReferenced(cursor);
  if (clang_getCursorKind(referenced) == CXCursor_EnumConstantDecl) {
    host_node *n = host_new_node(r, HOST_NUMBER, cursor);
    n->value = clang_getEnumConstantDeclValue(referenced);
    return n;
  }
  host_node *n = host_new_node(r, HOST_NAME, cursor);
  n->decl = host_decl_of(r, referenced);
  if (n->decl == NULL || (n->decl->kind != HOST_OBJECT && n->decl->kind != HOST_FUNCTION)) n->kind = HOST_OTHER;
  return n;
}

/* Of cl_image_desc: what the image lies in. */
static void note_image(host_reader *r, const host_decl *field) {
  r->tree->images_of_memory =
      r->tree->images_of_memory || (field != NULL && field->system &&
                                    (strcmp(field->name, "buffer") == 0 || strcmp(field->name, "mem_object") == 0));
}

static host_node *read_member(host_reader *r, CXCursor cursor) {
  host_node *n = host_new_node(r, HOST_MEMBER, cursor);
  n->decl = host_decl_of(r, clang_getCursorReferenced(cursor));
  adopt_expressions(r, n, cursor);
  note_image(r, n->decl);
  if (n->count == 1) n->arrow = n->children[0]->type->kind == HOST_POINTER;
  const CXCursor within = clang_getCursorSemanticParent(clang_getCursorReferenced(cursor));
  const bool shared =
      clang_getCursorKind(within) == CXCursor_UnionDecl && clang_Cursor_isAnonymousRecordDecl(within) != 0;
  if (n->count > 1 || n->decl == NULL || shared) n->kind = HOST_OTHER; /* as is a member of an anonymous union */
  return n;
}

/* Arguments that the call leaves out have no place in the source; what they do is not seen. */
static host_node *read_call(host_reader *r, CXCursor cursor) {
  CXCursor referenced = clang_getCursorReferenced(cursor);
  host_node *n = host_new_node(r, HOST_CALL, cursor);
  n->decl = clang_Cursor_isNull(referenced) != 0 ? NULL : host_decl_of(r, referenced);
  if (n->decl != NULL && n->decl->kind != HOST_FUNCTION) n->decl = NULL;
  if (n->decl != NULL && clang_getCursorKind(referenced) == CXCursor_Constructor) {
    n->kind = HOST_CONSTRUCT;
    adopt_expressions(r, n, cursor);
    return n;
  }
  const int count = clang_Cursor_getNumArguments(cursor);
  const bool is_operator = n->decl != NULL && strncmp(n->decl->name, "operator", 8) == 0;
  if (count < 0 || is_operator) {
    const bool lazy = is_operator && (strstr(n->decl->name, "&&") != NULL || strstr(n->decl->name, "||") != NULL);
    n->kind = is_operator && !lazy ? HOST_EFFECT : HOST_OTHER;
    if (count < 0 || lazy) {
      adopt_expressions(r, n, cursor);
      return n;
    }
  }
  n->children = host_take(r->tree->pool, ((size_t)count + 2) * sizeof *n->children);
  if (n->kind == HOST_CALL) {
    cursor_list children = host_children_of(cursor);
    n->children[n->count++] = children.count == 0 ? NULL : host_read_expression(r, children.items[0]);
    free(children.items);
  }
  for (int i = 0; i < count; i++)
    n->children[n->count++] = host_read_expression(r, clang_Cursor_getArgument(cursor, (unsigned)i));
  return n;
}

static host_node *read_binary(host_reader *r, CXCursor cursor) {
  const enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
  host_node *n = host_new_node(r, HOST_OTHER, cursor);
  n->op = front_binary_operator(kind);
  n->kind = kind == CXBinaryOperator_Assign                          ? HOST_ASSIGN
            : kind == CXBinaryOperator_Comma                         ? HOST_COMMA
            : n->op == OP_LOGICAL_AND || n->op == OP_LOGICAL_OR      ? HOST_LOGICAL
            : n->op != OP_NONE && kind >= CXBinaryOperator_MulAssign ? HOST_UPDATE
            : n->op != OP_NONE                                       ? HOST_BINARY
                                                                     : HOST_OTHER;
  return with_operands(r, n, cursor, 2);
}

static host_node *read_unary(host_reader *r, CXCursor cursor) {
  const enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);
  if (kind == CXUnaryOperator_Extension) {
    host_node *n = with_operands(r, host_new_node(r, HOST_CAST, cursor), cursor, 1);
    return n->kind == HOST_CAST ? n->children[0] : n;
  }
  host_node *n = host_new_node(r, HOST_OTHER, cursor);
  for (size_t i = 0; i < sizeof unaries / sizeof unaries[0]; i++) {
    if (unaries[i].clang == kind) {
      n->kind = unaries[i].kind;
      n->op = unaries[i].op;
      n->postfix = unaries[i].postfix;
    }
  }
  return with_operands(r, n, cursor, 1);
}

/* A cast that is written: what it casts stands last, after the sizes of arrays in its type. */
static host_node *read_cast(host_reader *r, CXCursor cursor) {
  host_node *n = host_new_node(r, HOST_CAST, cursor);
  adopt_expressions(r, n, cursor);
  if (n->count == 0) {
    n->kind = HOST_OTHER;
  } else {
    n->children = &n->children[n->count - 1];
    n->count = 1;
  }
  return n;
}

static bool same_extent(CXCursor a, CXCursor b) {
  CXSourceRange left = clang_getCursorExtent(a);
  CXSourceRange right = clang_getCursorExtent(b);
  return clang_equalLocations(clang_getRangeStart(left), clang_getRangeStart(right)) != 0 &&
         clang_equalLocations(clang_getRangeEnd(left), clang_getRangeEnd(right)) != 0;
}

/* `delete` of what has no destructor: its operand is evaluated, and what it points to is gone. */
static host_node *read_delete(host_reader *r, CXCursor cursor) {
  cursor_list children = host_children_of(cursor);
  const CXType pointer = clang_getCanonicalType(clang_getCursorType(children.count == 1 ? children.items[0] : cursor));
  free(children.items);
  const CXType deleted = clang_getPointeeType(pointer);
  if (pointer.kind != CXType_Pointer || clang_isPODType(deleted) == 0) return host_read_opaque(r, cursor);
  return with_operands(r, host_new_node(r, HOST_CAST, cursor), cursor, 1);
}

/* The node that stands for all that libclang does not name: mostly implicit conversions, which have nothing of their own
 * in the text. */
static host_node *read_unnamed(host_reader *r, CXCursor cursor) {
  host_node *n = host_new_node(r, HOST_CAST, cursor);
  cursor_list children = host_children_of(cursor);
  adopt_expressions(r, n, cursor);
  const bool conversion = n->count == 1 && children.count == 1 && same_extent(cursor, children.items[0]) &&
                          (n->type->kind != HOST_OTHER_TYPE || n->children[0]->kind == HOST_NAME);
  n->kind = conversion ? HOST_CAST : HOST_OTHER;
  free(children.items);
  return n;
}

static host_node *read_block(host_reader *r, CXCursor cursor) {
  host_node *n = host_new_node(r, HOST_BLOCK, cursor);
  cursor_list children = host_children_of(cursor);
  n->children = host_take(r->tree->pool, sizeof *n->children);
  if (children.count == 1)
    n->children[n->count++] = host_read_statement(r, children.items[0]);
  else
    n->kind = HOST_OTHER;
  free(children.items);
  return n;
}

static host_node *with_any(host_reader *r, host_kind kind, CXCursor cursor) {
  host_node *n = host_new_node(r, kind, cursor);
  adopt_expressions(r, n, cursor);
  return n;
}

/* Does a value begin with `.field =` or `[index] =`? */
static bool begins_with_designator(host_reader *r, CXCursor value) {
  CXSourceLocation begin = clang_getRangeStart(clang_getCursorExtent(value));
  bool found = false;
  for (int spelled = 0; spelled < 2 && !found; spelled++) {
    CXFile file = NULL;
    unsigned offset = 0;
    size_t length = 0;
    if (spelled == 0)
      clang_getFileLocation(begin, &file, NULL, NULL, &offset);
    else
      clang_getSpellingLocation(begin, &file, NULL, NULL, &offset);
    const char *text = file == NULL ? NULL : clang_getFileContents(r->unit, file, &length);
    found = text == NULL || offset >= length || text[offset] == '[' ||
            (text[offset] == '.' && !(offset + 1 < length && text[offset + 1] >= '0' && text[offset + 1] <= '9'));
  }
  cursor_list inner = host_children_of(value);
  for (size_t i = 0; i < inner.count; i++) /* the old form, `field: value` */
    found = found || clang_getCursorKind(inner.items[i]) == CXCursor_MemberRef;
  free(inner.items);
  return found;
}

static host_node *read_list(host_reader *r, CXCursor cursor) {
  host_node *n = with_any(r, HOST_LIST, cursor);
  cursor_list children = host_children_of(cursor);
  for (size_t i = 0; i < children.count; i++)
    n->designated = n->designated || begins_with_designator(r, children.items[i]);
  r->tree->images_of_memory =
      r->tree->images_of_memory || (strstr(n->type->name, "_cl_image_desc") != NULL && (n->designated || n->count > 9));
  free(children.items);
  return n;
}

static unsigned file_offset(CXSourceLocation at) {
  unsigned offset = 0;
  clang_getFileLocation(at, NULL, NULL, NULL, &offset);
  return offset;
}

/* What captures begin with (`[&m = n]`), which libclang shows only as a reference to a variable that stands in the lambda. */
static void adopt_captures(host_reader *r, host_node *n, CXCursor cursor) {
  const CXSourceRange all = clang_getCursorExtent(cursor);
  const unsigned first = file_offset(clang_getRangeStart(all)), end = file_offset(clang_getRangeEnd(all));
  cursor_list children = host_children_of(cursor);
  for (size_t i = 0; i < children.count; i++) {
    const CXCursor variable = clang_getCursorReferenced(children.items[i]);
    const unsigned at = file_offset(clang_getCursorLocation(variable));
    if (clang_getCursorKind(children.items[i]) != CXCursor_VariableRef || at < first || at >= end) continue;
    host_node *begin = host_read_opaque(r, variable);
    host_node **more = host_take(r->tree->pool, (n->count + 2) * sizeof *more);
    memcpy(more, n->children, n->count * sizeof *more);
    more[n->count++] = begin;
    n->children = more;
  }
  free(children.items);
}

static host_node *read_lambda(host_reader *r, CXCursor cursor) {
  const unsigned jumps = r->jumps; /* those in it do not leave it */
  host_node *n = host_read_opaque(r, cursor);
  r->jumps = jumps;
  n->has_body = true;
  adopt_captures(r, n, cursor);
  return n;
}

host_node *host_read_expression(host_reader *r, CXCursor cursor) {
  switch (clang_getCursorKind(cursor)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CXXBoolLiteralExpr: return read_constant(r, cursor);
    case CXCursor_StringLiteral: return read_string(r, cursor);
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_GNUNullExpr: return host_new_node(r, HOST_NUMBER, cursor);
    case CXCursor_UnaryExpr: return read_size(r, cursor);
    case CXCursor_DeclRefExpr: return read_name(r, cursor);
    case CXCursor_MemberRefExpr: return read_member(r, cursor);
    case CXCursor_CXXThisExpr: return host_new_node(r, HOST_THIS, cursor);
    case CXCursor_CallExpr: return read_call(r, cursor);
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator: return read_binary(r, cursor);
    case CXCursor_UnaryOperator: return read_unary(r, cursor);
    case CXCursor_ArraySubscriptExpr: return with_operands(r, host_new_node(r, HOST_SUBSCRIPT, cursor), cursor, 2);
    case CXCursor_ConditionalOperator: return with_operands(r, host_new_node(r, HOST_CONDITIONAL, cursor), cursor, 3);
    case CXCursor_ParenExpr: {
      host_node *n = with_operands(r, host_new_node(r, HOST_CAST, cursor), cursor, 1);
      return n->kind == HOST_CAST ? n->children[0] : n;
    }
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXFunctionalCastExpr: return read_cast(r, cursor);
    case CXCursor_UnexposedExpr: return read_unnamed(r, cursor);
    case CXCursor_InitListExpr: return read_list(r, cursor);
    case CXCursor_CXXNewExpr: return with_any(r, HOST_NEW, cursor);
    case CXCursor_CXXDeleteExpr: return read_delete(r, cursor);
    case CXCursor_CXXThrowExpr: return with_any(r, HOST_THROW, cursor);
    case CXCursor_StmtExpr: return read_block(r, cursor);
    case CXCursor_LambdaExpr: return read_lambda(r, cursor);
    default: return host_read_opaque(r, cursor);
  }
}

static host_node *read_range(host_reader *r, CXCursor cursor) {
  host_node *n = host_new_node(r, HOST_OTHER, cursor);
  cursor_list children = host_children_of(cursor);
  n->children = host_take(r->tree->pool, (children.count + 1) * sizeof *n->children);
  r->loops++;
  for (size_t i = 0; i < children.count; i++)
    if (clang_getCursorKind(children.items[i]) == CXCursor_VarDecl)
      n->decl = host_decl_of(r, children.items[i]);
    else
      n->children[n->count++] = host_read_statement(r, children.items[i]);
  r->loops--;
  n->kind = n->decl != NULL && n->count > 0 ? HOST_RANGE : HOST_OTHER;
  free(children.items);
  return n;
}

static bool is_statement(CXCursor cursor) {
  const enum CXCursorKind kind = clang_getCursorKind(cursor);
  return clang_isStatement(kind) != 0 || clang_isExpression(kind) != 0 || kind == CXCursor_VarDecl;
}

/* A node with a child for each statement and expression below the cursor. */
static host_node *with_statements(host_reader *r, host_kind kind, CXCursor cursor) {
  host_node *n = host_new_node(r, kind, cursor);
  cursor_list children = host_children_of(cursor);
  n->children = host_take(r->tree->pool, (children.count + 3) * sizeof *n->children);
  for (size_t i = 0; i < children.count; i++)
    if (is_statement(children.items[i])) n->children[n->count++] = host_read_statement(r, children.items[i]);
  free(children.items);
  return n;
}

static host_node *with_count(host_reader *r, host_kind kind, CXCursor cursor, size_t least, size_t most) {
  host_node *n = with_statements(r, kind, cursor);
  const bool declares = n->count > 0 && (n->children[0]->kind == HOST_DECLARE || n->children[0]->kind == HOST_VARIABLE);
  if (n->count < least || n->count > most || declares)
    n->kind = HOST_OTHER;
  else if (n->count < most)
    n->count = most; /* what is absent is NULL */
  return n;
}

static host_node *read_variable(host_reader *r, CXCursor cursor) {
  host_node *n = host_new_node(r, HOST_VARIABLE, cursor);
  n->decl = host_decl_of(r, cursor);
  host_note_definition(n->decl, cursor);
  n->children = host_take(r->tree->pool, sizeof *n->children);
  CXCursor first = clang_Cursor_getVarDeclInitializer(cursor);
  if (clang_Cursor_isNull(first) == 0) n->children[n->count++] = host_read_expression(r, first);
  if (n->decl->global && n->decl->first == NULL && n->count == 1) n->decl->first = n->children[0];
  return n;
}

/* --- for ---------------------------------------------------------------------------------------------------------- */

/* The two `;` between the parentheses of a `for`; false when they are not found. */
static bool find_semicolons(host_reader *r, CXCursor cursor, unsigned found[2]) {
  CXToken *tokens = NULL;
  unsigned count = 0;
  clang_tokenize(r->unit, clang_getCursorExtent(cursor), &tokens, &count);
  int depth = 0;
  unsigned seen = 0;
  for (unsigned i = 0; i < count && seen < 2; i++) {
    const char *text = host_take_string(r, clang_getTokenSpelling(r->unit, tokens[i]));
    if (i == 0 && strcmp(text, "for") != 0) break;
    depth += strcmp(text, "(") == 0 || strcmp(text, "{") == 0 ? 1 : 0;
    depth -= strcmp(text, ")") == 0 || strcmp(text, "}") == 0 ? 1 : 0;
    if (depth == 0 && i > 0) break;
    if (depth == 1 && strcmp(text, ";") == 0) found[seen++] = file_offset(clang_getTokenLocation(r->unit, tokens[i]));
  }
  clang_disposeTokens(r->unit, tokens, count);
  return seen == 2;
}

static void place_for(host_reader *r, host_node *n, CXCursor cursor) {
  unsigned semicolons[2] = {0, 0};
  cursor_list children = host_children_of(cursor);
  host_node *parts[4] = {NULL, NULL, NULL, NULL};
  size_t at = 0;
  bool fine = find_semicolons(r, cursor, semicolons) && n->count > 0;
  for (size_t i = 0; i < children.count && fine; i++) {
    if (!is_statement(children.items[i])) continue;
    const unsigned begin = file_offset(clang_getRangeStart(clang_getCursorExtent(children.items[i])));
    size_t part = begin <= semicolons[0] ? 0 : begin <= semicolons[1] ? 1 : 2;
    part = at == n->count - 1 ? 3 : part;
    fine = parts[part] == NULL;
    parts[part] = n->children[at++];
  }
  free(children.items);
  if (!fine) {
    n->kind = HOST_OTHER;
    return;
  }
  n->children = host_take(r->tree->pool, sizeof parts);
  memcpy(n->children, parts, sizeof parts);
  n->count = 4;
}

static host_node *read_for(host_reader *r, CXCursor cursor) {
  host_node *n = with_statements(r, HOST_FOR, cursor);
  if (n->count != 4) place_for(r, n, cursor);
  return n;
}

/* --- jumps -------------------------------------------------------------------------------------------------------- */

static host_node *read_goto(host_reader *r, CXCursor cursor) {
  host_node *n = host_new_node(r, HOST_GOTO, cursor);
  cursor_list children = host_children_of(cursor);
  for (size_t i = 0; i < children.count; i++)
    if (clang_getCursorKind(children.items[i]) == CXCursor_LabelRef)
      n->decl = host_decl_of(r, clang_getCursorReferenced(children.items[i]));
  free(children.items);
  if (n->decl == NULL || n->decl->met) /* back, or to where nobody knows */
    r->function->unstructured = true;
  return n;
}

static host_node *read_label(host_reader *r, CXCursor cursor) {
  host_decl *label = host_decl_of(r, cursor);
  label->met = true;
  r->function->unstructured = r->function->unstructured || r->loops > 0;
  host_node *n = with_count(r, HOST_LABEL, cursor, 1, 1);
  n->kind = n->count == 1 ? HOST_LABEL : HOST_OTHER;
  n->decl = label;
  return n;
}

/* A case stands in its switch, whichever blocks are around it, but in no loop of it. */
static host_node *read_case(host_reader *r, host_kind kind, CXCursor cursor, size_t count) {
  r->function->unstructured = r->function->unstructured || r->in_loop;
  return with_count(r, kind, cursor, count, count);
}

static host_node *read_around(host_reader *r, CXCursor cursor, bool loop) {
  const bool outer = r->in_loop;
  r->in_loop = loop;
  r->loops += loop ? 1 : 0;
  host_node *n = NULL;
  switch (clang_getCursorKind(cursor)) {
    case CXCursor_ForStmt: n = read_for(r, cursor); break;
    case CXCursor_WhileStmt: n = with_count(r, HOST_WHILE, cursor, 2, 2); break;
    case CXCursor_DoStmt: n = with_count(r, HOST_DO, cursor, 2, 2); break;
    default: n = with_count(r, HOST_SWITCH, cursor, 2, 2); break;
  }
  r->in_loop = outer;
  r->loops -= loop ? 1 : 0;
  return n;
}

static host_node *read_one(host_reader *r, CXCursor cursor) {
  switch (clang_getCursorKind(cursor)) {
    case CXCursor_CompoundStmt: return with_statements(r, HOST_COMPOUND, cursor);
    case CXCursor_DeclStmt: return with_statements(r, HOST_DECLARE, cursor);
    case CXCursor_VarDecl: return read_variable(r, cursor);
    case CXCursor_IfStmt: return with_count(r, HOST_IF, cursor, 2, 3);
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt: return read_around(r, cursor, true);
    case CXCursor_SwitchStmt: return read_around(r, cursor, false);
    case CXCursor_CaseStmt: return read_case(r, HOST_CASE, cursor, 2);
    case CXCursor_DefaultStmt: return read_case(r, HOST_DEFAULT, cursor, 1);
    case CXCursor_BreakStmt: return host_new_node(r, HOST_BREAK, cursor);
    case CXCursor_ContinueStmt: return host_new_node(r, HOST_CONTINUE, cursor);
    case CXCursor_ReturnStmt: return with_statements(r, HOST_RETURN, cursor);
    case CXCursor_GotoStmt: return read_goto(r, cursor);
    case CXCursor_LabelStmt: return read_label(r, cursor);
    case CXCursor_NullStmt: return host_new_node(r, HOST_NOTHING, cursor);
    case CXCursor_CXXForRangeStmt: return read_range(r, cursor);
    case CXCursor_CXXTryStmt: return with_statements(r, HOST_TRY, cursor);
    case CXCursor_IndirectGotoStmt:
    case CXCursor_GCCAsmStmt: r->function->unstructured = true; return host_read_opaque(r, cursor);
    default:
      if (clang_isExpression(clang_getCursorKind(cursor))) return host_read_expression(r, cursor);
      return host_read_opaque(r, cursor);
  }
}

/* Where a statement with jumps in it is not followed nobody knows where its function goes on. */
host_node *host_read_statement(host_reader *r, CXCursor cursor) {
  static const enum CXCursorKind kinds[] = {CXCursor_CaseStmt,     CXCursor_DefaultStmt, CXCursor_BreakStmt,
                                            CXCursor_ContinueStmt, CXCursor_ReturnStmt,  CXCursor_GotoStmt,
                                            CXCursor_LabelStmt};
  const unsigned before = r->jumps;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    r->jumps += clang_getCursorKind(cursor) == kinds[i] ? 1 : 0;
  host_node *n = read_one(r, cursor);
  if (n->kind == HOST_OTHER && r->jumps > before && r->function != NULL) r->function->unstructured = true;
  return n;
}
