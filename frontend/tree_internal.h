/* What the files of the typed tree share: memory, the walk's state, who reads what. */
#ifndef CLTC_FRONTEND_TREE_INTERNAL_H
#define CLTC_FRONTEND_TREE_INTERNAL_H

#include <clang-c/Index.h>

#include "frontend/frontend.h"

/* The text that is read. */
typedef struct walker {
  const pp_result *text;
} walker;

/* --- frontend.c --- */
/* Parses `text` and has `read` look at the result. Returns 0, or -1 with a sentence. */
int front_parse(const pp_result *text, const char *options, void (*read)(CXTranslationUnit unit, void *context),
                void *context, error *e);
uint32_t front_offset(CXSourceLocation location);
/* The token that holds byte `offset`, or the last one before it. */
uint32_t front_token_at(const pp_result *text, uint32_t offset);
span front_span(const walker *w, CXCursor cursor);
bool front_in_text(CXCursor cursor);
/* Disposes of the string. */
char *front_take_string(CXString s);
CXCursor front_first_child(CXCursor cursor);

/* --- tree_ask.c --- */
/* A map from what libclang knows a thing by to ours; `{0}` is empty. */
typedef struct tree_map {
  const void **keys;
  void **values;
  size_t count, capacity;
} tree_map;
void *tree_map_get(const tree_map *m, const void *key);
void tree_map_set(tree_map *m, const void *key, void *value);
void tree_map_free(tree_map *m);

/* --- the walk --- */
typedef struct tree_builder {
  tree *tree;
  mem_arena *arena;
  walker w;            /* for front_span and its like */
  tree_map symbols;    /* libclang's declarations */
  tree_map types;      /* libclang's canonical types */
  tree_map variants;   /* of a plain type: those with qualifiers; of an element: pointers and arrays */
  tree_type *integer;  /* int */
  tree_map records;    /* libclang's declarations of structs, unions, enumerations */
  size_t record_count; /* for tags of ours */
  tree_node *scope;    /* that names are declared in at present */
  uint32_t specifiers; /* first token of the declaration in a function that is read */
  tree_symbol **labels;
  size_t label_count, label_capacity; /* of the function at hand */
} tree_builder;

typedef struct cursor_list {
  CXCursor *items;
  size_t count, capacity;
} cursor_list;

/* --- tree_build.c --- */
/* Those that are expressions; references to types and members are left out. */
cursor_list tree_expressions_of(CXCursor cursor);
tree_node *tree_new_node(tree_builder *b, tree_kind kind, span tokens);
/* Makes room for children; all are NULL. */
void tree_reserve(tree_builder *b, tree_node *n, size_t count);
/* Sets a child, if there is one, and widens the node to hold its tokens. */
void tree_adopt(tree_node *n, uint32_t index, tree_node *child);
void tree_add_child(tree_builder *b, tree_node *n, tree_node *child);
uint32_t tree_token_of(const tree_builder *b, CXCursor cursor);

tree_symbol *tree_symbol_of(tree_builder *b, CXCursor declaration);

tree_node *tree_read_statement(tree_builder *b, CXCursor cursor);

/* The `;` that end the first and the second part of a `for` header; `close` for what is missing. */
void tree_find_semicolons(const tree *t, uint32_t open, uint32_t close, uint32_t ends[2]);

/* --- tree_ask.c --- */
/* Fills in the parts of all statements. */
void tree_find_parts(tree *t);

/* --- tree_build_expression.c --- */
tree_node *tree_read_expression(tree_builder *b, CXCursor cursor);
/* A value of what an expression gives: reads it, should it be an object. */
tree_node *tree_value_of(tree_builder *b, tree_node *n);

/* --- tree_types.c --- */
/* NULL for an invalid type. */
const tree_type *tree_read_type(tree_builder *b, CXType type);
const tree_type *tree_pointer_to(tree_builder *b, const tree_type *element);
/* The type of an object with the qualifiers and in the space of `like`. */
const tree_type *tree_qualified_like(tree_builder *b, const tree_type *type, const tree_type *like);
tree_record *tree_record_of(tree_builder *b, CXCursor declaration);

/* Fills in the constants of all expressions below a node. */
void tree_evaluate(const tree *t, tree_node *root);

static inline bool tree_token_is(const tree_builder *b, uint32_t at, const char *spelling) {
  return token_is(b->tree->text, at, spelling);
}

#endif
