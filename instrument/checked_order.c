/* Whether what a program leaves in memory may depend on the order of its work-items though none of its accesses race:
 * atomic functions whose old value is used, or which do not commute. Additions commute with each other, and so do ands,
 * ors, exclusive ors, minima and maxima of integers each among themselves. */
#include <string.h>

#include "instrument/checked.h"

/* Functions of one letter commute with each other. */
static const struct {
  const char *name; /* after atomic_ or atom_, without _explicit */
  char family;
} commuting[] = {
    {"add", '+'}, {"sub", '+'},       {"inc", '+'}, {"dec", '+'},       {"fetch_add", '+'}, {"fetch_sub", '+'},
    {"and", '&'}, {"fetch_and", '&'}, {"or", '|'},  {"fetch_or", '|'},  {"xor", '^'},       {"fetch_xor", '^'},
    {"min", '<'}, {"fetch_min", '<'}, {"max", '>'}, {"fetch_max", '>'},
};

/* 0: it commutes with nothing. */
static char family_of(const char *called) {
  static const char suffix[] = "_explicit";
  const char *name = strncmp(called, "atomic_", 7) == 0 ? called + 7
                     : strncmp(called, "atom_", 5) == 0 ? called + 5
                                                        : "";
  for (size_t i = 0; i < sizeof commuting / sizeof commuting[0]; i++) {
    const size_t length = strlen(commuting[i].name);
    if (strncmp(name, commuting[i].name, length) == 0 && (name[length] == '\0' || strcmp(name + length, suffix) == 0)) {
      return commuting[i].family;
    }
  }
  return 0;
}

/* A statement of its own, which is not the value of a statement expression. */
static bool is_unused(const tree_node *n) {
  return n->parent->kind == TREE_EXPRESSION && n->parent->parent != NULL &&
         (n->parent->parent->kind != TREE_COMPOUND || n->parent->parent->parent->kind != TREE_STATEMENT_EXPRESSION);
}

/* What the first argument leads to is made of integers. */
static bool is_of_integers(const tree_node *n) {
  const tree_type *t = n->child_count > 0 ? n->children[0]->type : NULL;
  t = t != NULL && t->kind == TREE_TYPE_POINTER ? t->element : NULL;
  t = t != NULL && t->kind == TREE_TYPE_ATOMIC ? t->element : t;
  return t != NULL && tree_type_is_integer(t);
}

static bool depends(const tree_node *n, char *family) {
  switch (n->builtin->kind) {
    case TREE_ATOMIC_ANY: {
      const char own = is_unused(n) && is_of_integers(n) ? family_of(n->symbol->name) : 0;
      const bool alone = own != 0 && (*family == 0 || *family == own);
      *family = own;
      return !alone;
    }
    case TREE_ATOMIC_LOAD:
    case TREE_ATOMIC_STORE:
    case TREE_GROUP:
    case TREE_SUB_GROUP:
    case TREE_PIPE:
    case TREE_EVENT:
      return true;
    default:
      return false;
  }
}

void find_order(const program *p, checked *c) {
  char family = 0;
  for (uint32_t i = 0; i < p->function_count; i++) {
    const tree_node *body = tree_body(p->functions[i].node);
    for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
      if (n->kind == TREE_CALL && n->builtin != NULL && depends(n, &family)) {
        c->found.ordered = true;
      }
    }
  }
}
