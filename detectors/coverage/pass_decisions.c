/* Conditions and decisions. A decision is a tree of && and ||; short-circuit evaluation takes one of few ways through
 * it, and which ones were taken says all: how each condition was seen, how the decision ended, what matters (MC/DC).
 *
 * Ways are numbered as Ball and Larus number paths (MICRO 1996): from an atomic condition that is seen true the number
 * grows by the count of ways that begin with it false. So the way is known by its number, kept as one shifted bit. */
#include <stdlib.h>
#include <string.h>

#include "detectors/coverage/pass.h"
#include "frontend/tree.h"
#include "instrument/discover.h"

/* Conditions and `?:` as they stand in the text: what is around a condition, where its parts are. */

static bool is_vector(const tree_node *n) { return n->type != NULL && n->type->kind == TREE_TYPE_VECTOR; }

static bool wraps(const tree_node *n) {
  return n->kind == TREE_PARENTHESES || n->kind == TREE_CONVERT || (n->kind == TREE_UNARY && n->op == OP_NOT);
}

/* What a `do` that is no loop stands before has no outcome that a test could add. */
static bool is_of_done_once(const tree_node *n) {
  while (n->parent->kind == TREE_LOGICAL || wraps(n->parent)) n = n->parent;
  return is_done_once(n->parent) && n->parent->children[1] == n;
}

bool is_decision(const pp_result *text, const tree_node *n) {
  return n->kind == TREE_LOGICAL && !n->not_executed && !is_vector(n) && tree_is_written(text, n) &&
         !is_of_done_once(n);
}

bool is_conjunction(const tree_node *decision) { return decision->op == OP_LOGICAL_AND; }

span right_operand(const tree_node *decision) { return (span){decision->token + 1, decision->tokens.last}; }

/* Whether it is an operand of another one. */
static bool is_nested(const pp_result *text, const tree_node *decision) {
  const tree_node *n = decision->parent;
  while (wraps(n)) n = n->parent;
  return is_decision(text, n);
}

/* The token after the first operand, which is the operator of `a < b`, `a[i]`, `a ? b : c`; else the first one. In a
 * macro's body that is the body's own, where the first operand may be an argument. */
static uint32_t own_token(const tree_node *n) {
  for (uint32_t i = 0; i < n->child_count && n->kind != TREE_CALL; i++) {
    const tree_node *child = n->children[i];
    if (child != NULL && child->tokens.first == n->tokens.first && child->tokens.last < n->tokens.last)
      return child->tokens.last + 1;
  }
  return n->tokens.first;
}

condition read_condition(const pp_result *text, const tree_node *n) {
  condition c = {0};
  for (; wraps(n); n = n->children[0]) c.negated = c.negated != (n->kind == TREE_UNARY);
  c.inner = n->tokens;
  c.token = own_token(n);
  c.decision = is_decision(text, n) ? n : NULL;
  return c;
}

/* The condition that stands at these tokens; an atomic one if `n` (or NULL) does not have them all. */
static condition condition_in(const pp_result *text, const tree_node *n, span tokens) {
  const bool known = n != NULL && n->tokens.first == tokens.first && n->tokens.last == tokens.last;
  return known ? read_condition(text, n) : (condition){.inner = tokens, .token = tokens.first};
}

/* --- ?: ----------------------------------------------------------------------------------------------------------- */

bool is_conditional(const pp_result *text, const tree_node *n) {
  if (n->kind != TREE_CONDITIONAL || n->not_executed || n->children[0]->type == NULL || !tree_is_written(text, n))
    return false;
  const tree_type_kind kind = n->children[0]->type->kind;
  return n->children[1] != NULL || kind == TREE_TYPE_BOOL || kind == TREE_TYPE_INTEGER || kind == TREE_TYPE_FLOAT;
}

conditional read_conditional(const tree_node *n) {
  const tree_node *yes = n->children[1];
  const uint32_t colon = yes == NULL ? n->token + 1 : yes->tokens.last + 1;
  const tree_type *type = n->children[0]->type;
  return (conditional){.question = n->token,
                       .colon = colon,
                       .condition = {n->tokens.first, n->token - 1},
                       .yes = yes == NULL ? (span){1, 0} : (span){n->token + 1, colon - 1},
                       .no = {colon + 1, n->tokens.last},
                       .components = is_vector(n->children[0]) ? (uint32_t)type->count : 1,
                       .kept = yes == NULL ? type->name : NULL};
}

