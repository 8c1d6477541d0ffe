/* Barriers where all work-items of a group come together, and what they are good for: exchange through local memory. */
#include "generate.h"

static bool is_barrier_macro(const macro *m) { return m->barrier; }

static bool is_certain_barrier(const macro *m) { return m->barrier && m->parameters == 0; }

/* `certain`: not after a condition. */
static statement *one_barrier(generator *g, const scope *s, bool certain) {
  statement *call = !certain && chance(g, 35) ? generate_void_call(g, s, true) : NULL;
  if (call != NULL) {
    return call;
  }
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
  if (f->kernel && way < 2 && !s->no_declare && f->cells < FRAME_CELLS - 16) {
    broadcast(g, s, block);
  } else if (f->kernel && way < 6) {
    exchange(g, s, block);
  } else {
    tree_append(g->p, block, one_barrier(g, s, false));
  }
}
