/* Statements: where control goes, and which branches and loop cases that takes. */
#include <stdio.h>
#include <string.h>

#include "interpret.h"

/* Conditions and decisions: how each atomic condition is seen and which way is taken through each && and ||,
 * parentheses,
 * `!` and macros seen through. */

enum { MOST_CONDITIONS = 12 }; /* of a decision whose ways are listed */

/* An evaluation of a decision: how its conditions were seen, one after another. */
typedef struct decision {
  char seen[32];
  size_t count;
  uint32_t values;  /* when not run but listed: what condition i is to be */
  const bool *runs; /* NULL: listed */
} decision;

static bool is_not(const expression *e) {
  return e->kind == EXPRESSION_UNARY && e->op == OP_LNOT && !is_vector(e->operands[0]->type);
}

/* What an operand comes down to after `!`, macros and their parameters; `inner` is room for the uses of macros. */
typedef struct operand {
  const expression *e;
  expansion *x;
  bool negated;
} operand;

enum { DEEP = 24 };

static operand resolve(const expression *e, expansion *x, expansion inner[DEEP]) {
  operand o = {e, x, false};
  for (size_t depth = 0; depth < DEEP;) {
    if (is_not(o.e)) {
      o.negated = !o.negated;
      o.e = o.e->operands[0];
    } else if (o.e->kind == EXPRESSION_PARAMETER) {
      o.e = o.x->arguments[o.e->number];
      o.x = o.x->outer;
    } else if (o.e->kind == EXPRESSION_MACRO) {
      inner[depth] = (expansion){.arguments = o.e->operands, .outer = o.x};
      o.x = &inner[depth++];
      o.e = o.e->macro->value;
    } else {
      break;
    }
  }
  return o;
}

static bool is_logical(const expression *e) { return e->kind == EXPRESSION_AND || e->kind == EXPRESSION_OR; }

static void skip(const expression *e, expansion *x, decision *d) {
  expansion inner[DEEP];
  operand o = resolve(e, x, inner);
  if (is_logical(o.e)) {
    skip(o.e->operands[0], o.x, d);
    skip(o.e->operands[1], o.x, d);
  } else if (d->count < sizeof d->seen - 1) {
    d->seen[d->count++] = '-';
  } else {
    d->count = sizeof d->seen;
  }
}

static bool leaf(work_item *w, const operand *o, decision *d) {
  bool yes = d->runs != NULL ? evaluate(w, o->x, o->e).at[0] != 0 : (d->values >> d->count & 1u) != 0;
  if (d->runs != NULL) ((expression *)o->e)->seen[yes ? 0 : 1] |= 1u << w->kernel;
  if (d->count < sizeof d->seen - 1) d->seen[d->count++] = yes ? 'T' : 'F';
  return yes;
}

static bool run(work_item *w, expansion *x, const expression *e, decision *d) {
  expansion inner[DEEP];
  operand o = resolve(e, x, inner);
  bool yes = false;
  if (is_logical(o.e)) {
    yes = run(w, o.x, o.e->operands[0], d);
    if (yes == (o.e->kind == EXPRESSION_AND))
      yes = run(w, o.x, o.e->operands[1], d);
    else
      skip(o.e->operands[1], o.x, d);
  } else {
    yes = leaf(w, &o, d);
  }
  return yes != o.negated;
}

static void add_way(work_item *w, expression *e, const decision *d, bool ends, uint32_t kernels) {
  char label[sizeof((taken_way *)NULL)->label];
  (void)snprintf(label, sizeof label, "%.*s %c", (int)d->count, d->seen, ends ? 'T' : 'F');
  taken_way *known = e->ways;
  while (known != NULL && strcmp(known->label, label) != 0) known = known->next;
  if (known == NULL) {
    known = tree_new((tree *)w->p, sizeof *known);
    memcpy(known->label, label, sizeof label);
    known->next = e->ways;
    e->ways = known;
  }
  known->kernels |= kernels;
}

/* All ways that there are, by trying all values of its conditions. */
static void list_ways(work_item *w, expansion *x, expression *e, size_t conditions) {
  e->large = e->large || conditions > MOST_CONDITIONS;
  for (uint32_t values = 0; !e->large && values < 1u << conditions; values++) {
    decision d = {.values = values};
    bool ends = run(w, x, e, &d);
    add_way(w, e, &d, ends, 0);
  }
}

