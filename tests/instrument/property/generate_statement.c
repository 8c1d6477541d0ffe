/* Statements and bodies. */
#include <stdio.h>

#include "generate.h"

/* Loops of every shape, each with a counter that nothing else changes and that passes a small bound. */

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
  if (way < 3) return make_number(g, below(g, mask == 3 ? 5 : 10));
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
  if (!chance(g, 25)) return c;
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
  if (loop->body == NULL) loop->body = generate_body(l->g, &l->inner, false);
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
  if (chance(g, 20)) loop->step = make_assign(g, OP_ADD, use(l, i), make_int(g, 1));
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
  if (loop->step->op == OP_SHL) loop->step->operands[1] = make_number(g, 1);
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
  if (chance(g, 50))
    set(l, c, make_number(g, 0));
  else
    loop->init = make_plain(g, make_assign(g, OP_NONE, use(l, c), make_number(g, 0)));
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
  if (chance(g, 50))
    loop->step = make_step(g, OP_INC, use(l, c), false);
  else
    tree_append(g->p, loop->body, make_plain(g, make_step(g, OP_INC, use(l, c), true)));
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
  if (m == NULL) return false;
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
  if (way < 2 && generate_header(&l, counter)) return;
  void (*const simple[])(loop_plan *) = {generate_for_up, generate_for_down, generate_for_product, generate_for_two,
                                         generate_for_up};
  void (*const counted[])(loop_plan *, variable *) = {generate_for_counter, generate_forever, generate_while,
                                                      generate_do, generate_while};
  if (way < 7)
    simple[below(g, 5)](&l);
  else
    counted[below(g, 5)](&l, counter);
}

/* Branches, jumps forwards and backwards, and parts that the preprocessor keeps or drops. */

/* A condition for a branch; `*together` says whether all work-items of a group decide alike. */
static expression *branch_condition(generator *g, const scope *s, bool *together) {
  scope inner = *s;
  *together = s->uniform && s->function->barriers && chance(g, 50);
  inner.only_uniform = s->only_uniform || *together;
  inner.pure = s->pure || s->macro != NULL;
  return generate_condition(g, &inner, 3);
}

void generate_if(generator *g, scope *s, statement *block) {
  bool together = false;
  expression *c = branch_condition(g, s, &together);
  scope inner = *s;
  inner.uniform = together;
  bool otherwise = chance(g, 50);
  statement *body = generate_body(g, &inner, otherwise);
  statement *top = make_if(g, c, body, NULL);
  statement *last = top;
  while (otherwise && chance(g, 35)) {
    bool also = false;
    c = branch_condition(g, &inner, &also);
    scope deeper = inner;
    deeper.uniform = also;
    deeper.depth++;
    statement *next = make_if(g, c, generate_body(g, &deeper, true), NULL);
    last->otherwise = next;
    last = next;
    inner = deeper;
    otherwise = chance(g, 70);
  }
  if (otherwise) last->otherwise = generate_body(g, &inner, false);
  tree_append(g->p, block, top);
}

/* The labels of one switch: distinct values, now and then a range, in any order. */
statement *make_case(generator *g, uint32_t *next, uint32_t outcome) {
  statement *label = tree_statement(g->p, STATEMENT_CASE);
  label->outcome = outcome;
  label->first = label->last = *next;
  if (chance(g, 12))
    label->last = *next + 1 + below(g, 2);
  else if (*next == 4 && chance(g, 60))
    label->text = chance(g, 50) ? "LIMIT" : "2u + 2u";
  *next = label->last + 1 + (chance(g, 20) ? 1 : 0);
  return label;
}

static void shuffle(generator *g, statement **labels, uint32_t count) {
  for (uint32_t i = count; i > 1; i--) {
    uint32_t k = below(g, i);
    statement *swap = labels[i - 1];
    labels[i - 1] = labels[k];
    labels[k] = swap;
  }
}

static void append_break(generator *g, statement *body) {
  tree_append(g->p, body, tree_statement(g->p, STATEMENT_BREAK));
}

