/* The builder of the tree: nodes, tokens, declarations and statements. */
#include <stdlib.h>
#include <string.h>

#include "frontend/tree_internal.h"

/* --- libclang's children ------------------------------------------------------------------------------------------ */

static enum CXChildVisitResult add_child(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  cursor_list *list = data;
  *ARRAY_ADD(list->items, list->count, list->capacity) = cursor;
  return CXChildVisit_Continue;
}

static cursor_list tree_children_of(CXCursor cursor) {
  cursor_list list = {0};
  (void)clang_visitChildren(cursor, add_child, &list);
  return list;
}

cursor_list tree_expressions_of(CXCursor cursor) {
  cursor_list list = tree_children_of(cursor);
  size_t kept = 0;
  for (size_t i = 0; i < list.count; i++)
    if (clang_isExpression(clang_getCursorKind(list.items[i]))) list.items[kept++] = list.items[i];
  list.count = kept;
  return list;
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

tree_node *tree_new_node(tree_builder *b, tree_kind kind, span tokens) {
  tree_node *n = mem_arena_take(b->arena, sizeof *n);
  n->kind = kind;
  n->token = tokens.first;
  n->tokens = tokens;
  return n;
}

void tree_reserve(tree_builder *b, tree_node *n, size_t count) {
  n->children = mem_arena_take(b->arena, (count + 1) * sizeof(tree_node *));
  n->child_count = (uint32_t)count;
}

static void widen(tree_node *n, span s) {
  if (n->kind == TREE_CALL && s.last < n->tokens.first)
    return; /* clang puts the initialiser of a sampler in place of its name */
  n->tokens.first = s.first < n->tokens.first ? s.first : n->tokens.first;
  n->tokens.last = s.last > n->tokens.last ? s.last : n->tokens.last;
}

void tree_adopt(tree_node *n, uint32_t index, tree_node *child) {
  n->children[index] = child;
  if (child != NULL) {
    child->parent = n;
    child->index = index;
    widen(n, child->tokens);
  }
}

void tree_add_child(tree_builder *b, tree_node *n, tree_node *child) {
  if (child == NULL) return;
  const uint32_t count = n->child_count;
  if ((count & (count - 1)) == 0) { /* room is a power of two */
    tree_node **larger = mem_arena_take(b->arena, (count == 0 ? 1 : 2 * (size_t)count) * sizeof(tree_node *));
    if (count > 0) memcpy(larger, n->children, count * sizeof(tree_node *));
    n->children = larger;
  }
  n->child_count++;
  tree_adopt(n, count, child);
}

uint32_t tree_token_of(const tree_builder *b, CXCursor cursor) {
  return front_token_at(b->tree->text, front_offset(clang_getCursorLocation(cursor)));
}

/* --- pragmas ------------------------------------------------------------------------------------------------------ */

static void add_pragmas(tree_builder *b, tree_node *n, uint32_t from, uint32_t to) {
  for (uint32_t t = from; t < to && t < b->tree->text->token_count; t++)
    if (b->tree->text->tokens[t].kind == PP_PRAGMA) tree_add_child(b, n, tree_new_node(b, TREE_PRAGMA, (span){t, t}));
}

/* Puts the pragmas that stand between the children of a unit or compound among them. */
static void tree_insert_pragmas(tree_builder *b, tree_node *n, uint32_t from, uint32_t to) {
  tree_node **const children = n->children;
  const uint32_t count = n->child_count;
  n->child_count = 0;
  n->children = NULL;
  uint32_t at = from;
  for (uint32_t i = 0; i < count; i++) {
    add_pragmas(b, n, at, children[i]->tokens.first);
    tree_add_child(b, n, children[i]);
    at = children[i]->tokens.last + 1 > at ? children[i]->tokens.last + 1 : at;
  }
  add_pragmas(b, n, at, to);
}

/* NULL where there is nothing new to declare. */
static tree_node *tree_read_declaration(tree_builder *b, CXCursor cursor);

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void read_unit(tree_builder *b, CXCursor top) {
  tree *t = b->tree;
  const uint32_t end = (uint32_t)t->text->token_count;
  t->unit = tree_new_node(b, TREE_UNIT, (span){0, end == 0 ? 0 : end - 1});
  b->scope = t->unit;
  cursor_list list = tree_children_of(top);
  for (size_t i = 0; i < list.count; i++)
    if (front_in_text(list.items[i])) tree_add_child(b, t->unit, tree_read_declaration(b, list.items[i]));
  free(list.items);
  tree_insert_pragmas(b, t->unit, 0, end);
}

static bool is_wasted(const tree_node *n) {
  return n->kind == TREE_SIZEOF || n->kind == TREE_ENUMERATOR || n->kind == TREE_FIELD || n->kind == TREE_SELECTION;
}

/* Initialisers of constants must be known when a program is compiled. */
static bool is_constant_storage(const tree_node *n) {
  return n->kind == TREE_VARIABLE && n->symbol != NULL &&
         (n->symbol->is_static || n->symbol->is_extern || n->parent == NULL || n->parent->kind == TREE_UNIT ||
          (n->type != NULL && (n->type->space == TREE_SPACE_CONSTANT || strcmp(n->type->name, "sampler_t") == 0)));
}

static bool is_label_value(const tree_node *n) {
  const tree_node *p = n->parent;
  return p != NULL && p->kind == TREE_CASE && n != p->children[2];
}

static void list_functions(tree *t) {
  size_t count = 0;
  t->functions = mem_arena_take(t->arena, (t->unit->child_count + 1) * sizeof *t->functions);
  for (uint32_t i = 0; i < t->unit->child_count; i++) {
    tree_node *n = t->unit->children[i];
    if (n->kind == TREE_FUNCTION && tree_body(n) != NULL) t->functions[count++] = n;
  }
  t->function_count = count;
}

/* The tree of what is parsed, to be released with tree_free. */
static tree *tree_read_unit(const pp_result *text, CXTranslationUnit unit) {
  mem_arena *arena = mem_calloc(1, sizeof *arena);
  tree *t = mem_arena_take(arena, sizeof *t);
  t->arena = arena;
  t->text = text;
  tree_builder b = {.tree = t, .arena = arena, .w = {.text = text}};
  b.integer = mem_arena_take(arena, sizeof *b.integer);
  *b.integer = (tree_type){.kind = TREE_TYPE_INTEGER, .plain = b.integer, .count = 1, .size = 4, .name = "int"};
  read_unit(&b, clang_getTranslationUnitCursor(unit));
  list_functions(t);
  tree_evaluate(t, t->unit);
  for (tree_node *n = t->unit; n != NULL; n = tree_next(t->unit, n)) {
    const tree_node *p = n->parent;
    n->not_executed = is_label_value(n) || (p != NULL && (p->not_executed || is_wasted(p) || is_constant_storage(p)));
    t->blocks = t->blocks || (n->kind == TREE_UNKNOWN_EXPRESSION && token_is(t->text, n->tokens.first, "^"));
  }
  tree_find_parts(t);
  tree_map_free(&b.symbols);
  tree_map_free(&b.types);
  tree_map_free(&b.variants);
  tree_map_free(&b.records);
  free(b.labels);
  return t;
}

typedef struct reading {
  const pp_result *text;
  tree *tree;
} reading;

static void read_tree(CXTranslationUnit unit, void *context) {
  reading *r = context;
  r->tree = tree_read_unit(r->text, unit);
}

int tree_build(const pp_result *text, const char *options, tree **out, error *e) {
  reading r = {.text = text};
  const int result = front_parse(text, options, read_tree, &r, e);
  *out = r.tree;
  return result;
}

void tree_free(tree *t) {
  if (t != NULL) {
    mem_arena *arena = t->arena; /* the tree lies in it */
    mem_arena_free(arena);
    free(arena);
  }
}

/* Building the tree: functions, variables, types, and the symbols that they declare. */

/* --- tokens ------------------------------------------------------------------------------------------------------- */

static bool word_in(const tree_builder *b, uint32_t from, uint32_t to, const char *plain, const char *underscored) {
  for (uint32_t t = from; t < to; t++)
    if (token_is(b->tree->text, t, plain) || token_is(b->tree->text, t, underscored)) return true;
  return false;
}

/* First token of a declaration in the file's scope: after the last `;`, `}` or pragma before it. */
static uint32_t start_of(const tree_builder *b, uint32_t token) {
  const pp_result *text = b->tree->text;
  while (token > 0 && !token_is(text, token - 1, ";") && !token_is(text, token - 1, "}") &&
         text->tokens[token - 1].kind != PP_PRAGMA)
    token--;
  return token;
}

/* --- symbols ------------------------------------------------------------------------------------------------------ */

static tree_symbol_kind symbol_kind(CXCursor declaration) {
  switch (clang_getCursorKind(declaration)) {
    case CXCursor_FunctionDecl: return TREE_SYMBOL_BUILTIN; /* until its declaration is read */
    case CXCursor_ParmDecl: return TREE_SYMBOL_PARAMETER;
    case CXCursor_FieldDecl: return TREE_SYMBOL_FIELD;
    case CXCursor_EnumConstantDecl: return TREE_SYMBOL_ENUMERATOR;
    case CXCursor_TypedefDecl: return TREE_SYMBOL_TYPEDEF;
    case CXCursor_LabelStmt: return TREE_SYMBOL_LABEL;
    default: return TREE_SYMBOL_VARIABLE;
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
  if (kind == TREE_SYMBOL_TYPEDEF) return tree_read_type(b, clang_getTypedefDeclUnderlyingType(declaration));
  const tree_type *type = tree_read_type(b, clang_getCursorType(declaration));
  return kind == TREE_SYMBOL_PARAMETER && type != NULL && type->kind == TREE_TYPE_ARRAY
             ? tree_pointer_to(b, type->element)
             : type;
}

tree_symbol *tree_symbol_of(tree_builder *b, CXCursor declaration) {
  const CXCursor key = clang_getCanonicalCursor(declaration);
  if (clang_Cursor_isNull(key) || key.data[0] == NULL) return NULL;
  tree_symbol *s = tree_map_get(&b->symbols, key.data[0]);
  if (s != NULL) return s;
  s = mem_arena_take(b->arena, sizeof *s);
  tree_map_set(&b->symbols, key.data[0], s);
  char *name = front_take_string(clang_getCursorSpelling(declaration));
  s->bit_field = clang_Cursor_isBitField(declaration) != 0;
  s->name = mem_arena_copy(b->arena, name);
  free(name);
  s->kind = symbol_kind(declaration);
  s->type = type_of_symbol(b, declaration, s->kind);
  if (s->kind == TREE_SYMBOL_ENUMERATOR) s->value = clang_getEnumConstantDeclValue(declaration);
  return s;
}

static bool is_storage(const pp_result *text, uint32_t token) {
  static const char *const words[] = {"static", "extern", "typedef", "register", "auto"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (token_is(text, token, words[i])) return true;
  return false;
}

static bool is_qualifier(const pp_result *text, uint32_t token) {
  static const char *const words[] = {"const",   "volatile",  "restrict", "__restrict", "__private",
                                      "private", "__generic", "generic",  "__const",    "__volatile__"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (token_is(text, token, words[i])) return true;
  return false;
}

static bool is_word(const pp_result *text, uint32_t token) { return text->tokens[token].kind == PP_IDENTIFIER; }

/* The type of a variable as it is written: specifiers without storage, and the stars of its declarator. */
static const char *type_text(tree_builder *b, const tree_symbol *s, uint32_t first, uint32_t name) {
  const pp_result *text = b->tree->text;
  /* After the words that all declarators of a declaration share: words follow one another up to the first declarator. */
  uint32_t end = first;
  while (end < name && is_word(text, end) && (is_word(text, end + 1) || token_is(text, end + 1, "*"))) end++;
  if (s->type == NULL || s->type->kind == TREE_TYPE_ARRAY || s->type->kind == TREE_TYPE_FUNCTION || end == first ||
      token_is(text, name + 1, "[") || token_is(text, name + 1, "("))
    return NULL;
  buffer out = {0};
  for (uint32_t t = first; t < end; t++) {
    if (!is_storage(text, t)) {
      buffer_append(&out, text->text + text->tokens[t].begin, text->tokens[t].end - text->tokens[t].begin);
      buffer_putc(&out, ' ');
    }
  }
  for (uint32_t t = name; t > end && (token_is(text, t - 1, "*") || is_qualifier(text, t - 1)); t--)
    buffer_puts(&out, token_is(text, t - 1, "*") ? "*" : "");
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
  if (tree_map_get(&b->symbols, key) != NULL) return false;
  tree_map_set(&b->symbols, key, b->tree);
  return true;
}

static tree_node *read_record(tree_builder *b, CXCursor cursor) {
  if (!is_new(b, cursor)) return NULL;
  tree_node *n = tree_new_node(b, TREE_RECORD, front_span(&b->w, cursor));
  n->token = tree_token_of(b, cursor);
  n->record = tree_record_of(b, cursor);
  n->type = tree_read_type(b, clang_getCursorType(cursor));
  cursor_list members = tree_children_of(cursor);
  for (size_t i = 0; i < members.count; i++) {
    const enum CXCursorKind kind = clang_getCursorKind(members.items[i]);
    if (kind == CXCursor_FieldDecl)
      tree_add_child(b, n, new_declaration(b, TREE_FIELD, members.items[i]));
    else if (clang_isDeclaration(kind))
      tree_add_child(b, n, tree_read_declaration(b, members.items[i]));
  }
  free(members.items);
  return n;
}

static tree_node *read_enum(tree_builder *b, CXCursor cursor) {
  if (!is_new(b, cursor)) return NULL;
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
  for (int i = 0; i < count; i++)
    tree_adopt(n, (uint32_t)i, read_parameter(b, clang_Cursor_getArgument(cursor, (unsigned)i)));
  if (defined) {
    b->label_count = 0;
    cursor_list parts = tree_children_of(cursor);
    for (size_t i = 0; i < parts.count; i++)
      if (clang_getCursorKind(parts.items[i]) == CXCursor_CompoundStmt)
        tree_adopt(n, n->child_count - 1, tree_read_statement(b, parts.items[i]));
    free(parts.items);
  }
  b->scope = outer;
  return n;
}

static tree_node *read_typedef(tree_builder *b, CXCursor cursor) {
  tree_node *n = new_declaration(b, TREE_TYPEDEF, cursor);
  declare(b, n);
  return n;
}

static tree_node *tree_read_declaration(tree_builder *b, CXCursor cursor) {
  switch (clang_getCursorKind(cursor)) {
    case CXCursor_FunctionDecl: return read_function(b, cursor);
    case CXCursor_VarDecl: return read_variable(b, cursor);
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl: return read_record(b, cursor);
    case CXCursor_EnumDecl: return read_enum(b, cursor);
    case CXCursor_TypedefDecl: return read_typedef(b, cursor);
    case CXCursor_StaticAssert: return NULL;
    default: return tree_new_node(b, TREE_UNKNOWN_DECLARATION, front_span(&b->w, cursor));
  }
}

/* Building the tree: statements. */

static void take_semicolon(const tree_builder *b, tree_node *n) {
  n->tokens.last += tree_token_is(b, n->tokens.last + 1, ";") && !tree_token_is(b, n->tokens.last, ";") ? 1 : 0;
}

/* An expression in its place: a condition, a returned value. */
static tree_node *read_value(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_read_expression(b, cursor);
  return n == NULL ? NULL : tree_value_of(b, n);
}

static tree_node *read_plain_expression(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_new_node(b, TREE_EXPRESSION, front_span(&b->w, cursor));
  tree_reserve(b, n, 1);
  tree_adopt(n, 0, tree_read_expression(b, cursor));
  n->token = n->children[0]->token;
  take_semicolon(b, n);
  return n;
}

static tree_node *read_compound(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_new_node(b, TREE_COMPOUND, front_span(&b->w, cursor));
  tree_node *outer = b->scope;
  b->scope = n;
  cursor_list list = tree_children_of(cursor);
  for (size_t i = 0; i < list.count; i++) tree_add_child(b, n, tree_read_statement(b, list.items[i]));
  free(list.items);
  b->scope = outer;
  tree_insert_pragmas(b, n, n->tokens.first + 1, n->tokens.last);
  return n;
}

static tree_node *read_declare(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_new_node(b, TREE_DECLARE, front_span(&b->w, cursor));
  const uint32_t outer = b->specifiers;
  b->specifiers = n->tokens.first;
  cursor_list list = tree_children_of(cursor);
  for (size_t i = 0; i < list.count; i++) tree_add_child(b, n, tree_read_declaration(b, list.items[i]));
  b->specifiers = outer;
  free(list.items);
  take_semicolon(b, n);
  return n;
}

/* `if`, `while`, `switch`, labels: children in the order of the text. */
static tree_node *read_headed(tree_builder *b, CXCursor cursor, tree_kind kind, size_t most) {
  tree_node *n = tree_new_node(b, kind, front_span(&b->w, cursor));
  cursor_list list = tree_children_of(cursor);
  tree_reserve(b, n, most);
  size_t at = 0;
  for (size_t i = 0; i < list.count && at < most; i++) {
    const enum CXCursorKind child = clang_getCursorKind(list.items[i]);
    if (child == CXCursor_LabelRef || clang_isAttribute(child)) continue;
    const bool value = (at == 0 && (kind == TREE_IF || kind == TREE_WHILE || kind == TREE_SWITCH)) ||
                       (at == 1 && kind == TREE_DO) || kind == TREE_RETURN;
    tree_adopt(n, (uint32_t)at++, value ? read_value(b, list.items[i]) : tree_read_statement(b, list.items[i]));
  }
  free(list.items);
  return n;
}

void tree_find_semicolons(const tree *t, uint32_t open, uint32_t close, uint32_t ends[2]) {
  const pp_result *text = t->text;
  uint32_t found = 0;
  ends[0] = ends[1] = close;
  for (uint32_t at = open + 1; at < close && found < 2; at++) {
    const bool opens = token_is(text, at, "(") || token_is(text, at, "{") || token_is(text, at, "[");
    const uint32_t match = opens ? token_match(text, at) : at;
    if (match == NO_TOKEN) return;
    if (token_is(text, at, ";")) ends[found++] = at;
    at = match;
  }
}

static tree_node *read_for(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_new_node(b, TREE_FOR, front_span(&b->w, cursor));
  const uint32_t open = n->tokens.first + 1;
  const uint32_t close = token_match(b->tree->text, open);
  uint32_t ends[2];
  tree_find_semicolons(b->tree, open, close, ends);
  tree_reserve(b, n, 4);
  tree_node *outer = b->scope;
  b->scope = n;
  cursor_list list = tree_children_of(cursor);
  for (size_t i = 0; i < list.count; i++) {
    const uint32_t first = front_span(&b->w, list.items[i]).first;
    const uint32_t part = first > close ? 3 : first > ends[1] ? 2 : first > ends[0] ? 1 : 0;
    const bool declares = clang_getCursorKind(list.items[i]) == CXCursor_DeclStmt;
    tree_adopt(n, part,
               part == 3 || declares ? tree_read_statement(b, list.items[i])
               : part == 1           ? read_value(b, list.items[i])
                                     : tree_read_expression(b, list.items[i]));
  }
  free(list.items);
  b->scope = outer;
  return n;
}

/* `case a:`, `case a ... b:`; the statement is the last child. */
static tree_node *read_case(tree_builder *b, CXCursor cursor) {
  tree_node *n = tree_new_node(b, TREE_CASE, front_span(&b->w, cursor));
  cursor_list list = tree_children_of(cursor);
  tree_reserve(b, n, 3);
  for (size_t i = 0; i + 1 < list.count && i < 2; i++) tree_adopt(n, (uint32_t)i, read_value(b, list.items[i]));
  if (list.count > 1) tree_adopt(n, 2, tree_read_statement(b, list.items[list.count - 1]));
  free(list.items);
  return n;
}

/* --- labels ------------------------------------------------------------------------------------------------------- */

static tree_symbol *label_at(tree_builder *b, uint32_t token) {
  const pp_token *t = &b->tree->text->tokens[token];
  const char *name = b->tree->text->text + t->begin;
  const size_t length = t->end - t->begin;
  for (size_t i = 0; i < b->label_count; i++)
    if (strlen(b->labels[i]->name) == length && memcmp(b->labels[i]->name, name, length) == 0) return b->labels[i];
  tree_symbol *s = mem_arena_take(b->arena, sizeof *s);
  s->kind = TREE_SYMBOL_LABEL;
  s->name = mem_arena_copy_part(b->arena, name, length);
  *ARRAY_ADD(b->labels, b->label_count, b->label_capacity) = s;
  return s;
}

static tree_node *read_label(tree_builder *b, CXCursor cursor) {
  tree_node *n = read_headed(b, cursor, TREE_LABEL, 1);
  n->symbol = label_at(b, n->tokens.first);
  n->symbol->declaration = n;
  return n;
}

static tree_node *read_jump(tree_builder *b, CXCursor cursor, tree_kind kind) {
  tree_node *n = tree_new_node(b, kind, front_span(&b->w, cursor));
  if (kind == TREE_GOTO) {
    n->symbol = label_at(b, n->tokens.first + 1);
    n->tokens.last = n->tokens.first + 1;
  }
  take_semicolon(b, n);
  return n;
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

/* A statement with attributes or a pragma in front of it, else something that has no kind. */
static tree_node *read_hidden_statement(tree_builder *b, CXCursor cursor) {
  const span all = front_span(&b->w, cursor);
  cursor_list list = tree_children_of(cursor);
  tree_node *n = NULL;
  if (list.count > 0) n = tree_read_statement(b, list.items[list.count - 1]);
  free(list.items);
  if (n == NULL || n->tokens.first <= all.first || n->tokens.last < all.last) {
    n = tree_new_node(b, TREE_UNKNOWN_STATEMENT, all);
    take_semicolon(b, n);
    return n;
  }
  n->tokens.first = all.first;
  return n;
}

static tree_node *read_with_semicolon(tree_builder *b, tree_node *n) {
  take_semicolon(b, n);
  return n;
}

tree_node *tree_read_statement(tree_builder *b, CXCursor cursor) {
  const enum CXCursorKind kind = clang_getCursorKind(cursor);
  switch (kind) {
    case CXCursor_CompoundStmt: return read_compound(b, cursor);
    case CXCursor_DeclStmt: return read_declare(b, cursor);
    case CXCursor_IfStmt: return read_headed(b, cursor, TREE_IF, 3);
    case CXCursor_ForStmt: return read_for(b, cursor);
    case CXCursor_WhileStmt: return read_headed(b, cursor, TREE_WHILE, 2);
    case CXCursor_DoStmt: return read_with_semicolon(b, read_headed(b, cursor, TREE_DO, 2));
    case CXCursor_SwitchStmt: return read_headed(b, cursor, TREE_SWITCH, 2);
    case CXCursor_CaseStmt: return read_case(b, cursor);
    case CXCursor_DefaultStmt: return read_headed(b, cursor, TREE_DEFAULT, 1);
    case CXCursor_LabelStmt: return read_label(b, cursor);
    case CXCursor_GotoStmt: return read_jump(b, cursor, TREE_GOTO);
    case CXCursor_BreakStmt: return read_jump(b, cursor, TREE_BREAK);
    case CXCursor_ContinueStmt: return read_jump(b, cursor, TREE_CONTINUE);
    case CXCursor_ReturnStmt: return read_with_semicolon(b, read_headed(b, cursor, TREE_RETURN, 1));
    case CXCursor_NullStmt: return tree_new_node(b, TREE_EMPTY, front_span(&b->w, cursor));
    default: return clang_isExpression(kind) ? read_plain_expression(b, cursor) : read_hidden_statement(b, cursor);
  }
}
