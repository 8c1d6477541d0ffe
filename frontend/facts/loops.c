/* Loops with numbers: how often one iterates in a launch, and what holds before an iteration of it. */
#include <stdlib.h>
#include <string.h>

#include "base/integer.h"
#include "frontend/facts/linear.h"

enum { DEEPEST = 64 }; /* variables made of variables */

typedef struct run {
  const tree_node *kernel;
  const facts_launch *launch;  /* NULL: any */
  int64_t most;                /* turns */
  const tree_symbol *variable; /* has `value`; NULL: none yet */
  int64_t value;
  unsigned depth;
  bool unknown;
} run;

static int64_t value_of(run *r, const tree_node *n);

static int64_t unknown(run *r) {
  r->unknown = true;
  return 0;
}

static bool is_integer(const tree_node *n) {
  return n != NULL && n->type != NULL && n->type->kind == TREE_TYPE_INTEGER;
}

static integer_type integer_type_of(const tree_type *t) {
  return (integer_type){(unsigned)t->size * 8, t->is_unsigned};
}

/* As a type holds it. */
static int64_t held(const tree_type *t, int64_t value) { return integer_wrap((uint64_t)value, integer_type_of(t)); }

/* --- stores ------------------------------------------------------------------------------------------------------- */

static bool stores_to(const tree_node *n, const tree_symbol *s) {
  const bool store =
      n->kind == TREE_STEP || n->kind == TREE_ASSIGN || n->kind == TREE_COMPOUND_ASSIGN || n->kind == TREE_ADDRESS;
  const tree_node *object = store ? tree_plain(n->children[0]) : NULL;
  return object != NULL && object->kind == TREE_NAME && object->symbol == s;
}

