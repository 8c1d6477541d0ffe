/* Decisions that all work-items of a work-group take alike, whatever they do: those that are computed from the kernel's
 * arguments, constants and what a work-group has in common, by code that all of them execute alike. A barrier that
 * depends on such decisions alone is met by all work-items of a group or by none.
 *
 * The rule is cautious: what is not known to be alike varies. A variable (taken by its name in a whole function, so
 * that one that hides another counts as the same) is alike if it is a private integer, its address is not taken, and
 * every value that it gets is alike and is given where only decisions that are alike lead. A decision is alike if its
 * condition is and if only such decisions lead to it. Both are found together: all are taken as alike until something
 * says otherwise. By induction over the steps of two work-items of a group: the first such step in which they differ
 * would need an earlier one. */
#include <ctype.h>
#include <stdlib.h>

#include "base/memory.h"
#include "frontend/tree_builtins.h"
#include "instrument/conditions.h"
#include "instrument/program.h"

/* A decision, or a variable by its name, and what it depends on: other nodes, by number. */
typedef struct node {
  uint32_t instance; /* NONE: a variable */
  uint32_t name;     /* of a variable: a token that spells it */
  bool varies;
  uint32_t *needs;
  size_t need_count, need_capacity;
} node;

typedef struct graph {
  const program *p;
  const function *f;
  const pp_result *text;
  node *nodes;
  size_t count, capacity;
} graph;

static const char *const types[] = {"bool",     "char",     "uchar", "short",  "ushort",    "int",
                                    "uint",     "long",     "ulong", "size_t", "ptrdiff_t", "signed",
                                    "unsigned", "intptr_t", "true",  "false",  "uintptr_t"};
static const char *const punctuators[] = {"(",  ")",  ",",  "?",  ":",  "+",  "-",  "*",  "/",   "%",   "<<", ">>", "<",
                                          ">",  "<=", ">=", "==", "!=", "&",  "|",  "^",  "~",   "!",   "&&", "||", "=",
                                          "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"};

#define IN_TABLE(text, token, table) in_table((text), (token), (table), sizeof(table) / sizeof *(table))

static bool in_table(const pp_result *text, uint32_t token, const char *const *table, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (token_is(text, token, table[i])) {
      return true;
    }
  }
  return false;
}

static bool is_own(const graph *g, const variable_store *s) { return s->function == g->f->node; }

/* Stores in the function, and declarations outside of all functions. */
static bool concerns(const graph *g, const variable_store *s) { return s->function == NULL || is_own(g, s); }

/* Functions of the language that give all work-items of a group the same for the same arguments. */
static bool is_uniform_function(const graph *g, uint32_t token) {
  const tree *t = g->p->units[g->f->unit].tree;
  for (const tree_node *n = tree_next_function(t, NULL); n != NULL; n = tree_next_function(t, n)) {
    if (same_spelling(g->text, n->token, token)) { /* one of the program's */
      return false;
    }
  }
  const pp_token *name = &g->text->tokens[token];
  char *spelled = mem_strndup(g->text->text + name->begin, name->end - name->begin);
  const tree_builtin *found = tree_find_builtin(spelled);
  free(spelled);
  return found != NULL && found->uniform;
}

/* Floating-point numbers are left out: devices may round them differently from one work-item to the next. */
static bool is_integer(const graph *g, uint32_t token) {
  const pp_token *t = &g->text->tokens[token];
  const char *s = g->text->text + t->begin;
  const bool hexadecimal = t->end - t->begin > 1 && s[0] == '0' && tolower((unsigned char)s[1]) == 'x';
  for (uint32_t i = 0; i < t->end - t->begin; i++) {
    const int c = tolower((unsigned char)s[i]);
    if (c == '.' || c == 'p' || (c == 'e' && !hexadecimal)) {
      return false;
    }
  }
  return true;
}

/* The right operand of && and || is executed where the left one says so, which `guards_of` does not know. */
static bool is_lazy(const function *f, uint32_t token) {
  for (size_t i = 0; i < f->decision_count; i++) {
    if (span_has(right_operand(f->decisions[i]), token)) {
      return true;
    }
  }
  return false;
}

/* Functions with jumps that `guards_of` only bounds, and stores that are not seen. */
static bool is_opaque(const program *p, const function *f) {
  bool opaque = f->statements.jump_count > 0 || p->units[f->unit].stores.hidden;
  for (size_t s = 0; s < f->statements.count && !opaque; s++) {
    opaque = f->statements.items[s]->kind == TREE_GOTO;
  }
  return opaque;
}

bool guards_are_all(const program *p, const function *f, uint32_t token) {
  return !is_opaque(p, f) && !is_lazy(f, token);
}

/* --- the graph -----------------------------------------------------------------------------------------------------
 */

static uint32_t add_node(graph *g, uint32_t instance_index, uint32_t name) {
  for (uint32_t i = 0; i < g->count; i++) {
    const node *n = &g->nodes[i];
    if (n->instance == instance_index && (instance_index != NONE || same_spelling(g->text, n->name, name))) {
      return i;
    }
  }
  *ARRAY_ADD(g->nodes, g->count, g->capacity) = (node){.instance = instance_index, .name = name};
  return (uint32_t)(g->count - 1);
}

static void need(graph *g, uint32_t index, uint32_t instance_index, uint32_t name) {
  const uint32_t needed = add_node(g, instance_index, name);
  node *n = &g->nodes[index];
  *ARRAY_ADD(n->needs, n->need_count, n->need_capacity) = needed;
}

