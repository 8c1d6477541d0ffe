/* Following the pointer parameters of a kernel through the expressions of its body. */
#include "frontend/facts/accesses.h"

#include <stdlib.h>

#include "base/memory.h"
#include "frontend/facts/pointers.h"
#include "frontend/tree_builtins.h"

/* What becomes of an expression's value, or of the object that it names. */
typedef enum use {
  USE_NONE,  /* compared, or dropped */
  USE_VALUE, /* read, and kept where we do not follow it */
  USE_WRITE,
  USE_BOTH,
  USE_ADDRESS,    /* of an object: kept where we do not follow it */
  USE_NO_ADDRESS, /* of an object: compared, dropped, or kept where we follow it */
  USE_AT_READ,    /* a pointer: what it points to is read */
  USE_AT_WRITE,
  USE_AT_BOTH
} use;

/* A function of the program that is called, and what it does through its parameters. */
typedef struct called {
  const tree_node *function;
  parameter_accesses accesses;
  bool known; /* else it is being read: it calls itself */
} called;

typedef struct called_list {
  called **items;
  size_t count, capacity;
} called_list;

typedef struct search {
  const tree_node *kernel;
  parameter_accesses *out;
  called_list *all; /* that were met */
} search;

/* Of an object with this use, a pointer to it has … */
static use use_of_pointer(use object) {
  switch (object) {
    case USE_WRITE:
      return USE_AT_WRITE;
    case USE_BOTH:
      return USE_AT_BOTH;
    case USE_ADDRESS:
      return USE_VALUE;
    case USE_NO_ADDRESS:
      return USE_NONE;
    default:
      return USE_AT_READ;
  }
}

/* … and the other way round. */
static use use_of_object(use pointer) {
  switch (pointer) {
    case USE_AT_READ:
      return USE_VALUE;
    case USE_AT_WRITE:
      return USE_WRITE;
    case USE_AT_BOTH:
      return USE_BOTH;
    default:
      return pointer;
  }
}

static bool is_at(use u) { return u >= USE_AT_READ; }

static bool has_kind(const tree_node *n, tree_type_kind kind) { return n->type != NULL && n->type->kind == kind; }
static bool is_pointer(const tree_node *n) { return has_kind(n, TREE_TYPE_POINTER); }
static bool is_array(const tree_node *n) { return has_kind(n, TREE_TYPE_ARRAY); }

static void follow(const search *s, const tree_node *n, use u);

static void follow_children(const search *s, const tree_node *n, use u) {
  for (uint32_t i = 0; i < n->child_count; i++) {
    if (n->children[i] != NULL) {
      follow(s, n->children[i], u);
    }
  }
}

static void add_access(const search *s, uint32_t parameter, const tree_node *name, bool writes) {
  *ARRAY_ADD(s->out->items, s->out->count, s->out->capacity) =
      (parameter_access){.parameter = parameter, .name = name, .writes = writes};
}

/* The parameter that a pointer variable of the function is always computed from; NULL: none, or not known. */
static const tree_symbol *copy_of(const search *s, const tree_symbol *variable) {
  const bool pointer =
      variable->kind == TREE_SYMBOL_VARIABLE && variable->type != NULL && variable->type->kind == TREE_TYPE_POINTER;
  const tree_symbol *root = pointer ? root_of_pointer(tree_body(s->kernel), variable) : NULL;
  return root != NULL && root->kind == TREE_SYMBOL_PARAMETER ? root : NULL;
}

static void follow_name(const search *s, const tree_node *n, use u) {
  const tree_symbol *copied = copy_of(s, n->symbol);
  for (uint32_t i = 0; i + 1 < s->kernel->child_count; i++) {
    if (s->kernel->children[i]->symbol != (copied != NULL ? copied : n->symbol)) {
      continue;
    }
    if (u == USE_AT_READ || u == USE_AT_BOTH) {
      add_access(s, i, n, false);
    }
    if (u == USE_AT_WRITE || u == USE_AT_BOTH) {
      add_access(s, i, n, true);
    }
    s->out->escapes[i] = s->out->escapes[i] || u == USE_VALUE || u == USE_ADDRESS;
  }
}