static bool has_way(const expression *e, const decision *d) {
  for (const taken_way *known = e->ways; known != NULL; known = known->next)
    if (strncmp(known->label, d->seen, d->count) == 0 && known->label[d->count] == ' ') return true;
  return false;
}

bool decide(work_item *w, expansion *x, const expression *given) {
  static const bool runs = true;
  expression *e = (expression *)given;
  decision d = {.runs = &runs};
  bool ends = run(w, x, e, &d);
  if (!has_way(e, &d)) list_ways(w, x, e, d.count);
  if (!e->large) add_way(w, e, &d, ends, 1u << w->kernel);
  return ends;
}

/* The condition of a branch or loop. */
static bool condition_truth(work_item *w, expansion *x, const expression *e) {
  static const bool runs = true;
  expansion inner[DEEP];
  operand o = resolve(e, x, inner);
  decision d = {.runs = &runs};
  bool yes = is_logical(o.e) ? evaluate(w, o.x, o.e).at[0] != 0 : leaf(w, &o, &d);
  return yes != o.negated;
}

enum { STEP_LIMIT = 30000 };

void take(work_item *w, site *s, uint32_t outcome) { s->seen[w->kernel] |= 1u << outcome; }

/* --- jumps ---------------------------------------------------------------------------------------------------------
 */

static status enter_statement(work_item *w, expansion *x, const statement *s);

/* The statements in a statement that run as part of it, one after another; NULL: no more. */
static const statement *part_of(const statement *s, size_t i) {
  switch (s->kind) {
    case STATEMENT_BLOCK:
    case STATEMENT_SEQUENCE: return i < s->item_count ? s->items[i] : NULL;
    case STATEMENT_IF: return i == 0 ? s->body : i == 1 ? s->otherwise : NULL;
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_DO:
    case STATEMENT_SWITCH: return i == 0 ? s->body : NULL;
    case STATEMENT_CHOICE: return i == 0 ? (s->first_kept ? s->body : s->otherwise) : NULL;
    default: return NULL;
  }
}

static bool is_target(const work_item *w, const statement *s) {
  return w->chosen != NULL ? s == w->chosen : s->kind == STATEMENT_LABEL && s->number == w->label;
}

/* The part of a statement that the target is in, or is. */
static bool find_target(const work_item *w, const statement *s, size_t *at) {
  const statement *part = NULL;
  for (size_t i = 0; (part = part_of(s, i)) != NULL; i++) {
    size_t deeper = 0;
    if (is_target(w, part) || find_target(w, part, &deeper)) {
      *at = i;
      return true;
    }
  }
  return false;
}

static status run_statement(work_item *w, expansion *x, const statement *s);

/* `jumped`: from the target on. */
static status run_items(work_item *w, expansion *x, const statement *s, bool jumped) {
  status result = jumped ? WENT : RAN;
  size_t i = 0;
  for (;;)
    if (result == WENT && find_target(w, s, &i))
      result = enter_statement(w, x, s->items[i++]);
    else if (result == RAN && i < s->item_count)
      result = run_statement(w, x, s->items[i++]);
    else
      return result;
}

/* --- branches and loops ------------------------------------------------------------------------------------------ */

static status run_if(work_item *w, expansion *x, const statement *s) {
  bool yes = condition_truth(w, x, s->condition);
  take(w, s->site, yes ? OUTCOME_TRUE : OUTCOME_FALSE);
  const statement *next = yes ? s->body : s->otherwise;
  return next == NULL ? RAN : run_statement(w, x, next);
}

/* `jumped`: into the body. Nothing is counted of it. */
static status run_done_once(work_item *w, expansion *x, const statement *s, bool jumped) {
  size_t part = 0;
  status result = jumped ? enter_statement(w, x, s->body) : run_statement(w, x, s->body);
  while (result == WENT && find_target(w, s, &part)) result = enter_statement(w, x, s->body);
  return result == BROKE || result == CONTINUED ? RAN : result;
}

