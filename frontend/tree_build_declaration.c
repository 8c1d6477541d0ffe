/* Building the tree: functions, variables, types, and the symbols that they declare. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/tree_internal.h"

/* --- tokens ------------------------------------------------------------------------------------------------------- */

static bool word_in(const tree_builder *b, uint32_t from, uint32_t to, const char *plain, const char *underscored) {
  for (uint32_t t = from; t < to; t++) {
    if (token_is(b->tree->text, t, plain) || token_is(b->tree->text, t, underscored)) {
      return true;
    }
  }
  return false;
}

/* First token of a declaration in the file's scope: after the last `;`, `}` or pragma before it. */
static uint32_t start_of(const tree_builder *b, uint32_t token) {
  const pp_result *text = b->tree->text;
  while (token > 0 && !token_is(text, token - 1, ";") && !token_is(text, token - 1, "}") &&
         text->tokens[token - 1].kind != PP_PRAGMA) {
    token--;
  }
  return token;
}

/* --- symbols ------------------------------------------------------------------------------------------------------ */

static tree_symbol_kind symbol_kind(CXCursor declaration) {
  switch (clang_getCursorKind(declaration)) {
    case CXCursor_FunctionDecl:
      return TREE_SYMBOL_BUILTIN; /* until its declaration is read */
    case CXCursor_ParmDecl:
      return TREE_SYMBOL_PARAMETER;
    case CXCursor_FieldDecl:
      return TREE_SYMBOL_FIELD;
    case CXCursor_EnumConstantDecl:
      return TREE_SYMBOL_ENUMERATOR;
    case CXCursor_TypedefDecl:
      return TREE_SYMBOL_TYPEDEF;
    case CXCursor_LabelStmt:
      return TREE_SYMBOL_LABEL;
    default:
      return TREE_SYMBOL_VARIABLE;
  }
}

static tree_access access_of(const tree_builder *b, span tokens) {
  const uint32_t end = tokens.last + 1;
  return word_in(b, tokens.first, end, "read_only", "__read_only")     ? TREE_READ_ONLY
         : word_in(b, tokens.first, end, "write_only", "__write_only") ? TREE_WRITE_ONLY
         : word_in(b, tokens.first, end, "read_write", "__read_write") ? TREE_READ_WRITE
                                                                       : TREE_ACCESS_NONE;
}

static const tree_type *type_of_symbol(tree_builder *b, CXCursor declaration, tree_symbol_kind kind) {
  if (kind == TREE_SYMBOL_TYPEDEF) {
    return tree_read_type(b, clang_getTypedefDeclUnderlyingType(declaration));
  }
  const tree_type *type = tree_read_type(b, clang_getCursorType(declaration));
  return kind == TREE_SYMBOL_PARAMETER && type != NULL && type->kind == TREE_TYPE_ARRAY
             ? tree_pointer_to(b, type->element)
             : type;
}

tree_symbol *tree_symbol_of(tree_builder *b, CXCursor declaration) {
  const CXCursor key = clang_getCanonicalCursor(declaration);
  if (clang_Cursor_isNull(key) || key.data[0] == NULL) {
    return NULL;
  }
  tree_symbol *s = tree_map_get(&b->symbols, key.data[0]);
  if (s != NULL) {
    return s;
  }
  s = mem_arena_take(b->arena, sizeof *s);
  tree_map_set(&b->symbols, key.data[0], s);
  char *name = front_take_string(clang_getCursorSpelling(declaration));
  s->bit_field = clang_Cursor_isBitField(declaration) != 0;
  s->name = mem_arena_copy(b->arena, name);
  free(name);
  s->kind = symbol_kind(declaration);
  s->type = type_of_symbol(b, declaration, s->kind);
  if (s->kind == TREE_SYMBOL_ENUMERATOR) {
    s->value = clang_getEnumConstantDeclValue(declaration);
  }
  return s;
}

static bool is_storage(const pp_result *text, uint32_t token) {
  static const char *const words[] = {"static", "extern", "typedef", "register", "auto"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (token_is(text, token, words[i])) {
      return true;
    }
  }
  return false;
}

static bool is_qualifier(const pp_result *text, uint32_t token) {
  static const char *const words[] = {"const",   "volatile",  "restrict", "__restrict", "__private",
                                      "private", "__generic", "generic",  "__const",    "__volatile__"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (token_is(text, token, words[i])) {
      return true;
    }
  }
  return false;
}

