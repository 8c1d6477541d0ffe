/* Nodes with their types, and variables. */
#include <stdio.h>

#include "generate.h"

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
  if (b != NULL) {
    e->operands[e->operand_count++] = b;
  }
  return e;
}

expression *make_unary(generator *g, operator_kind op, expression *a) {
  value_type type = op == OP_LNOT ? (is_vector(a->type) ? TYPE_INT4 : TYPE_INT) : a->type;
  expression *e = with_operands(g, EXPRESSION_UNARY, type, a, NULL);
  e->op = op;
  e->bound = op == OP_LNOT ? 1 : a->bound + 1;
  return e;
}

static value_type common_type(const expression *a, const expression *b) {
  if (is_vector(a->type) || is_vector(b->type)) {
    return is_vector(a->type) ? a->type : b->type;
  }
  return a->type == TYPE_INT && b->type == TYPE_INT ? TYPE_INT : TYPE_UINT;
}

expression *make_binary(generator *g, operator_kind op, expression *a, expression *b) {
  value_type type = common_type(a, b);
  bool relation = (op >= OP_LT && op <= OP_NE) || op == OP_LAND || op == OP_LOR;
  if (relation) {
    type = is_vector(type) ? TYPE_INT4 : TYPE_INT;
  }
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

expression *make_conditional(generator *g, expression *c, expression *a, expression *b) {
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

expression *make_parameter(generator *g, uint32_t number) {
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
  if (condition != NULL) {
    outcomes |= 1u << OUTCOME_BOUNDARY | (kind == STATEMENT_DO ? 0u : 1u << OUTCOME_ZERO);
  }
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
  if (first != NULL) {
    s->arguments[s->argument_count++] = first;
  }
  if (second != NULL) {
    s->arguments[s->argument_count++] = second;
  }
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
  if (f->counter_count == sizeof f->counters / sizeof f->counters[0]) {
    return NULL;
  }
  variable *v = make_variable(g, f, "c", TYPE_UINT, 0);
  v->uniform = uniform;
  v->constant = true;
  f->counters[f->counter_count++] = v;
  return v;
}

void show(scope *s, variable *v) {
  if (s->visible_count < VISIBLE_CAP) {
    s->visible[s->visible_count++] = v;
  }
}