/* `jumped`: into the body, whose rest is the first turn. */
static status run_loop(work_item *w, expansion *x, const statement *s, bool jumped) {
  if (s->site == NULL) return run_done_once(w, x, s, jumped);
  if (s->init != NULL && !jumped) (void)run_statement(w, x, s->init);
  uint32_t count = 0;
  status result = RAN;
  size_t part = 0;
  for (;; jumped = false) {
    bool test = !jumped && s->condition != NULL && (s->kind != STATEMENT_DO || count > 0);
    if (test && !condition_truth(w, x, s->condition)) {
      take(w, s->site, OUTCOME_BOUNDARY);
      break;
    }
    count++;
    result = jumped ? enter_statement(w, x, s->body) : run_statement(w, x, s->body);
    while (result == WENT && find_target(w, s, &part)) result = enter_statement(w, x, s->body);
    if (result != RAN && result != CONTINUED) break;
    if (s->step != NULL) (void)evaluate(w, x, s->step);
  }
  take(w, s->site, count == 0 ? OUTCOME_ZERO : count == 1 ? OUTCOME_ONE : OUTCOME_MANY);
  return result == BROKE || result == CONTINUED ? RAN : result;
}

/* The label for a value among those of a switch: they stand in its body but not in switches there. `cases` counts. */
static const statement *find_case(const statement *s, uint32_t v, uint32_t *cases) {
  const statement *found = NULL;
  const statement *part = NULL;
  for (size_t i = 0; (part = part_of(s, i)) != NULL; i++) {
    const statement *here = NULL;
    if (part->kind == STATEMENT_CASE) {
      (*cases)++;
      here = v >= part->first && v <= part->last ? part : NULL;
    } else if (part->kind == STATEMENT_DEFAULT) {
      here = part;
    } else if (part->kind != STATEMENT_SWITCH) {
      here = find_case(part, v, cases);
    }
    bool better = found == NULL || found->kind == STATEMENT_DEFAULT;
    found = here != NULL && better ? here : found;
  }
  return found;
}

static status run_switch(work_item *w, expansion *x, const statement *s) {
  uint32_t v = evaluate(w, x, s->condition).at[0];
  uint32_t cases = 0;
  const statement *found = find_case(s, v, &cases);
  take(w, s->site, found != NULL && found->kind == STATEMENT_CASE ? found->outcome : cases);
  if (found == NULL) return RAN;
  w->chosen = found;
  return enter_statement(w, x, s);
}

/* Runs a statement from the target on, which is in it or the statement itself. */
static status enter_statement(work_item *w, expansion *x, const statement *s) {
  size_t part = 0;
  if (is_target(w, s)) return RAN;
  (void)find_target(w, s, &part);
  switch (s->kind) {
    case STATEMENT_BLOCK:
    case STATEMENT_SEQUENCE: return run_items(w, x, s, true);
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_DO: return run_loop(w, x, s, true);
    case STATEMENT_SWITCH: {
      status result = enter_statement(w, x, s->body);
      return result == BROKE ? RAN : result;
    }
    default: /* a branch: its condition is not asked */ return enter_statement(w, x, part_of(s, part));
  }
}

static status run_macro(work_item *w, expansion *x, const statement *s) {
  expansion inner = {.arguments = s->arguments, .holes = s->holes, .outer = x};
  return run_statement(w, &inner, s->macro->body);
}

static void declare(work_item *w, expansion *x, const statement *s) {
  for (size_t i = 0; i < s->variable_count; i++) {
    const variable *v = s->variables[i];
    for (uint32_t k = 0; k < v->length; k++) w->frame->cells[v->cell + k] = (value){{0}};
    if (v->length == 0) {
      value initial = evaluate(w, x, s->values[i]);
      if (v->storage == STORE_MACRO)
        x->cells[v->cell] = initial;
      else if (v->storage == STORE_PARAMETER) /* of a loop header, which is used in functions only */
        w->frame->cells[x->arguments[v->cell]->variable->cell] = initial;
      else
        w->frame->cells[v->cell] = initial;
    }
  }
}