/* How often a variable is stored to below `root`, or its address taken; `found` is the last such place. */
static unsigned count_stores(const tree_node *root, const tree_symbol *s, const tree_node **found) {
  unsigned count = 0;
  for (const tree_node *n = root; n != NULL; n = tree_next(root, n)) {
    if (stores_to(n, s)) {
      *found = n;
      count++;
    }
  }
  return count;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* What the launch gives a parameter, what a variable is declared with. */
static int64_t first_value(run *r, const tree_symbol *s) {
  if (r->launch == NULL && (s->declaration == NULL || tree_function_of(s->declaration) == NULL)) return unknown(r);
  if (s->kind == TREE_SYMBOL_PARAMETER) {
    if (r->launch == NULL) return unknown(r);
    const uint32_t i = parameter_index(r->kernel, s);
    const bool known = i < r->launch->argument_count && r->launch->arguments[i].known;
    return known ? r->launch->arguments[i].value : unknown(r);
  }
  const tree_node *made = s->kind == TREE_SYMBOL_VARIABLE ? s->declaration : NULL;
  const tree_node *first = made != NULL && made->child_count > 0 ? made->children[0] : NULL;
  return is_integer(first) ? held(s->type, value_of(r, first)) : unknown(r);
}

static int64_t value_of_name(run *r, const tree_node *n) {
  const tree_symbol *s = n->symbol;
  const tree_node *ignored = NULL;
  if (s != NULL && s == r->variable) return r->value;
  if (s == NULL || r->depth == 0 || s->is_static || s->is_extern || count_stores(r->kernel, s, &ignored) > 0)
    return unknown(r);
  r->depth--;
  const int64_t value = first_value(r, s);
  r->depth++;
  return value;
}

static int64_t value_of_size(run *r, const char *name, uint64_t d) {
  const facts_launch *l = r->launch;
  const bool has = d < l->dimensions;
  const uint64_t global = has ? l->global[d] : 1, local = has ? l->local[d] : 1;
  if (strcmp(name, "get_global_size") == 0) return (int64_t)global;
  if (strcmp(name, "get_local_id") == 0 || strcmp(name, "get_group_id") == 0) return 0;
  if (strcmp(name, "get_global_id") == 0 || strcmp(name, "get_global_offset") == 0)
    return has ? (int64_t)l->offset[d] : 0;
  if (local == 0) return unknown(r);
  return strcmp(name, "get_local_size") == 0   ? (int64_t)local
         : strcmp(name, "get_num_groups") == 0 ? (int64_t)((global + local - 1) / local)
                                               : unknown(r);
}

static int64_t value_of_call(run *r, const tree_node *n) {
  if (n->builtin == NULL || n->symbol == NULL) return unknown(r);
  if (n->builtin->kind == TREE_WORK_ITEM && r->launch == NULL) return unknown(r);
  if (n->builtin->kind == TREE_WORK_ITEM && n->child_count == 1) {
    const int64_t d = value_of(r, n->children[0]);
    return r->unknown || d < 0 ? unknown(r) : value_of_size(r, n->symbol->name, (uint64_t)d);
  }
  const bool least = strcmp(n->symbol->name, "min") == 0, most = strcmp(n->symbol->name, "max") == 0;
  if (n->child_count != 2 || (!least && !most)) return unknown(r);
  const int64_t a = value_of(r, n->children[0]), b = value_of(r, n->children[1]);
  return (a < b) == least ? a : b;
}

/* `t` is the type that both operands have. Of a shift as many bits count as the type's width lets count. */
static int64_t computed(run *r, const tree_type *t, c_operator op, int64_t a, int64_t b) {
  int64_t result = 0;
  if (op == OP_SHIFT_LEFT || op == OP_SHIFT_RIGHT) b &= t->size >= sizeof a ? 63 : 31;
  return integer_compute(op, a, b, integer_type_of(t), &result) == INTEGER_UNDEFINED ? unknown(r) : result;
}

static int64_t value_of_binary(run *r, const tree_node *n) {
  if (!is_integer(n->children[0]) || !is_integer(n->children[1])) return unknown(r);
  const int64_t a = value_of(r, n->children[0]), b = value_of(r, n->children[1]);
  return computed(r, n->children[0]->type, n->op, a, b);
}

static int64_t value_of_logical(run *r, const tree_node *n) {
  const bool first = value_of(r, n->children[0]) != 0;
  return first == (n->op == OP_LOGICAL_OR) ? first : value_of(r, n->children[1]) != 0;
}

static int64_t value_of_unary(run *r, const tree_node *n) {
  const int64_t a = value_of(r, n->children[0]);
  const tree_type *t = n->type;
  return n->op == OP_NOT          ? a == 0
         : n->op == OP_SUBTRACT   ? held(t, (int64_t)(0 - (uint64_t)a))
         : n->op == OP_COMPLEMENT ? held(t, ~a)
                                  : a;
}

static int64_t value_of_conversion(run *r, const tree_node *n) {
  const int64_t value = is_integer(n->children[0]) ? value_of(r, n->children[0]) : unknown(r);
  return n->conversion == TREE_TO_BOOL ? value != 0 : held(n->type, value);
}

static int64_t value_of(run *r, const tree_node *n) {
  if (!is_integer(n)) return unknown(r);
  if (n->constant.kind == TREE_INTEGER_CONSTANT) return n->constant.integer;
  switch (n->kind) {
    case TREE_PARENTHESES: return value_of(r, n->children[0]);
    case TREE_CAST:
    case TREE_CONVERT: return value_of_conversion(r, n);
    case TREE_NAME: return value_of_name(r, n);
    case TREE_CALL: return value_of_call(r, n);
    case TREE_BINARY: return value_of_binary(r, n);
    case TREE_LOGICAL: return value_of_logical(r, n);
    case TREE_CONDITIONAL:
      return n->children[1] == NULL ? unknown(r) : value_of(r, n->children[value_of(r, n->children[0]) != 0 ? 1 : 2]);
    case TREE_UNARY: return value_of_unary(r, n);
    default: return unknown(r);
  }
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

typedef struct loop_parts {
  const tree_node *first, *condition, *body;
} loop_parts;

static loop_parts parts_of(const tree_node *loop) {
  tree_node **c = loop->children;
  return loop->kind == TREE_FOR  ? (loop_parts){c[0], c[1], c[3]}
         : loop->kind == TREE_DO ? (loop_parts){NULL, c[1], c[0]}
                                 : (loop_parts){NULL, c[0], c[1]};
}

/* The one variable of the condition that the loop stores to, and where; NULL: there is none, or more. */
static const tree_symbol *variable_of(const tree_node *loop, const tree_node *condition, const tree_node **store) {
  const tree_symbol *found = NULL;
  for (const tree_node *n = condition; n != NULL; n = tree_next(condition, n)) {
    const tree_node *at = NULL, *ignored = NULL, *first = parts_of(loop).first;
    if (n->kind != TREE_NAME || n->symbol == NULL || n->symbol == found) continue;
    const unsigned before = first == NULL ? 0 : count_stores(first, n->symbol, &ignored);
    const unsigned count = count_stores(loop, n->symbol, &at) - before;
    if (count > 1 || (count == 1 && found != NULL)) return NULL;
    if (count == 1) {
      found = n->symbol;
      *store = at;
    }
  }
  return found;
}

/* Whether each turn executes it once: in the step, or as a statement of the body. */
static bool in_each_turn(const tree_node *loop, const tree_node *store) {
  const tree_node *n = store;
  while (n->parent->kind == TREE_COMMA || n->parent->kind == TREE_PARENTHESES) n = n->parent;
  if (n->parent == loop) return loop->kind == TREE_FOR && n->index == 2;
  const tree_node *whole = n->parent, *body = parts_of(loop).body;
  return whole->kind == TREE_EXPRESSION && (whole == body || (whole->parent == body && body->kind == TREE_COMPOUND));
}

/* The value that the variable has in front of the loop. */
static int64_t start_of(run *r, const tree_node *loop, const tree_symbol *s) {
  const tree_node *first = parts_of(loop).first, *ignored = NULL;
  for (const tree_node *n = first; n != NULL; n = tree_next(first, n))
    if (n->kind == TREE_ASSIGN && stores_to(n, s)) return held(s->type, value_of(r, n->children[1]));
  const bool own = s->declaration != NULL && first != NULL && s->declaration->parent == first;
  return own || count_stores(r->kernel, s, &ignored) <= 1 ? first_value(r, s) : unknown(r);
}

static int64_t after_store(run *r, const tree_node *store) {
  const tree_type *t = r->variable->type;
  if (store->kind == TREE_STEP) return computed(r, t, store->op, r->value, 1);
  if (store->kind == TREE_ADDRESS || !is_integer(store->children[1])) return unknown(r);
  const int64_t value = value_of(r, store->children[1]);
  if (store->kind == TREE_ASSIGN) return held(t, value);
  const tree_type *in = store->computed != NULL && store->computed->kind == TREE_TYPE_INTEGER ? store->computed : t;
  return held(t, computed(r, in, store->op, held(in, r->value), held(in, value)));
}

static int64_t count_turns(run *r, const tree_node *loop) {
  const tree_node *condition = parts_of(loop).condition, *store = NULL;
  const tree_symbol *s = condition == NULL ? NULL : variable_of(loop, condition, &store);
  if (s == NULL || s->type == NULL || s->type->kind != TREE_TYPE_INTEGER || s->is_static || s->is_extern ||
      !in_each_turn(loop, store))
    return -1;
  const int64_t start = start_of(r, loop, s);
  r->variable = s;
  r->value = start;
  int64_t turns = 0;
  for (bool at_once = loop->kind == TREE_DO; turns < r->most && !r->unknown; turns++, at_once = false) {
    if (!at_once && (value_of(r, condition) == 0 || r->unknown)) break;
    r->value = after_store(r, store);
  }
  return r->unknown ? -1 : turns;
}

int64_t turns_of_loop(const tree_node *loop, const tree_node *kernel, const facts_launch *l) {
  run r = {.kernel = kernel, .launch = l, .most = TURNS_MOST, .depth = DEEPEST};
  return count_turns(&r, loop);
}

/* Whether it is left by its condition alone, and its variable begins anew each time. */
static bool is_plain_for(const tree_node *loop) {
  const tree_node *store = NULL;
  const tree_symbol *s =
      loop->kind != TREE_FOR || loop->children[1] == NULL ? NULL : variable_of(loop, loop->children[1], &store);
  bool plain = s != NULL && store->parent != NULL, begins = false;
  const tree_node *step = store;
  while (plain && step != loop && step->parent != loop) step = step->parent;
  plain = plain && step->index == 2;
  const tree_node *first = loop->children[0];
  for (const tree_node *n = plain ? first : NULL; n != NULL; n = tree_next(first, n))
    begins = begins || (n->kind == TREE_ASSIGN && stores_to(n, s)) || n == s->declaration;
  for (const tree_node *n = loop->children[3]; n != NULL && plain; n = tree_next(loop->children[3], n)) {
    const bool leaves = n->kind == TREE_RETURN || n->kind == TREE_BREAK || n->kind == TREE_GOTO ||
                        n->kind == TREE_UNKNOWN_STATEMENT || n->kind == TREE_STATEMENT_EXPRESSION;
    plain = !leaves;
  }
  return plain && begins;
}

int64_t turns_always(const tree_node *loop, const tree_node *function) {
  run r = {.kernel = function, .most = 2, .depth = DEEPEST};
  return is_plain_for(loop) ? count_turns(&r, loop) : -1;
}

/* Looking ahead in a loop, read from the tree. */

/* --- what an expression changes ----------------------------------------------------------------------------------- */

/* Whether a node itself may do more than give a value, apart from assignments. */
static bool is_impure(const tree_node *n) {
  switch (n->kind) {
    case TREE_CALL: return n->builtin == NULL || !tree_builtin_is_pure(n->builtin);
    case TREE_SHUFFLE:
    case TREE_SELECTION:
    case TREE_UNKNOWN_STATEMENT:
    case TREE_UNKNOWN_EXPRESSION: return true;
    default: return false;
  }
}

static bool has_impure(const tree_node *root) {
  for (const tree_node *n = root; n != NULL; n = tree_next(root, n))
    if (is_impure(n)) return true;
  return false;
}

/* A variable that belongs to the work-item alone and is copied by an assignment. */
static bool is_own(const tree_symbol *s) {
  const bool parameter = s->kind == TREE_SYMBOL_PARAMETER;
  const bool local = s->kind == TREE_SYMBOL_VARIABLE && tree_function_of(s->declaration) != NULL;
  return (parameter || local) && !s->is_static && !s->is_extern && s->type != NULL && s->type_text != NULL &&
         s->type->kind != TREE_TYPE_ARRAY &&
         (s->type->space == TREE_SPACE_NONE || s->type->space == TREE_SPACE_PRIVATE);
}

static bool add_variable(look_ahead *out, const tree_node *changed) {
  changed = tree_plain((tree_node *)changed);
  if (changed->kind != TREE_NAME || !is_own(changed->symbol)) return false;
  for (size_t i = 0; i < out->count; i++)
    if (out->variables[i] == changed->symbol) return true;
  *ARRAY_ADD(out->variables, out->count, out->capacity) = changed->symbol;
  return true;
}

static bool assigns(const tree_node *n) {
  return n->kind == TREE_ASSIGN || n->kind == TREE_COMPOUND_ASSIGN || n->kind == TREE_STEP;
}

/* Adds the variables that an expression changes; false when it may change anything else. */
static bool collect_changes(const tree_node *root, look_ahead *out) {
  for (const tree_node *n = root; n != NULL; n = tree_next(root, n)) {
    const bool odd = n->kind == TREE_STATEMENT_EXPRESSION || n->kind == TREE_COMPOUND_LITERAL;
    if (odd || is_impure(n) || (assigns(n) && !add_variable(out, n->children[0]))) return false;
  }
  return true;
}

/* --- what a body changes ------------------------------------------------------------------------------------------ */

/* The variable that an object is, is a part of, or is reached by; NULL if there is none. */
static const tree_symbol *base_of(const tree_node *n) {
  for (;;) {
    switch (n->kind) {
      case TREE_PARENTHESES:
      case TREE_CONVERT:
      case TREE_SUBSCRIPT:
      case TREE_MEMBER:
      case TREE_SWIZZLE:
      case TREE_DEREFERENCE: n = n->children[0]; break;
      default: return n->kind == TREE_NAME ? n->symbol : NULL;
    }
  }
}

/* Whether what is below a node, but for `except`, may change a variable or what it leads to, or lets others do so. */
static bool changed_in(const tree_node *root, const tree_node *except, const tree_symbol *variable) {
  for (const tree_node *n = root; n != NULL; n = n == except ? tree_next_beyond(root, n) : tree_next(root, n))
    if (n != except && (assigns(n) || n->kind == TREE_ADDRESS) && base_of(n->children[0]) == variable) return true;
  return false;
}

/* Whether a name means something else, or nothing, in front of the body. */
static bool declared_in(const tree_node *body, const char *name) {
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n))
    if (n->kind == TREE_VARIABLE && n->parent->parent->kind != TREE_FOR && strcmp(n->symbol->name, name) == 0)
      return true;
  return false;
}

