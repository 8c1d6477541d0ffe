/* Scalar expressions: values, conditions, assignments. */
#include <stdio.h>

#include "generate.h"

/* Nodes with their types, and variables. */

uint32_t below(generator *g, uint32_t n) { return random_below(&g->random, n); }

bool chance(generator *g, uint32_t percent) { return random_chance(&g->random, percent); }

expression *make_number(generator *g, uint32_t n) {
  expression *e = tree_expression(g->p, EXPRESSION_CONSTANT, TYPE_UINT);
  e->number = n;
  return e;
}

expression *make_int(generator *g, uint32_t n) {
  expression *e = tree_expression(g->p, EXPRESSION_CONSTANT, TYPE_INT);
  e->number = n;
  e->bound = n;
  return e;
}

expression *make_use(generator *g, variable *v) {
  expression *e = tree_expression(g->p, EXPRESSION_VARIABLE, v->type);
  e->variable = v;
  e->bound = 64; /* of a loop counter */
  return e;
}

static expression *with_operands(generator *g, expression_kind kind, value_type type, expression *a, expression *b) {
  expression *e = tree_expression(g->p, kind, type);
  e->operands[e->operand_count++] = a;
  if (b != NULL) e->operands[e->operand_count++] = b;
  return e;
}

static expression *make_unary(generator *g, operator_kind op, expression *a) {
  value_type type = op == OP_LNOT ? (is_vector(a->type) ? TYPE_INT4 : TYPE_INT) : a->type;
  expression *e = with_operands(g, EXPRESSION_UNARY, type, a, NULL);
  e->op = op;
  e->bound = op == OP_LNOT ? 1 : a->bound + 1;
  return e;
}

static value_type common_type(const expression *a, const expression *b) {
  if (is_vector(a->type) || is_vector(b->type)) return is_vector(a->type) ? a->type : b->type;
  return a->type == TYPE_INT && b->type == TYPE_INT ? TYPE_INT : TYPE_UINT;
}

expression *make_binary(generator *g, operator_kind op, expression *a, expression *b) {
  value_type type = common_type(a, b);
  bool relation = (op >= OP_LT && op <= OP_NE) || op == OP_LAND || op == OP_LOR;
  if (relation) type = is_vector(type) ? TYPE_INT4 : TYPE_INT;
  expression *e = with_operands(g, EXPRESSION_BINARY, type, a, b);
  e->op = op;
  e->bound = relation ? 1 : op == OP_MUL ? a->bound * b->bound : a->bound + b->bound;
  return e;
}

expression *make_pair(generator *g, expression_kind kind, expression *a, expression *b) {
  expression *e = with_operands(g, kind, kind == EXPRESSION_COMMA ? b->type : TYPE_INT, a, b);
  e->bound = kind == EXPRESSION_COMMA ? b->bound : 1;
  return e;
}

/* OpenCL C wants an integer before `?`. */
static bool is_float(const expression *e) {
  return e->kind == EXPRESSION_FRACTION || (e->kind == EXPRESSION_COMMA && is_float(e->operands[1]));
}

static expression *make_conditional(generator *g, expression *c, expression *a, expression *b) {
  expression *e = with_operands(g, EXPRESSION_CONDITIONAL, a->type == TYPE_VOID ? TYPE_VOID : common_type(a, b),
                                is_float(c) ? make_unary(g, OP_LNOT, c) : c, a);
  e->operands[e->operand_count++] = b;
  e->bound = a->bound > b->bound ? a->bound : b->bound;
  e->site = tree_site(g->p, SITE_CONDITIONAL, 3);
  return e;
}

expression *make_assign(generator *g, operator_kind op, expression *to, expression *from) {
  expression *e = with_operands(g, EXPRESSION_ASSIGN, to->type, to, from);
  e->op = op;
  return e;
}

expression *make_step(generator *g, operator_kind op, expression *to, bool postfix) {
  expression *e = with_operands(g, EXPRESSION_STEP, to->type, to, NULL);
  e->op = op;
  e->number = postfix ? 1 : 0;
  return e;
}

expression *make_cast(generator *g, expression_kind kind, value_type type, expression *a) {
  expression *e = with_operands(g, kind, type, a, NULL);
  e->bound = a->bound;
  return e;
}

