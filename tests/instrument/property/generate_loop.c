/* Loops of every shape, each with a counter that nothing else changes and that passes a small bound. */
#include "generate.h"

typedef struct loop_plan {
  generator *g;
  scope *outer;
  statement *block;
  scope inner;
  bool together; /* all work-items of a group go through the loop together */
} loop_plan;

static expression *bound(loop_plan *l, uint32_t mask) {
  generator *g = l->g;
  scope s = *l->outer;
  s.pure = true;
  s.only_uniform = s.only_uniform || l->together;
  uint32_t way = below(g, 10);
  if (way < 3) {
    return make_number(g, below(g, mask == 3 ? 5 : 10));
  }
  return way == 3 ? make_binary(g, OP_SUB, make_number(g, 6), make_number(g, 3))
                  : make_small(g, generate_uint(g, &s, 2), mask);
}

static expression *int_bound(loop_plan *l) {
  expression *e = make_cast(l->g, EXPRESSION_CAST, TYPE_INT, bound(l, 3));
  e->bound = 8;
  return chance(l->g, 40) ? make_int(l->g, below(l->g, 4)) : e;
}

/* Sometimes more has to hold for the loop to go on. */
static expression *maybe_more(loop_plan *l, expression *c) {
  generator *g = l->g;
  if (!chance(g, 25)) {
    return c;
  }
  scope s = l->inner;
  s.only_uniform = s.only_uniform || l->together;
  s.pure = s.pure || s.macro != NULL;
  expression *more = NULL;
  if (chance(g, 25)) {
    scope pure = s;
    pure.pure = true;
    more = generate_call(g, &pure, 2);
  }
  return make_pair(g, EXPRESSION_AND, c, more != NULL ? more : generate_condition(g, &s, 2));
}

static variable *loop_variable(loop_plan *l, value_type type) {
  variable *v = make_variable(l->g, l->outer->function, type == TYPE_INT ? "i" : "k", type, 0);
  v->uniform = l->together;
  v->constant = true;
  show(&l->inner, v);
  return v;
}

static void finish(loop_plan *l, statement *loop) {
  loop->unroll = loop->kind == STATEMENT_FOR && l->outer->macro == NULL && !l->g->in_define && chance(l->g, 12);
  if (loop->body == NULL) {
    loop->body = generate_body(l->g, &l->inner, false);
  }
  tree_append(l->g->p, l->block, loop);
}

static expression *use(loop_plan *l, variable *v) { return make_use(l->g, v); }

/* for (int i = 0; i < n; i++) and relatives */
static void generate_for_up(loop_plan *l) {
  generator *g = l->g;
  variable *i = loop_variable(l, TYPE_INT);
  bool exact = chance(g, 25);
  expression *limit = exact ? make_int(g, below(g, 4)) : int_bound(l);
  operator_kind op = exact ? OP_NE : chance(g, 20) ? OP_LE : OP_LT;
  statement *loop = make_loop(g, STATEMENT_FOR, maybe_more(l, make_binary(g, op, use(l, i), limit)));
  loop->init = make_declaration(g, i, make_int(g, 0));
  loop->step = make_step(g, OP_INC, use(l, i), chance(g, 60));
  if (chance(g, 20)) {
    loop->step = make_assign(g, OP_ADD, use(l, i), make_int(g, 1));
  }
  finish(l, loop);
}

static void generate_for_down(loop_plan *l) {
  generator *g = l->g;
  variable *k = loop_variable(l, TYPE_UINT);
  bool in_condition = chance(g, 50);
  expression *left = in_condition ? make_step(g, OP_DEC, use(l, k), true) : use(l, k);
  expression *c = make_binary(g, chance(g, 50) ? OP_GT : OP_NE, left, make_number(g, 0));
  statement *loop = make_loop(g, STATEMENT_FOR, in_condition ? c : maybe_more(l, c));
  loop->init = make_declaration(g, k, bound(l, 3));
  loop->step = in_condition ? NULL : make_step(g, OP_DEC, use(l, k), chance(g, 50));
  finish(l, loop);
}