/* What is said of an element, or of `*p`: an array there is a pointer again. */
static use use_of_base(const tree_node *n, use u) {
  return is_at(u) && !is_array(n) ? USE_AT_READ : use_of_pointer(use_of_object(u));
}

static void follow_subscript(const search *s, const tree_node *n, use u) {
  const tree_node *base = n->children[0];
  follow(s, base, is_pointer(base) ? use_of_base(n, u) : u);
  follow(s, n->children[1], USE_VALUE);
}

/* The pointer of a sum goes on with the sum's use; the distance of two pointers is none. */
static void follow_binary(const search *s, const tree_node *n, use u) {
  const bool sum = n->op == TREE_ADD || n->op == TREE_SUBTRACT;
  for (uint32_t i = 0; i < 2; i++) {
    const bool pointer = is_pointer(n->children[i]);
    follow(s, n->children[i], !sum ? USE_NONE : !pointer ? USE_VALUE : is_pointer(n) ? u : USE_NONE);
  }
}

/* `a.b`, `a->b`, components of vectors. */
static void follow_part(const search *s, const tree_node *n, use u) {
  const use object = is_array(n) ? use_of_object(u) : u;
  follow(s, n->children[0], n->arrow ? use_of_pointer(use_of_object(u)) : object);
}

static use use_by_effect(tree_effect effect) {
  static const use uses[] = {[TREE_EFFECT_NONE] = USE_NONE,
                             [TREE_EFFECT_READ] = USE_AT_READ,
                             [TREE_EFFECT_WRITE] = USE_AT_WRITE,
                             [TREE_EFFECT_BOTH] = USE_AT_BOTH};
  return uses[effect];
}

static const called *find_called(const search *s, const tree_node *function) {
  for (size_t i = 0; i < s->all->count; i++) {
    if (s->all->items[i]->function == function) {
      return s->all->items[i];
    }
  }
  called *added = mem_calloc(1, sizeof *added);
  *ARRAY_ADD(s->all->items, s->all->count, s->all->capacity) = added;
  added->function = function;
  added->accesses.escapes = mem_calloc(function->child_count, sizeof *added->accesses.escapes);
  const search inner = {function, &added->accesses, s->all};
  follow(&inner, tree_body(function), USE_VALUE);
  added->known = true;
  return added;
}

/* What a function of the program does through its parameter `index`. */
static use use_by_own(const search *s, const tree_node *function, uint32_t index) {
  const bool here = function != NULL && tree_body(function) != NULL && index + 1 < function->child_count;
  const called *c = here ? find_called(s, function) : NULL;
  if (c == NULL || !c->known || c->accesses.escapes[index]) {
    return USE_VALUE;
  }
  bool reads = false, writes = false;
  for (size_t i = 0; i < c->accesses.count; i++) {
    const parameter_access *a = &c->accesses.items[i];
    reads = reads || (a->parameter == index && !a->writes);
    writes = writes || (a->parameter == index && a->writes);
  }
  return writes ? (reads ? USE_AT_BOTH : USE_AT_WRITE) : reads ? USE_AT_READ : USE_NONE;
}

/* What a call does through an argument that is a pointer. Of what the table does not have the worst is thought. */
static use use_by_call(const search *s, const tree_node *n, uint32_t index, bool first) {
  if (n->symbol->kind != TREE_SYMBOL_BUILTIN) {
    return use_by_own(s, n->symbol->declaration, index);
  }
  if (n->builtin == NULL) {
    return USE_AT_WRITE;
  }
  return n->builtin->kind == TREE_ADDRESS_SPACE ? USE_VALUE
                                                : use_by_effect(first ? n->builtin->first : n->builtin->others);
}