static bool is_word(const pp_result *text, uint32_t token) { return text->tokens[token].kind == PP_IDENTIFIER; }

/* After the words that all declarators of a declaration share: words follow one another up to the first declarator. */
static uint32_t end_of_specifiers(const pp_result *text, uint32_t first, uint32_t name) {
  uint32_t t = first;
  while (t < name && is_word(text, t) && (is_word(text, t + 1) || token_is(text, t + 1, "*"))) {
    t++;
  }
  return t;
}

/* The type of a variable as it is written: specifiers without storage, and the stars of its declarator. */
static const char *type_text(tree_builder *b, const tree_symbol *s, uint32_t first, uint32_t name) {
  const pp_result *text = b->tree->text;
  const uint32_t end = end_of_specifiers(text, first, name);
  if (s->type == NULL || s->type->kind == TREE_TYPE_ARRAY || s->type->kind == TREE_TYPE_FUNCTION || end == first ||
      token_is(text, name + 1, "[") || token_is(text, name + 1, "(")) {
    return NULL;
  }
  buffer out = {0};
  for (uint32_t t = first; t < end; t++) {
    if (!is_storage(text, t)) {
      buffer_append(&out, text->text + text->tokens[t].begin, text->tokens[t].end - text->tokens[t].begin);
      buffer_putc(&out, ' ');
    }
  }
  for (uint32_t t = name; t > end && (token_is(text, t - 1, "*") || is_qualifier(text, t - 1)); t--) {
    buffer_puts(&out, token_is(text, t - 1, "*") ? "*" : "");
  }
  const char *kept = mem_arena_copy(b->arena, buffer_text(&out));
  buffer_free(&out);
  return kept;
}

/* --- types -------------------------------------------------------------------------------------------------------- */

static tree_node *new_declaration(tree_builder *b, tree_kind kind, CXCursor cursor) {
  tree_node *n = tree_new_node(b, kind, front_span(&b->w, cursor));
  n->token = tree_token_of(b, cursor);
  n->symbol = tree_symbol_of(b, cursor);
  n->type = n->symbol == NULL ? NULL : n->symbol->type;
  return n;
}

/* A declaration of a struct, union or enumeration that has been met already is not told again. */
static bool is_new(tree_builder *b, CXCursor cursor) {
  const void *key = cursor.data[0];
  if (tree_map_get(&b->symbols, key) != NULL) {
    return false;
  }
  tree_map_set(&b->symbols, key, b->tree);
  return true;
}

static tree_node *read_field(tree_builder *b, CXCursor cursor) { return new_declaration(b, TREE_FIELD, cursor); }

static tree_node *read_record(tree_builder *b, CXCursor cursor) {
  if (!is_new(b, cursor)) {
    return NULL;
  }
  tree_node *n = tree_new_node(b, TREE_RECORD, front_span(&b->w, cursor));
  n->token = tree_token_of(b, cursor);
  n->record = tree_record_of(b, cursor);
  n->type = tree_read_type(b, clang_getCursorType(cursor));
  cursor_list members = tree_children_of(cursor);
  for (size_t i = 0; i < members.count; i++) {
    const enum CXCursorKind kind = clang_getCursorKind(members.items[i]);
    if (kind == CXCursor_FieldDecl) {
      tree_add_child(b, n, read_field(b, members.items[i]));
    } else if (clang_isDeclaration(kind)) {
      tree_add_child(b, n, tree_read_declaration(b, members.items[i]));
    }
  }
  free(members.items);
  return n;
}

static tree_node *read_enum(tree_builder *b, CXCursor cursor) {
  if (!is_new(b, cursor)) {
    return NULL;
  }
  tree_node *n = tree_new_node(b, TREE_ENUM, front_span(&b->w, cursor));
  n->token = tree_token_of(b, cursor);
  n->record = tree_record_of(b, cursor);
  n->type = tree_read_type(b, clang_getCursorType(cursor));
  cursor_list members = tree_children_of(cursor);
  for (size_t i = 0; i < members.count; i++) {
    if (clang_getCursorKind(members.items[i]) == CXCursor_EnumConstantDecl) {
      tree_node *e = new_declaration(b, TREE_ENUMERATOR, members.items[i]);
      e->symbol->declaration = e;
      e->symbol->scope = b->scope;
      tree_add_child(b, n, e);
    }
  }
  free(members.items);
  return n;
}