static status run_hole(work_item *w, expansion *x, const statement *s) {
  const statement *hole = x->holes[s->number];
  return hole == NULL ? RAN : run_statement(w, x->outer, hole);
}

static status run_choice(work_item *w, expansion *x, const statement *s) {
  const statement *kept = s->first_kept ? s->body : s->otherwise;
  return kept == NULL ? RAN : run_statement(w, x, kept);
}

static void prologue(work_item *w, const statement *s) {
  w->frame->cells[s->variables[0]->cell] = (value){{(uint32_t)w->id}};
}

static status run_jump(work_item *w, expansion *x, const statement *s) {
  switch (s->kind) {
    case STATEMENT_BREAK: return BROKE;
    case STATEMENT_CONTINUE: return CONTINUED;
    case STATEMENT_GOTO:
      w->label = s->number;
      w->chosen = NULL;
      return WENT;
    case STATEMENT_RETURN:
      if (s->condition != NULL) w->frame->result = evaluate(w, x, s->condition);
      return RETURNED;
    default: return RAN;
  }
}

static status run_statement(work_item *w, expansion *x, const statement *s) {
  if (++w->steps > STEP_LIMIT) {
    w->exhausted = true;
    return RETURNED;
  }
  switch (s->kind) {
    case STATEMENT_EXPRESSION: (void)evaluate(w, x, s->condition); return RAN;
    case STATEMENT_DECLARE: declare(w, x, s); return RAN;
    case STATEMENT_BLOCK:
    case STATEMENT_SEQUENCE: return run_items(w, x, s, false);
    case STATEMENT_IF: return run_if(w, x, s);
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_DO: return run_loop(w, x, s, false);
    case STATEMENT_SWITCH: return run_switch(w, x, s);
    case STATEMENT_MACRO: return run_macro(w, x, s);
    case STATEMENT_HOLE: return run_hole(w, x, s);
    case STATEMENT_CHOICE: return run_choice(w, x, s);
    case STATEMENT_PROLOGUE: prologue(w, s); return RAN;
    default: return run_jump(w, x, s);
  }
}

/* Runs a function in a new frame. */
static value call_function(work_item *w, expansion *x, const expression *call) {
  const function *f = call->function;
  frame inner = {.result = {{0}}};
  for (size_t i = 0; i < call->operand_count; i++) {
    const expression *argument = call->operands[i];
    if (argument->kind == EXPRESSION_ADDRESS) {
      const variable *v = argument->variable;
      inner.pointers[f->parameters[i]->cell] =
          v->storage == STORE_POINTER ? w->frame->pointers[v->cell] : &w->frame->cells[v->cell];
    } else {
      inner.cells[f->parameters[i]->cell] = evaluate(w, x, argument);
    }
  }
  if (f->kernel) inner.cells[f->extra->cell].at[0] = w->launch->n;
  frame *outer = w->frame;
  w->frame = &inner;
  take(w, f->site, OUTCOME_ENTERED);
  (void)run_statement(w, NULL, f->body);
  w->frame = outer;
  return inner.result;
}

void run_kernel(work_item *w, function *kernel) {
  expression call = {.kind = EXPRESSION_CALL, .function = kernel};
  (void)call_function(w, NULL, &call);
}

/* Values of expressions, and which way their conditional operators and barriers go. */

static const value zero = {{0}};

static value scalar(uint32_t n) { return (value){{n, 0, 0, 0}}; }

static value spread(uint32_t n) { return (value){{n, n, n, n}}; }

static uint32_t operate(operator_kind op, uint32_t a, uint32_t b, bool is_signed) {
  int32_t x = (int32_t)a;
  int32_t y = (int32_t)b;
  switch (op) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_DIV: return a / b;
    case OP_REM: return a % b;
    case OP_AND: return a & b;
    case OP_OR: return a | b;
    case OP_XOR: return a ^ b;
    case OP_SHL: return a << (b & 31);
    case OP_SHR: return a >> (b & 31);
    case OP_LT: return is_signed ? x < y : a < b;
    case OP_GT: return is_signed ? x > y : a > b;
    case OP_LE: return is_signed ? x <= y : a <= b;
    case OP_GE: return is_signed ? x >= y : a >= b;
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_LAND: return a != 0 && b != 0;
    case OP_LOR: return a != 0 || b != 0;
    case OP_NEG: return 0u - a;
    case OP_NOT: return ~a;
    default: return a == 0;
  }
}

