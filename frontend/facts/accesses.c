/* Pointer analysis of a kernel: where its parameters and variables lead, and the accesses through them. */
#include "frontend/facts/accesses.h"

#include <stdlib.h>

/* Following addresses through expressions and variables. */

const tree_node *beyond_parentheses(const tree_node *n) {
  while (n->parent->kind == TREE_PARENTHESES) n = n->parent;
  return n;
}

const tree_node *find_pointer(const tree_node *name, const tree_node **index) {
  const tree_node *n = beyond_parentheses(name);
  *index = NULL;
  if (n->parent->kind != TREE_CONVERT || n->parent->conversion != TREE_LOAD) return NULL;
  n = beyond_parentheses(n->parent);
  if (n->parent->kind == TREE_BINARY && n->parent->op == OP_ADD) {
    *index = n->parent->children[1 - n->index];
    n = beyond_parentheses(n->parent);
  }
  return n;
}

/* --- roots --------------------------------------------------------------------------------------------------------- */

static bool leads_on(const tree_node *n) {
  return n != NULL && n->type != NULL && (n->type->kind == TREE_TYPE_POINTER || n->type->kind == TREE_TYPE_ARRAY);
}

/* The name that an address is computed from; NULL: there is more than one way. */
static const tree_node *base_of(const tree_node *n) {
  while (n != NULL && n->kind != TREE_NAME) {
    switch (n->kind) {
      case TREE_SUBSCRIPT:
      case TREE_BINARY:
        n = leads_on(n->children[0]) ? n->children[0] : leads_on(n->children[1]) ? n->children[1] : NULL;
        break;
      case TREE_MEMBER:
      case TREE_SWIZZLE:
      case TREE_DEREFERENCE:
      case TREE_ADDRESS:
      case TREE_PARENTHESES: n = n->children[0]; break;
      case TREE_CONVERT:
      case TREE_CAST: n = n->conversion == TREE_INTEGER_TO_POINTER ? NULL : n->children[0]; break;
      default: return NULL;
    }
  }
  return n;
}

/* A pointer that lies in memory itself leads anywhere. */
static bool through_memory(const tree_node *from, const tree_node *name) {
  for (const tree_node *n = name; n != from; n = n->parent) {
    const bool loads = n->parent->kind == TREE_CONVERT && n->parent->conversion == TREE_LOAD;
    if (loads && n != name) return true;
  }
  return false;
}

static bool is_name(const tree_node *n, const tree_symbol *s) {
  n = tree_bare(n);
  return n->kind == TREE_NAME && n->symbol == s;
}

static const tree_symbol *root_within(const tree_node *body, const tree_node *n, int depth);

/* Whether nothing but the function can change a variable whose address it does not take. */
static bool is_own(const tree_node *body, const tree_symbol *variable) {
  return !variable->is_static && !variable->is_extern && variable->declaration != NULL &&
         tree_function_of(variable->declaration) == tree_function_of(body);
}

/* The one value that a pointer variable of the function is ever given, steps along it apart. */
static const tree_symbol *root_of_variable(const tree_node *body, const tree_symbol *variable, int depth) {
  const tree_symbol *root = variable->kind == TREE_SYMBOL_PARAMETER ? variable : NULL;
  if (!is_own(body, variable)) return NULL;
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
    const tree_node *value = NULL;
    if (n->kind == TREE_VARIABLE && n->symbol == variable && n->children[0] != NULL)
      value = n->children[0];
    else if (n->kind == TREE_ASSIGN && is_name(n->children[0], variable))
      value = n->children[1];
    else if (n->kind == TREE_ADDRESS && is_name(n->children[0], variable))
      return NULL;
    if (value == NULL) continue;
    const tree_node *name = base_of(value);
    const bool itself = name != NULL && name->symbol == variable;
    const tree_symbol *from = itself ? root : root_within(body, value, depth + 1);
    if (from == NULL || (root != NULL && from != root)) return NULL;
    root = from;
  }
  return root;
}

static const tree_symbol *root_within(const tree_node *body, const tree_node *n, int depth) {
  const tree_node *name = base_of(n);
  if (name == NULL || depth > 8 || through_memory(n, name)) return NULL;
  const tree_symbol *s = name->symbol;
  if (s->type != NULL && s->type->kind == TREE_TYPE_ARRAY && s->type->space == TREE_SPACE_LOCAL) return s;
  const bool variable = s->kind == TREE_SYMBOL_PARAMETER || s->kind == TREE_SYMBOL_VARIABLE;
  return variable && s->type != NULL && s->type->kind == TREE_TYPE_POINTER   ? root_of_variable(body, s, depth)
         : variable && s->type != NULL && s->type->space == TREE_SPACE_LOCAL ? s
                                                                             : NULL;
}

const tree_symbol *root_symbol(const tree_node *body, const tree_node *n) { return root_within(body, n, 0); }

