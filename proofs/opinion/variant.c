/* Insertions into the user's text, line by line the same. Where a macro has a part in what is to be changed, nothing is. */
#include <stdlib.h>
#include <string.h>

#include "frontend/facts/accesses.h"
#include "frontend/facts/uniform.h"
#include "frontend/frontend.h"
#include "proofs/opinion/opinion.h"
#include "proofs/patch/spots.h"
#include "runner/isolate.h"

typedef struct changing {
  variant what;
  const asked_source *source;
  const char *kernel;
  const pp_result *text;
  const tree *tree;
  patch patch;
  bool stuck; /* something that had to be changed cannot be */
  char *made;
} changing;

/* variant.c: what is inserted is taken over; where it cannot be the source is stuck. */

/* --- text --------------------------------------------------------------------------------------------------------- */

/* Whether a token stands in the source as it is. */
static bool variant_is_plain(const changing *c, uint32_t token) {
  const pp_token *t = &c->text->tokens[token];
  return t->spelled.file == 0 && !t->in_macro_body && t->expanded.file == 0 && t->expanded.offset == t->spelled.offset;
}

static void replace(changing *c, size_t at, size_t length, char *text) {
  patch_add(&c->patch, at, length, text, PATCH_NO_SPOT);
}

static void insert(changing *c, size_t at, char *text) { replace(c, at, 0, text); }

/* Before a token; instead of a node; at the beginning of a kernel's body. */
static void variant_insert(changing *c, uint32_t token, char *text) {
  c->stuck = c->stuck || !variant_is_plain(c, token);
  insert(c, c->text->tokens[token].spelled.offset, text);
}

static void variant_replace(changing *c, const tree_node *n, char *text) {
  const pp_token *first = &c->text->tokens[n->tokens.first], *last = &c->text->tokens[n->tokens.last];
  c->stuck = c->stuck || !variant_is_plain(c, n->tokens.first) || !variant_is_plain(c, n->tokens.last);
  replace(c, first->spelled.offset, last->spelled.offset + last->spelled_length - first->spelled.offset, text);
}

static void insert_behind(changing *c, uint32_t token, char *text) {
  const pp_token *t = &c->text->tokens[token];
  insert(c, t->spelled.offset + t->spelled_length, text);
}

/* Around all tokens of a node, if they stand there. */
static bool wrap(changing *c, const tree_node *n, char *before, char *after) {
  const bool plain = variant_is_plain(c, n->tokens.first) && variant_is_plain(c, n->tokens.last);
  if (plain) {
    insert(c, c->text->tokens[n->tokens.first].spelled.offset, before);
    insert_behind(c, n->tokens.last, after);
  } else {
    free(before);
    free(after);
  }
  return plain;
}

static void variant_enter(changing *c, const tree_node *kernel, char *text) {
  const uint32_t open = tree_body(kernel)->tokens.first;
  c->stuck = c->stuck || !variant_is_plain(c, open);
  insert_behind(c, open, text);
}

static const tree_node *find_kernel(const changing *c) {
  for (size_t i = 0; i < c->tree->function_count; i++) {
    const tree_symbol *s = c->tree->functions[i]->symbol;
    if (s->kernel && strcmp(s->name, c->kernel) == 0) return c->tree->functions[i];
  }
  return NULL;
}