static void follow_call(const search *s, const tree_node *n) {
  bool first = true;
  for (uint32_t i = 0; i < n->child_count; i++) {
    const bool pointer = is_pointer(n->children[i]);
    follow(s, n->children[i], pointer ? use_by_call(s, n, i, first) : USE_VALUE);
    first = first && !pointer;
  }
}

/* A value that a variable gets; a copy that is followed itself says nothing. */
static void follow_value(const search *s, const tree_symbol *variable, const tree_node *value) {
  follow(s, value, variable != NULL && copy_of(s, variable) != NULL ? USE_NONE : USE_VALUE);
}

static void follow_operator(const search *s, const tree_node *n, use u) {
  switch (n->kind) {
    case TREE_ASSIGN: {
      const tree_node *to = tree_plain(n->children[0]);
      follow(s, n->children[0], USE_WRITE);
      follow_value(s, to->kind == TREE_NAME ? to->symbol : NULL, n->children[1]);
      break;
    }
    case TREE_COMPOUND_ASSIGN:
      follow(s, n->children[0], is_at(u) ? u : USE_BOTH);
      follow(s, n->children[1], USE_VALUE);
      break;
    case TREE_STEP:
      follow(s, n->children[0], is_at(u) ? u : USE_BOTH);
      break;
    case TREE_COMMA:
      follow(s, n->children[0], USE_NONE);
      follow(s, n->children[1], u);
      break;
    case TREE_CONDITIONAL:
      follow(s, n->children[0], n->children[1] == NULL ? u : USE_NONE);
      if (n->children[1] != NULL) {
        follow(s, n->children[1], u);
      }
      follow(s, n->children[2], u);
      break;
    default: /* ! ~ && || */
      follow_children(s, n, USE_NONE);
      break;
  }
}

static void follow(const search *s, const tree_node *n, use u) {
  switch (n->kind) {
    case TREE_NAME:
      follow_name(s, n, u);
      break;
    case TREE_DEREFERENCE:
      follow(s, n->children[0], use_of_base(n, u));
      break;
    case TREE_ADDRESS:
      follow(s, n->children[0], is_at(u) ? use_of_object(u) : u == USE_NONE ? USE_NO_ADDRESS : USE_ADDRESS);
      break;
    case TREE_SUBSCRIPT:
      follow_subscript(s, n, u);
      break;
    case TREE_MEMBER:
    case TREE_SWIZZLE:
      follow_part(s, n, u);
      break;
    case TREE_BINARY:
      follow_binary(s, n, u);
      break;
    case TREE_UNARY:
    case TREE_LOGICAL:
    case TREE_COMMA:
    case TREE_CONDITIONAL:
    case TREE_ASSIGN:
    case TREE_COMPOUND_ASSIGN:
    case TREE_STEP:
      follow_operator(s, n, u);
      break;
    case TREE_PARENTHESES:
    case TREE_CAST:
    case TREE_CONVERT:
    case TREE_REINTERPRET:
      follow(s, n->children[0], n->conversion == TREE_TO_BOOL ? USE_NONE : u);
      break;
    case TREE_CALL:
      follow_call(s, n);
      break;
    case TREE_SIZEOF:
      break;
    case TREE_VARIABLE:
      if (n->children[0] != NULL) {
        follow_value(s, n->symbol, n->children[0]);
      }
      break;
    default:
      follow_children(s, n, USE_VALUE);
      break;
  }
}

parameter_accesses read_accesses(const tree_node *kernel) {
  parameter_accesses out = {.escapes = mem_calloc(kernel->child_count, sizeof *out.escapes)};
  called_list all = {0};
  const search s = {kernel, &out, &all};
  follow(&s, tree_body(kernel), USE_VALUE);
  for (size_t i = 0; i < all.count; i++) {
    accesses_free(&all.items[i]->accesses);
    free(all.items[i]);
  }
  free(all.items);
  return out;
}

void accesses_free(parameter_accesses *a) {
  free(a->items);
  free(a->escapes);
}