/* What a node needs because of one token of an expression. */
static void need_token(graph *g, uint32_t index, uint32_t token) {
  const pp_result *text = g->text;
  bool known = false;
  switch (text->tokens[token].kind) {
    case PP_NUMBER:
      known = is_integer(g, token);
      break;
    case PP_CHARACTER:
      known = true;
      break;
    case PP_IDENTIFIER:
      known = IN_TABLE(text, token, types) || token_is(text, token, "sizeof");
      if (!known && token_is(text, token + 1, "(")) {
        known = is_uniform_function(g, token);
      } else if (!known) {
        need(g, index, NONE, token);
        known = true;
      }
      break;
    case PP_PUNCTUATOR: /* `*)` ends the type of a pointer */
      known = IN_TABLE(text, token, punctuators) && !(token_is(text, token, "*") && token_is(text, token + 1, ")"));
      break;
    default:
      break;
  }
  g->nodes[index].varies = g->nodes[index].varies || !known;
}

static void need_expression(graph *g, uint32_t index, span tokens) {
  for (uint32_t t = tokens.first; t <= tokens.last && !span_empty(tokens); t++) {
    need_token(g, index, t);
  }
}

/* All that decides whether, and how often, the code at a token runs. */
static void need_control(graph *g, uint32_t index, uint32_t token) {
  size_t count = 0;
  uint32_t *guards = guards_of(g->p, g->f, token, &count);
  for (size_t i = 0; i < count; i++) {
    need(g, index, guards[i], 0);
  }
  free(guards);
  g->nodes[index].varies = g->nodes[index].varies || is_lazy(g->f, token);
}

static span condition_of(const instance *i) {
  return i->kind == SITE_CONDITIONAL ? read_conditional(i->node).condition : statement_condition(i->node);
}

static void follow_instance(graph *g, uint32_t index) {
  const instance *i = &g->f->instances[g->nodes[index].instance];
  if (!is_meeting(i->kind)) {
    need_expression(g, index, condition_of(i));
  }
  need_control(g, index, i->token);
}

static void follow_variable(graph *g, uint32_t index) {
  const stores *all = &g->p->units[g->f->unit].stores;
  const bool arguments_alike = g->f->node->symbol->kernel && !g->f->called;
  bool known = false;
  for (size_t i = 0; i < all->count; i++) {
    const variable_store *s = &all->items[i];
    if (!same_spelling(g->text, s->name, g->nodes[index].name) || !concerns(g, s)) {
      continue;
    }
    known = true;
    if (s->untracked || (s->parameter && !arguments_alike) || !is_own(g, s)) {
      g->nodes[index].varies = true;
    } else if (!s->parameter) {
      if (s->value != NULL) {
        need_expression(g, index, s->value->tokens);
      }
      need_control(g, index, s->name);
    }
  }
  g->nodes[index].varies = g->nodes[index].varies || !known;
}

static void spread(graph *g) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < g->count; i++) {
      node *n = &g->nodes[i];
      for (size_t k = 0; k < n->need_count && !n->varies; k++) {
        n->varies = g->nodes[n->needs[k]].varies;
        changed = changed || n->varies;
      }
    }
  }
}

/* All that the nodes from `first` on need, and what varies. `assumed` decisions need nothing; NULL: there are none. */
static void complete(graph *g, uint32_t first, const bool *assumed) {
  for (uint32_t i = first; i < g->count; i++) { /* grows while it is walked */
    const uint32_t number = g->nodes[i].instance;
    if (number == NONE) {
      follow_variable(g, i);
    } else if (assumed == NULL || !assumed[number]) {
      follow_instance(g, i);
    }
  }
  spread(g);
}

static void release(graph *g) {
  for (size_t i = 0; i < g->count; i++) {
    free(g->nodes[i].needs);
  }
  free(g->nodes);
}

void find_uniform(program *p, function *f, const uint32_t *guards, size_t count) {
  if (is_opaque(p, f)) {
    return;
  }
  graph g = {.p = p, .f = f, .text = &p->units[f->unit].text};
  for (size_t i = 0; i < count; i++) {
    (void)add_node(&g, guards[i], 0);
  }
  complete(&g, 0, NULL);
  for (size_t i = 0; i < g.count; i++) {
    if (g.nodes[i].instance != NONE && !g.nodes[i].varies) {
      f->instances[g.nodes[i].instance].uniform = true;
    }
  }
  release(&g);
}

bool uniform_under(const program *p, const function *f, uint32_t wanted, const bool *assumed, bool *used) {
  if (is_opaque(p, f)) {
    return false;
  }
  graph g = {.p = p, .f = f, .text = &p->units[f->unit].text};
  (void)add_node(&g, wanted, 0);
  complete(&g, 0, assumed);
  const bool uniform = !g.nodes[0].varies;
  for (size_t i = 0; i < g.count; i++) { /* all that it needs, directly or not, and nothing else is here */
    if (g.nodes[i].instance != NONE && assumed[g.nodes[i].instance]) {
      used[g.nodes[i].instance] = true;
    }
  }
  release(&g);
  return uniform;
}

bool expression_is_uniform(const program *p, const function *f, span tokens) {
  if (is_opaque(p, f)) {
    return false;
  }
  graph g = {.p = p, .f = f, .text = &p->units[f->unit].text};
  *ARRAY_ADD(g.nodes, g.count, g.capacity) = (node){.instance = NONE, .name = f->parameters.first}; /* no name */
  need_expression(&g, 0, tokens);
  complete(&g, 1, NULL);
  const bool uniform = !g.nodes[0].varies;
  release(&g);
  return uniform;
}