static bool reads_memory(const tree_node *root) {
  for (const tree_node *n = root; n != NULL; n = tree_next(root, n))
    if (n->kind == TREE_SUBSCRIPT || n->kind == TREE_DEREFERENCE || n->arrow) return true;
  return false;
}

static bool is_variable(const tree_node *n) {
  return n->kind == TREE_NAME && (n->symbol->kind == TREE_SYMBOL_VARIABLE || n->symbol->kind == TREE_SYMBOL_PARAMETER);
}

/* Whether the body, its step apart, leaves alone all that an expression looks at. */
static bool body_leaves(const tree_node *loop, const tree_node *looked_at, const tree_node *step) {
  const tree_node *body = statement_body(loop);
  for (const tree_node *n = looked_at; n != NULL; n = tree_next(looked_at, n))
    if (is_variable(n) && (changed_in(body, step, n->symbol) || declared_in(body, n->symbol->name))) return false;
  return !reads_memory(looked_at) || !has_impure(body);
}

/* --- the step ----------------------------------------------------------------------------------------------------- */

/* Whether a statement of the body changes a variable of the condition. */
static bool moves(const tree_node *statement, const tree_node *decides) {
  for (const tree_node *n = decides; n != NULL; n = tree_next(decides, n))
    if (is_variable(n) && changed_in(statement, NULL, n->symbol)) return true;
  return false;
}

