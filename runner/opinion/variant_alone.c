/* A kernel without its barriers, in which each work-item keeps a digest of those that it came to. Devices that run work-items of a
 * group one after another do not run a kernel right whose work-items come to barriers differently; this one they do.
 *
 * It comes to the same barriers as the kernel as written, if no decision depends on what other work-items do: all are
 * computed from ids, arguments, and memory that the kernel does not write. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "frontend/facts/accesses.h"
#include "runner/opinion/variant_internal.h"

enum { DEPTH = 64 };

/* What decisions are computed from. */
typedef struct own {
  const tree_node *kernel;
  const stores *stored;
  const parameter_accesses *accesses;
  const tree_symbol *asked[DEPTH]; /* variables */
  unsigned count;
} own;

static bool is_own(own *o, const tree_node *x);

/* Whether nothing is written through a parameter, as far as that can be followed. */
static bool is_read_only(const own *o, const tree_symbol *s) {
  uint32_t number = 0;
  while (number + 1 < o->kernel->child_count && o->kernel->children[number]->symbol != s) {
    number++;
  }
  bool only = number + 1 < o->kernel->child_count && !o->accesses->escapes[number];
  for (size_t i = 0; i < o->accesses->count && only; i++) {
    only = o->accesses->items[i].parameter != number || !o->accesses->items[i].writes;
  }
  return only;
}

/* A private integer: all that is ever put into it is asked about once. */
static bool is_own_variable(own *o, const tree_symbol *s) {
  for (unsigned i = 0; i < o->count; i++) {
    if (o->asked[i] == s) {
      return true;
    }
  }
  if (o->count == DEPTH) {
    return false;
  }
  o->asked[o->count++] = s;
  bool known = false, all = true;
  for (size_t i = 0; i < o->stored->count && all; i++) {
    const variable_store *v = &o->stored->items[i];
    if (v->variable == s) {
      known = true;
      all = !v->untracked && v->function == o->kernel && (v->parameter || v->value == NULL || is_own(o, v->value));
    }
  }
  return known && all;
}

/* An element of a parameter's memory: the address is what its index says. */
static bool is_own_load(own *o, const tree_node *place) {
  const tree_node *base = place->kind == TREE_SUBSCRIPT ? tree_plain(place->children[0]) : NULL;
  return base != NULL && base->kind == TREE_NAME && base->symbol->kind == TREE_SYMBOL_PARAMETER &&
         base->type->kind == TREE_TYPE_POINTER && base->type->element->space != TREE_SPACE_LOCAL &&
         is_read_only(o, base->symbol) && is_own(o, place->children[1]);
}

static bool is_own_call(const tree_node *n) {
  return n->builtin != NULL &&
         (n->builtin->kind == TREE_WORK_ITEM || n->builtin->kind == TREE_INTEGER || n->builtin->kind == TREE_COMMON ||
          n->builtin->kind == TREE_RELATIONAL || n->builtin->kind == TREE_CONVERSION);
}

static bool is_own(own *o, const tree_node *x) {
  for (const tree_node *n = x; n != NULL;) {
    const bool memory = n->kind == TREE_SUBSCRIPT || n->kind == TREE_DEREFERENCE || n->kind == TREE_MEMBER ||
                        n->kind == TREE_ADDRESS || n->kind == TREE_UNKNOWN_EXPRESSION ||
                        n->kind == TREE_STATEMENT_EXPRESSION;
    const bool variable =
        n->kind == TREE_NAME && (n->symbol->kind == TREE_SYMBOL_VARIABLE || n->symbol->kind == TREE_SYMBOL_PARAMETER);
    if ((memory && !is_own_load(o, n)) || (variable && !is_own_variable(o, n->symbol)) ||
        (n->kind == TREE_CALL && !is_own_call(n))) {
      return false;
    }
    n = memory ? tree_next_beyond(x, n) : tree_next(x, n);
  }
  return true;
}

/* Whether each decision of the kernel is. */
static bool decides_alone(own *o, const tree_graph_function *f) {
  bool alone = !o->stored->hidden;
  for (size_t i = 0; i < f->decisions.count && alone; i++) {
    const tree_node *d = f->decisions.items[i];
    const tree_node *condition = d->kind == TREE_LOGICAL ? d->children[0] : condition_node(d);
    alone = condition != NULL && is_own(o, condition);
  }
  return alone;
}

/* Barriers of its own alone, of which one is not surely come to by all. False: there is nothing to be seen. */
static bool note_barriers(changing *c, const tree_graph_function *f, const uniform_scope *scope) {
  bool some = false;
  for (size_t i = 0; i < f->waits.count; i++) {
    const tree_node *n = f->waits.items[i];
    buffer text = {0};
    const bool barrier =
        n->builtin != NULL && n->builtin->kind == TREE_BARRIER && strstr(n->symbol->name, "sub_group") == NULL;
    c->stuck = c->stuck || !barrier;
    some = some || !variant_all_come(scope, n);
    buffer_printf(&text, "(void)(barriers_passed = barriers_passed * 31u + %uu)", (unsigned)i + 1);
    variant_replace(c, n, buffer_take(&text));
  }
  return some;
}

static bool waits_otherwise(const changing *c, const tree_node *kernel) {
  bool waits = false;
  for (const tree_node *n = kernel; n != NULL && !waits; n = tree_next(kernel, n)) {
    const tree_builtin_kind kind = n->kind == TREE_CALL && n->builtin != NULL ? n->builtin->kind : TREE_MATH;
    waits = kind == TREE_ASYNC_COPY || kind == TREE_ASYNC_WAIT || kind == TREE_GROUP || kind == TREE_SUB_GROUP;
  }
  return waits || strstr(c->text->text, "barriers_") != NULL; /* names of ours */
}

void variant_alone(changing *c, const tree_node *kernel, const tree_graph *g) {
  const tree_graph_function *f = tree_graph_find(g, kernel->symbol);
  statements all = list_statements(kernel);
  const stores stored = read_stores(c->tree, c->text->other_options);
  const uniform_scope scope = {c->tree, f, &all, &stored, true};
  parameter_accesses accesses = read_accesses(kernel);
  own o = {.kernel = kernel, .stored = &stored, .accesses = &accesses};
  const char *end = " " VARIANT_BARRIERS "[0] = barriers_passed; ";
  const bool seen = note_barriers(c, f, &scope) && !waits_otherwise(c, kernel) && decides_alone(&o, f);
  c->stuck = c->stuck || !seen;
  for (size_t i = 0; i < all.count; i++) {
    if (all.items[i]->kind == TREE_RETURN) {
      buffer text = {0};
      buffer_printf(&text, "{%sreturn; }", end);
      variant_replace(c, all.items[i], buffer_take(&text));
    }
  }
  variant_enter(c, kernel, mem_strdup(" local uint " VARIANT_BARRIERS "[1]; uint barriers_passed = 0;"));
  variant_insert(c, tree_body(kernel)->tokens.last, mem_strdup(end));
  accesses_free(&accesses);
  statements_free(&all);
  free(stored.items);
}
