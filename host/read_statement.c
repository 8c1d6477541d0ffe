/* Statements of host programs, read with libclang. */
#include <stdlib.h>
#include <string.h>

#include "host/read.h"

static host_node *read_range(host_reader *r, CXCursor cursor) {
  host_node *n = host_new_node(r, HOST_OTHER, cursor);
  cursor_list children = host_children_of(cursor);
  n->children = host_take(r->tree->pool, (children.count + 1) * sizeof *n->children);
  r->loops++;
  for (size_t i = 0; i < children.count; i++) {
    if (clang_getCursorKind(children.items[i]) == CXCursor_VarDecl) {
      n->decl = host_decl_of(r, children.items[i]);
    } else {
      n->children[n->count++] = host_read_statement(r, children.items[i]);
    }
  }
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
  for (size_t i = 0; i < children.count; i++) {
    if (is_statement(children.items[i])) {
      n->children[n->count++] = host_read_statement(r, children.items[i]);
    }
  }
  free(children.items);
  return n;
}

static host_node *with_count(host_reader *r, host_kind kind, CXCursor cursor, size_t least, size_t most) {
  host_node *n = with_statements(r, kind, cursor);
  const bool declares = n->count > 0 && (n->children[0]->kind == HOST_DECLARE || n->children[0]->kind == HOST_VARIABLE);
  if (n->count < least || n->count > most || declares) {
    n->kind = HOST_OTHER;
  } else if (n->count < most) {
    n->count = most; /* what is absent is NULL */
  }
  return n;
}

static host_node *read_variable(host_reader *r, CXCursor cursor) {
  host_node *n = host_new_node(r, HOST_VARIABLE, cursor);
  n->decl = host_decl_of(r, cursor);
  host_note_definition(n->decl, cursor);
  n->children = host_take(r->tree->pool, sizeof *n->children);
  CXCursor first = clang_Cursor_getVarDeclInitializer(cursor);
  if (clang_Cursor_isNull(first) == 0) {
    n->children[n->count++] = host_read_expression(r, first);
  }
  if (n->decl->global && n->decl->first == NULL && n->count == 1) {
    n->decl->first = n->children[0];
  }
  return n;
}

/* --- for ---------------------------------------------------------------------------------------------------------- */

static unsigned offset_of(CXSourceLocation location) {
  unsigned offset = 0;
  clang_getFileLocation(location, NULL, NULL, NULL, &offset);
  return offset;
}

/* The two `;` between the parentheses of a `for`; false when they are not found. */
static bool find_semicolons(host_reader *r, CXCursor cursor, unsigned found[2]) {
  CXToken *tokens = NULL;
  unsigned count = 0;
  clang_tokenize(r->unit, clang_getCursorExtent(cursor), &tokens, &count);
  int depth = 0;
  unsigned seen = 0;
  for (unsigned i = 0; i < count && seen < 2; i++) {
    const char *text = host_take_string(r, clang_getTokenSpelling(r->unit, tokens[i]));
    if (i == 0 && strcmp(text, "for") != 0) {
      break;
    }
    depth += strcmp(text, "(") == 0 || strcmp(text, "{") == 0 ? 1 : 0;
    depth -= strcmp(text, ")") == 0 || strcmp(text, "}") == 0 ? 1 : 0;
    if (depth == 0 && i > 0) {
      break;
    }
    if (depth == 1 && strcmp(text, ";") == 0) {
      found[seen++] = offset_of(clang_getTokenLocation(r->unit, tokens[i]));
    }
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
    if (!is_statement(children.items[i])) {
      continue;
    }
    const unsigned begin = offset_of(clang_getRangeStart(clang_getCursorExtent(children.items[i])));
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
  if (n->count != 4) {
    place_for(r, n, cursor);
  }
  return n;
}

/* --- jumps -------------------------------------------------------------------------------------------------------- */

static host_node *read_goto(host_reader *r, CXCursor cursor) {
  host_node *n = host_new_node(r, HOST_GOTO, cursor);
  cursor_list children = host_children_of(cursor);
  for (size_t i = 0; i < children.count; i++) {
    if (clang_getCursorKind(children.items[i]) == CXCursor_LabelRef) {
      n->decl = host_decl_of(r, clang_getCursorReferenced(children.items[i]));
    }
  }
  free(children.items);
  if (n->decl == NULL || n->decl->met) { /* back, or to where nobody knows */
    r->function->unstructured = true;
  }
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
    case CXCursor_ForStmt:
      n = read_for(r, cursor);
      break;
    case CXCursor_WhileStmt:
      n = with_count(r, HOST_WHILE, cursor, 2, 2);
      break;
    case CXCursor_DoStmt:
      n = with_count(r, HOST_DO, cursor, 2, 2);
      break;
    default:
      n = with_count(r, HOST_SWITCH, cursor, 2, 2);
      break;
  }
  r->in_loop = outer;
  r->loops -= loop ? 1 : 0;
  return n;
}

static host_node *read_one(host_reader *r, CXCursor cursor) {
  switch (clang_getCursorKind(cursor)) {
    case CXCursor_CompoundStmt:
      return with_statements(r, HOST_COMPOUND, cursor);
    case CXCursor_DeclStmt:
      return with_statements(r, HOST_DECLARE, cursor);
    case CXCursor_VarDecl:
      return read_variable(r, cursor);
    case CXCursor_IfStmt:
      return with_count(r, HOST_IF, cursor, 2, 3);
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
      return read_around(r, cursor, true);
    case CXCursor_SwitchStmt:
      return read_around(r, cursor, false);
    case CXCursor_CaseStmt:
      return read_case(r, HOST_CASE, cursor, 2);
    case CXCursor_DefaultStmt:
      return read_case(r, HOST_DEFAULT, cursor, 1);
    case CXCursor_BreakStmt:
      return host_new_node(r, HOST_BREAK, cursor);
    case CXCursor_ContinueStmt:
      return host_new_node(r, HOST_CONTINUE, cursor);
    case CXCursor_ReturnStmt:
      return with_statements(r, HOST_RETURN, cursor);
    case CXCursor_GotoStmt:
      return read_goto(r, cursor);
    case CXCursor_LabelStmt:
      return read_label(r, cursor);
    case CXCursor_NullStmt:
      return host_new_node(r, HOST_NOTHING, cursor);
    case CXCursor_CXXForRangeStmt:
      return read_range(r, cursor);
    case CXCursor_CXXTryStmt:
      return with_statements(r, HOST_TRY, cursor);
    case CXCursor_IndirectGotoStmt:
    case CXCursor_GCCAsmStmt:
      r->function->unstructured = true;
      return host_read_opaque(r, cursor);
    default:
      if (clang_isExpression(clang_getCursorKind(cursor))) {
        return host_read_expression(r, cursor);
      }
      return host_read_opaque(r, cursor);
  }
}

/* Where a statement with jumps in it is not followed nobody knows where its function goes on. */
host_node *host_read_statement(host_reader *r, CXCursor cursor) {
  static const enum CXCursorKind kinds[] = {CXCursor_CaseStmt,     CXCursor_DefaultStmt, CXCursor_BreakStmt,
                                            CXCursor_ContinueStmt, CXCursor_ReturnStmt,  CXCursor_GotoStmt,
                                            CXCursor_LabelStmt};
  const unsigned before = r->jumps;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    r->jumps += clang_getCursorKind(cursor) == kinds[i] ? 1 : 0;
  }
  host_node *n = read_one(r, cursor);
  if (n->kind == HOST_OTHER && r->jumps > before && r->function != NULL) {
    r->function->unstructured = true;
  }
  return n;
}