static bool is_relation(operator_kind op) {
  return (op >= OP_LT && op <= OP_NE) || op == OP_LAND || op == OP_LOR || op == OP_LNOT;
}

/* Relations of vectors give 0 or -1 a component; a scalar beside a vector is widened. */
static value apply(const expression *e, const expression *left, value a, const expression *right, value b) {
  bool wide = is_vector(left->type) || is_vector(right->type);
  if (!wide) {
    bool is_signed = left->type == TYPE_INT && right->type == TYPE_INT;
    return scalar(operate(e->op, a.at[0], b.at[0], is_signed));
  }
  a = is_vector(left->type) ? a : spread(a.at[0]);
  b = is_vector(right->type) ? b : spread(b.at[0]);
  bool is_signed = left->type == TYPE_INT4 || right->type == TYPE_INT4;
  value result = zero;
  for (int i = 0; i < 4; i++) {
    result.at[i] = operate(e->op, a.at[i], b.at[i], is_signed);
    if (is_relation(e->op)) result.at[i] = 0u - result.at[i];
  }
  return result;
}

/* An element of memory: words, not values. */
static uint32_t *word_of(work_item *w, expansion *x, const expression *e) {
  uint32_t index = evaluate(w, x, e->operands[0]).at[0];
  if (e->masked) index &= e->variable->length - 1;
  switch (e->variable->storage) {
    case STORE_INPUT: return (uint32_t *)&w->p->input[index % INPUT_LENGTH];
    case STORE_SLICE: return &w->slice[index % SLICE_LENGTH];
    case STORE_LOCAL: return &w->group->local[index % LOCAL_LENGTH];
    default: return &w->frame->cells[e->variable->cell + index % e->variable->length].at[0];
  }
}

static value *variable_value(work_item *w, expansion *x, const variable *v) {
  switch (v->storage) {
    case STORE_MACRO: return &x->cells[v->cell];
    case STORE_POINTER: return w->frame->pointers[v->cell];
    default: return &w->frame->cells[v->cell];
  }
}

/* Where an lvalue's words are. */
static uint32_t *words_of(work_item *w, expansion *x, const expression *e) {
  switch (e->kind) {
    case EXPRESSION_PARAMETER: return words_of(w, x->outer, x->arguments[e->number]);
    case EXPRESSION_ELEMENT: return word_of(w, x, e);
    case EXPRESSION_COMPONENT: return &words_of(w, x, e->operands[0])[e->number];
    default: return variable_value(w, x, e->variable)->at;
  }
}

static value conditional(work_item *w, expansion *x, const expression *e) {
  if (!is_vector(e->operands[0]->type)) {
    bool yes = condition_truth(w, x, e->operands[0]);
    take(w, e->site, yes ? OUTCOME_TRUE : OUTCOME_FALSE);
    return evaluate(w, x, e->operands[yes ? 1 : 2]);
  }
  value c = evaluate(w, x, e->operands[0]);
  value a = evaluate(w, x, e->operands[1]);
  value b = evaluate(w, x, e->operands[2]);
  for (int i = 0; i < 4; i++) {
    bool yes = (c.at[i] >> 31) != 0;
    take(w, e->site, yes ? OUTCOME_TRUE : OUTCOME_FALSE);
    a.at[i] = yes ? a.at[i] : b.at[i];
  }
  return a;
}

static value assign(work_item *w, expansion *x, const expression *e) {
  const expression *target = e->operands[0];
  value right = evaluate(w, x, e->operands[1]);
  uint32_t *to = words_of(w, x, target);
  if (!is_vector(e->type)) {
    to[0] = e->op == OP_NONE ? right.at[0] : operate(e->op, to[0], right.at[0], false);
    return scalar(to[0]);
  }
  value left = {{to[0], to[1], to[2], to[3]}};
  right = is_vector(e->operands[1]->type) ? right : spread(right.at[0]);
  for (int i = 0; i < 4; i++)
    left.at[i] = to[i] = e->op == OP_NONE ? right.at[i] : operate(e->op, left.at[i], right.at[i], false);
  return left;
}