const char *conditional_element(const tree_node *n) {
  switch (tree_component(n->children[0]->type)->size) {
    case 1: return "char";
    case 2: return "short";
    case 4: return "int";
    default: return "long";
  }
}

enum { MAX_CONDITIONS = MAX_PATHS - 1, MAX_LABEL = 80, MAX_OPERANDS = 1000 };
enum { ENDS_FALSE = MAX_CONDITIONS, ENDS_TRUE }; /* in place of the number of the next condition */

typedef struct node {
  condition condition;
  uint32_t yes, no; /* what is evaluated next when the condition, without its `!`, is true or false */
  uint32_t ways;    /* from here on */
  uint32_t site;
} node;

typedef struct decision_tree {
  const pp_result *text;
  node nodes[MAX_CONDITIONS];
  uint32_t count;
} decision_tree;

/* --- the tree ----------------------------------------------------------------------------------------------------- */

static condition operand_of(const pp_result *text, const tree_node *decision, uint32_t side) {
  return read_condition(text, decision->children[side]);
}

/* Atomic conditions of a decision (NULL: the one that an atomic condition is); anything above `most` when there are
 * more. */
static uint32_t count_conditions(const pp_result *text, const tree_node *decision, uint32_t most) {
  uint32_t count = decision == NULL ? 1 : 0;
  for (uint32_t side = 2; decision != NULL && side-- > 0 && count <= most;)
    count += count_conditions(text, operand_of(text, decision, side).decision, most);
  return count;
}

static void build(decision_tree *t, const condition *c, uint32_t yes, uint32_t no) {
  const tree_node *d = c->decision;
  uint32_t if_true = c->negated ? no : yes;
  uint32_t if_false = c->negated ? yes : no;
  if (d == NULL) {
    t->nodes[t->count++] = (node){.condition = *c, .yes = if_true, .no = if_false};
    return;
  }
  const condition left = operand_of(t->text, d, 0);
  const condition right = operand_of(t->text, d, 1);
  uint32_t next = t->count + count_conditions(t->text, left.decision, MAX_CONDITIONS);
  build(t, &left, is_conjunction(d) ? next : if_true, is_conjunction(d) ? if_false : next);
  build(t, &right, if_true, if_false);
}

static uint32_t ways_from(const decision_tree *t, uint32_t next) { return next < t->count ? t->nodes[next].ways : 1; }

/* Returns the number of ways through the decision, 0 for too many. */
static uint32_t read_tree(const pp_result *text, const tree_node *decision, decision_tree *t) {
  const condition whole = {.decision = decision};
  *t = (decision_tree){.text = text};
  if (count_conditions(text, decision, MAX_CONDITIONS) > MAX_CONDITIONS) return 0;
  build(t, &whole, ENDS_TRUE, ENDS_FALSE);
  for (uint32_t i = t->count; i-- > 0;) {
    node *n = &t->nodes[i];
    n->ways = ways_from(t, n->yes) + ways_from(t, n->no);
    n->ways = n->ways > MAX_PATHS ? MAX_PATHS + 1 : n->ways;
  }
  return t->nodes[0].ways > MAX_PATHS ? 0 : t->nodes[0].ways;
}

/* The condition of a statement or ?:. */
static condition condition_of_owner(const walk *w, const tree_node *owner, span tokens) {
  return condition_in(&w->u->text, owner == NULL ? NULL : condition_node(owner), tokens);
}

uint32_t path_count(const walk *w, const tree_node *owner, span tokens) {
  const condition c = condition_of_owner(w, owner, tokens);
  decision_tree t;
  return c.decision == NULL ? 0 : read_tree(&w->u->text, c.decision, &t);
}

int check_decisions(const walk *w, error *e) {
  const pp_result *text = &w->u->text;
  for (size_t i = 0; i < w->f->decision_count; i++) {
    const tree_node *d = w->f->decisions[i];
    const uint32_t count = is_nested(text, d) ? 0 : count_conditions(text, d, UINT32_MAX);
    if (count > MAX_OPERANDS) {
      const pp_position *where = &text->tokens[d->token].expanded;
      return error_set(e, EXIT_INTERNAL, "%s:%u: a decision of %u conditions is more than the %d that are measured",
                       text->files[where->file].name, where->line, (unsigned)count, MAX_OPERANDS);
    }
  }
  return 0;
}