static void generate_switch(generator *g, scope *s, statement *block) {
  if (g->entries && s->macro == NULL && chance(g, 40)) {
    generate_device(g, s, block);
    return;
  }
  bool together = false;
  (void)branch_condition(g, s, &together);
  scope inner = *s;
  inner.only_uniform = s->only_uniform || together;
  inner.pure = s->pure || s->macro != NULL;
  statement *sw = tree_statement(g->p, STATEMENT_SWITCH);
  sw->condition = make_small(g, generate_uint(g, &inner, 2), 7);
  inner = *s;
  inner.uniform = inner.switch_uniform = together;
  inner.may_break = true;
  inner.no_declare = true;
  inner.depth++;
  statement *labels[8];
  uint32_t count = below(g, 6);
  uint32_t next = below(g, 2);
  for (uint32_t i = 0; i < count; i++) labels[i] = make_case(g, &next, 0);
  shuffle(g, labels, count);
  uint32_t cases = 0;
  uint32_t fallback = chance(g, 60) ? below(g, count + 1) : 8; /* before which label `default` stands */
  sw->body = tree_statement(g->p, STATEMENT_BLOCK);
  for (uint32_t i = 0; i <= count; i++) {
    if (i == fallback) tree_append(g->p, sw->body, tree_statement(g->p, STATEMENT_DEFAULT));
    if (i < count) {
      labels[i]->outcome = cases++;
      tree_append(g->p, sw->body, labels[i]);
    }
    bool last = i == count;
    if (last && (count > 0 || i == fallback)) {
      append_break(g, sw->body);
    } else if (!last && chance(g, 85)) {
      generate_items(g, &inner, sw->body, 1 + below(g, 2));
      if (chance(g, 70) && (!together || inner.uniform)) append_break(g, sw->body);
    }
  }
  sw->site = tree_site(g->p, SITE_SWITCH, (1u << (cases + 1)) - 1);
  tree_append(g->p, block, sw);
}

/* `statement_follows`: one that is not a declaration, from elsewhere. */
static void append_label(generator *g, scope *s, statement *block, uint32_t number, bool statement_follows) {
  statement *label = tree_statement(g->p, STATEMENT_LABEL);
  label->number = number;
  tree_append(g->p, block, label);
  if (!statement_follows) tree_append(g->p, block, generate_simple(g, &(scope){.function = s->function}));
}

/* if (c) goto L; … L: …   What is jumped over declares nothing at its top. */
static void generate_forward(generator *g, scope *s, statement *block) {
  bool together = false;
  expression *c = branch_condition(g, s, &together);
  uint32_t number = s->function->labels++;
  statement *jump = tree_statement(g->p, STATEMENT_GOTO);
  jump->number = number;
  tree_append(g->p, block, make_if(g, c, jump, NULL));
  scope inner = *s;
  inner.uniform = together;
  inner.no_declare = true;
  inner.depth++;
  inner.jump = together ? 0 : number + 1;
  generate_items(g, &inner, block, 1 + below(g, 3));
  append_label(g, s, block, number, false);
}

/* L: … c++; if (c < 3u && …) goto L; */
static void generate_backward(generator *g, scope *s, statement *block) {
  bool together = s->uniform && s->function->barriers && chance(g, 60);
  variable *counter = make_counter(g, s->function, together);
  if (counter == NULL) return;
  scope inner = *s;
  inner.uniform = together;
  inner.no_declare = true;
  inner.depth++;
  inner.jump = 0;
  uint32_t number = s->function->labels++;
  tree_append(g->p, block, make_plain(g, make_assign(g, OP_NONE, make_use(g, counter), make_number(g, 0))));
  append_label(g, s, block, number, chance(g, 50));
  generate_items(g, &inner, block, 1 + below(g, 2));
  expression *c = make_binary(g, OP_LT, make_step(g, OP_INC, make_use(g, counter), chance(g, 50)), make_number(g, 3));
  inner.only_uniform = s->only_uniform || together;
  if (chance(g, 60)) c = make_pair(g, EXPRESSION_AND, c, generate_condition(g, &inner, 2));
  statement *jump = tree_statement(g->p, STATEMENT_GOTO);
  jump->number = number;
  tree_append(g->p, block, make_if(g, c, jump, NULL));
}

static void generate_goto(generator *g, scope *s, statement *block) {
  if (s->function->barriers && !GENERATE_GOTO_BEFORE_BARRIER) return;
  if (g->entries && chance(g, 60))
    generate_goto_into(g, s, block);
  else if (chance(g, 60))
    generate_forward(g, s, block);
  else
    generate_backward(g, s, block);
}

