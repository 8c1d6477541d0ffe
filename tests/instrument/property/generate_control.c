/* Branches, jumps forwards and backwards, and parts that the preprocessor keeps or drops. */
#include <stdio.h>

#include "generate.h"

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
  if (otherwise) {
    last->otherwise = generate_body(g, &inner, false);
  }
  tree_append(g->p, block, top);
}

/* The labels of one switch: distinct values, now and then a range, in any order. */
statement *make_case(generator *g, uint32_t *next, uint32_t outcome) {
  statement *label = tree_statement(g->p, STATEMENT_CASE);
  label->outcome = outcome;
  label->first = label->last = *next;
  if (chance(g, 12)) {
    label->last = *next + 1 + below(g, 2);
  } else if (*next == 4 && chance(g, 60)) {
    label->text = chance(g, 50) ? "LIMIT" : "2u + 2u";
  }
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

void generate_switch(generator *g, scope *s, statement *block) {
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
  for (uint32_t i = 0; i < count; i++) {
    labels[i] = make_case(g, &next, 0);
  }
  shuffle(g, labels, count);
  uint32_t cases = 0;
  uint32_t fallback = chance(g, 60) ? below(g, count + 1) : 8; /* before which label `default` stands */
  sw->body = tree_statement(g->p, STATEMENT_BLOCK);
  for (uint32_t i = 0; i <= count; i++) {
    if (i == fallback) {
      tree_append(g->p, sw->body, tree_statement(g->p, STATEMENT_DEFAULT));
    }
    if (i < count) {
      labels[i]->outcome = cases++;
      tree_append(g->p, sw->body, labels[i]);
    }
    bool last = i == count;
    if (last && (count > 0 || i == fallback)) {
      append_break(g, sw->body);
    } else if (!last && chance(g, 85)) {
      generate_items(g, &inner, sw->body, 1 + below(g, 2));
      if (chance(g, 70) && (!together || inner.uniform)) {
        append_break(g, sw->body);
      }
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
  if (!statement_follows) {
    tree_append(g->p, block, generate_simple(g, &(scope){.function = s->function}));
  }
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
  if (counter == NULL) {
    return;
  }
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
  if (chance(g, 60)) {
    c = make_pair(g, EXPRESSION_AND, c, generate_condition(g, &inner, 2));
  }
  statement *jump = tree_statement(g->p, STATEMENT_GOTO);
  jump->number = number;
  tree_append(g->p, block, make_if(g, c, jump, NULL));
}

void generate_goto(generator *g, scope *s, statement *block) {
  if (s->function->barriers && !GENERATE_GOTO_BEFORE_BARRIER) {
    return;
  }
  if (g->entries && chance(g, 60)) {
    generate_goto_into(g, s, block);
  } else if (chance(g, 60)) {
    generate_forward(g, s, block);
  } else {
    generate_backward(g, s, block);
  }
}

void generate_choice(generator *g, scope *s, statement *block) {
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
  if (g->in_define) {
    return;
  }
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