expression *make_element(generator *g, storage where, expression *index, bool masked) {
  expression *e = with_operands(g, EXPRESSION_ELEMENT, TYPE_UINT, index, NULL);
  variable *v = tree_new(g->p, sizeof *v);
  (void)snprintf(v->name, sizeof v->name, "%s", where == STORE_INPUT ? "in" : where == STORE_SLICE ? "o" : "loc");
  v->storage = where;
  v->type = TYPE_UINT;
  v->length = where == STORE_INPUT ? INPUT_LENGTH : where == STORE_SLICE ? SLICE_LENGTH : LOCAL_LENGTH;
  e->variable = v;
  e->masked = masked;
  return e;
}

expression *make_id(generator *g, work_item_function which, uint32_t dimension) {
  expression *e = tree_expression(g->p, EXPRESSION_ID, TYPE_UINT);
  e->op = (operator_kind)which;
  e->number = dimension;
  return e;
}

static expression *make_parameter(generator *g, uint32_t number) {
  expression *e = tree_expression(g->p, EXPRESSION_PARAMETER, TYPE_UINT);
  e->number = number;
  return e;
}

expression *make_small(generator *g, expression *e, uint32_t mask) {
  return make_binary(g, OP_AND, e, make_number(g, mask));
}

statement *make_plain(generator *g, expression *e) {
  statement *s = tree_statement(g->p, STATEMENT_EXPRESSION);
  s->condition = e;
  return s;
}

statement *make_declaration(generator *g, variable *v, expression *e) {
  statement *s = tree_statement(g->p, STATEMENT_DECLARE);
  s->variables[0] = v;
  s->values[0] = e;
  s->variable_count = 1;
  return s;
}

statement *make_if(generator *g, expression *c, statement *body, statement *otherwise) {
  statement *s = tree_statement(g->p, STATEMENT_IF);
  s->site = tree_site(g->p, SITE_IF, 3);
  s->condition = c;
  s->body = body;
  s->otherwise = otherwise;
  return s;
}

statement *make_loop(generator *g, statement_kind kind, expression *condition) {
  statement *s = tree_statement(g->p, kind);
  uint32_t outcomes = 1u << OUTCOME_ONE | 1u << OUTCOME_MANY;
  if (condition != NULL) outcomes |= 1u << OUTCOME_BOUNDARY | (kind == STATEMENT_DO ? 0u : 1u << OUTCOME_ZERO);
  site_kind which = kind == STATEMENT_FOR ? SITE_FOR : kind == STATEMENT_DO ? SITE_DO : SITE_WHILE;
  s->site = tree_site(g->p, which, outcomes);
  s->condition = condition;
  return s;
}

statement *make_done_once(generator *g) {
  statement *s = tree_statement(g->p, STATEMENT_DO);
  s->condition = make_int(g, 0);
  return s;
}

statement *make_use_of_macro(generator *g, macro *m, expression *first, expression *second) {
  statement *s = tree_statement(g->p, STATEMENT_MACRO);
  s->macro = m;
  if (first != NULL) s->arguments[s->argument_count++] = first;
  if (second != NULL) s->arguments[s->argument_count++] = second;
  return s;
}

variable *make_variable(generator *g, function *f, const char *prefix, value_type type, uint32_t length) {
  variable *v = tree_new(g->p, sizeof *v);
  (void)snprintf(v->name, sizeof v->name, "%s%u", prefix, ++g->names % 100000);
  v->type = type;
  v->length = length;
  v->cell = f->cells;
  f->cells += length == 0 ? 1 : length;
  return v;
}

variable *make_counter(generator *g, function *f, bool uniform) {
  if (f->counter_count == sizeof f->counters / sizeof f->counters[0]) return NULL;
  variable *v = make_variable(g, f, "c", TYPE_UINT, 0);
  v->uniform = uniform;
  v->constant = true;
  f->counters[f->counter_count++] = v;
  return v;
}

void show(scope *s, variable *v) {
  if (s->visible_count < VISIBLE_CAP) s->visible[s->visible_count++] = v;
}

