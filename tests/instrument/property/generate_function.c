/* Helper functions and kernels. */
#include <stdio.h>

#include "generate.h"

static function *new_function(generator *g, const char *prefix) {
  function *f = tree_new(g->p, sizeof *f);
  (void)snprintf(f->name, sizeof f->name, "%s%u", prefix, ++g->names % 1000);
  f->site = tree_site(g->p, SITE_FUNCTION, 1);
  return f;
}

static void add_parameter(generator *g, function *f, bool pointer, bool uniform) {
  variable *v = make_variable(g, f, pointer ? "q" : "a", TYPE_UINT, 0);
  v->storage = pointer ? STORE_POINTER : STORE_FRAME;
  v->cell = pointer ? (uint32_t)f->parameter_count : v->cell;
  v->uniform = uniform;
  v->constant = uniform;
  f->parameters[f->parameter_count++] = v;
}

static statement *return_of(generator *g, expression *e) {
  statement *s = tree_statement(g->p, STATEMENT_RETURN);
  s->condition = e;
  return s;
}

/* The counters of loops, declared first. */
static statement *with_counters(generator *g, function *f, statement *head, statement *body) {
  statement *all = tree_statement(g->p, STATEMENT_BLOCK);
  for (size_t i = 0; head != NULL && i < head->item_count; i++) tree_append(g->p, all, head->items[i]);
  for (size_t i = 0; i < f->counter_count; i++)
    tree_append(g->p, all, make_declaration(g, f->counters[i], make_number(g, 0)));
  for (size_t i = 0; i < body->item_count; i++) tree_append(g->p, all, body->items[i]);
  return all;
}

static const char *helper_head(generator *g, value_type result) {
  static const char *const heads[][2] = {
      {"uint", "void"},
      {"static uint", "static void"},
      {"static inline uint", "static inline void"},
      {"uint __attribute__((always_inline))", "void __attribute__((always_inline))"},
      {"__attribute__((noinline)) static uint", "__attribute__((noinline)) static void"},
  };
  return heads[below(g, 5)][result == TYPE_VOID ? 1 : 0];
}

void generate_helper(generator *g, bool simple, bool barriers) {
  function *f = new_function(g, "f");
  f->result = barriers || (!simple && chance(g, 30)) ? TYPE_VOID : TYPE_UINT;
  f->barriers = barriers;
  f->takes_input = !simple && chance(g, 40);
  f->takes_slice = !simple && chance(g, 30);
  f->prototype = !simple && chance(g, 15);
  f->empty_parentheses = chance(g, 50);
  f->head = helper_head(g, f->result);
  uint32_t parameters = barriers ? 1 : below(g, 3);
  for (uint32_t i = 0; i < parameters; i++) add_parameter(g, f, false, barriers);
  if (!barriers && (f->result == TYPE_VOID ? !f->takes_slice || chance(g, 50) : !simple && chance(g, 20)))
    add_parameter(g, f, true, false);
  f->effect = f->result == TYPE_VOID || f->takes_slice || (parameters < f->parameter_count);
  g->input = f->takes_input;
  g->slice = f->takes_slice;
  g->budget = simple ? 3 : 6;
  scope s = {.function = f, .uniform = barriers, .may_return = true, .depth = 1};
  for (size_t i = 0; i < f->parameter_count; i++) show(&s, f->parameters[i]);
  statement *body = tree_statement(g->p, STATEMENT_BLOCK);
  if (!simple || chance(g, 50)) {
    variable *x = make_variable(g, f, "x", TYPE_UINT, 0);
    tree_append(g->p, body, make_declaration(g, x, generate_uint(g, &s, 2)));
    show(&s, x);
  }
  generate_items(g, &s, body, below(g, 3) + (simple ? 0 : 1));
  if (barriers) generate_barrier(g, &s, body);
  if (f->result == TYPE_UINT) tree_append(g->p, body, return_of(g, generate_uint(g, &s, 3)));
  f->body = with_counters(g, f, NULL, body);
  g->p->functions[g->p->function_count++] = f;
}