static void generate_choice(generator *g, scope *s, statement *block) {
  const struct {
    const char *text;
    bool kept;
  } directives[] = {{"#ifdef FEATURE", true},
                    {"#ifndef FEATURE", false},
                    {"#if defined(FEATURE) && LIMIT > 3u", true},
                    {"#if LIMIT == 3u || defined NOTHING", false},
                    {"#if 0", false},
                    {"  #  if 1 /* if ( */", true},
                    {"#ifdef GIVEN // ( {", g->given},
                    {"#if VALUE >= 5", g->given},
                    {"#if !defined(GIVEN) || (LIMIT / 2u != 2u)", !g->given}};
  uint32_t way = below(g, sizeof directives / sizeof directives[0]);
  if (g->in_define) return;
  statement *choice = tree_statement(g->p, STATEMENT_CHOICE);
  choice->text = directives[way].text;
  choice->first_kept = directives[way].kept;
  scope inner = *s;
  inner.depth++;
  inner.no_declare = true;
  choice->body = tree_statement(g->p, STATEMENT_SEQUENCE);
  generate_items(g, &inner, choice->body, 1 + below(g, 2));
  if (chance(g, 60)) {
    choice->otherwise = tree_statement(g->p, STATEMENT_SEQUENCE);
    generate_items(g, &inner, choice->otherwise, 1 + below(g, 2));
  }
  tree_append(g->p, block, choice);
}

statement *generate_simple(generator *g, const scope *s) {
  if (s->jump != 0 && chance(g, 25)) {
    statement *jump = tree_statement(g->p, STATEMENT_GOTO);
    jump->number = s->jump - 1;
    return jump;
  }
  expression *e = chance(g, 95) ? generate_effect(g, s) : NULL;
  return e == NULL ? tree_statement(g->p, STATEMENT_EMPTY) : make_plain(g, e);
}

/* A break, continue, return or goto; NULL where none may stand. */
static statement *generate_jump(generator *g, const scope *s) {
  statement_kind kinds[3];
  uint32_t count = 0;
  if (s->may_break && (!s->switch_uniform || s->uniform)) kinds[count++] = STATEMENT_BREAK;
  if (s->may_continue && (!s->loop_uniform || s->uniform)) kinds[count++] = STATEMENT_CONTINUE;
  if (s->may_return && (!s->function->barriers || s->uniform)) kinds[count++] = STATEMENT_RETURN;
  if (count == 0) return NULL;
  statement *jump = tree_statement(g->p, kinds[below(g, count)]);
  if (jump->kind == STATEMENT_RETURN && s->function->result == TYPE_UINT) jump->condition = generate_uint(g, s, 2);
  return jump;
}

/* Whether an `else` after the statement would belong to an `if` inside it. */
bool ends_open(const statement *s) {
  if (s == NULL) return false;
  switch (s->kind) {
    case STATEMENT_IF: return s->otherwise == NULL || ends_open(s->otherwise);
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_SWITCH: return ends_open(s->body);
    case STATEMENT_MACRO:
      if (s->macro->holes == 0) return s->macro->open;
      return ends_open(s->holes[1] != NULL ? s->holes[1] : s->holes[0]) || (s->macro->open && s->holes[1] == NULL);
    default: return false;
  }
}

static bool can_stand_alone(const statement *s) {
  return s->kind != STATEMENT_DECLARE && s->kind != STATEMENT_LABEL && s->kind != STATEMENT_CHOICE &&
         s->kind != STATEMENT_CASE && s->kind != STATEMENT_DEFAULT &&
         !(s->kind == STATEMENT_MACRO && s->macro->block_only) && !(s->kind == STATEMENT_FOR && s->unroll);
}

statement *generate_body(generator *g, const scope *s, bool else_follows) {
  scope inner = *s;
  inner.depth++;
  inner.no_declare = false;
  statement *block = tree_statement(g->p, STATEMENT_BLOCK);
  bool alone = chance(g, 7); /* nothing but a jump, or a jump before code that is never reached */
  generate_items(g, &inner, block, alone ? 0 : chance(g, 50) ? 1 : 1 + below(g, 3));
  statement *jump = alone || chance(g, 15) ? generate_jump(g, &inner) : NULL;
  if (jump != NULL) tree_append(g->p, block, jump);
  if (block->item_count == 0 || (alone && chance(g, 20))) generate_items(g, &inner, block, 1);
  bool bare = block->item_count == 1 && can_stand_alone(block->items[0]) && chance(g, 70);
  return bare && !(else_follows && ends_open(block->items[0])) ? block->items[0] : block;
}

