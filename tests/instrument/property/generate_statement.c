/* Statements and bodies. */
#include "generate.h"

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
  if (s->may_break && (!s->switch_uniform || s->uniform)) {
    kinds[count++] = STATEMENT_BREAK;
  }
  if (s->may_continue && (!s->loop_uniform || s->uniform)) {
    kinds[count++] = STATEMENT_CONTINUE;
  }
  if (s->may_return && (!s->function->barriers || s->uniform)) {
    kinds[count++] = STATEMENT_RETURN;
  }
  if (count == 0) {
    return NULL;
  }
  statement *jump = tree_statement(g->p, kinds[below(g, count)]);
  if (jump->kind == STATEMENT_RETURN && s->function->result == TYPE_UINT) {
    jump->condition = generate_uint(g, s, 2);
  }
  return jump;
}

/* Whether an `else` after the statement would belong to an `if` inside it. */
bool ends_open(const statement *s) {
  if (s == NULL) {
    return false;
  }
  switch (s->kind) {
    case STATEMENT_IF:
      return s->otherwise == NULL || ends_open(s->otherwise);
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_SWITCH:
      return ends_open(s->body);
    case STATEMENT_MACRO:
      if (s->macro->holes == 0) {
        return s->macro->open;
      }
      return ends_open(s->holes[1] != NULL ? s->holes[1] : s->holes[0]) || (s->macro->open && s->holes[1] == NULL);
    default:
      return false;
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
  if (jump != NULL) {
    tree_append(g->p, block, jump);
  }
  if (block->item_count == 0 || (alone && chance(g, 20))) {
    generate_items(g, &inner, block, 1);
  }
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

void generate_statement(generator *g, scope *s, statement *block) {
  g->budget--;
  bool plain = g->budget <= 0 || s->depth >= 4;
  if (s->uniform && s->function->barriers && chance(g, plain ? 10 : 22)) {
    generate_barrier(g, s, block);
    return;
  }
  uint32_t way = plain ? 0 : below(g, 100);
  if (way < 20) {
    tree_append(g->p, block, generate_simple(g, s));
  } else if (way < 40) {
    generate_if(g, s, block);
  } else if (way < 59) {
    generate_loop(g, s, block);
  } else if (way < 67) {
    generate_switch(g, s, block);
  } else if (way < 75) {
    generate_macro_statement(g, s, block);
  } else if (way < 79) {
    generate_void(g, s, block);
  } else if (s->macro != NULL) {
    tree_append(g->p, block, generate_simple(g, s));
  } else if (way < 84) {
    generate_goto(g, s, block);
  } else if (way < 88) {
    generate_choice(g, s, block);
  } else if (way < 91) {
    generate_nested(g, s, block);
  } else if (!s->no_declare) {
    generate_declaration(g, s, block);
  } else {
    tree_append(g->p, block, generate_simple(g, s));
  }
}

void generate_items(generator *g, scope *s, statement *block, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    generate_statement(g, s, block);
  }
}