void generate_made(generator *g) {
  g->in_define = true;
  generate_helper(g, false, false);
  g->in_define = false;
  function *first = g->p->functions[g->p->function_count - 1];
  macro *m = make_macro(g, "MAKE", 1);
  g->p->macros[g->p->macro_count++] = m;
  m->made = first;
  first->maker = m;
  first->prototype = false;
  for (uint32_t i = 1 + below(g, 2); i > 0; i--) {
    function *next = new_function(g, "f");
    function *copy = tree_new(g->p, sizeof *copy);
    *copy = *first;
    copy->site = next->site;
    (void)snprintf(copy->name, sizeof copy->name, "%s", next->name);
    g->p->functions[g->p->function_count++] = copy;
  }
}

/* lid and ls: place in the work-group and its size. */
static void declare_lanes(generator *g, function *f, statement *head, scope *s) {
  expression *plane = make_binary(g, OP_MUL, make_id(g, ID_LOCAL, 2), make_id(g, ID_LOCAL_SIZE, 1));
  expression *row =
      make_binary(g, OP_MUL, make_binary(g, OP_ADD, plane, make_id(g, ID_LOCAL, 1)), make_id(g, ID_LOCAL_SIZE, 0));
  expression *lane = make_binary(g, OP_ADD, row, make_id(g, ID_LOCAL, 0));
  expression *area = make_binary(g, OP_MUL, make_id(g, ID_LOCAL_SIZE, 0), make_id(g, ID_LOCAL_SIZE, 1));
  f->lane = make_variable(g, f, "lid", TYPE_UINT, 0);
  f->lanes = make_variable(g, f, "ls", TYPE_UINT, 0);
  f->lane->constant = f->lanes->constant = f->lanes->uniform = true;
  tree_append(g->p, head, make_declaration(g, f->lane, lane));
  tree_append(g->p, head, make_declaration(g, f->lanes, make_binary(g, OP_MUL, area, make_id(g, ID_LOCAL_SIZE, 2))));
  show(s, f->lane);
  show(s, f->lanes);
}

static statement *prologue(generator *g, function *f) {
  statement *s = tree_statement(g->p, STATEMENT_PROLOGUE);
  f->id = make_variable(g, f, "id", TYPE_UINT, 0);
  (void)snprintf(f->id->name, sizeof f->id->name, "id");
  f->id->constant = true;
  s->variables[0] = f->id;
  s->text = f->barriers && !f->takes_local ? "__local uint loc[65];" : NULL;
  return s;
}

static const char *kernel_head(generator *g, function *f) {
  static const char *const plain[] = {"__kernel void", "kernel void", "void __kernel",
                                      "__kernel __attribute__((vec_type_hint(uint))) void"};
  static const uint32_t sizes[][3] = {{4, 1, 1}, {8, 1, 1}, {2, 3, 1}, {1, 1, 1}, {16, 1, 1}};
  if (!f->local_known || chance(g, 75)) return plain[below(g, 4)];
  const uint32_t *size = sizes[below(g, 5)];
  for (int d = 0; d < 3; d++) f->required[d] = size[d];
  static const char *const forms[] = {"__kernel __attribute__((reqd_work_group_size(%u, %u, %u))) void",
                                      "__attribute__((reqd_work_group_size(%u, %u, %u))) __kernel void",
                                      "kernel void __attribute__((reqd_work_group_size(%u, %u, %u)))"};
  char *text = tree_new(g->p, 100);
  (void)snprintf(text, 100, forms[below(g, 3)], size[0], size[1], size[2]);
  return text;
}

/* Calls an earlier kernel that needs no local memory. */
static void call_kernel(generator *g, function *f, statement *body) {
  for (size_t i = 0; i < g->p->function_count; i++) {
    function *k = g->p->functions[i];
    if (k->kernel && !k->barriers && k->required[0] == 0 && (f->local_known || !k->local_known) && chance(g, 40)) {
      expression *e = tree_expression(g->p, EXPRESSION_CALL, TYPE_VOID);
      e->function = k;
      statement *call = make_plain(g, e);
      tree_append(g->p, body, call);
      f->reads_id = true;
      return;
    }
  }
}

/* What was computed goes to the output. */
static void store_all(generator *g, const scope *s, statement *body) {
  for (size_t i = 0; i < s->visible_count; i++) {
    variable *v = s->visible[i];
    expression *e = make_use(g, v);
    if (v->type == TYPE_UINT4) {
      e = make_cast(g, EXPRESSION_COMPONENT, TYPE_UINT, e);
      e->number = below(g, 4);
    }
    expression *to = make_element(g, STORE_SLICE, make_number(g, (uint32_t)i % SLICE_LENGTH), false);
    tree_append(g->p, body, make_plain(g, make_assign(g, OP_ADD, to, e)));
  }
}