static bool is_called(const tree_graph *g, const tree_symbol *function) {
  bool called = false;
  for (size_t i = 0; i < g->count; i++)
    for (size_t k = 0; k < g->functions[i].calls.count; k++)
      called = called || g->functions[i].calls.items[k]->symbol == function;
  return called;
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

/* Whether all work-items of a group come to a node, as often as each other. */
static bool variant_all_come(const uniform_scope *s, const tree_node *at) {
  const tree_node_list guards = uniform_guards(s, at);
  bool *uniform = mem_calloc(guards.count + 1, sizeof *uniform);
  find_uniform(s, &guards, uniform);
  bool all = guards_are_all(s, at);
  for (size_t i = 0; i < guards.count; i++) all = all && uniform[i];
  free(uniform);
  free(guards.items);
  return all;
}

static bool is_pure(const tree_builtin *b) { return b != NULL && tree_builtin_is_pure(b); }

static bool names(const tree_node *x, const tree_symbol *variable) {
  bool found = false;
  for (const tree_node *n = x; n != NULL; n = tree_next(x, n))
    found = found || (n->kind == TREE_NAME && n->symbol == variable);
  return found;
}

/* Whether a call may as well be made in front of its statement: it is made in any case, and its arguments are the same
 * there. */
static bool can_come_first(const tree_node *call, const tree_node *statement) {
  bool can = true;
  for (const tree_node *n = call->parent; n != statement && can; n = n->parent) {
    can = n->kind != TREE_CONDITIONAL && n->kind != TREE_LOGICAL && n->kind != TREE_COMMA &&
          n->kind != TREE_STATEMENT_EXPRESSION;
  }
  for (uint32_t i = 0; i < call->child_count; i++) can = can && !tree_has_effects(call->children[i], is_pure);
  for (const tree_node *n = statement; n != NULL && can; n = tree_next(statement, n)) {
    const bool changes = n->kind == TREE_ASSIGN || n->kind == TREE_COMPOUND_ASSIGN || n->kind == TREE_STEP;
    const tree_node *to = changes ? n->children[0] : NULL;
    can = n->kind != TREE_VARIABLE || !names(call, n->symbol);
    can = can && (to == NULL || to->kind != TREE_NAME || !names(call, to->symbol));
  }
  return can;
}

/* An atomic function whose result is used, in a statement of its own: not in the head of a loop. */
static const tree_node *turning(const tree_node *n) {
  const tree_node *around = n->kind == TREE_CALL ? tree_statement_of(n) : NULL;
  const bool whole = around != NULL && (around->kind == TREE_EXPRESSION || around->kind == TREE_DECLARE) &&
                     around->parent->kind == TREE_COMPOUND;
  const bool turns = whole && n->parent != around && n->builtin != NULL && n->builtin->kind == TREE_ATOMIC_ANY &&
                     n->type != NULL && n->type->kind == TREE_TYPE_INTEGER;
  return turns && can_come_first(n, around) ? around : NULL;
}

/* Some make the call, and then the others, in front of the statement. */
static bool put_turn(changing *c, const tree_node *n, const tree_node *statement) {
  const pp_token *all = c->text->tokens, *first = &all[n->tokens.first], *last = &all[n->tokens.last];
  if (!variant_is_plain(c, n->tokens.first) || !variant_is_plain(c, n->tokens.last) ||
      !variant_is_plain(c, statement->tokens.first))
    return false;
  const size_t begin = first->spelled.offset, length = last->spelled.offset + last->spelled_length - begin;
  char *type = tree_value_text(n->type), *call = mem_strndup(c->text->files[0].text + begin, length);
  buffer before = {0}, given = {0};
  buffer_printf(&given, "turn_given_%u", (unsigned)n->tokens.first);
  const char *name = buffer_text(&given);
  buffer_printf(&before,
                "%s %s = 0; turn_first = ((((uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * "
                "get_local_size(0) + get_local_id(0))) >> turns_made %% 3) + turns_made / 3) %% 2 == 0; "
                "turns_made++; barrier(0); if (turn_first) { %s = %s; } barrier(0); if (!turn_first) { %s = %s; } "
                "barrier(0); ",
                type, name, name, call, name, call);
  insert(c, all[statement->tokens.first].spelled.offset, buffer_take(&before));
  replace(c, begin, length, buffer_take(&given));
  free(type);
  free(call);
  return true;
}

static void let_take_turns(changing *c, const tree_node *kernel, const tree_graph *g) {
  statements all = list_statements(kernel);
  const stores stored = read_stores(c->tree, c->text->other_options);
  const uniform_scope scope = {c->tree, tree_graph_find(g, kernel->symbol), &all, &stored, true};
  const tree_node *body = tree_body(kernel);
  size_t turns = 0;
  for (const tree_node *n = body; n != NULL;) {
    const tree_node *statement = turning(n);
    const bool turned = statement != NULL && variant_all_come(&scope, n) && put_turn(c, n, statement);
    turns += turned ? 1 : 0;
    n = turned ? tree_next_beyond(body, n) : tree_next(body, n);
  }
  c->stuck = c->stuck || strstr(c->text->text, "turns_made") != NULL; /* a name of ours */
  variant_enter(c, kernel, mem_strdup(" uint turns_made = 0; bool turn_first = true;"));
  c->stuck = c->stuck || turns == 0;
  statements_free(&all);
  free(stored.items);
}

/* --- ragged ------------------------------------------------------------------------------------------------------- */

/* Work-items that the last group of a dimension lacks; "" in the others. */
static char *lacking(const char *front, int dimension, const char *behind) {
  buffer out = {0};
  buffer_printf(&out, "%s(get_group_id(%d) + 1 == get_num_groups(%d) ? get_local_size(%d) / 2 : 0)%s", front, dimension,
                dimension, dimension, behind);
  return buffer_take(&out);
}

/* A call that asks for a size. */
static bool shrink(changing *c, const tree_node *n) {
  const bool local = strcmp(n->symbol->name, "get_local_size") == 0;
  const bool global = strcmp(n->symbol->name, "get_global_size") == 0;
  const bool known = n->child_count == 1 && n->children[0]->constant.kind == TREE_INTEGER_CONSTANT;
  const int dimension = known ? (int)n->children[0]->constant.integer : -1;
  if (!local && !global) {
    c->stuck = c->stuck || strstr(n->symbol->name, "linear") != NULL;
    return false;
  }
  buffer all = {0};
  buffer_printf(&all, " - get_local_size(%d) / 2)", dimension);
  char *behind = global ? buffer_take(&all) : lacking(" - ", dimension, ")");
  buffer_free(&all);
  const bool changed = wrap(c, n, mem_strdup("("), behind) && dimension >= 0 && dimension <= 2;
  c->stuck = c->stuck || !changed;
  return changed;
}

/* Whether work-items of the kernel may wait for each other. */
static bool meets(const changing *c, const tree_graph *g, const tree_node *kernel) {
  bool may = tree_graph_find(g, kernel->symbol)->reaches_barrier;
  for (const tree_node *n = c->tree->unit; n != NULL && !may; n = tree_next(c->tree->unit, n)) {
    const tree_builtin_kind kind = n->kind == TREE_CALL && n->builtin != NULL ? n->builtin->kind : TREE_MATH;
    const tree_node *function = kind == TREE_MATH ? NULL : tree_function_of(n);
    may = function != NULL && (function == kernel || !function->symbol->kernel) &&
          (kind == TREE_ASYNC_COPY || kind == TREE_ASYNC_WAIT || kind == TREE_GROUP || kind == TREE_SUB_GROUP);
  }
  return may;
}

/* Work-items that are not there return first; with barriers that would be another kernel. */
static void make_ragged(changing *c, const tree_node *kernel, const tree_graph *g) {
  buffer first = {0};
  size_t asked = 0;
  for (const tree_node *n = c->tree->unit; n != NULL; n = tree_next(c->tree->unit, n)) {
    const bool sized = n->kind == TREE_CALL && n->builtin != NULL && n->builtin->kind == TREE_WORK_ITEM;
    const tree_node *function = sized ? tree_function_of(n) : NULL;
    if (function != NULL && (function == kernel || !function->symbol->kernel)) asked += shrink(c, n) ? 1 : 0;
  }
  buffer_puts(&first, " if (");
  for (int d = 0; d < 3; d++) {
    char *less = lacking("", d, "");
    buffer_printf(&first, "%sget_local_id(%d) >= get_local_size(%d) - %s", d == 0 ? "" : " || ", d, d, less);
    free(less);
  }
  buffer_puts(&first, ") { return; }");
  variant_enter(c, kernel, buffer_take(&first));
  c->stuck = c->stuck || asked == 0 || meets(c, g, kernel);
}

/* --- without waiting at barriers ---------------------------------------------------------------------------------- */

/* A kernel without its barriers, in which each work-item keeps a digest of those that it came to. Devices that run work-items of a
 * group one after another do not run a kernel right whose work-items come to barriers differently; this one they do.
 *
 * It comes to the same barriers as the kernel as written, if no decision depends on what other work-items do: all are
 * computed from ids, arguments, and memory that the kernel does not write. */

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
  while (number + 1 < o->kernel->child_count && o->kernel->children[number]->symbol != s) number++;
  bool only = number + 1 < o->kernel->child_count && !o->accesses->escapes[number];
  for (size_t i = 0; i < o->accesses->count && only; i++)
    only = o->accesses->items[i].parameter != number || !o->accesses->items[i].writes;
  return only;
}