/* --- conditions --------------------------------------------------------------------------------------------------- */

/* The condition begins with its first operand, unless that is written elsewhere than its operator, such as in another
 * macro. */
static void show_from(const pp_token *first, const pp_token *known_by, model_site *site) {
  bool together = first->spelled.file == known_by->spelled.file && first->in_macro_body == known_by->in_macro_body &&
                  (!first->in_macro_body || first->spelled.line == known_by->spelled.line);
  if (together && first->spelled.offset < known_by->spelled.offset) {
    site->line = first->spelled.line;
    site->column = first->spelled.column;
  }
}

static void name_condition(walk *w, const condition *o, uint32_t site) {
  const pp_token *tokens = w->u->text.tokens;
  show_from(&tokens[o->inner.first], &tokens[o->token], &w->p->out->model.sites[site]);
  add_outcome(w->p, site, OUTCOME_TRUE, "true", 0);
  add_outcome(w->p, site, OUTCOME_FALSE, "false", 0);
}

static uint32_t condition_site(walk *w, const condition *o) {
  bool is_new = false;
  uint32_t site = site_at(w, SITE_CONDITION, o->token, o->inner.last, &is_new);
  if (is_new) name_condition(w, o, site);
  return site;
}

/* A condition that nothing else tells of has bits of its own. */
static void add_condition(walk *w, const condition *o) {
  bool is_new = false;
  instance *i = add_instance(w, SITE_CONDITION, o->token, o->inner.last, 2, &is_new);
  i->wrapped = o->inner;
  if (is_new) name_condition(w, o, i->site);
}

static void add_conditions(walk *w, const tree_node *decision) {
  for (uint32_t side = 0; side < 2; side++) {
    const condition c = operand_of(&w->u->text, decision, side);
    if (c.decision == NULL)
      add_condition(w, &c);
    else
      add_conditions(w, c.decision);
  }
}

static void imply(walk *w, uint32_t bit, uint32_t site, uint32_t outcome) {
  function *f = w->f;
  *ARRAY_ADD(f->implied, f->implied_count, f->implied_capacity) = (instrument_implication){bit, {site, outcome}};
}

/* --- decisions ---------------------------------------------------------------------------------------------------- */

/* The tokens of a condition on one line, not too long. */
static void label_condition(const walk *w, const condition *o, char label[MAX_LABEL + 1]) {
  const pp_token *tokens = w->u->text.tokens;
  const char *c = w->u->text.text + tokens[o->inner.first].begin;
  const char *end = w->u->text.text + tokens[o->inner.last].end;
  size_t length = 0;
  bool space = false;
  for (; c < end && length < MAX_LABEL; c++) {
    bool blank = (unsigned char)*c <= ' ';
    if (!blank && space && length + 1 < MAX_LABEL) label[length++] = ' ';
    if (!blank) label[length++] = *c;
    space = blank;
  }
  label[length] = '\0';
  if (c < end) memcpy(label + length - 3, "...", 3);
}

static void name_decision(walk *w, const decision_tree *t, uint32_t site) {
  for (uint32_t i = 0; i < t->count; i++) {
    const condition *o = &t->nodes[i].condition;
    char label[MAX_LABEL + 1];
    label_condition(w, o, label);
    add_outcome(w->p, site, i, label, w->u->text.tokens[o->inner.first].spelled.line);
  }
}

/* The outcome with this label: a macro's decision may have other ways through it elsewhere, where its arguments are
 * decisions themselves. */
static uint32_t path_outcome(walk *w, uint32_t site, const char *label) {
  const model_site *s = &w->p->out->model.sites[site];
  uint32_t next = OUTCOME_PATH;
  for (size_t i = 0; i < s->outcome_count; i++) {
    if (s->outcomes[i].index >= OUTCOME_PATH) {
      if (strcmp(s->outcomes[i].label, label) == 0) return s->outcomes[i].index;
      next = s->outcomes[i].index + 1;
    }
  }
  add_outcome(w->p, site, next, label, 0);
  return next;
}

