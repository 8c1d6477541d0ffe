/* Loops that are entered in the middle: by a goto to a label in the body, or by the cases of a switch around the loop.
 * Their counters are set before the jump. Nothing is declared where a jump could pass it by. */
#include "generate.h"

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
  for (size_t i = 0; i < e->counter_count; i++) {
    tree_append(e->g->p, block, make_set(e->g, e->counters[i], bound(e, s)));
  }
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
    if (count == 1 || chance(g, 70)) {
      append_marked(e, s, block);
    }
  }
}

static statement *make_entered(entry_plan *e, const scope *s, int depth);

/* What stands around the labels in a block. */
static void fill(entry_plan *e, const scope *s, statement *block, int depth) {
  generator *g = e->g;
  scope inner = *s;
  if (chance(g, 60)) {
    generate_items(g, &inner, block, 1);
  }
  if (depth < 2 && chance(g, 35)) {
    size_t before = e->counter_count;
    statement *nested = make_entered(e, &inner, depth + 1);
    for (size_t i = before; i < e->counter_count && chance(g, 60); i++) {
      tree_append(g->p, block, make_set(g, e->counters[i], make_number(g, 0)));
    }
    tree_append(g->p, block, nested);
  } else {
    append_marks(e, &inner, block);
  }
  if (chance(g, 60)) {
    generate_items(g, &inner, block, 1);
  }
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
  if (way == 6) { /* for (;;) */
    tree_append(g->p, body, make_if(g, test, tree_statement(g->p, STATEMENT_BREAK), NULL));
  } else if (chance(g, 20)) {
    test = make_pair(g, EXPRESSION_AND, test, generate_condition(g, s, 2));
  }
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
  if (depth == 0 || chance(g, 60)) {
    return make_entered_loop(e, &inner, depth);
  }
  if (chance(g, 30)) {
    fill(e, &inner, block, depth);
    return block;
  }
  expression *c = generate_condition(g, s, 2);
  bool yes = chance(g, 60);
  statement *other = yes && chance(g, 50) ? NULL : generate_body(g, &inner, false);
  statement *plain = tree_statement(g->p, STATEMENT_BLOCK); /* `else` goes to this `if` */
  if (other != NULL) {
    tree_append(g->p, plain, other);
  }
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
  if (chance(g, 40)) {
    generate_items(g, &inner, block, 1);
  }
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
  if (chance(g, 60)) {
    tree_append(g->p, body, generate_simple(g, s));
  }
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
  if (chance(g, 60)) {
    append_plain_case(&e, &inner, body);
  }
  tree_append(g->p, body, make_entered(&e, &inner, 0));
  if (chance(g, 30)) {
    append_plain_case(&e, &inner, body);
  }
  tree_append(g->p, body, generate_simple(g, &inner));
  sw->body = finish_body(g, body);
  sw->site = tree_site(g->p, SITE_SWITCH, (1u << (e.cases + 1)) - 1);
  append_sets(&e, &inner, block);
  tree_append(g->p, block, sw);
}
