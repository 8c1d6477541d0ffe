/* Of which type a variable is that is saved and restored around a step of a loop: as the user wrote it. */
#include <string.h>

#include "base/memory.h"
#include "mutate/schema.h"

/* A variable that belongs to the work-item alone and is copied by an assignment. */
static bool is_own(const tree_symbol *s) {
  const bool parameter = s->kind == TREE_SYMBOL_PARAMETER;
  const bool local = s->kind == TREE_SYMBOL_VARIABLE && tree_function_of(s->declaration) != NULL;
  return (parameter || local) && !s->is_static && !s->is_extern && s->type != NULL &&
         s->type->kind != TREE_TYPE_ARRAY &&
         (s->type->space == TREE_SPACE_NONE || s->type->space == TREE_SPACE_PRIVATE);
}

char *variable_type(const program *p, uint32_t in, uint32_t token) {
  const tree *t = p->units[p->functions[in].unit].tree;
  const tree_node *n = tree_innermost(t, token);
  const bool known = n->kind == TREE_NAME && n->symbol->type_text != NULL && is_own(n->symbol);
  return known ? mem_strdup(n->symbol->type_text) : NULL;
}

bool declares(const program *p, uint32_t in, span tokens, uint32_t name) {
  const unit *u = &p->units[p->functions[in].unit];
  const tree_node *root = tree_function_of(tree_innermost(u->tree, name));
  for (const tree_node *n = root; n != NULL; n = tree_next(root, n)) {
    if (n->kind == TREE_VARIABLE && span_has(tokens, n->token) && n->parent->parent->kind != TREE_FOR &&
        same_spelling(&u->text, n->token, name)) {
      return true;
    }
  }
  return false;
}