/* What one way through the decision says. */
static void add_path(walk *w, const decision_tree *t, uint32_t number, uint32_t decision, const char *seen,
                     bool value) {
  instance *d = &w->f->instances[decision];
  char label[MAX_CONDITIONS + 3];
  memcpy(label, seen, t->count);
  memcpy(label + t->count, value ? " T" : " F", 3);
  d->paths[number] = path_outcome(w, d->site, label);
  d->yes |= value ? 1u << number : 0;
  for (uint32_t i = 0; i < t->count; i++)
    if (seen[i] != '-') imply(w, d->bit + number, t->nodes[i].site, seen[i] == 'T' ? OUTCOME_TRUE : OUTCOME_FALSE);
}

static void list_paths(walk *w, const decision_tree *t, uint32_t next, uint32_t number, uint32_t decision, char *seen) {
  if (next >= t->count) {
    add_path(w, t, number, decision, seen, next == ENDS_TRUE);
    return;
  }
  const node *n = &t->nodes[next];
  seen[next] = 'F';
  list_paths(w, t, n->no, number, decision, seen);
  seen[next] = 'T';
  list_paths(w, t, n->yes, number + ways_from(t, n->no), decision, seen);
  seen[next] = '-';
}

static void walk_decision(walk *w, const tree_node *decision) {
  decision_tree t;
  uint32_t ways = read_tree(&w->u->text, decision, &t);
  bool is_new = false;
  instance *i = add_instance(w, SITE_DECISION, decision->token, decision->tokens.last, ways, &is_new);
  uint32_t number = (uint32_t)(w->f->instance_count - 1);
  i->node = decision;
  i->wrapped = decision->tokens;
  if (ways == 0) {
    add_conditions(w, decision);
    return;
  }
  i->paths = mem_calloc(ways, sizeof *i->paths);
  if (is_new) {
    show_from(&w->u->text.tokens[i->wrapped.first], &w->u->text.tokens[decision->token],
              &w->p->out->model.sites[i->site]);
    name_decision(w, &t, i->site);
  }
  for (uint32_t k = 0; k < t.count; k++) {
    function *f = w->f;
    t.nodes[k].site = condition_site(w, &t.nodes[k].condition);
    *ARRAY_ADD(f->leaves, f->leaf_count, f->leaf_capacity) =
        (leaf){number, t.nodes[k].condition.inner, ways_from(&t, t.nodes[k].no)};
  }
  char seen[MAX_CONDITIONS];
  memset(seen, '-', sizeof seen);
  list_paths(w, &t, 0, 0, number, seen);
}

/* --- who decides by them ------------------------------------------------------------------------------------------ */

/* The condition of an instance that decides; empty if it is none or chooses by component. */
static span condition_of(const instance *i) {
  if (i->kind == SITE_CONDITIONAL) {
    const conditional c = read_conditional(i->node);
    return c.components == 1 ? c.condition : (span){1, 0};
  }
  bool decides = i->kind == SITE_IF || i->kind == SITE_FOR || i->kind == SITE_WHILE || i->kind == SITE_DO;
  return decides ? statement_condition(i->node) : (span){1, 0};
}

/* The bits of an instance with an atomic condition say how it was seen. */
static void imply_condition(walk *w, const instance *i, const condition *o) {
  uint32_t site = condition_site(w, o);
  uint32_t yes = o->negated ? OUTCOME_FALSE : OUTCOME_TRUE;
  uint32_t no = o->negated ? OUTCOME_TRUE : OUTCOME_FALSE;
  if (i->kind == SITE_IF || i->kind == SITE_CONDITIONAL) {
    imply(w, i->bit + OUTCOME_TRUE, site, yes);
    imply(w, i->bit + OUTCOME_FALSE, site, no);
    return;
  }
  if (i->kind != SITE_DO) /* a `do` runs its body once before it looks */
    imply(w, i->bit + OUTCOME_ONE, site, yes);
  imply(w, i->bit + OUTCOME_MANY, site, yes);
  imply(w, i->bit + OUTCOME_BOUNDARY, site, no);
}