static const tree_node *loop_around(const tree_node *n) {
  do {
    n = n->parent;
  } while (!tree_is_loop(n->kind));
  return n;
}

static bool continues(const tree_node *loop) {
  for (const tree_node *n = loop; n != NULL; n = next_statement(loop, n))
    if (n->kind == TREE_CONTINUE && loop_around(n) == loop) return true;
  return false;
}

/* The one statement at the top of the body that changes what the condition looks at, if it is an expression; else NULL.
 */
static const tree_node *step_in_body(const tree_node *loop, const tree_node *decides) {
  const tree_node *body = statement_body(loop);
  const bool block = body->kind == TREE_COMPOUND;
  for (uint32_t i = 0; i < (block ? body->child_count : 1); i++) {
    const tree_node *n = block ? body->children[i] : body;
    if ((n->kind == TREE_EXPRESSION || n->kind == TREE_DECLARE) && moves(n, decides))
      return n->kind == TREE_EXPRESSION ? n->children[0] : NULL;
  }
  return NULL;
}

static bool has_labels(const statements *s, const tree_node *loop) {
  for (const tree_node *n = loop; n != NULL; n = next_statement(loop, n))
    if (n->kind == TREE_LABEL) return true;
  return jumped_into(s, loop);
}

static bool changes_condition(const tree_node *decides, const look_ahead *l) {
  for (const tree_node *n = decides; n != NULL; n = tree_next(decides, n)) {
    for (size_t i = 0; i < l->count; i++)
      if (n->kind == TREE_NAME && n->symbol == l->variables[i]) return true;
  }
  return false;
}

bool find_look_ahead(const statements *s, const tree_node *loop, look_ahead *out) {
  *out = (look_ahead){.step = {1, 0}};
  const tree_node *decides = loop->kind == TREE_WHILE ? loop->children[0] : loop->children[1];
  const tree_node *step = loop->kind == TREE_FOR ? loop->children[2] : NULL;
  const tree_node *in_body = NULL;
  if (decides == NULL || has_labels(s, loop) || !collect_changes(decides, out)) return false;
  if (step == NULL && out->count == 0) {
    step = in_body = step_in_body(loop, decides);
    if (in_body == NULL || continues(loop)) return false;
  }
  if (step != NULL) out->step = step->tokens;
  return (step == NULL || (collect_changes(step, out) && body_leaves(loop, step, in_body))) &&
         changes_condition(decides, out) && body_leaves(loop, decides, in_body);
}

void look_ahead_free(look_ahead *l) {
  free(l->variables);
  *l = (look_ahead){0};
}