static void generate_for_product(loop_plan *l) {
  generator *g = l->g;
  variable *k = loop_variable(l, TYPE_UINT);
  statement *loop = make_loop(g, STATEMENT_FOR, maybe_more(l, make_binary(g, OP_LT, use(l, k), bound(l, 15))));
  loop->init = make_declaration(g, k, make_number(g, 1));
  loop->step = make_assign(g, chance(g, 50) ? OP_MUL : OP_SHL, use(l, k), make_number(g, 2));
  if (loop->step->op == OP_SHL) {
    loop->step->operands[1] = make_number(g, 1);
  }
  finish(l, loop);
}

/* for (int i = 0, j = n; i < j; i++, j--) */
static void generate_for_two(loop_plan *l) {
  generator *g = l->g;
  expression *start = int_bound(l);
  variable *i = loop_variable(l, TYPE_INT);
  variable *j = loop_variable(l, TYPE_INT);
  statement *loop = make_loop(g, STATEMENT_FOR, maybe_more(l, make_binary(g, OP_LT, use(l, i), use(l, j))));
  loop->init = make_declaration(g, i, make_int(g, 0));
  loop->init->variables[1] = j;
  loop->init->values[1] = start;
  loop->init->variable_count = 2;
  loop->step =
      make_pair(g, EXPRESSION_COMMA, make_step(g, OP_INC, use(l, i), true), make_step(g, OP_DEC, use(l, j), true));
  finish(l, loop);
}

static void set(loop_plan *l, variable *c, expression *to) {
  tree_append(l->g->p, l->block, make_plain(l->g, make_assign(l->g, OP_NONE, use(l, c), to)));
}

static void generate_for_counter(loop_plan *l, variable *c) {
  generator *g = l->g;
  statement *loop = make_loop(g, STATEMENT_FOR, maybe_more(l, make_binary(g, OP_LT, use(l, c), bound(l, 3))));
  if (chance(g, 50)) {
    set(l, c, make_number(g, 0));
  } else {
    loop->init = make_plain(g, make_assign(g, OP_NONE, use(l, c), make_number(g, 0)));
  }
  loop->step = make_step(g, OP_INC, use(l, c), true);
  finish(l, loop);
}

/* for (;;) { if (c >= n) break; c++; … } */
static void generate_forever(loop_plan *l, variable *c) {
  generator *g = l->g;
  set(l, c, make_number(g, 0));
  statement *loop = make_loop(g, STATEMENT_FOR, NULL);
  loop->body = tree_statement(g->p, STATEMENT_BLOCK);
  statement *leave = tree_statement(g->p, STATEMENT_BREAK);
  bool first = chance(g, 70);
  if (!first) {
    scope early = l->inner;
    early.depth++;
    early.may_continue = false;
    generate_items(g, &early, loop->body, 1);
  }
  tree_append(g->p, loop->body, make_if(g, make_binary(g, OP_GE, use(l, c), bound(l, 3)), leave, NULL));
  if (chance(g, 50)) {
    loop->step = make_step(g, OP_INC, use(l, c), false);
  } else {
    tree_append(g->p, loop->body, make_plain(g, make_step(g, OP_INC, use(l, c), true)));
  }
  l->inner.depth++;
  generate_items(g, &l->inner, loop->body, 1 + below(g, 2));
  finish(l, loop);
}

static void generate_while(loop_plan *l, variable *c) {
  generator *g = l->g;
  uint32_t way = below(g, 4);
  if (way == 0) {
    set(l, c, bound(l, 3));
    finish(l, make_loop(g, STATEMENT_WHILE,
                        make_binary(g, OP_GT, make_step(g, OP_DEC, use(l, c), true), make_number(g, 0))));
    return;
  }
  set(l, c, make_number(g, 0));
  expression *step = make_step(g, OP_INC, use(l, c), true);
  if (way == 1) {
    finish(l, make_loop(g, STATEMENT_WHILE, maybe_more(l, make_binary(g, OP_LT, step, bound(l, 3)))));
    return;
  }
  expression *c_less = make_binary(g, OP_LT, use(l, c), bound(l, 3));
  if (way == 2) {
    finish(l, make_loop(g, STATEMENT_WHILE, make_pair(g, EXPRESSION_COMMA, step, maybe_more(l, c_less))));
    return;
  }
  statement *loop = make_loop(g, STATEMENT_WHILE, maybe_more(l, c_less));
  loop->body = tree_statement(g->p, STATEMENT_BLOCK);
  tree_append(g->p, loop->body, make_plain(g, step));
  l->inner.depth++;
  generate_items(g, &l->inner, loop->body, 1 + below(g, 2));
  finish(l, loop);
}

