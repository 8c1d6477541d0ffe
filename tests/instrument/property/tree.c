/* Making the nodes of a program. */
#include "tree.h"

#include <stdlib.h>

#include "base/memory.h"

void *tree_new(tree *p, size_t size) {
  void *memory = mem_calloc(1, size);
  *ARRAY_ADD(p->arena, p->arena_count, p->arena_capacity) = memory;
  return memory;
}

site *tree_site(tree *p, site_kind kind, uint32_t outcomes) {
  site *s = tree_new(p, sizeof *s);
  s->kind = kind;
  s->outcomes = outcomes;
  s->number = (uint32_t)p->site_count;
  *ARRAY_ADD(p->sites, p->site_count, p->site_capacity) = s;
  return s;
}

expression *tree_expression(tree *p, expression_kind kind, value_type type) {
  expression *e = tree_new(p, sizeof *e);
  e->kind = kind;
  e->type = type;
  *ARRAY_ADD(p->expressions, p->expression_count, p->expression_capacity) = e;
  return e;
}

statement *tree_statement(tree *p, statement_kind kind) {
  statement *s = tree_new(p, sizeof *s);
  s->kind = kind;
  return s;
}

void tree_append(tree *p, statement *block, statement *item) {
  if (block->item_count == block->item_capacity) {
    size_t capacity = block->item_capacity * 2 + 4;
    statement **items = tree_new(p, capacity * sizeof(statement *));
    for (size_t i = 0; i < block->item_count; i++) items[i] = block->items[i];
    block->items = items;
    block->item_capacity = capacity;
  }
  block->items[block->item_count++] = item;
}

void random_tree_free(tree *p) {
  for (size_t i = 0; i < p->arena_count; i++) free(p->arena[i]);
  free(p->arena);
  free(p->sites);
  free(p->expressions);
  free(p->text);
  free(p);
}

bool is_vector(value_type type) { return type == TYPE_INT4 || type == TYPE_UINT4; }

const char *type_name(value_type type) {
  static const char *const names[] = {"int", "uint", "int4", "uint4", "void"};
  return names[type];
}

bool site_exists(const site *s) { return s->printed && (s->owner == NULL || s->owner->used); }