static void link_decision(walk *w, uint32_t owner, const condition *o) {
  for (uint32_t d = 0; d < w->f->instance_count; d++) {
    instance *in = &w->f->instances[d];
    if (in->kind == SITE_DECISION && in->node == o->decision) {
      in->owner = owner;
      /* What decides by a decision has no bits of its own where the ways through it tell. */
      for (uint32_t k = 0; k < in->outcomes && w->f->instances[owner].outcomes == 0; k++) {
        bool value = ((in->yes >> k & 1u) != 0) != o->negated;
        imply(w, in->bit + k, w->f->instances[owner].site, value ? OUTCOME_TRUE : OUTCOME_FALSE);
      }
    }
  }
}

static void walk_owner(walk *w, uint32_t owner) {
  const instance *i = &w->f->instances[owner];
  span tokens = condition_of(i);
  if (span_empty(tokens)) return;
  condition c = condition_of_owner(w, i->node, tokens);
  if (c.decision != NULL)
    link_decision(w, owner, &c);
  else if ((i->kind == SITE_FOR || i->kind == SITE_WHILE) && jumped_into(&w->f->statements, statement_body(i->node)))
    add_condition(w, &c); /* turns begin without a look at it */
  else
    imply_condition(w, i, &c);
}

void walk_decisions(walk *w) {
  size_t owners = w->f->instance_count;
  for (size_t d = 0; d < w->f->decision_count; d++)
    if (!is_nested(&w->u->text, w->f->decisions[d])) walk_decision(w, w->f->decisions[d]);
  for (uint32_t i = 0; i < owners; i++) walk_owner(w, i);
}

/* --- guards of barriers ------------------------------------------------------------------------------------------- */

/* Guards of barriers: decisions around barriers and async calls, around jumps that can bypass them, and arguments that
 * must be the same for all work-items of a group. */

/* The arguments of async copies and of wait_group_events, which must be the same for all work-items of a group: pointers
 * and numbers by their values, events by what they come from, as OpenCL C shows no event's value.
 *
 * An event that is read from a variable with several stores comes from the store that was the last. So each such store
 * keeps a number in a variable of ours; two stores of the same thing, `p = &a`, have the same number. */

enum { MOST = 24 };

/* What is compared for a call. */
typedef struct compared {
  const tree_node *values[MOST]; /* expressions */
  size_t value_count;
  const tree_symbol *events[MOST]; /* variables */
  size_t event_count;
} compared;

/* --- what is surely alike ----------------------------------------------------------------------------------------- */

static size_t count_stores(const program *p, const function *f, const tree_symbol *variable) {
  const stores *all = &p->units[f->unit].stores;
  size_t count = 0;
  for (size_t i = 0; i < all->count; i++)
    count += all->items[i].function == f->node && all->items[i].variable == variable ? 1 : 0;
  return count;
}

/* An array that the whole group has, or a pointer that the kernel got and that nothing changes. */
static bool is_fixed_pointer(const program *p, const function *f, const tree_symbol *s) {
  if (s->declaration == NULL || tree_function_of(s->declaration) != f->node) return false;
  if (s->kind == TREE_SYMBOL_VARIABLE) return s->type->kind == TREE_TYPE_ARRAY && s->type->space == TREE_SPACE_LOCAL;
  const bool own = f->node->symbol->kernel && !f->called;
  return s->kind == TREE_SYMBOL_PARAMETER && s->type->kind == TREE_TYPE_POINTER && own && count_stores(p, f, s) == 1;
}

static bool is_alike(const program *p, const function *f, const tree_node *argument) {
  const tree_node *n = tree_uncast(argument);
  if (n->constant.kind != TREE_NOT_CONSTANT) return true;
  if (n->type == NULL) return false;
  if (n->kind == TREE_NAME && (n->type->kind == TREE_TYPE_POINTER || n->type->kind == TREE_TYPE_ARRAY))
    return is_fixed_pointer(p, f, n->symbol);
  if (n->kind == TREE_BINARY && n->type->kind == TREE_TYPE_POINTER)
    return is_alike(p, f, n->children[0]) && is_alike(p, f, n->children[1]);
  if (n->kind == TREE_ADDRESS && tree_uncast(n->children[0])->kind == TREE_SUBSCRIPT) {
    const tree_node *element = tree_uncast(n->children[0]);
    return is_alike(p, f, element->children[0]) && is_alike(p, f, element->children[1]);
  }
  const uniform_scope scope = scope_of(p, f);
  return n->type->kind == TREE_TYPE_INTEGER && expression_is_uniform(&scope, n);
}