static variable *pick_variable(generator *g, const scope *s, value_type type, bool to_assign) {
  variable *found = NULL;
  uint32_t seen = 0;
  for (size_t i = 0; i < s->visible_count; i++) {
    variable *v = s->visible[i];
    bool fits = v->type == type && v->length == 0 && !(to_assign && v->constant) && !(s->only_uniform && !v->uniform);
    if (fits && below(g, ++seen) == 0) found = v;
  }
  return found;
}

static expression *named_number(generator *g) {
  expression *e = make_number(g, 4);
  e->name = "LIMIT";
  return e;
}

static expression *leaf_id(generator *g, const scope *s) {
  function *f = s->function;
  if (s->only_uniform)
    return f->local_known ? make_id(g, chance(g, 60) ? ID_GROUP : ID_LOCAL_SIZE, below(g, 2)) : make_number(g, 3);
  f->reads_id = true;
  if (f->kernel && f->local_known && chance(g, 50)) return make_id(g, (work_item_function)below(g, 5), below(g, 2));
  return f->kernel && chance(g, 60) ? make_use(g, f->id) : make_id(g, ID_GLOBAL, below(g, 3));
}

static expression *leaf_uint(generator *g, const scope *s) {
  if (s->macro != NULL && s->macro->parameters > 0 && chance(g, 65))
    return make_parameter(g, below(g, (uint32_t)s->macro->parameters));
  variable *v = pick_variable(g, s, TYPE_UINT, false);
  uint32_t way = below(g, 100);
  if (v != NULL && way < 50) return make_use(g, v);
  if (s->macro == NULL && way < 65) return leaf_id(g, s);
  if (s->macro == NULL && g->input && way < 75)
    return make_element(g, STORE_INPUT, v != NULL ? make_use(g, v) : make_number(g, below(g, 64)), true);
  if (way < 80) return named_number(g);
  return make_number(g, chance(g, 90) ? below(g, 12) : below(g, 1000000));
}

/* An element of the input or of the slice, or of an array of the function. */
static expression *element(generator *g, const scope *s, int depth) {
  if (s->macro != NULL || (!g->input && !g->slice)) return leaf_uint(g, s);
  bool input = g->input && (s->only_uniform || !g->slice || chance(g, 70));
  if (!input && s->only_uniform) return leaf_uint(g, s);
  scope inner = *s;
  inner.pure = true;
  s->function->reads_id = s->function->reads_id || !input;
  return make_element(g, input ? STORE_INPUT : STORE_SLICE, generate_uint(g, &inner, depth - 1), true);
}

static expression *generate_int(generator *g, const scope *s, int depth);
static expression *generate_mask(generator *g, const scope *s, int depth);

static expression *arithmetic(generator *g, const scope *s, int depth) {
  static const operator_kind ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_AND, OP_OR, OP_XOR, OP_ADD, OP_SUB};
  expression *a = generate_uint(g, s, depth - 1);
  expression *b = chance(g, 12) ? generate_int(g, s, 1) : generate_uint(g, s, depth - 1);
  uint32_t way = below(g, 10);
  if (way == 0) return make_binary(g, chance(g, 50) ? OP_SHL : OP_SHR, a, make_small(g, b, 7));
  if (way == 1) return make_binary(g, chance(g, 50) ? OP_DIV : OP_REM, a, make_binary(g, OP_OR, b, make_number(g, 1)));
  return make_binary(g, ops[below(g, 8)], a, b);
}

static expression *comma(generator *g, const scope *s, int depth) {
  expression *first = s->pure || s->only_uniform ? generate_uint(g, s, 1) : generate_effect(g, s);
  return make_pair(g, EXPRESSION_COMMA, first == NULL ? generate_uint(g, s, 1) : first, generate_uint(g, s, depth - 1));
}

static expression *component(generator *g, const scope *s, int depth) {
  variable *v = pick_variable(g, s, TYPE_UINT4, false);
  if (v == NULL) return arithmetic(g, s, depth);
  expression *e = make_cast(g, EXPRESSION_COMPONENT, TYPE_UINT, make_use(g, v));
  e->number = below(g, 4);
  return e;
}

