/* Where the parts of statements stand: what is in front of them, brackets, semicolons, colons. */
#include "frontend/tree_internal.h"

static bool is(const tree *t, uint32_t token, const char *spelling) { return token_is(t->text, token, spelling); }

/* The first token after what stands before a statement. The parts of its parent are known. */
static uint32_t first_of(const tree_node *n) {
  const tree_node *p = n->parent;
  switch (p->kind) {
    case TREE_COMPOUND:
      for (uint32_t i = n->index; i-- > 0;) {
        if (p->children[i]->kind != TREE_PRAGMA) {
          return p->children[i]->tokens.last + 1;
        }
      }
      return p->parts->begin + 1;
    case TREE_IF:
      return n->index == 2 ? p->children[1]->tokens.last + 2 : p->parts->close + 1;
    case TREE_WHILE:
    case TREE_SWITCH:
      return p->parts->close + 1;
    case TREE_FOR:
      return n->index == 3 ? p->parts->close + 1 : n->tokens.first;
    case TREE_DO:
      return p->parts->begin + 1;
    case TREE_CASE:
    case TREE_DEFAULT:
    case TREE_LABEL:
      return p->parts->colon + 1;
    default:
      return n->tokens.first;
  }
}

/* After pragmas, `_Pragma(…)` and attributes. */
static uint32_t behind_prefix(const tree *t, uint32_t at) {
  for (;;) {
    const bool attribute = is(t, at, "__attribute__") && is(t, at + 1, "(");
    const uint32_t close = attribute ? token_match(t->text, at + 1) : NO_TOKEN;
    const uint32_t behind = close == NO_TOKEN ? token_behind_pragma(t->text, at) : close + 1;
    if (behind == at) {
      return at;
    }
    at = behind;
  }
}

static void find_head(const tree *t, tree_parts *p, uint32_t open) {
  if (is(t, open, "(")) {
    p->open = open;
    p->close = token_match(t->text, open);
  }
}

static uint32_t colon_behind(const tree *t, uint32_t token) { return is(t, token, ":") ? token : NO_TOKEN; }

static void find_parts(const tree *t, const tree_node *n, tree_parts *p) {
  switch (n->kind) {
    case TREE_FOR:
      find_head(t, p, p->begin + 1);
      tree_find_semicolons(t, p->open, p->close, p->ends);
      break;
    case TREE_IF:
    case TREE_WHILE:
    case TREE_SWITCH:
      find_head(t, p, p->begin + 1);
      break;
    case TREE_DO:
      find_head(t, p, n->children[0] == NULL ? NO_TOKEN : n->children[0]->tokens.last + 2);
      break;
    case TREE_CASE: {
      const tree_node *value = n->children[1] != NULL ? n->children[1] : n->children[0];
      p->colon = value == NULL ? NO_TOKEN : colon_behind(t, value->tokens.last + 1);
      break;
    }
    case TREE_DEFAULT:
    case TREE_LABEL:
      p->colon = colon_behind(t, p->begin + 1);
      break;
    default:
      break;
  }
}

void tree_find_parts(tree *t) {
  for (tree_node *n = t->unit; n != NULL; n = tree_next(t->unit, n)) {
    if (!tree_is_statement(n->kind) || n->kind == TREE_PRAGMA) {
      continue;
    }
    tree_parts *p = mem_arena_take(t->arena, sizeof *p);
    *p = (tree_parts){.open = NO_TOKEN, .close = NO_TOKEN, .ends = {NO_TOKEN, NO_TOKEN}, .colon = NO_TOKEN};
    const uint32_t first = first_of(n);
    p->first = first < n->tokens.first ? first : n->tokens.first;
    p->begin = behind_prefix(t, p->first);
    find_parts(t, n, p);
    n->parts = p;
  }
}
