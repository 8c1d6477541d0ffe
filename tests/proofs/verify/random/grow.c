/* Growing a random kernel: places and conditions of the kinds that real kernels have, barriers where they help, and where not. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tests/instrument/property/random.h"
#include "tests/proofs/verify/random/program.h"

typedef struct grower {
  program *p;
  random_state random;
  unsigned budget;                                    /* statements left */
  unsigned depth;                                     /* of loops */
  bool locked;                                        /* it has a lock */
  bool copies, together, sub_groups, scopes, divides; /* what it may have */
} grower;

static void *own(grower *g, size_t size) {
  void *made = mem_calloc(1, size);
  *ARRAY_ADD(g->p->owned, g->p->owned_count, g->p->owned_capacity) = made;
  return made;
}

static uint32_t below(grower *g, uint32_t n) { return random_below(&g->random, n); }

static expression *leaf(grower *g, expression_kind kind, uint32_t number) {
  expression *e = own(g, sizeof *e);
  e->kind = kind;
  e->number = number;
  return e;
}

static expression *two(grower *g, expression_kind kind, expression *a, expression *b) {
  expression *e = leaf(g, kind, 0);
  e->parts[0] = a;
  e->parts[1] = b;
  return e;
}

static expression *number(grower *g, uint32_t n) { return leaf(g, NUMBER, n); }

static void has(grower *g, feature f) { g->p->features |= 1U << f; }

/* --- expressions -------------------------------------------------------------------------------------------------- */

static expression *variable(grower *g) {
  const uint32_t count = VARIABLES + g->depth;
  return leaf(g, VARIABLE, below(g, 3) == 0 || g->depth == 0 ? below(g, count) : VARIABLES + below(g, g->depth));
}

static expression *simple(grower *g) {
  static const expression_kind kinds[] = {LOCAL_ID,   LOCAL_ID,    GLOBAL_ID,  GLOBAL_ID, GROUP_ID,
                                          LOCAL_SIZE, GLOBAL_SIZE, ARGUMENT_N, ARGUMENT_M};
  const uint32_t pick = below(g, 14);
  if (g->sub_groups && below(g, 5) == 0) {
    has(g, HAS_SUB_GROUPS);
    return leaf(g, (expression_kind[]){SUB_GROUP_ID, SUB_GROUP_LOCAL_ID, SUB_GROUP_SIZE}[below(g, 3)], 0);
  }
  return pick < 9 ? leaf(g, kinds[pick], 0) : pick < 12 ? variable(g) : number(g, below(g, 9));
}

static expression *computed(grower *g, unsigned depth) {
  static const expression_kind kinds[] = {ADD, ADD, SUBTRACT, MULTIPLY, BIT_AND, BIT_OR, BIT_XOR, LESS, EQUAL};
  if (depth == 0 || below(g, 3) == 0) return simple(g);
  const uint32_t pick = below(g, 12);
  if (pick < 9) return two(g, kinds[pick], computed(g, depth - 1), computed(g, depth - 1));
  if (pick < 11) {
    static const expression_kind by_number[] = {SHIFT_LEFT, SHIFT_RIGHT, REMAINDER, QUOTIENT};
    const uint32_t which = below(g, 4);
    return two(g, by_number[which], computed(g, depth - 1), number(g, which < 2 ? below(g, 5) : 1 + below(g, 8)));
  }
  if (g->divides && below(g, 2) == 0) { /* perhaps by 0 */
    has(g, HAS_DIVISIONS);
    return two(g, below(g, 2) == 0 ? QUOTIENT : REMAINDER, computed(g, depth - 1), simple(g));
  }
  if (below(g, 2) == 0) {
    expression *odd = two(g, BIT_OR, simple(g), number(g, 1));
    return two(g, below(g, 2) == 0 ? QUOTIENT : REMAINDER, computed(g, depth - 1), odd);
  }
  expression *choice = two(g, CHOOSE, computed(g, 1), simple(g));
  choice->parts[2] = simple(g);
  return choice;
}