/* --- what is compared --------------------------------------------------------------------------------------------- */

static void add_value(const program *p, const function *f, const tree_node *value, compared *out) {
  const tree_type *type = value->type;
  const bool known = type != NULL && (type->kind == TREE_TYPE_INTEGER || type->kind == TREE_TYPE_POINTER);
  if (known && out->value_count < MOST && !is_alike(p, f, value)) out->values[out->value_count++] = value;
}

static bool is_event(const tree_type *t) {
  const tree_type *of = t->kind == TREE_TYPE_POINTER ? t->element : t;
  return of->kind == TREE_TYPE_OPAQUE;
}

/* A variable of the function whose value depends on which store was the last. */
static bool is_watched(const program *p, const function *f, const tree_symbol *s) {
  return s->kind == TREE_SYMBOL_VARIABLE && s->declaration != NULL && tree_function_of(s->declaration) == f->node &&
         is_event(s->type) && count_stores(p, f, s) > 1;
}

static void add_event(const program *p, const function *f, const tree_symbol *s, compared *out) {
  bool known = !is_watched(p, f, s) || out->event_count == MOST;
  for (size_t i = 0; i < out->event_count; i++) known = known || out->events[i] == s;
  if (!known) out->events[out->event_count++] = s;
}

/* Which event, or which list of events: the variables in an expression, and the indices. */
static void add_events(const program *p, const function *f, const tree_node *argument, compared *out) {
  for (const tree_node *n = argument; n != NULL; n = tree_next(argument, n)) {
    if (n->kind == TREE_NAME) {
      add_event(p, f, n->symbol, out);
    } else if (n->kind == TREE_SUBSCRIPT) {
      add_value(p, f, n->children[1], out);
    } else if (n->kind == TREE_BINARY && n->type != NULL && n->type->kind == TREE_TYPE_POINTER) {
      const bool second = n->children[0]->type != NULL && n->children[0]->type->kind == TREE_TYPE_POINTER;
      add_value(p, f, n->children[second ? 1 : 0], out);
    }
  }
}

static compared read_arguments(const program *p, const function *f, const tree_node *made) {
  compared found = {0};
  const uint32_t values =
      made->builtin->kind == TREE_ASYNC_WAIT ? 1 : made->child_count - 1; /* the event is the last */
  for (uint32_t i = 0; i < made->child_count; i++)
    if (i < values)
      add_value(p, f, made->children[i], &found);
    else
      add_events(p, f, made->children[i], &found);
  return found;
}