/* --- variables and functions -------------------------------------------------------------------------------------- */

static void declare(tree_builder *b, tree_node *n) {
  if (n->symbol != NULL) {
    n->symbol->declaration = n;
    n->symbol->scope = b->scope;
  }
}

static tree_node *read_variable(tree_builder *b, CXCursor cursor) {
  tree_node *n = new_declaration(b, TREE_VARIABLE, cursor);
  tree_symbol *s = n->symbol;
  const uint32_t first = b->scope->kind == TREE_UNIT ? start_of(b, n->token) : b->specifiers;
  s->is_static = word_in(b, first, n->token, "static", "static");
  s->is_extern = word_in(b, first, n->token, "extern", "extern");
  s->type_text = type_text(b, s, first, n->token);
  declare(b, n);
  tree_reserve(b, n, 1);
  const CXCursor value = clang_Cursor_getVarDeclInitializer(cursor);
  if (!clang_Cursor_isNull(value)) {
    tree_node *v = tree_read_expression(b, value);
    tree_adopt(n, 0, v == NULL ? NULL : tree_value_of(b, v));
  }
  return n;
}

static tree_node *read_parameter(tree_builder *b, CXCursor cursor) {
  tree_node *n = new_declaration(b, TREE_PARAMETER, cursor);
  declare(b, n);
  n->symbol->access = access_of(b, n->tokens);
  n->symbol->type_text = type_text(b, n->symbol, n->tokens.first, n->token);
  return n;
}

static void read_body(tree_builder *b, tree_node *n, CXCursor cursor) {
  b->label_count = 0;
  cursor_list parts = tree_children_of(cursor);
  for (size_t i = 0; i < parts.count; i++) {
    if (clang_getCursorKind(parts.items[i]) == CXCursor_CompoundStmt) {
      tree_adopt(n, n->child_count - 1, tree_read_statement(b, parts.items[i]));
    }
  }
  free(parts.items);
}

static tree_node *read_function(tree_builder *b, CXCursor cursor) {
  tree_node *n = new_declaration(b, TREE_FUNCTION, cursor);
  tree_symbol *s = n->symbol;
  const bool defined = clang_isCursorDefinition(cursor) != 0;
  const uint32_t first = b->scope->kind == TREE_UNIT ? start_of(b, n->token) : n->tokens.first;
  n->tokens.first = first < n->tokens.first ? first : n->tokens.first;
  s->kind = TREE_SYMBOL_FUNCTION;
  s->kernel = s->kernel || word_in(b, n->tokens.first, n->token, "kernel", "__kernel");
  s->inlined = s->inlined || word_in(b, n->tokens.first, n->token, "inline", "__inline");
  s->is_static = s->is_static || word_in(b, n->tokens.first, n->token, "static", "static");
  s->is_extern = word_in(b, n->tokens.first, n->token, "extern", "extern");
  if (s->declaration == NULL || defined) {
    s->declaration = n;
    s->scope = b->scope;
  }
  tree_node *outer = b->scope;
  b->scope = n;
  const int count = clang_Cursor_getNumArguments(cursor);
  tree_reserve(b, n, (count > 0 ? (size_t)count : 0) + 1);
  for (int i = 0; i < count; i++) {
    tree_adopt(n, (uint32_t)i, read_parameter(b, clang_Cursor_getArgument(cursor, (unsigned)i)));
  }
  if (defined) {
    read_body(b, n, cursor);
  }
  b->scope = outer;
  return n;
}

static tree_node *read_typedef(tree_builder *b, CXCursor cursor) {
  tree_node *n = new_declaration(b, TREE_TYPEDEF, cursor);
  declare(b, n);
  return n;
}

tree_node *tree_read_declaration(tree_builder *b, CXCursor cursor) {
  switch (clang_getCursorKind(cursor)) {
    case CXCursor_FunctionDecl:
      return read_function(b, cursor);
    case CXCursor_VarDecl:
      return read_variable(b, cursor);
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
      return read_record(b, cursor);
    case CXCursor_EnumDecl:
      return read_enum(b, cursor);
    case CXCursor_TypedefDecl:
      return read_typedef(b, cursor);
    case CXCursor_StaticAssert:
      return NULL;
    default:
      return tree_new_node(b, TREE_UNKNOWN_DECLARATION, front_span(&b->w, cursor));
  }
}
