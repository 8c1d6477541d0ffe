/* Building the tree: nodes, tokens, and the walk over the top of libclang's tree. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/tree_internal.h"

/* --- libclang's children ------------------------------------------------------------------------------------------ */

static enum CXChildVisitResult add_child(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  cursor_list *list = data;
  *ARRAY_ADD(list->items, list->count, list->capacity) = cursor;
  return CXChildVisit_Continue;
}

cursor_list tree_children_of(CXCursor cursor) {
  cursor_list list = {0};
  (void)clang_visitChildren(cursor, add_child, &list);
  return list;
}

cursor_list tree_expressions_of(CXCursor cursor) {
  cursor_list list = tree_children_of(cursor);
  size_t kept = 0;
  for (size_t i = 0; i < list.count; i++) {
    if (clang_isExpression(clang_getCursorKind(list.items[i]))) {
      list.items[kept++] = list.items[i];
    }
  }
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
  if (n->kind == TREE_CALL && s.last < n->tokens.first) {
    return; /* clang puts the initialiser of a sampler in place of its name */
  }
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
  if (child == NULL) {
    return;
  }
  const uint32_t count = n->child_count;
  if ((count & (count - 1)) == 0) { /* room is a power of two */
    tree_node **larger = mem_arena_take(b->arena, (count == 0 ? 1 : 2 * (size_t)count) * sizeof(tree_node *));
    if (count > 0) {
      memcpy(larger, n->children, count * sizeof(tree_node *));
    }
    n->children = larger;
  }
  n->child_count++;
  tree_adopt(n, count, child);
}

uint32_t tree_token_of(const tree_builder *b, CXCursor cursor) {
  return front_token_at(b->tree->text, front_offset(clang_getCursorLocation(cursor)));
}

/* --- pragmas and attributes --------------------------------------------------------------------------------------- */

static void add_pragmas(tree_builder *b, tree_node *n, uint32_t from, uint32_t to) {
  for (uint32_t t = from; t < to && t < b->tree->text->token_count; t++) {
    if (b->tree->text->tokens[t].kind == PP_PRAGMA) {
      tree_add_child(b, n, tree_new_node(b, TREE_PRAGMA, (span){t, t}));
    }
  }
}

void tree_insert_pragmas(tree_builder *b, tree_node *n, uint32_t from, uint32_t to) {
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

void tree_take_attributes(tree_builder *b, tree_node *n, span in, span except) {
  const pp_result *text = b->tree->text;
  span found[64];
  uint32_t count = 0;
  for (uint32_t t = in.first; t <= in.last && t < text->token_count && count < 64; t++) {
    const bool word = token_is(text, t, "__attribute__") || token_is(text, t, "__attribute");
    if (span_has(except, t) || !word) {
      continue;
    }
    const uint32_t close = token_match(text, t + 1);
    if (close != NO_TOKEN) {
      found[count++] = (span){t, close};
      t = close;
    }
  }
  n->attributes = mem_arena_take(b->arena, (count + 1) * sizeof(span));
  memcpy(n->attributes, found, count * sizeof(span));
  n->attribute_count = count;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void read_unit(tree_builder *b, CXCursor top) {
  tree *t = b->tree;
  const uint32_t end = (uint32_t)t->text->token_count;
  t->unit = tree_new_node(b, TREE_UNIT, (span){0, end == 0 ? 0 : end - 1});
  b->scope = t->unit;
  cursor_list list = tree_children_of(top);
  for (size_t i = 0; i < list.count; i++) {
    if (front_in_text(list.items[i])) {
      tree_add_child(b, t->unit, tree_read_declaration(b, list.items[i]));
    }
  }
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

static void find_not_executed(tree *t) {
  for (tree_node *n = t->unit; n != NULL; n = tree_next(t->unit, n)) {
    const tree_node *p = n->parent;
    n->not_executed = is_label_value(n) || (p != NULL && (p->not_executed || is_wasted(p) || is_constant_storage(p)));
    t->blocks = t->blocks || (n->kind == TREE_UNKNOWN_EXPRESSION && token_is(t->text, n->tokens.first, "^"));
  }
}

static void list_functions(tree *t) {
  size_t count = 0;
  t->functions = mem_arena_take(t->arena, (t->unit->child_count + 1) * sizeof *t->functions);
  for (uint32_t i = 0; i < t->unit->child_count; i++) {
    tree_node *n = t->unit->children[i];
    if (n->kind == TREE_FUNCTION && tree_body(n) != NULL) {
      t->functions[count++] = n;
    }
  }
  t->function_count = count;
}

tree *tree_read_unit(const pp_result *text, CXTranslationUnit unit) {
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
  find_not_executed(t);
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
