/* Conditions and decisions: how each atomic condition is seen and which way is taken through each && and ||,
 * parentheses,
 * `!` and macros seen through. */
#include <stdio.h>
#include <string.h>

#include "interpret.h"

enum { MOST_CONDITIONS = 12 }; /* of a decision whose ways are listed */

/* An evaluation of a decision: how its conditions were seen, one after another. */
typedef struct decision {
  char seen[32];
  size_t count;
  uint32_t values;  /* when not run but listed: what condition i is to be */
  const bool *runs; /* NULL: listed */
} decision;

static bool is_not(const expression *e) {
  return e->kind == EXPRESSION_UNARY && e->op == OP_LNOT && !is_vector(e->operands[0]->type);
}

/* What an operand comes down to after `!`, macros and their parameters; `inner` is room for the uses of macros. */
typedef struct operand {
  const expression *e;
  expansion *x;
  bool negated;
} operand;

enum { DEEP = 24 };

static operand resolve(const expression *e, expansion *x, expansion inner[DEEP]) {
  operand o = {e, x, false};
  for (size_t depth = 0; depth < DEEP;) {
    if (is_not(o.e)) {
      o.negated = !o.negated;
      o.e = o.e->operands[0];
    } else if (o.e->kind == EXPRESSION_PARAMETER) {
      o.e = o.x->arguments[o.e->number];
      o.x = o.x->outer;
    } else if (o.e->kind == EXPRESSION_MACRO) {
      inner[depth] = (expansion){.arguments = o.e->operands, .outer = o.x};
      o.x = &inner[depth++];
      o.e = o.e->macro->value;
    } else {
      break;
    }
  }
  return o;
}

static bool is_logical(const expression *e) { return e->kind == EXPRESSION_AND || e->kind == EXPRESSION_OR; }

static void skip(const expression *e, expansion *x, decision *d) {
  expansion inner[DEEP];
  operand o = resolve(e, x, inner);
  if (is_logical(o.e)) {
    skip(o.e->operands[0], o.x, d);
    skip(o.e->operands[1], o.x, d);
  } else if (d->count < sizeof d->seen - 1) {
    d->seen[d->count++] = '-';
  } else {
    d->count = sizeof d->seen;
  }
}

static bool leaf(work_item *w, const operand *o, decision *d) {
  bool yes = d->runs != NULL ? evaluate(w, o->x, o->e).at[0] != 0 : (d->values >> d->count & 1u) != 0;
  if (d->runs != NULL) {
    ((expression *)o->e)->seen[yes ? 0 : 1] |= 1u << w->kernel;
  }
  if (d->count < sizeof d->seen - 1) {
    d->seen[d->count++] = yes ? 'T' : 'F';
  }
  return yes;
}

static bool run(work_item *w, expansion *x, const expression *e, decision *d) {
  expansion inner[DEEP];
  operand o = resolve(e, x, inner);
  bool yes = false;
  if (is_logical(o.e)) {
    yes = run(w, o.x, o.e->operands[0], d);
    if (yes == (o.e->kind == EXPRESSION_AND)) {
      yes = run(w, o.x, o.e->operands[1], d);
    } else {
      skip(o.e->operands[1], o.x, d);
    }
  } else {
    yes = leaf(w, &o, d);
  }
  return yes != o.negated;
}

static void add_way(work_item *w, expression *e, const decision *d, bool ends, uint32_t kernels) {
  char label[sizeof((taken_way *)NULL)->label];
  (void)snprintf(label, sizeof label, "%.*s %c", (int)d->count, d->seen, ends ? 'T' : 'F');
  taken_way *known = e->ways;
  while (known != NULL && strcmp(known->label, label) != 0) {
    known = known->next;
  }
  if (known == NULL) {
    known = tree_new((tree *)w->p, sizeof *known);
    memcpy(known->label, label, sizeof label);
    known->next = e->ways;
    e->ways = known;
  }
  known->kernels |= kernels;
}

/* All ways that there are, by trying all values of its conditions. */
static void list_ways(work_item *w, expansion *x, expression *e, size_t conditions) {
  e->large = e->large || conditions > MOST_CONDITIONS;
  for (uint32_t values = 0; !e->large && values < 1u << conditions; values++) {
    decision d = {.values = values};
    bool ends = run(w, x, e, &d);
    add_way(w, e, &d, ends, 0);
  }
}

static bool has_way(const expression *e, const decision *d) {
  for (const taken_way *known = e->ways; known != NULL; known = known->next) {
    if (strncmp(known->label, d->seen, d->count) == 0 && known->label[d->count] == ' ') {
      return true;
    }
  }
  return false;
}

bool decide(work_item *w, expansion *x, const expression *given) {
  static const bool runs = true;
  expression *e = (expression *)given;
  decision d = {.runs = &runs};
  bool ends = run(w, x, e, &d);
  if (!has_way(e, &d)) {
    list_ways(w, x, e, d.count);
  }
  if (!e->large) {
    add_way(w, e, &d, ends, 1u << w->kernel);
  }
  return ends;
}

bool condition_truth(work_item *w, expansion *x, const expression *e) {
  static const bool runs = true;
  expansion inner[DEEP];
  operand o = resolve(e, x, inner);
  decision d = {.runs = &runs};
  bool yes = is_logical(o.e) ? evaluate(w, o.x, o.e).at[0] != 0 : leaf(w, &o, &d);
  return yes != o.negated;
}