/* The same of the values that a pointer variable of the function is given. */
static const tree_symbol *root_of_pointer(const tree_node *body, const tree_symbol *variable) {
  return root_of_variable(body, variable, 0);
}

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
    case USE_WRITE: return USE_AT_WRITE;
    case USE_BOTH: return USE_AT_BOTH;
    case USE_ADDRESS: return USE_VALUE;
    case USE_NO_ADDRESS: return USE_NONE;
    default: return USE_AT_READ;
  }
}

/* … and the other way round. */
static use use_of_object(use pointer) {
  switch (pointer) {
    case USE_AT_READ: return USE_VALUE;
    case USE_AT_WRITE: return USE_WRITE;
    case USE_AT_BOTH: return USE_BOTH;
    default: return pointer;
  }
}

static bool is_at(use u) { return u >= USE_AT_READ; }

static bool has_kind(const tree_node *n, tree_type_kind kind) { return n->type != NULL && n->type->kind == kind; }
static bool is_pointer(const tree_node *n) { return has_kind(n, TREE_TYPE_POINTER); }
static bool is_array(const tree_node *n) { return has_kind(n, TREE_TYPE_ARRAY); }

static void follow(const search *s, const tree_node *n, use u);

static void follow_children(const search *s, const tree_node *n, use u) {
  for (uint32_t i = 0; i < n->child_count; i++)
    if (n->children[i] != NULL) follow(s, n->children[i], u);
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
    if (s->kernel->children[i]->symbol != (copied != NULL ? copied : n->symbol)) continue;
    if (u == USE_AT_READ || u == USE_AT_BOTH) add_access(s, i, n, false);
    if (u == USE_AT_WRITE || u == USE_AT_BOTH) add_access(s, i, n, true);
    s->out->escapes[i] = s->out->escapes[i] || u == USE_VALUE || u == USE_ADDRESS;
  }
}

/* What is said of an element, or of `*p`: an array there is a pointer again. */
static use use_of_base(const tree_node *n, use u) {
  return is_at(u) && !is_array(n) ? USE_AT_READ : use_of_pointer(use_of_object(u));
}

/* The pointer of a sum goes on with the sum's use; the distance of two pointers is none. */
static void follow_binary(const search *s, const tree_node *n, use u) {
  const bool sum = n->op == OP_ADD || n->op == OP_SUBTRACT;
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
  for (size_t i = 0; i < s->all->count; i++)
    if (s->all->items[i]->function == function) return s->all->items[i];
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
  if (c == NULL || !c->known || c->accesses.escapes[index]) return USE_VALUE;
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
  if (n->symbol->kind != TREE_SYMBOL_BUILTIN) return use_by_own(s, n->symbol->declaration, index);
  if (n->builtin == NULL) return USE_AT_WRITE;
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
    case TREE_STEP: follow(s, n->children[0], is_at(u) ? u : USE_BOTH); break;
    case TREE_COMMA:
      follow(s, n->children[0], USE_NONE);
      follow(s, n->children[1], u);
      break;
    case TREE_CONDITIONAL:
      follow(s, n->children[0], n->children[1] == NULL ? u : USE_NONE);
      if (n->children[1] != NULL) follow(s, n->children[1], u);
      follow(s, n->children[2], u);
      break;
    default: /* ! ~ && || */ follow_children(s, n, USE_NONE); break;
  }
}

static void follow(const search *s, const tree_node *n, use u) {
  switch (n->kind) {
    case TREE_NAME: follow_name(s, n, u); break;
    case TREE_DEREFERENCE: follow(s, n->children[0], use_of_base(n, u)); break;
    case TREE_ADDRESS:
      follow(s, n->children[0], is_at(u) ? use_of_object(u) : u == USE_NONE ? USE_NO_ADDRESS : USE_ADDRESS);
      break;
    case TREE_SUBSCRIPT: {
      const tree_node *base = n->children[0];
      follow(s, base, is_pointer(base) ? use_of_base(n, u) : u);
      follow(s, n->children[1], USE_VALUE);
      break;
    }
    case TREE_MEMBER:
    case TREE_SWIZZLE: follow_part(s, n, u); break;
    case TREE_BINARY: follow_binary(s, n, u); break;
    case TREE_UNARY:
    case TREE_LOGICAL:
    case TREE_COMMA:
    case TREE_CONDITIONAL:
    case TREE_ASSIGN:
    case TREE_COMPOUND_ASSIGN:
    case TREE_STEP: follow_operator(s, n, u); break;
    case TREE_PARENTHESES:
    case TREE_CAST:
    case TREE_CONVERT:
    case TREE_REINTERPRET: follow(s, n->children[0], n->conversion == TREE_TO_BOOL ? USE_NONE : u); break;
    case TREE_CALL: follow_call(s, n); break;
    case TREE_SIZEOF: break;
    case TREE_VARIABLE:
      if (n->children[0] != NULL) follow_value(s, n->symbol, n->children[0]);
      break;
    default: follow_children(s, n, USE_VALUE); break;
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