/* Where an access goes, mostly to a place of its own. */
static expression *place(grower *g, array_name array) {
  expression *own_id = leaf(g, array == ARRAY_T ? LOCAL_ID : below(g, 4) == 0 ? LOCAL_ID : GLOBAL_ID, 0);
  expression *size = leaf(g, array == ARRAY_T ? LOCAL_SIZE : GLOBAL_SIZE, 0);
  switch (below(g, 14)) {
    case 0: return two(g, ADD, own_id, number(g, 1 + below(g, 2)));
    case 1: return two(g, BIT_XOR, own_id, number(g, 1));
    case 2: /* the other way round */ return two(g, SUBTRACT, two(g, SUBTRACT, size, number(g, 1)), own_id);
    case 3: { /* several of its own */
      const uint32_t each = 2 + below(g, 3);
      return two(g, ADD, two(g, MULTIPLY, own_id, number(g, each)), number(g, below(g, each + 1)));
    }
    case 4: /* one row a turn */
      return g->depth == 0 ? own_id
                           : two(g, ADD, own_id, two(g, MULTIPLY, leaf(g, VARIABLE, VARIABLES + g->depth - 1), size));
    case 5: return two(g, REMAINDER, two(g, ADD, own_id, simple(g)), number(g, 1 + below(g, 8)));
    case 6: return leaf(g, GROUP_ID, 0);
    case 7: return number(g, below(g, 5));
    case 8: return g->depth == 0 ? variable(g) : leaf(g, VARIABLE, VARIABLES + g->depth - 1);
    case 9: return g->depth == 0 ? own_id : two(g, ADD, own_id, leaf(g, VARIABLE, VARIABLES + g->depth - 1));
    case 10: return computed(g, 2);
    default: break;
  }
  if (g->p->content != ANY_CONTENT && array != ARRAY_C && below(g, 2) == 0) { /* as the table says */
    expression *e = leaf(g, LOAD, ARRAY_C);
    e->parts[0] = own_id;
    return below(g, 3) > 0 ? e : two(g, ADD, e, number(g, below(g, 3)));
  }
  return own_id;
}

static expression *load(grower *g) {
  const array_name array = g->p->content != ANY_CONTENT && below(g, 2) == 0 ? ARRAY_C : (array_name)below(g, ARRAYS);
  expression *e = leaf(g, LOAD, array);
  e->parts[0] = place(g, array);
  return e;
}

static expression *value(grower *g) {
  const uint32_t pick = below(g, 7);
  if (pick == 6) {
    expression *e = leaf(g, PRIVATE_LOAD, 0);
    e->parts[0] = simple(g);
    return e;
  }
  return pick < 2 ? load(g) : pick == 2 ? two(g, ADD, load(g), load(g)) : computed(g, 2);
}

static expression *condition(grower *g) {
  switch (below(g, 8)) {
    case 0: return two(g, LESS, leaf(g, LOCAL_ID, 0), number(g, 1 + below(g, 4)));
    case 1: return two(g, EQUAL, leaf(g, LOCAL_ID, 0), number(g, below(g, 3)));
    case 2: return two(g, LESS, leaf(g, GLOBAL_ID, 0), leaf(g, ARGUMENT_N, 0));
    case 3: /* the same for all of a group */
      return two(g, below(g, 2) == 0 ? LESS : EQUAL, leaf(g, GROUP_ID, 0),
                 below(g, 2) == 0 ? number(g, below(g, 3)) : leaf(g, ARGUMENT_M, 0));
    case 4: return two(g, LESS, leaf(g, ARGUMENT_N, 0), number(g, below(g, 6)));
    case 5:
      return g->depth == 0 ? computed(g, 2)
                           : two(g, LESS, leaf(g, LOCAL_ID, 0), leaf(g, VARIABLE, VARIABLES + g->depth - 1));
    case 6: return two(g, LESS, load(g), simple(g));
    default: return computed(g, 2);
  }
}