void generate_kernel(generator *g) {
  function *f = new_function(g, "k");
  f->kernel = true;
  f->kernel_number = (uint32_t)g->p->kernel_count++;
  f->result = TYPE_VOID;
  f->barriers = !g->entries && chance(g, 40);
  f->takes_input = f->takes_slice = g->input = g->slice = true;
  f->takes_local = f->barriers && chance(g, 40);
  f->local_known = f->barriers || chance(g, 60);
  f->effect = f->reads_id = true;
  f->head = kernel_head(g, f);
  g->budget = 6 + (int)below(g, 7);
  scope s = {.function = f, .uniform = f->barriers, .may_return = true};
  statement *head = tree_statement(g->p, STATEMENT_BLOCK);
  tree_append(g->p, head, prologue(g, f));
  f->extra = make_variable(g, f, "n", TYPE_UINT, 0);
  (void)snprintf(f->extra->name, sizeof f->extra->name, "n");
  f->extra->uniform = f->extra->constant = true;
  show(&s, f->extra);
  show(&s, f->id);
  if (f->barriers) declare_lanes(g, f, head, &s);
  statement *body = tree_statement(g->p, STATEMENT_BLOCK);
  variable *x = make_variable(g, f, "x", TYPE_UINT, 0);
  tree_append(g->p, body, make_declaration(g, x, make_element(g, STORE_INPUT, make_use(g, f->id), true)));
  show(&s, x);
  for (int i = 0; i < 10 && g->budget > 0; i++) generate_items(g, &s, body, 1);
  if (f->barriers && chance(g, 70)) generate_barrier(g, &s, body);
  if (chance(g, 30)) call_kernel(g, f, body);
  store_all(g, &s, body);
  f->body = with_counters(g, f, head, body);
  g->p->functions[g->p->function_count++] = f;
}

/* Loops that are entered in the middle: by a goto to a label in the body, or by the cases of a switch around the loop.
 * Their counters are set before the jump. Nothing is declared where a jump could pass it by. */

enum { COUNTER_CAP = 4 };

typedef struct entry_plan {
  generator *g;
  variable *counters[COUNTER_CAP]; /* of the loops that are entered together */
  size_t counter_count;
  variable *again; /* limits the jumps back to the label */
  uint32_t label;  /* of the gotos */
  bool by_case;    /* by the cases of a switch */
  bool fallback;   /* it has its default */
  uint32_t next_case, cases;
} entry_plan;

static expression *bound(entry_plan *e, const scope *s) {
  scope pure = *s;
  pure.pure = true;
  return chance(e->g, 50) ? make_number(e->g, below(e->g, 4)) : make_small(e->g, generate_uint(e->g, &pure, 2), 3);
}

static statement *make_set(generator *g, variable *v, expression *to) {
  return make_plain(g, make_assign(g, OP_NONE, make_use(g, v), to));
}

static void append_sets(entry_plan *e, const scope *s, statement *block) {
  for (size_t i = 0; i < e->counter_count; i++)
    tree_append(e->g->p, block, make_set(e->g, e->counters[i], bound(e, s)));
}

/* After a label stands a statement; it may be the jump back, which is no new entry. */
static void append_marked(entry_plan *e, scope *s, statement *block) {
  generator *g = e->g;
  tree_append(g->p, block, generate_simple(g, s));
  if (!e->by_case && chance(g, 20)) {
    statement *jump = tree_statement(g->p, STATEMENT_GOTO);
    jump->number = e->label;
    expression *few = make_binary(g, OP_LT, make_step(g, OP_INC, make_use(g, e->again), true), make_number(g, 2));
    tree_append(g->p, block, make_if(g, few, jump, NULL));
  }
}

static void append_marks(entry_plan *e, scope *s, statement *block) {
  generator *g = e->g;
  if (!e->by_case) {
    statement *label = tree_statement(g->p, STATEMENT_LABEL);
    label->number = e->label;
    tree_append(g->p, block, label);
    append_marked(e, s, block);
    return;
  }
  for (uint32_t count = 1 + below(g, 3); count > 0; count--) {
    if (!e->fallback && chance(g, 20)) {
      e->fallback = true;
      tree_append(g->p, block, tree_statement(g->p, STATEMENT_DEFAULT));
    } else {
      tree_append(g->p, block, make_case(g, &e->next_case, e->cases++));
    }
    if (count == 1 || chance(g, 70)) append_marked(e, s, block);
  }
}