static value step(work_item *w, expansion *x, const expression *e) {
  uint32_t *to = words_of(w, x, e->operands[0]);
  uint32_t old = to[0];
  to[0] = e->op == OP_INC ? old + 1 : old - 1;
  return scalar(e->number == 1 ? old : to[0]);
}

static value id_of(const work_item *w, const expression *e) {
  const launch *l = w->launch;
  uint32_t d = e->number;
  switch ((work_item_function)e->op) {
    case ID_GLOBAL: return scalar((uint32_t)w->global_id[d]);
    case ID_LOCAL: return scalar((uint32_t)w->local_id[d]);
    case ID_GROUP: return scalar((uint32_t)w->group_id[d]);
    case ID_LOCAL_SIZE: return scalar((uint32_t)l->local[d]);
    default: return scalar((uint32_t)(l->global[d] / l->local[d]));
  }
}

static value barrier_here(work_item *w, const expression *e) {
  w->barriers[e->site->number]++;
  if (w->scheduler != NULL && !w->exhausted) (void)swapcontext(&w->context, w->scheduler);
  return zero;
}

static value vector(work_item *w, expansion *x, const expression *e) {
  value v = zero;
  for (size_t i = 0; i < 4; i++) v.at[i] = evaluate(w, x, e->operands[i]).at[0];
  return v;
}

static value expand(work_item *w, expansion *x, const expression *e) {
  expansion inner = {.arguments = e->operands, .outer = x};
  return evaluate(w, &inner, e->macro->value);
}

static value read_words(work_item *w, expansion *x, const expression *e) {
  const uint32_t *from = words_of(w, x, e);
  return is_vector(e->type) ? (value){{from[0], from[1], from[2], from[3]}} : scalar(from[0]);
}

static value simple(work_item *w, expansion *x, const expression *e) {
  switch (e->kind) {
    case EXPRESSION_CONSTANT: return scalar(e->number);
    case EXPRESSION_VARIABLE:
    case EXPRESSION_ELEMENT: return read_words(w, x, e);
    case EXPRESSION_COMPONENT: return scalar(evaluate(w, x, e->operands[0]).at[e->number]);
    case EXPRESSION_PARAMETER: return evaluate(w, x->outer, x->arguments[e->number]);
    case EXPRESSION_ID: return id_of(w, e);
    case EXPRESSION_CALL: return call_function(w, x, e);
    case EXPRESSION_CAST:
      return is_vector(e->type) ? spread(evaluate(w, x, e->operands[0]).at[0]) : evaluate(w, x, e->operands[0]);
    case EXPRESSION_AS:
    case EXPRESSION_WIDE: return evaluate(w, x, e->operands[0]);
    case EXPRESSION_FRACTION: return scalar(evaluate(w, x, e->operands[0]).at[0] & 1);
    case EXPRESSION_VECTOR: return vector(w, x, e);
    default: return zero;
  }
}

value evaluate(work_item *w, expansion *x, const expression *e) {
  w->steps++;
  switch (e->kind) {
    case EXPRESSION_UNARY: {
      value a = evaluate(w, x, e->operands[0]);
      return apply(e, e->operands[0], a, e->operands[0], zero);
    }
    case EXPRESSION_BINARY: {
      value a = evaluate(w, x, e->operands[0]);
      return apply(e, e->operands[0], a, e->operands[1], evaluate(w, x, e->operands[1]));
    }
    case EXPRESSION_AND:
    case EXPRESSION_OR: return scalar(decide(w, x, e) ? 1 : 0);
    case EXPRESSION_CONDITIONAL: return conditional(w, x, e);
    case EXPRESSION_COMMA: (void)evaluate(w, x, e->operands[0]); return evaluate(w, x, e->operands[1]);
    case EXPRESSION_ASSIGN: return assign(w, x, e);
    case EXPRESSION_STEP: return step(w, x, e);
    case EXPRESSION_MACRO: return expand(w, x, e);
    case EXPRESSION_BARRIER: return barrier_here(w, e);
    default: return simple(w, x, e);
  }
}