/* A value that is not a comma or assignment, of operands that may be evaluated in any order. */
static expression *compound_uint(generator *g, const scope *s, int depth) {
  expression *e = NULL;
  switch (below(g, 16)) {
    case 0: return make_unary(g, chance(g, 50) ? OP_NEG : OP_NOT, generate_uint(g, s, depth - 1));
    case 1:
      return make_cast(g, EXPRESSION_CAST, TYPE_UINT, make_unary(g, OP_LNOT, generate_condition(g, s, depth - 1)));
    case 2: return make_cast(g, EXPRESSION_CAST, TYPE_UINT, generate_int(g, s, depth - 1));
    case 3: return component(g, s, depth);
    case 4:
    case 5: return element(g, s, depth);
    case 6:
    case 7: e = generate_call(g, s, depth); break;
    case 8:
    case 9:
      e = generate_macro_value(g, s, depth);
      e = e != NULL && e->type == TYPE_INT ? make_cast(g, EXPRESSION_CAST, TYPE_UINT, e) : e;
      break;
    default: break;
  }
  return e != NULL ? e : arithmetic(g, s, depth);
}

expression *generate_uint(generator *g, const scope *s, int depth) {
  if (depth <= 0 || chance(g, 12)) return leaf_uint(g, s);
  uint32_t way = below(g, 100);
  if (way < 16) {
    expression *c = generate_condition(g, s, depth - 1);
    expression *a = generate_uint(g, s, depth - 1);
    return make_conditional(g, c, a, chance(g, 85) ? generate_uint(g, s, depth - 1) : generate_int(g, s, 1));
  }
  if (way < 19) return comma(g, s, depth);
  scope inner = *s;
  inner.pure = true;
  return compound_uint(g, &inner, depth);
}

static expression *leaf_int(generator *g, const scope *s) {
  variable *v = pick_variable(g, s, TYPE_INT, false);
  if (v != NULL && chance(g, 60)) return make_use(g, v);
  if (chance(g, 50)) {
    expression *e = make_cast(g, EXPRESSION_CAST, TYPE_INT, make_small(g, leaf_uint(g, s), 15));
    e->bound = 15;
    return e;
  }
  return make_int(g, below(g, 8));
}

static expression *generate_int(generator *g, const scope *s, int depth) {
  if (depth <= 0 || chance(g, 30)) return leaf_int(g, s);
  scope inner = *s;
  inner.pure = true;
  expression *a = generate_int(g, &inner, depth - 1);
  expression *b = generate_int(g, &inner, depth - 1);
  switch (below(g, 5)) {
    case 0: return make_conditional(g, generate_condition(g, &inner, depth - 1), a, b);
    case 1: return make_unary(g, OP_NEG, a);
    case 2: return a->bound * b->bound < 1 << 20 ? make_binary(g, OP_MUL, a, b) : a;
    default: return a->bound + b->bound < 1 << 20 ? make_binary(g, chance(g, 50) ? OP_ADD : OP_SUB, a, b) : b;
  }
}

static expression *relation(generator *g, const scope *s, int depth) {
  scope inner = *s;
  inner.pure = true;
  operator_kind op = (operator_kind)(OP_LT + (int)below(g, 6));
  if (chance(g, 20)) {
    expression *a = generate_int(g, &inner, depth);
    return make_binary(g, op, a, generate_int(g, &inner, 1));
  }
  expression *a = generate_uint(g, &inner, depth);
  uint32_t mask = chance(g, 50) ? 7 : 3;
  if (chance(g, 70)) return make_binary(g, op, make_small(g, a, mask), make_number(g, below(g, mask + 2)));
  return make_binary(g, op, a, generate_uint(g, &inner, depth - 1));
}

/* Truth values that are lost when they are cut down to 32 bits or to an integer. */
static expression *odd_truth(generator *g, const scope *s, int depth) {
  scope inner = *s;
  inner.pure = true;
  expression *e = make_small(g, generate_uint(g, &inner, depth), 3);
  bool wide = !GENERATE_FLOAT_CONDITIONS || chance(g, 50);
  return make_cast(g, wide ? EXPRESSION_WIDE : EXPRESSION_FRACTION, TYPE_INT, e);
}