static statement *make_entered(entry_plan *e, const scope *s, int depth);

/* What stands around the labels in a block. */
static void fill(entry_plan *e, const scope *s, statement *block, int depth) {
  generator *g = e->g;
  scope inner = *s;
  if (chance(g, 60)) generate_items(g, &inner, block, 1);
  if (depth < 2 && chance(g, 35)) {
    size_t before = e->counter_count;
    statement *nested = make_entered(e, &inner, depth + 1);
    for (size_t i = before; i < e->counter_count && chance(g, 60); i++)
      tree_append(g->p, block, make_set(g, e->counters[i], make_number(g, 0)));
    tree_append(g->p, block, nested);
  } else {
    append_marks(e, &inner, block);
  }
  if (chance(g, 60)) generate_items(g, &inner, block, 1);
}

/* A block, or what is its only statement. */
static statement *finish_body(generator *g, statement *block) {
  bool alone = block->item_count == 1 && block->items[0]->kind != STATEMENT_LABEL;
  return alone && block->items[0]->kind != STATEMENT_BLOCK && chance(g, 70) ? block->items[0] : block;
}

static statement *make_entered_loop(entry_plan *e, const scope *s, int depth) {
  generator *g = e->g;
  scope inner = *s;
  inner.may_break = inner.may_continue = true;
  statement *body = tree_statement(g->p, STATEMENT_BLOCK);
  variable *c = e->counter_count == COUNTER_CAP ? NULL : make_counter(g, s->function, false);
  if (c == NULL) {
    statement *once = make_done_once(g);
    fill(e, &inner, body, depth);
    once->body = body;
    return once;
  }
  e->counters[e->counter_count++] = c;
  uint32_t way = below(g, 7);
  statement *step = make_plain(g, make_step(g, way == 2 ? OP_DEC : OP_INC, make_use(g, c), chance(g, 50)));
  expression *counted = way < 1 || way == 5 ? step->condition : make_use(g, c);
  expression *test = way == 2 ? make_binary(g, OP_GT, counted, make_number(g, 0))
                              : make_binary(g, way == 6 ? OP_GE : OP_LT, counted, bound(e, s));
  if (way == 6) /* for (;;) */
    tree_append(g->p, body, make_if(g, test, tree_statement(g->p, STATEMENT_BREAK), NULL));
  else if (chance(g, 20))
    test = make_pair(g, EXPRESSION_AND, test, generate_condition(g, s, 2));
  statement *loop = make_loop(g,
                              way < 3    ? STATEMENT_WHILE
                              : way == 5 ? STATEMENT_DO
                                         : STATEMENT_FOR,
                              way == 6 ? NULL : test);
  if (way == 1 || way == 2 || way == 6) {
    tree_append(g->p, body, step);
  } else if (way == 3 || way == 4) {
    loop->step = step->condition;
    loop->init = way == 3 ? make_set(g, c, make_number(g, 0)) : NULL;
  }
  fill(e, &inner, body, depth);
  loop->body = finish_body(g, body);
  return loop;
}

/* A loop, or deeper inside also another statement, with the labels in it. */
static statement *make_entered(entry_plan *e, const scope *s, int depth) {
  generator *g = e->g;
  scope inner = *s;
  inner.depth++;
  statement *block = tree_statement(g->p, STATEMENT_BLOCK);
  if (depth == 0 || chance(g, 60)) return make_entered_loop(e, &inner, depth);
  if (chance(g, 30)) {
    fill(e, &inner, block, depth);
    return block;
  }
  expression *c = generate_condition(g, s, 2);
  bool yes = chance(g, 60);
  statement *other = yes && chance(g, 50) ? NULL : generate_body(g, &inner, false);
  statement *plain = tree_statement(g->p, STATEMENT_BLOCK); /* `else` goes to this `if` */
  if (other != NULL) tree_append(g->p, plain, other);
  fill(e, &inner, block, depth);
  return yes ? make_if(g, c, block, other == NULL ? NULL : plain) : make_if(g, c, plain, block);
}

/* No work-item waits for others in such loops. */
static scope scope_of_entry(const scope *s) {
  scope inner = *s;
  inner.uniform = inner.loop_uniform = inner.switch_uniform = false;
  inner.no_declare = true;
  inner.depth++;
  return inner;
}