static void generate_declaration(generator *g, scope *s, statement *block) {
  function *f = s->function;
  if (f->cells > FRAME_CELLS - 16) {
    tree_append(g->p, block, generate_simple(g, s));
    return;
  }
  uint32_t way = below(g, 10);
  if (way < 3) {
    variable *v = make_variable(g, f, "v", TYPE_UINT4, 0);
    tree_append(g->p, block, make_declaration(g, v, generate_vector(g, s, 2)));
    show(s, v);
    return;
  }
  variable *v = make_variable(g, f, "x", TYPE_UINT, 0);
  statement *d = make_declaration(g, v, generate_uint(g, s, 3));
  if (way == 3) {
    variable *second = make_variable(g, f, "y", TYPE_UINT, 0);
    d->variables[1] = second;
    d->values[1] = generate_uint(g, s, 2);
    d->variable_count = 2;
    show(s, second);
  }
  tree_append(g->p, block, d);
  show(s, v);
}

static bool is_statement_macro(const macro *m) { return m->effect && m->holes == 0 && !m->barrier; }

static bool is_branch_header(const macro *m) { return m->holes == 2; }

/* A macro that assigns to its first argument, or one that is the head of an `if`. */
static void generate_macro_statement(generator *g, scope *s, statement *block) {
  bool header = chance(g, 35);
  macro *m = pick_macro(g, s, header ? is_branch_header : is_statement_macro);
  expression *to = m == NULL || header ? NULL : generate_target(g, s);
  if (m == NULL || s->macro != NULL || (!header && to == NULL)) {
    tree_append(g->p, block, generate_simple(g, s));
    return;
  }
  scope pure = *s;
  pure.pure = true;
  if (!header) {
    expression *second = m->parameters > 1 ? generate_uint(g, &pure, 2) : NULL;
    tree_append(g->p, block, make_use_of_macro(g, m, to, second));
    return;
  }
  bool together = s->uniform && chance(g, 50);
  scope inner = *s;
  inner.uniform = together;
  pure.only_uniform = s->only_uniform || together;
  statement *use = make_use_of_macro(g, m, generate_uint(g, &pure, 2), NULL);
  bool otherwise = chance(g, 50);
  use->holes[0] = generate_body(g, &inner, otherwise);
  use->holes[1] = otherwise ? generate_body(g, &inner, false) : NULL;
  tree_append(g->p, block, use);
}

static void generate_void(generator *g, scope *s, statement *block) {
  statement *call = s->macro == NULL ? generate_void_call(g, s, false) : NULL;
  tree_append(g->p, block, call != NULL ? call : generate_simple(g, s));
}

static void generate_nested(generator *g, scope *s, statement *block) {
  scope inner = *s;
  inner.depth++;
  inner.no_declare = false;
  statement *nested = tree_statement(g->p, STATEMENT_BLOCK);
  generate_items(g, &inner, nested, below(g, 3));
  tree_append(g->p, block, nested);
}

/* Appends one statement or a few that belong together. */
static void generate_statement(generator *g, scope *s, statement *block) {
  g->budget--;
  bool plain = g->budget <= 0 || s->depth >= 4;
  if (s->uniform && s->function->barriers && chance(g, plain ? 10 : 22)) {
    generate_barrier(g, s, block);
    return;
  }
  uint32_t way = plain ? 0 : below(g, 100);
  if (way < 20)
    tree_append(g->p, block, generate_simple(g, s));
  else if (way < 40)
    generate_if(g, s, block);
  else if (way < 59)
    generate_loop(g, s, block);
  else if (way < 67)
    generate_switch(g, s, block);
  else if (way < 75)
    generate_macro_statement(g, s, block);
  else if (way < 79)
    generate_void(g, s, block);
  else if (s->macro != NULL)
    tree_append(g->p, block, generate_simple(g, s));
  else if (way < 84)
    generate_goto(g, s, block);
  else if (way < 88)
    generate_choice(g, s, block);
  else if (way < 91)
    generate_nested(g, s, block);
  else if (!s->no_declare)
    generate_declaration(g, s, block);
  else
    tree_append(g->p, block, generate_simple(g, s));
}

void generate_items(generator *g, scope *s, statement *block, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) generate_statement(g, s, block);
}