/* --- statements --------------------------------------------------------------------------------------------------- */

static statement *statements(grower *g, unsigned most);

static statement *barrier_of(grower *g) {
  static const uint32_t flags[] = {
      FLAG_OF_LOCAL, FLAG_OF_LOCAL, FLAG_OF_GLOBAL, FLAG_OF_LOCAL | FLAG_OF_GLOBAL, FLAG_OF_LOCAL | FLAG_OF_GLOBAL, 0};
  statement *s = own(g, sizeof *s);
  s->kind = g->sub_groups && below(g, 3) == 0 ? SUB_GROUP_BARRIER : BARRIER;
  s->number = flags[below(g, 6)];
  s->variable = g->scopes && below(g, 2) == 0 ? below(g, DEFAULT_SCOPE) : DEFAULT_SCOPE;
  if (s->kind == SUB_GROUP_BARRIER)
    has(g, HAS_SUB_GROUPS);
  else if (s->variable != DEFAULT_SCOPE)
    has(g, HAS_SCOPES);
  return s;
}

/* --- what work-items do together ------------------------------------------------------------------------------------------ */

/* The same for all of a group, and small; sometimes not. */
static expression *begin_of_copy(grower *g, array_name array) {
  switch (below(g, array == ARRAY_T ? 4 : 8)) {
    case 0: return two(g, BIT_AND, leaf(g, below(g, 2) == 0 ? ARGUMENT_N : ARGUMENT_M, 0), number(g, 7));
    case 1: return below(g, 4) == 0 ? leaf(g, LOCAL_ID, 0) : number(g, 0);
    case 2:
    case 3: return number(g, below(g, 9));
    default:
      return two(g, MULTIPLY, leaf(g, GROUP_ID, 0), below(g, 2) == 0 ? leaf(g, LOCAL_SIZE, 0) : number(g, below(g, 9)));
  }
}

static statement *copy_of(grower *g) {
  statement *s = own(g, sizeof *s);
  const bool in = below(g, 3) > 0;
  const array_name global = (array_name[]){ARRAY_A, ARRAY_B, ARRAY_C}[below(g, in ? 3 : 2)];
  s->kind = COPY;
  s->number = in ? ARRAY_T : global;
  s->source = in ? global : ARRAY_T;
  s->index = begin_of_copy(g, (array_name)s->number);
  s->value = begin_of_copy(g, (array_name)s->source);
  s->limit = below(g, 3) == 0 ? leaf(g, LOCAL_SIZE, 0) : number(g, below(g, 7));
  s->variable = below(g, EVENTS);
  s->handed = below(g, 4) == 0 ? 1 + below(g, EVENTS) : 0;
  has(g, HAS_COPIES);
  return s;
}

static statement *whole_barrier(grower *g) {
  statement *s = own(g, sizeof *s);
  *s = (statement){.kind = BARRIER, .number = FLAG_OF_LOCAL | FLAG_OF_GLOBAL, .variable = DEFAULT_SCOPE};
  return s;
}

/* A copy as real kernels have it: of a tile for each group, with a barrier in front of it, and waited for; but for one of them. */
static statement *tile_of(grower *g) {
  statement *before = whole_barrier(g), *s = copy_of(g), *wait = own(g, sizeof *wait), *after = whole_barrier(g);
  const uint32_t missing = below(g, 6);
  expression *own_tile = two(g, MULTIPLY, leaf(g, GROUP_ID, 0), leaf(g, LOCAL_SIZE, 0));
  s->index = s->number == ARRAY_T ? number(g, 0) : own_tile;
  s->value = s->number == ARRAY_T ? own_tile : number(g, 0);
  s->limit = leaf(g, LOCAL_SIZE, 0);
  s->handed = 0;
  *wait = (statement){.kind = WAIT, .variable = s->variable, .number = 1};
  wait->next = missing == 0 ? NULL : after;
  s->next = missing == 1 ? after : wait;
  before->next = s;
  return missing == 2 ? s : before;
}