static statement *make_goto(entry_plan *e, expression *condition) {
  statement *jump = tree_statement(e->g->p, STATEMENT_GOTO);
  jump->number = e->label;
  return condition == NULL ? jump : make_if(e->g, condition, jump, NULL);
}

/* c = …; if (…) goto L; … while (c …) { … L: … }   and now and then a jump back to L */
void generate_goto_into(generator *g, scope *s, statement *block) {
  scope inner = scope_of_entry(s);
  entry_plan e = {.g = g, .label = s->function->labels++, .again = make_counter(g, s->function, false)};
  if (e.again == NULL) {
    tree_append(g->p, block, generate_simple(g, s));
    return;
  }
  statement *loop = make_entered(&e, &inner, 0);
  tree_append(g->p, block, make_set(g, e.again, make_number(g, 0)));
  append_sets(&e, &inner, block);
  tree_append(g->p, block, make_goto(&e, chance(g, 85) ? generate_condition(g, &inner, 2) : NULL));
  if (chance(g, 40)) generate_items(g, &inner, block, 1);
  tree_append(g->p, block, loop);
  if (chance(g, 50)) {
    statement *back = tree_statement(g->p, STATEMENT_BLOCK);
    append_sets(&e, &inner, back);
    tree_append(g->p, back, make_goto(&e, NULL));
    expression *step = make_step(g, OP_INC, make_use(g, e.again), chance(g, 50));
    tree_append(g->p, block, make_if(g, make_binary(g, OP_LT, step, make_number(g, 2)), back, NULL));
  }
}

static void append_plain_case(entry_plan *e, scope *s, statement *body) {
  generator *g = e->g;
  tree_append(g->p, body, make_case(g, &e->next_case, e->cases++));
  if (chance(g, 60)) tree_append(g->p, body, generate_simple(g, s));
}

/* Duff's device: c = …; switch (…) { … case 0: while (c …) { … case 1: … } … } */
void generate_device(generator *g, scope *s, statement *block) {
  scope inner = scope_of_entry(s);
  inner.may_break = true;
  entry_plan e = {.g = g, .by_case = true, .fallback = chance(g, 40)};
  statement *sw = tree_statement(g->p, STATEMENT_SWITCH);
  statement *body = tree_statement(g->p, STATEMENT_BLOCK);
  scope pure = *s;
  pure.pure = true;
  sw->condition = make_small(g, generate_uint(g, &pure, 2), 7);
  if (chance(g, 60)) append_plain_case(&e, &inner, body);
  tree_append(g->p, body, make_entered(&e, &inner, 0));
  if (chance(g, 30)) append_plain_case(&e, &inner, body);
  tree_append(g->p, body, generate_simple(g, &inner));
  sw->body = finish_body(g, body);
  sw->site = tree_site(g->p, SITE_SWITCH, (1u << (e.cases + 1)) - 1);
  append_sets(&e, &inner, block);
  tree_append(g->p, block, sw);
}

/* How the kernels of a program are launched: ranges of one to three dimensions, with and without sizes and offsets. */

static void plan_launch(generator *g, function *k, const uint32_t local[3], uint32_t dimensions) {
  launch *l = &g->p->launches[g->p->launch_count++];
  *l = (launch){.kernel = k, .dimensions = dimensions, .has_local = k->local_known, .has_offset = chance(g, 25)};
  for (uint32_t d = 0; d < 3; d++) {
    l->local[d] = local[d];
    l->global[d] = d >= dimensions ? 1 : local[d] * (1 + below(g, 3));
    l->offset[d] = l->has_offset && d < dimensions ? below(g, 6) : 0;
  }
  if (!k->local_known) {
    l->global[0] = 1 + below(g, 40);
    l->global[1] = dimensions > 1 ? 1 + below(g, 3) : 1;
  }
  l->n = chance(g, 70) ? below(g, 8) : (uint32_t)random_next(&g->random);
}