static expression *composed_condition(generator *g, const scope *s, int depth) {
  expression *a = NULL;
  switch (below(g, 8)) {
    case 0:
    case 1:
      a = generate_condition(g, s, depth - 1);
      return make_pair(g, EXPRESSION_AND, a, generate_condition(g, s, depth - 1));
    case 2:
    case 3:
      a = generate_condition(g, s, depth - 1);
      return make_pair(g, EXPRESSION_OR, a, generate_condition(g, s, depth - 1));
    case 4: return make_unary(g, OP_LNOT, generate_condition(g, s, depth - 1));
    case 5:
      a = generate_condition(g, s, depth - 1);
      return make_conditional(g, a, relation(g, s, depth - 1), relation(g, s, depth - 1));
    case 6:
      a = s->pure || s->only_uniform ? NULL : generate_effect(g, s);
      return a == NULL ? relation(g, s, depth) : make_pair(g, EXPRESSION_COMMA, a, generate_condition(g, s, depth - 1));
    default: return generate_macro_value(g, s, depth);
  }
}

expression *generate_condition(generator *g, const scope *s, int depth) {
  uint32_t way = below(g, 100);
  if (depth > 0 && way < 40) {
    expression *e = composed_condition(g, s, depth);
    if (e != NULL) return e;
  }
  if (way < 46) return odd_truth(g, s, depth - 1);
  if (way < 55) {
    scope inner = *s;
    inner.pure = true;
    return make_small(g, generate_uint(g, &inner, depth - 1), 3);
  }
  return way == 99 ? make_int(g, below(g, 2)) : relation(g, s, depth - 1);
}

expression *generate_target(generator *g, const scope *s) {
  if (s->macro != NULL) return s->macro->effect ? make_parameter(g, 0) : NULL;
  variable *v = pick_variable(g, s, TYPE_UINT, true);
  if (v == NULL || (g->slice && chance(g, 20))) {
    if (!g->slice) return NULL;
    return make_element(g, STORE_SLICE, chance(g, 50) ? make_number(g, below(g, 8)) : leaf_uint(g, s), true);
  }
  return make_use(g, v);
}

expression *generate_effect(generator *g, const scope *s) {
  static const operator_kind ops[] = {OP_NONE, OP_ADD, OP_SUB, OP_XOR, OP_MUL, OP_OR, OP_ADD, OP_NONE};
  scope inner = *s;
  inner.pure = true;
  inner.only_uniform = false;
  variable *v = s->macro == NULL ? pick_variable(g, s, TYPE_UINT4, true) : NULL;
  if (v != NULL && chance(g, 25)) {
    operator_kind op = ops[below(g, 5)];
    if (chance(g, 70)) return make_assign(g, op, make_use(g, v), generate_vector(g, &inner, 2));
    expression *part = make_cast(g, EXPRESSION_COMPONENT, TYPE_UINT, make_use(g, v));
    part->number = below(g, 4);
    return make_assign(g, op, part, generate_uint(g, &inner, 2));
  }
  expression *to = generate_target(g, s);
  if (to == NULL) return NULL;
  if (chance(g, 20)) return make_step(g, chance(g, 50) ? OP_INC : OP_DEC, to, chance(g, 50));
  return make_assign(g, ops[below(g, 8)], to, generate_uint(g, &inner, 3));
}

/* Expressions of four components: uint4 values and int4 masks. */

static expression *leaf_vector(generator *g, const scope *s) {
  expression *e = NULL;
  for (size_t i = 0; i < s->visible_count; i++) {
    variable *v = s->visible[i];
    if (v->type == TYPE_UINT4 && !(s->only_uniform && !v->uniform) && (e == NULL || chance(g, 50))) e = make_use(g, v);
  }
  if (e != NULL && chance(g, 70)) return e;
  if (chance(g, 40)) return make_cast(g, EXPRESSION_CAST, TYPE_UINT4, generate_uint(g, s, 1));
  e = tree_expression(g->p, EXPRESSION_VECTOR, TYPE_UINT4);
  for (int i = 0; i < 4; i++) e->operands[e->operand_count++] = generate_uint(g, s, 0);
  return e;
}

expression *generate_vector(generator *g, const scope *s, int depth) {
  static const operator_kind ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_AND, OP_XOR};
  if (depth <= 0 || chance(g, 20)) return leaf_vector(g, s);
  uint32_t way = below(g, 100);
  expression *a = generate_vector(g, s, depth - 1);
  if (way < 40) {
    expression *mask = generate_mask(g, s, depth - 1);
    return make_conditional(g, mask, a, generate_vector(g, s, depth - 1));
  }
  if (way < 50) {
    expression *c = generate_condition(g, s, depth - 1);
    return make_conditional(g, c, a, generate_vector(g, s, depth - 1));
  }
  if (way < 55) return make_unary(g, OP_NOT, a);
  return make_binary(g, ops[below(g, 5)], a, chance(g, 25) ? generate_uint(g, s, 1) : generate_vector(g, s, depth - 1));
}