static void generate_do(loop_plan *l, variable *c) {
  generator *g = l->g;
  if (chance(g, 20)) {
    finish(l, make_done_once(g));
    return;
  }
  set(l, c, make_number(g, 0));
  expression *step = make_step(g, OP_INC, use(l, c), chance(g, 50));
  finish(l, make_loop(g, STATEMENT_DO, maybe_more(l, make_binary(g, OP_LT, step, bound(l, 3)))));
}

static bool is_for_header(const macro *m) { return m->holes == 1 && m->body->kind == STATEMENT_FOR; }

static bool is_while_header(const macro *m) { return m->holes == 1 && m->body->kind == STATEMENT_WHILE; }

/* FOR(i, n) …   or   REPEAT(n) …   or   DOWN(c) … */
static bool generate_header(loop_plan *l, variable *c) {
  generator *g = l->g;
  bool counted = chance(g, 70);
  macro *m = pick_macro(g, l->outer, counted ? is_for_header : is_while_header);
  if (m == NULL) {
    return false;
  }
  statement *head = NULL;
  if (!counted) {
    set(l, c, bound(l, 3));
    head = make_use_of_macro(g, m, use(l, c), NULL);
  } else if (m->parameters == 1) {
    head = make_use_of_macro(g, m, bound(l, 3), NULL);
  } else {
    expression *limit = int_bound(l);
    head = make_use_of_macro(g, m, use(l, loop_variable(l, TYPE_INT)), limit);
  }
  head->holes[0] = generate_body(g, &l->inner, false);
  tree_append(g->p, l->block, head);
  return true;
}

/* In a macro body: for (uint t = 0u; t < (n & 3u); t++) with a variable of the macro's own. */
static void generate_macro_loop(loop_plan *l) {
  generator *g = l->g;
  macro *m = l->outer->macro;
  if (m->cells == MACRO_CELLS) {
    tree_append(g->p, l->block, generate_simple(g, l->outer));
    return;
  }
  function none = {.cells = m->cells++};
  variable *t = make_variable(g, &none, "t_", TYPE_UINT, 0);
  t->storage = STORE_MACRO;
  t->constant = true;
  statement *loop = make_loop(g, STATEMENT_FOR, maybe_more(l, make_binary(g, OP_LT, use(l, t), bound(l, 3))));
  show(&l->inner, t);
  loop->init = make_declaration(g, t, make_number(g, 0));
  loop->step = make_step(g, OP_INC, use(l, t), true);
  finish(l, loop);
}

void generate_loop(generator *g, scope *s, statement *block) {
  loop_plan l = {.g = g, .outer = s, .block = block, .inner = *s};
  l.together = s->uniform && s->function->barriers && chance(g, 50);
  l.inner.uniform = l.inner.loop_uniform = l.inner.switch_uniform = l.together;
  l.inner.may_break = l.inner.may_continue = true;
  l.inner.no_declare = false;
  l.inner.depth++;
  if (s->macro != NULL) {
    generate_macro_loop(&l);
    return;
  }
  variable *counter = make_counter(g, s->function, l.together);
  if (counter == NULL || s->function->cells > FRAME_CELLS - 16) {
    tree_append(g->p, block, generate_simple(g, s));
    return;
  }
  show(&l.inner, counter);
  uint32_t way = below(g, 12);
  if (way < 2 && generate_header(&l, counter)) {
    return;
  }
  void (*const simple[])(loop_plan *) = {generate_for_up, generate_for_down, generate_for_product, generate_for_two,
                                         generate_for_up};
  void (*const counted[])(loop_plan *, variable *) = {generate_for_counter, generate_forever, generate_while,
                                                      generate_do, generate_while};
  if (way < 7) {
    simple[below(g, 5)](&l);
  } else {
    counted[below(g, 5)](&l, counter);
  }
}