static statement *wait_of(grower *g) {
  statement *s = own(g, sizeof *s);
  has(g, HAS_COPIES);
  if (below(g, 6) == 0) {
    s->kind = EVENT_MOVE;
    s->variable = below(g, EVENTS);
    s->source = 1 - s->variable;
    return s;
  }
  s->kind = WAIT;
  s->variable = below(g, EVENTS);
  s->number = below(g, 8) == 0 ? 0 : 1 + below(g, EVENTS - s->variable);
  return s;
}

static statement *together_of(grower *g) {
  statement *s = own(g, sizeof *s);
  const bool few = g->sub_groups && (!g->together || below(g, 2) == 0);
  s->kind = few ? SUB_GROUP_FUNCTION : GROUP_FUNCTION;
  s->number = below(g, TOGETHER);
  s->variable = below(g, VARIABLES);
  s->value = value(g);
  s->index = below(g, 4) == 0 ? simple(g) : number(g, below(g, 4));
  has(g, few ? HAS_SUB_GROUPS : HAS_GROUP_FUNCTIONS);
  return s;
}

static void note_loop(grower *g, const statement *s) {
  if (s->variable != 32) has(g, s->variable < 32 ? HAS_NARROW_LOOPS : HAS_WIDE_LOOPS);
  for (const statement *in = s->body; in != NULL; in = in->next)
    if (in->kind == BARRIER) has(g, HAS_BARRIER_LOOPS);
}

static statement *loop_of(grower *g) {
  statement *s = own(g, sizeof *s);
  s->number = g->depth;
  if (below(g, 4) == 0) {
    s->kind = HALVING;
    s->value = below(g, 3) > 0 ? two(g, QUOTIENT, leaf(g, LOCAL_SIZE, 0), number(g, 2)) : number(g, 1U << below(g, 4));
  } else {
    s->kind = LOOP;
    const bool strided = below(g, 3) == 0;
    s->value = strided ? leaf(g, below(g, 2) == 0 ? LOCAL_ID : GLOBAL_ID, 0) : number(g, below(g, 2));
    s->index = strided ? leaf(g, s->value->kind == LOCAL_ID ? LOCAL_SIZE : GLOBAL_SIZE, 0) : number(g, 1 + below(g, 2));
    s->limit = below(g, 3) == 0 ? number(g, 1 + below(g, 9)) : leaf(g, below(g, 2) == 0 ? ARGUMENT_N : ARGUMENT_M, 0);
    s->limit = below(g, 12) == 0 ? leaf(g, LOCAL_ID, 0) : s->limit;
  }
  s->variable = (uint32_t[]){32, 32, 32, 16, 8, 64}[below(g, 6)];
  g->depth++;
  s->body = statements(g, 3);
  g->depth--;
  note_loop(g, s);
  return s;
}

static statement *access_of(grower *g) {
  statement *s = own(g, sizeof *s);
  const uint32_t pick = below(g, 12);
  s->number = (uint32_t[]){ARRAY_A, ARRAY_A, ARRAY_B, ARRAY_T, ARRAY_T}[below(g, 5)];
  s->index = place(g, (array_name)s->number);
  if (pick < 7) {
    s->kind = STORE;
    s->value = value(g);
  } else if (pick < 8) {
    s->kind = ATOMIC_COUNT;
    s->variable = below(g, VARIABLES);
    has(g, HAS_COUNTERS);
  } else if (pick < 9) {
    s->kind = ATOMIC_ADD;
    s->value = simple(g);
  } else if (pick == 10) {
    s->kind = below(g, 3) == 0 ? PRIVATE_HALF_STORE : PRIVATE_STORE;
    has(g, s->kind == PRIVATE_STORE ? HAS_PRIVATE_ARRAYS : HAS_PRIVATE_VIEWS);
    s->index = simple(g);
    s->value = value(g);
  } else if (pick == 11) {
    s->kind = HALF_STORE;
    has(g, HAS_HALVES);
    s->index =
        below(g, 2) == 0 ? s->index : two(g, ADD, two(g, MULTIPLY, s->index, number(g, 2)), number(g, below(g, 3)));
    s->value = value(g);
  } else {
    s->kind = ASSIGN;
    s->number = below(g, VARIABLES);
    s->value = value(g);
  }
  return s;
}