static expression *generate_mask(generator *g, const scope *s, int depth) {
  uint32_t way = below(g, 100);
  if (depth > 0 && way < 30) {
    static const operator_kind ops[] = {OP_AND, OP_OR, OP_XOR, OP_LAND, OP_LOR};
    expression *a = generate_mask(g, s, depth - 1);
    return make_binary(g, ops[below(g, 5)], a, generate_mask(g, s, depth - 1));
  }
  if (depth > 0 && way < 38) return make_unary(g, chance(g, 50) ? OP_NOT : OP_LNOT, generate_mask(g, s, depth - 1));
  if (way < 45) return make_cast(g, EXPRESSION_AS, TYPE_INT4, generate_vector(g, s, depth - 1));
  expression *a = make_binary(g, OP_AND, generate_vector(g, s, depth - 1), make_number(g, 7));
  expression *b = chance(g, 70) ? make_number(g, below(g, 8)) : generate_vector(g, s, depth - 1);
  return make_binary(g, (operator_kind)(OP_LT + (int)below(g, 6)), a, b);
}

/* Macros of a program: values, conditions, statements, heads of branches and loops, barriers. */

macro *make_macro(generator *g, const char *prefix, size_t parameters) {
  macro *m = tree_new(g->p, sizeof *m);
  (void)snprintf(m->name, sizeof m->name, "%s%u", prefix, ++g->names % 1000);
  m->parameters = parameters;
  return m;
}

static void add(generator *g, macro *m) {
  m->use_count = 0;
  g->p->macros[g->p->macro_count++] = m;
}

static scope macro_scope(macro *m, function *nobody) {
  return (scope){.macro = m, .function = nobody, .pure = true, .depth = 2};
}

static void add_value(generator *g, function *nobody) {
  macro *m = make_macro(g, "PICK", 1 + below(g, 3));
  scope s = macro_scope(m, nobody);
  expression *c = generate_condition(g, &s, 2);
  expression *a = generate_uint(g, &s, 2);
  m->value = make_conditional(g, c, a, generate_uint(g, &s, 1));
  if (chance(g, 25)) m->value = generate_uint(g, &s, 3);
  m->bare = m->value->kind != EXPRESSION_COMMA && chance(g, 15);
  add(g, m);
}

static void add_condition(generator *g, function *nobody) {
  macro *m = make_macro(g, "TEST", 1 + below(g, 2));
  scope s = macro_scope(m, nobody);
  expression *a = generate_condition(g, &s, 2);
  m->value = make_pair(g, chance(g, 50) ? EXPRESSION_AND : EXPRESSION_OR, a, generate_condition(g, &s, 1));
  m->bare = chance(g, 15);
  add(g, m);
}

static statement *block_of(generator *g, scope *s, uint32_t count) {
  statement *block = tree_statement(g->p, STATEMENT_BLOCK);
  generate_items(g, s, block, count);
  return block;
}

/* A statement macro that assigns to its first parameter. */
static void add_statement(generator *g, function *nobody) {
  macro *m = make_macro(g, "STEP", 2);
  m->effect = true;
  scope s = macro_scope(m, nobody);
  statement *holder = NULL;
  switch (below(g, 5)) {
    case 0:
      m->body = make_done_once(g);
      s.may_break = s.may_continue = true;
      m->body->body = block_of(g, &s, 2);
      m->semicolon = true;
      break;
    case 1:
      m->body = make_plain(g, make_assign(g, OP_ADD, make_parameter(g, 0), generate_uint(g, &s, 3)));
      m->semicolon = true;
      break;
    case 2:
      m->body = tree_statement(g->p, STATEMENT_SEQUENCE);
      generate_items(g, &s, m->body, 2);
      m->block_only = true;
      break;
    default:
      holder = tree_statement(g->p, STATEMENT_BLOCK);
      if (chance(g, 60))
        generate_if(g, &s, holder);
      else
        generate_loop(g, &s, holder);
      m->body = holder->items[0];
      m->open = ends_open(m->body);
      break;
  }
  add(g, m);
}