/* Whether an async call surely has the same arguments for all work-items of a group that make it. */
static bool arguments_are_alike(const program *p, const function *f, const tree_node *made) {
  const compared found = read_arguments(p, f, made);
  return found.value_count == 0 && found.event_count == 0;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

void edit_arguments(const writer *w, const instance *i, uint32_t number) {
  if (i->arguments == NONE) return;
  const compared found = read_arguments(w->p, w->f, i->node);
  const unsigned hash = i->arguments;
  for (size_t k = 0; k < found.value_count; k++) {
    const bool pointer = found.values[k]->type->kind == TREE_TYPE_POINTER;
    edit_wrap(w->edits, found.values[k]->tokens, text_of("(cltc_a%u_%zu = (", (unsigned)number, k),
              text_of("), CLTC_ALIKE(cltc->h%u, (%s)cltc_a%u_%zu), cltc_a%u_%zu)", hash,
                      pointer ? "ulong)(uintptr_t" : "ulong", (unsigned)number, k, (unsigned)number, k));
  }
  buffer before = {0};
  for (size_t k = 0; k < found.event_count; k++)
    buffer_printf(&before, "CLTC_HASH(cltc->h%u, cltc_e%u), ", hash, (unsigned)found.events[k]->declaration->token);
  if (found.event_count > 0) edit_wrap(w->edits, i->node->tokens, text_of("(%s", buffer_text(&before)), text_of(")"));
  buffer_free(&before);
}

/* The watched variables of the function's calls, each once. */
static compared watched(const writer *w) {
  compared all = {0};
  for (size_t n = 0; n < w->f->instance_count; n++) {
    const instance *i = &w->f->instances[n];
    if (i->arguments == NONE) continue;
    const compared found = read_arguments(w->p, w->f, i->node);
    for (size_t k = 0; k < found.event_count; k++) add_event(w->p, w->f, found.events[k], &all);
  }
  return all;
}

void append_argument_locals(const writer *w, buffer *out) {
  for (size_t n = 0; n < w->f->instance_count; n++) {
    const instance *i = &w->f->instances[n];
    if (i->arguments == NONE) continue;
    const compared found = read_arguments(w->p, w->f, i->node);
    for (size_t k = 0; k < found.value_count; k++) {
      char *type = tree_value_text(found.values[k]->type);
      buffer_printf(out, " %s cltc_a%zu_%zu;", type, n, k);
      free(type);
    }
  }
  const compared all = watched(w);
  for (size_t k = 0; k < all.event_count; k++)
    buffer_printf(out, " uint cltc_e%u = 0u;", (unsigned)all.events[k]->declaration->token);
}

/* The number of what a store stores: the variable whose address or value it is, else the place. */
static unsigned number_of(const tree_node *value, const tree_node *store) {
  const tree_node *n = tree_uncast(value);
  n = n->kind == TREE_ADDRESS ? tree_uncast(n->children[0]) : n;
  return (unsigned)(n->kind == TREE_NAME && n->symbol->declaration != NULL ? n->symbol->declaration->token
                                                                           : store->token);
}

void edit_event_stores(const writer *w) {
  const compared all = watched(w);
  for (const tree_node *n = w->f->node; n != NULL && all.event_count > 0; n = tree_next(w->f->node, n)) {
    const bool assigns = n->kind == TREE_ASSIGN && tree_uncast(n->children[0])->kind == TREE_NAME;
    const bool begins = n->kind == TREE_VARIABLE && n->children[0] != NULL &&
                        n->children[0]->kind != TREE_INITIALIZER && n->children[0]->constant.kind == TREE_NOT_CONSTANT;
    const tree_symbol *s = assigns ? tree_uncast(n->children[0])->symbol : begins ? n->symbol : NULL;
    for (size_t k = 0; k < all.event_count; k++) {
      if (all.events[k] == s) {
        edit_wrap(
            w->edits, assigns ? n->tokens : n->children[0]->tokens,
            text_of("(cltc_e%u = %uu, ", (unsigned)s->declaration->token, number_of(n->children[assigns ? 1 : 0], n)),
            text_of(")"));
      }
    }
  }
}

static uint32_t plane_of(program *p, uint32_t function_index, uint32_t instance_index) {
  instance *i = &p->functions[function_index].instances[instance_index];
  if (i->plane == NONE) {
    *ARRAY_ADD(p->planes, p->plane_count, p->plane_capacity) = (plane){function_index, instance_index, false};
    i->plane = (uint32_t)(p->plane_count - 1);
  }
  return i->plane;
}

static void add_guard(program *p, uint32_t function_index, barrier_point *point, uint32_t instance_index) {
  uint32_t added = plane_of(p, function_index, instance_index);
  for (size_t i = 0; i < point->guard_count; i++)
    if (point->guards[i] == added) return;
  *ARRAY_ADD(point->guards, point->guard_count, point->guard_capacity) = added;
}

/* The instance of a decision, NONE for what has no site. */
static uint32_t instance_of(const function *f, const tree_node *decision) {
  for (uint32_t i = 0; i < f->instance_count; i++) {
    const site_kind kind = f->instances[i].kind;
    if (f->instances[i].node == decision && kind != SITE_REGION) return i;
  }
  return NONE;
}

uniform_scope scope_of(const program *p, const function *f) {
  const unit *u = &p->units[f->unit];
  return (uniform_scope){.tree = u->tree,
                         .graph = f->graph,
                         .statements = &f->statements,
                         .stores = &u->stores,
                         .arguments_alike = f->node->symbol->kernel && !f->called};
}

/* Planes for the decisions that guard a point, unless they are uniform. */
static void guard_point(program *p, uint32_t function_index, barrier_point *point) {
  const function *f = &p->functions[function_index];
  const uniform_scope scope = scope_of(p, f);
  const tree_node_list guards = uniform_guards(&scope, point->node);
  bool *uniform = mem_calloc(guards.count + 1, sizeof *uniform);
  if (!p->form->all_guards) find_uniform(&scope, &guards, uniform);
  for (size_t i = 0; i < guards.count; i++) {
    const uint32_t number = uniform[i] ? NONE : instance_of(f, guards.items[i]);
    if (number != NONE) add_guard(p, function_index, point, number);
  }
  point->uniform = !p->form->all_guards && point->guard_count == 0 && guards_are_all(&scope, point->node);
  free(uniform);
  free(guards.items);
}

static barrier_point *add_point(function *f, const tree_node *of, uint32_t instance_index, uint32_t callee) {
  barrier_point *point = ARRAY_ADD(f->points, f->point_count, f->point_capacity);
  point->node = of;
  point->instance = instance_index;
  point->callee = callee;
  return point;
}

static void mark_barriers(program *p) {
  for (size_t i = 0; i < p->function_count; i++) {
    function *f = &p->functions[i];
    for (size_t k = 0; k < f->instance_count; k++) f->has_barrier = f->has_barrier || is_meeting(f->instances[k].kind);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < p->function_count; i++) {
      function *f = &p->functions[i];
      for (size_t k = 0; k < f->call_count && !f->has_barrier; k++) {
        f->has_barrier = p->functions[f->calls[k].callee].has_barrier;
        changed = changed || f->has_barrier;
      }
    }
  }
}