static statement *one(grower *g) {
  const uint32_t pick = below(g, 20);
  if (pick < 4) {
    statement *s = barrier_of(g);
    if (below(g, 8) == 0) {
      s->kind = FENCE;
      has(g, HAS_FENCES);
    }
    return s;
  }
  if (pick >= 17 && g->copies) return below(g, 2) == 0 ? tile_of(g) : below(g, 2) == 0 ? copy_of(g) : wait_of(g);
  if (pick >= 15 && (g->together || g->sub_groups)) return together_of(g);
  if (pick == 11 && below(g, 2) == 0 && g->depth == 0 && !g->locked) {
    statement *s = own(g, sizeof *s);
    s->kind = LOCKED;
    g->locked = true;
    has(g, HAS_LOCKS);
    s->body = access_of(g);
    return s;
  }
  if (pick < 7 && g->depth < COUNTERS && g->budget > 1) return loop_of(g);
  if (pick < 10 && g->budget > 1) {
    statement *s = own(g, sizeof *s);
    s->kind = IF;
    s->value = condition(g);
    s->body = statements(g, 2);
    s->otherwise = below(g, 3) == 0 ? statements(g, 2) : NULL;
    return s;
  }
  if (pick == 10 && below(g, 2) == 0) { /* only after a condition, as the last */
    statement *leaving = own(g, sizeof *leaving), *s = own(g, sizeof *s);
    leaving->kind = g->depth == 0 ? RETURN : (statement_kind[]){RETURN, BREAK, CONTINUE}[below(g, 3)];
    s->kind = IF;
    s->value = condition(g);
    s->body = leaving;
    return s;
  }
  return access_of(g);
}

static statement *statements(grower *g, unsigned most) {
  statement *first = NULL, **end = &first;
  for (unsigned n = 1 + below(g, most); n > 0 && g->budget > 0; n--) {
    g->budget--;
    *end = one(g);
    while (*end != NULL) end = &(*end)->next;
  }
  if (first == NULL) first = access_of(g);
  return first;
}

program *program_grow(uint64_t seed, const char *name, bool small) {
  program *p = mem_calloc(1, sizeof *p);
  grower g = {.p = p, .random = {seed}, .budget = 0};
  g.random.at = random_next(&g.random); /* so that kernels of neighbouring seeds have nothing in common */
  g.budget = small ? 2 + below(&g, 5) : 3 + below(&g, 9);
  const uint32_t kind = below(&g, 12);
  g.copies = kind == 0 || kind == 1;
  g.together = kind == 2 || kind == 3;
  g.sub_groups = kind == 3 || kind == 4;
  g.scopes = kind == 4 || kind == 5;
  g.divides = kind == 8 || kind == 9;
  p->content = kind == 6 || kind == 7 ? (content)(1 + below(&g, CONTENTS - 1)) : ANY_CONTENT;
  p->features = p->content != ANY_CONTENT ? 1U << HAS_CONTENTS : 0;
  g.budget += g.copies || g.together || g.sub_groups ? 4 : 0;
  (void)snprintf(p->name, sizeof p->name, "%s", name);
  p->body = statements(&g, 6);
  return p;
}

void program_free(program *p) {
  for (size_t i = 0; i < p->owned_count; i++) free(p->owned[i]);
  free(p->owned);
  free(p);
}