void generate_launches(generator *g) {
  static const uint32_t sizes[][4] = {{1, 1, 1, 1}, {4, 1, 1, 1},  {8, 1, 1, 1}, {16, 1, 1, 1},
                                      {5, 1, 1, 1}, {32, 1, 1, 1}, {4, 2, 1, 2}, {3, 3, 1, 2},
                                      {8, 1, 1, 2}, {2, 2, 2, 3},  {4, 1, 3, 3}, {2, 1, 1, 1}};
  static const uint32_t ones[3] = {1, 1, 1};
  for (size_t i = 0; i < g->p->function_count; i++) {
    function *k = g->p->functions[i];
    if (!k->kernel || (g->p->kernel_count > 1 && chance(g, 10))) continue;
    const uint32_t *size = sizes[below(g, 12)];
    uint32_t dimensions = size[3];
    if (k->required[0] > 0) {
      dimensions = k->required[1] > 1 ? 2 : 1;
      size = k->required;
    }
    uint32_t count = 1 + (chance(g, 40) ? 1 : 0);
    for (uint32_t n = 0; n < count; n++) plan_launch(g, k, k->local_known ? size : ones, dimensions);
  }
  for (int i = 0; i < INPUT_LENGTH; i++)
    g->p->input[i] = chance(g, 90) ? below(g, 16) : (uint32_t)random_next(&g->random);
}

/* Calls of functions and uses of macros with a value. */

/* Whether a function may be called from where we are. */
static bool callable(const generator *g, const scope *s, const function *f) {
  if (f->kernel || (f->effect && (s->pure || s->only_uniform)) || (f->reads_id && s->only_uniform)) return false;
  if (s->macro != NULL) return !f->takes_input && !f->takes_slice && !f->effect;
  return !(f->takes_input && !g->input) && !(f->takes_slice && !g->slice);
}

static function *pick_function(generator *g, const scope *s, value_type result, bool barriers) {
  function *found = NULL;
  uint32_t seen = 0;
  for (size_t i = 0; i < g->p->function_count; i++) {
    function *f = g->p->functions[i];
    if (f != s->function && f->result == result && f->barriers == barriers && callable(g, s, f) &&
        below(g, ++seen) == 0)
      found = f;
  }
  return found;
}

/* A variable whose address can be taken. */
static variable *addressable(generator *g, const scope *s) {
  variable *found = NULL;
  for (size_t i = 0; i < s->visible_count && s->macro == NULL; i++) {
    variable *v = s->visible[i];
    if (v->type == TYPE_UINT && v->length == 0 && !v->constant && (found == NULL || chance(g, 50))) found = v;
  }
  return found;
}

static expression *call_of(generator *g, const scope *s, function *f, int depth) {
  expression *e = tree_expression(g->p, EXPRESSION_CALL, f->result);
  e->function = f;
  scope inner = *s;
  inner.pure = true;
  for (size_t i = 0; i < f->parameter_count; i++) {
    if (f->parameters[i]->storage == STORE_POINTER) {
      variable *v = addressable(g, s);
      if (v == NULL) return NULL;
      expression *address = tree_expression(g->p, EXPRESSION_ADDRESS, TYPE_UINT);
      address->variable = v;
      e->operands[e->operand_count++] = address;
      continue;
    }
    inner.only_uniform = s->only_uniform || f->parameters[i]->uniform;
    e->operands[e->operand_count++] = generate_uint(g, &inner, depth - 1);
  }
  s->function->reads_id = s->function->reads_id || f->reads_id;
  return e;
}

expression *generate_call(generator *g, const scope *s, int depth) {
  function *f = pick_function(g, s, TYPE_UINT, false);
  return f == NULL ? NULL : call_of(g, s, f, depth);
}

statement *generate_void_call(generator *g, const scope *s, bool barriers) {
  function *f = pick_function(g, s, TYPE_VOID, barriers);
  expression *e = f == NULL ? NULL : call_of(g, s, f, 2);
  return e == NULL ? NULL : make_plain(g, e);
}

macro *pick_macro(generator *g, const scope *s, bool (*fits)(const macro *)) {
  macro *found = NULL;
  uint32_t seen = 0;
  for (size_t i = 0; i < g->p->macro_count; i++) {
    macro *m = g->p->macros[i];
    if (m != s->macro && fits(m) && below(g, ++seen) == 0) found = m;
  }
  return found;
}

static bool has_value(const macro *m) { return m->value != NULL && m->value->type != TYPE_VOID && !m->effect; }

