/* Macros of a program: values, conditions, statements, heads of branches and loops, barriers. */
#include <stdio.h>

#include "generate.h"

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
  if (chance(g, 25)) {
    m->value = generate_uint(g, &s, 3);
  }
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
      if (chance(g, 60)) {
        generate_if(g, &s, holder);
      } else {
        generate_loop(g, &s, holder);
      }
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
  for (uint32_t i = below(g, 3); i > 0; i--) {
    add_value(g, nobody);
  }
  for (uint32_t i = below(g, 2); i > 0; i--) {
    add_condition(g, nobody);
  }
  for (uint32_t i = below(g, 3); i > 0; i--) {
    add_statement(g, nobody);
  }
  void (*const heads[])(generator *) = {add_branch_head, add_for_head, add_repeat_head,
                                        add_while_head,  add_barrier,  add_barrier};
  for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
    if (chance(g, 40)) {
      heads[i](g);
    }
  }
}
