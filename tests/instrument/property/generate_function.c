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
  for (size_t i = 0; head != NULL && i < head->item_count; i++) {
    tree_append(g->p, all, head->items[i]);
  }
  for (size_t i = 0; i < f->counter_count; i++) {
    tree_append(g->p, all, make_declaration(g, f->counters[i], make_number(g, 0)));
  }
  for (size_t i = 0; i < body->item_count; i++) {
    tree_append(g->p, all, body->items[i]);
  }
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
  for (uint32_t i = 0; i < parameters; i++) {
    add_parameter(g, f, false, barriers);
  }
  if (!barriers && (f->result == TYPE_VOID ? !f->takes_slice || chance(g, 50) : !simple && chance(g, 20))) {
    add_parameter(g, f, true, false);
  }
  f->effect = f->result == TYPE_VOID || f->takes_slice || (parameters < f->parameter_count);
  g->input = f->takes_input;
  g->slice = f->takes_slice;
  g->budget = simple ? 3 : 6;
  scope s = {.function = f, .uniform = barriers, .may_return = true, .depth = 1};
  for (size_t i = 0; i < f->parameter_count; i++) {
    show(&s, f->parameters[i]);
  }
  statement *body = tree_statement(g->p, STATEMENT_BLOCK);
  if (!simple || chance(g, 50)) {
    variable *x = make_variable(g, f, "x", TYPE_UINT, 0);
    tree_append(g->p, body, make_declaration(g, x, generate_uint(g, &s, 2)));
    show(&s, x);
  }
  generate_items(g, &s, body, below(g, 3) + (simple ? 0 : 1));
  if (barriers) {
    generate_barrier(g, &s, body);
  }
  if (f->result == TYPE_UINT) {
    tree_append(g->p, body, return_of(g, generate_uint(g, &s, 3)));
  }
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
  if (!f->local_known || chance(g, 75)) {
    return plain[below(g, 4)];
  }
  const uint32_t *size = sizes[below(g, 5)];
  for (int d = 0; d < 3; d++) {
    f->required[d] = size[d];
  }
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
  if (f->barriers) {
    declare_lanes(g, f, head, &s);
  }
  statement *body = tree_statement(g->p, STATEMENT_BLOCK);
  variable *x = make_variable(g, f, "x", TYPE_UINT, 0);
  tree_append(g->p, body, make_declaration(g, x, make_element(g, STORE_INPUT, make_use(g, f->id), true)));
  show(&s, x);
  for (int i = 0; i < 10 && g->budget > 0; i++) {
    generate_items(g, &s, body, 1);
  }
  if (f->barriers && chance(g, 70)) {
    generate_barrier(g, &s, body);
  }
  if (chance(g, 30)) {
    call_kernel(g, f, body);
  }
  store_all(g, &s, body);
  f->body = with_counters(g, f, head, body);
  g->p->functions[g->p->function_count++] = f;
}