/* A private integer: all that is ever put into it is asked about once. */
static bool is_own_variable(own *o, const tree_symbol *s) {
  for (unsigned i = 0; i < o->count; i++)
    if (o->asked[i] == s) return true;
  if (o->count == DEPTH) return false;
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
        (n->kind == TREE_CALL && !is_own_call(n)))
      return false;
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

static void variant_alone(changing *c, const tree_node *kernel, const tree_graph *g) {
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

/* --- all ---------------------------------------------------------------------------------------------------------- */

static void change(changing *c) {
  const tree_node *kernel = find_kernel(c);
  const tree_graph g = tree_graph_read(c->tree);
  if (kernel == NULL || is_called(&g, kernel->symbol) || tree_graph_find(&g, kernel->symbol) == NULL) {
    c->stuck = true;
    return;
  }
  (c->what == VARIANT_TURNS ? let_take_turns : c->what == VARIANT_ALONE ? variant_alone : make_ragged)(c, kernel, &g);
}

static int make(void *context, buffer *out, error *e) {
  changing *c = context;
  pp_result text;
  tree *t = NULL;
  const int result = front_source(&asked_text(c->source)->input, &text, &t, e);
  if (result == 0) {
    c->text = &text;
    c->tree = t;
    change(c);
    if (!c->stuck) patch_apply(&c->patch, text.files[0].text, text.files[0].length, out);
    patch_free(&c->patch);
  }
  tree_free(t);
  pp_result_free(&text);
  return result;
}

static int take(void *context, const void *bytes, size_t length) {
  ((changing *)context)->made = length == 0 ? NULL : mem_strndup(bytes, length);
  return 0;
}

char *variant_text(variant v, const asked_source *s, const char *kernel) {
  changing c = {.what = v, .source = s, .kernel = kernel};
  const isolated_work work = {&c, make, take};
  error ignored;
  return isolated(&work, &ignored) == 0 ? c.made : NULL;
}
