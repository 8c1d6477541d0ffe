/* Which assignments can be split. */
#include "repair/split.h"

#include <string.h>

#include "base/buffer.h"
#include "repair/spots.h"

static bool is_work_item(const tree_builtin *called) { return called != NULL && called->kind == TREE_WORK_ITEM; }

bool split_is_pure(const tree_node *object) { return !tree_has_effects(object, is_work_item); }

const tree_node *split_assignment(const pp_result *text, const tree_node *of) {
  const tree_node *n = of->kind == TREE_EXPRESSION ? of->children[0] : NULL;
  if (n == NULL || (n->kind != TREE_ASSIGN && n->kind != TREE_COMPOUND_ASSIGN) || n->type == NULL ||
      n->tokens.first != of->tokens.first || n->tokens.last + 1 != of->tokens.last || !split_is_pure(n->children[0])) {
    return NULL;
  }
  const tree_type_kind kind = n->type->kind;
  const bool number = kind == TREE_TYPE_INTEGER || kind == TREE_TYPE_FLOAT || kind == TREE_TYPE_VECTOR;
  const span s = of->tokens; /* macros between these stay as they are written */
  const bool plain = spots_plain(text, (span){s.first, s.first}) && spots_plain(text, (span){n->token, n->token}) &&
                     spots_plain(text, (span){s.last, s.last});
  return number && plain ? n : NULL;
}

char *split_name(const pp_result *text, const char *wanted) {
  buffer name = {0};
  buffer_puts(&name, wanted);
  while (strstr(text->files[0].text, name.data) != NULL || strstr(text->text, name.data) != NULL) {
    buffer_putc(&name, '_');
  }
  return buffer_take(&name);
}