static void find_points(program *p) {
  for (uint32_t i = 0; i < p->function_count; i++) {
    function *f = &p->functions[i];
    for (uint32_t k = 0; k < f->instance_count; k++)
      if (is_meeting(f->instances[k].kind)) (void)add_point(f, f->instances[k].node, k, NONE);
    for (size_t k = 0; k < f->call_count; k++)
      if (p->functions[f->calls[k].callee].has_barrier)
        (void)add_point(f, tree_innermost(p->units[f->unit].tree, f->calls[k].token), NONE, f->calls[k].callee);
    for (size_t k = 0; k < f->point_count; k++) guard_point(p, i, &f->points[k]);
  }
}

/* The functions that work-items of a group do not surely enter equally often; to be freed. */
static bool *varying_functions(const program *p) {
  bool *varying = mem_calloc(p->function_count + 1, sizeof *varying);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < p->function_count; i++) {
      for (size_t k = 0; k < p->functions[i].point_count; k++) {
        const barrier_point *point = &p->functions[i].points[k];
        if (point->callee != NONE && !varying[point->callee] && (varying[i] || !point->uniform))
          varying[point->callee] = changed = true;
      }
    }
  }
  return varying;
}

static void add_bit(function *f, instance *barrier) {
  barrier->outcomes = 1;
  barrier->bit = take_bits(f, 1);
}

static void compare_arguments(program *p, uint32_t function_index, uint32_t instance_index) {
  const function *f = &p->functions[function_index];
  instance *i = &f->instances[instance_index];
  if (i->kind == SITE_ASYNC && !arguments_are_alike(p, f, i->node)) {
    *ARRAY_ADD(p->planes, p->plane_count, p->plane_capacity) = (plane){function_index, instance_index, true};
    i->arguments = (uint32_t)(p->plane_count - 1);
  }
}

/* What tells whether work-items come to a barrier alike. */
static void watch_point(program *p, uint32_t function_index, const barrier_point *point, bool alike) {
  function *f = &p->functions[function_index];
  if (!alike)
    (void)plane_of(p, function_index, point->instance);
  else if (f->instances[point->instance].kind == SITE_BARRIER)
    add_bit(f, &f->instances[point->instance]);
  compare_arguments(p, function_index, point->instance);
}

void find_guards(program *p) {
  mark_barriers(p);
  find_points(p);
  bool *varying = varying_functions(p);
  for (uint32_t i = 0; i < p->function_count; i++) {
    function *f = &p->functions[i];
    for (size_t k = 0; k < f->point_count; k++)
      if (f->points[k].instance != NONE) watch_point(p, i, &f->points[k], f->points[k].uniform && !varying[i]);
  }
  free(varying);
  if (!p->form->all_guards) find_settled(p);
}