static statement *hole(generator *g, uint32_t number) {
  statement *s = tree_statement(g->p, STATEMENT_HOLE);
  s->number = number;
  return s;
}

/* if (p0) …   or   if (!(p0)) … */
static void add_branch_head(generator *g) {
  macro *m = make_macro(g, "WHEN", 1);
  expression *c = make_small(g, make_parameter(g, 0), 3);
  c = chance(g, 50) ? make_unary(g, OP_LNOT, c) : c;
  m->body = make_if(g, c, hole(g, 0), hole(g, 1));
  m->holes = 2;
  m->open = true;
  add(g, m);
}

/* for (int p0 = 0; p0 < (p1); p0++) … */
static void add_for_head(generator *g) {
  macro *m = make_macro(g, "FOR", 2);
  variable *v = tree_new(g->p, sizeof *v);
  (void)snprintf(v->name, sizeof v->name, "p0_");
  v->type = TYPE_INT;
  v->storage = STORE_PARAMETER;
  expression *uses[3];
  for (int i = 0; i < 3; i++) {
    uses[i] = make_parameter(g, i == 1 ? 1 : 0);
    uses[i]->type = TYPE_INT;
  }
  m->body = make_loop(g, STATEMENT_FOR, make_binary(g, OP_LT, uses[0], uses[1]));
  m->body->init = make_declaration(g, v, make_int(g, 0));
  m->body->step = make_step(g, OP_INC, uses[2], true);
  m->body->body = hole(g, 0);
  m->holes = 1;
  add(g, m);
}

/* for (uint t = 0u; t < (p0); t++) … */
static void add_repeat_head(generator *g) {
  macro *m = make_macro(g, "REPEAT", 1);
  function none = {.cells = m->cells++};
  variable *t = make_variable(g, &none, "t_", TYPE_UINT, 0);
  t->storage = STORE_MACRO;
  m->body = make_loop(g, STATEMENT_FOR, make_binary(g, OP_LT, make_use(g, t), make_parameter(g, 0)));
  m->body->init = make_declaration(g, t, make_number(g, 0));
  m->body->step = make_step(g, OP_INC, make_use(g, t), true);
  m->body->body = hole(g, 0);
  m->holes = 1;
  add(g, m);
}

/* while ((p0)-- > 0u) … */
static void add_while_head(generator *g) {
  macro *m = make_macro(g, "DOWN", 1);
  expression *step = make_step(g, OP_DEC, make_parameter(g, 0), true);
  m->body = make_loop(g, STATEMENT_WHILE, make_binary(g, OP_GT, step, make_number(g, 0)));
  m->body->body = hole(g, 0);
  m->holes = 1;
  add(g, m);
}

static void add_barrier(generator *g) {
  macro *m = make_macro(g, "SYNC", 0);
  expression *e = tree_expression(g->p, EXPRESSION_BARRIER, TYPE_VOID);
  e->site = tree_site(g->p, SITE_BARRIER, 1);
  m->body = make_plain(g, e);
  m->barrier = true;
  uint32_t way = below(g, 3);
  if (way == 2) {
    m->parameters = 1;
    statement *body = m->body;
    m->body = make_done_once(g);
    m->body->body = tree_statement(g->p, STATEMENT_BLOCK);
    tree_append(g->p, m->body->body, make_if(g, make_small(g, make_parameter(g, 0), 3), body, NULL));
  }
  m->object = way == 0;
  m->semicolon = true;
  add(g, m);
}

void generate_macros(generator *g) {
  function *nobody = tree_new(g->p, sizeof *nobody);
  nobody->reads_id = true;
  g->budget = 8;
  for (uint32_t i = below(g, 3); i > 0; i--) add_value(g, nobody);
  for (uint32_t i = below(g, 2); i > 0; i--) add_condition(g, nobody);
  for (uint32_t i = below(g, 3); i > 0; i--) add_statement(g, nobody);
  void (*const heads[])(generator *) = {add_branch_head, add_for_head, add_repeat_head,
                                        add_while_head,  add_barrier,  add_barrier};
  for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
    if (chance(g, 40)) heads[i](g);
}