expression *generate_macro_value(generator *g, const scope *s, int depth) {
  macro *m = pick_macro(g, s, has_value);
  if (m == NULL || (s->macro != NULL && s->macro->use_count >= 2)) return NULL;
  if (s->macro != NULL) s->macro->use_count++;
  expression *e = tree_expression(g->p, EXPRESSION_MACRO, m->value->type);
  e->macro = m;
  e->bound = m->value->bound;
  scope inner = *s;
  inner.pure = true;
  for (size_t i = 0; i < m->parameters; i++) e->operands[e->operand_count++] = generate_uint(g, &inner, depth - 1);
  return e;
}

/* Barriers where all work-items of a group come together, and what they are good for: exchange through local memory. */

static bool is_barrier_macro(const macro *m) { return m->barrier; }

static bool is_certain_barrier(const macro *m) { return m->barrier && m->parameters == 0; }

/* `certain`: not after a condition. */
static statement *one_barrier(generator *g, const scope *s, bool certain) {
  statement *call = !certain && chance(g, 35) ? generate_void_call(g, s, true) : NULL;
  if (call != NULL) return call;
  macro *m = chance(g, 35) ? pick_macro(g, s, certain ? is_certain_barrier : is_barrier_macro) : NULL;
  if (m != NULL) {
    scope uniform = *s;
    uniform.only_uniform = uniform.pure = true;
    return make_use_of_macro(g, m, m->parameters > 0 ? generate_uint(g, &uniform, 2) : NULL, NULL);
  }
  expression *e = tree_expression(g->p, EXPRESSION_BARRIER, TYPE_VOID);
  e->site = tree_site(g->p, SITE_BARRIER, 1);
  e->number = (g->version3 && chance(g, 60) ? 2 : 0) + below(g, 2);
  if (chance(g, 10)) {
    scope inner = *s;
    expression *effect = generate_effect(g, &inner);
    e = effect == NULL ? e : make_pair(g, EXPRESSION_COMMA, effect, e);
  }
  return make_plain(g, e);
}

static expression *local_element(generator *g, expression *index) { return make_element(g, STORE_LOCAL, index, false); }

/* loc[lid] = …; barrier; x = loc[(lid + k) % ls]; barrier */
static void exchange(generator *g, scope *s, statement *block) {
  function *f = s->function;
  expression *shared = generate_uint(g, &(scope){.function = f, .pure = true}, 2);
  expression *own = local_element(g, make_use(g, f->lane));
  tree_append(g->p, block, make_plain(g, make_assign(g, OP_NONE, own, shared)));
  tree_append(g->p, block, one_barrier(g, s, true));
  expression *other = make_binary(g, OP_ADD, make_use(g, f->lane), make_number(g, below(g, 4)));
  expression *index = make_binary(g, OP_REM, other, make_use(g, f->lanes));
  expression *to = generate_target(g, s);
  to = to == NULL ? make_element(g, STORE_SLICE, make_number(g, 1), true) : to;
  tree_append(g->p, block, make_plain(g, make_assign(g, OP_ADD, to, local_element(g, index))));
  tree_append(g->p, block, one_barrier(g, s, true));
}

/* if (lid == 0u) loc[64] = …; barrier; uint b = loc[64]; barrier: what all work-items then know alike */
static void broadcast(generator *g, scope *s, statement *block) {
  function *f = s->function;
  expression *shared = generate_uint(g, &(scope){.function = f, .pure = true}, 2);
  expression *slot = local_element(g, make_number(g, LOCAL_LENGTH - 1));
  statement *write = make_plain(g, make_assign(g, OP_NONE, slot, shared));
  expression *first = make_binary(g, OP_EQ, make_use(g, f->lane), make_number(g, 0));
  tree_append(g->p, block, make_if(g, first, write, NULL));
  tree_append(g->p, block, one_barrier(g, s, true));
  variable *b = make_variable(g, f, "b", TYPE_UINT, 0);
  b->uniform = b->constant = true;
  tree_append(g->p, block, make_declaration(g, b, local_element(g, make_number(g, LOCAL_LENGTH - 1))));
  show(s, b);
  tree_append(g->p, block, one_barrier(g, s, true));
}

void generate_barrier(generator *g, scope *s, statement *block) {
  function *f = s->function;
  uint32_t way = below(g, 10);
  if (f->kernel && way < 2 && !s->no_declare && f->cells < FRAME_CELLS - 16)
    broadcast(g, s, block);
  else if (f->kernel && way < 6)
    exchange(g, s, block);
  else
    tree_append(g->p, block, one_barrier(g, s, false));
}
