/* Statements, and the kernel as a whole. */
#include "frontend/facts/inside.h"

#include "frontend/facts/inside_internal.h"

enum { TURNS_TRIED = 24, TURNS_EXACT = 2, TURNS_TO_ENDS = 12 };

static const tree_node *child(const tree_node *n, uint32_t i) { return i < n->child_count ? n->children[i] : NULL; }

static void statement(walker *w, const tree_node *n) {
  if (n != NULL && !w->failed) {
    inside_statement(w, n);
  }
}

/* A part of a `for`. */
static void part(walker *w, const tree_node *n) {
  if (n != NULL && tree_is_expression(n->kind)) {
    (void)inside_expression(w, n);
  } else {
    statement(w, n);
  }
}

/* The work-item goes on elsewhere. */
static void jump(walker *w, state *to) {
  w->failed = w->failed || to == NULL;
  if (to != NULL) {
    inside_join(w, to, &w->now);
  }
  w->now.reachable = false;
}

/* --- loops --------------------------------------------------------------------------------------------------------- */

typedef struct loop_parts {
  const tree_node *condition, *step, *body;
} loop_parts;

static loop_parts parts_of(const tree_node *n) {
  return n->kind == TREE_FOR  ? (loop_parts){child(n, 1), child(n, 2), child(n, 3)}
         : n->kind == TREE_DO ? (loop_parts){child(n, 1), NULL, child(n, 0)}
                              : (loop_parts){child(n, 0), NULL, child(n, 1)};
}

/* One turn, from w->now on: what the next one begins with, and what the loop is left with. */
static void turn(walker *w, const tree_node *n, state *again, state *left) {
  const loop_parts p = parts_of(n);
  state continues = {0}, no = {0};
  *left = *again = (state){0};
  state *const before[] = {w->breaks, w->continues};
  if (n->kind != TREE_DO) {
    state yes;
    inside_decide(w, p.condition, &yes, left);
    w->now = yes;
  }
  w->breaks = left;
  w->continues = &continues;
  statement(w, p.body);
  w->breaks = before[0];
  w->continues = before[1];
  inside_join(w, &w->now, &continues);
  if (n->kind == TREE_DO) {
    inside_decide(w, p.condition, again, &no);
    inside_join(w, left, &no);
    return;
  }
  if (p.step != NULL) {
    part(w, p.step);
  }
  *again = w->now;
}

/* What each turn may begin with. */
static state head_of(walker *w, const tree_node *n, const state *entry) {
  state head = *entry;
  bool stable = false;
  const range_ends none = {.count = 0};
  w->quiet++;
  for (int round = 0; !stable && !w->failed; round++) {
    state again, left, next = *entry;
    w->now = head;
    turn(w, n, &again, &left);
    inside_join(w, &next, &again);
    stable = inside_within(w, &next, &head);
    w->failed = w->failed || round == TURNS_TRIED;
    head = stable                ? head
           : round < TURNS_EXACT ? next
                                 : inside_widen(w, &head, &next, round < TURNS_TO_ENDS ? &w->ends : &none);
  }
  for (int round = 0; round < 2 && !w->failed; round++) {
    state again, left, next = *entry;
    w->now = head;
    turn(w, n, &again, &left);
    inside_join(w, &next, &again);
    if (!inside_within(w, &next, &head)) {
      break;
    }
    head = next;
  }
  w->quiet--;
  return head;
}

static void loop(walker *w, const tree_node *n) {
  if (n->kind == TREE_FOR && child(n, 0) != NULL) {
    part(w, child(n, 0));
  }
  const state entry = w->now;
  const state head = head_of(w, n, &entry);
  state again, left, next = entry;
  w->now = head;
  turn(w, n, &again, &left);
  inside_join(w, &next, &again);
  w->failed = w->failed || !inside_within(w, &next, &head);
  w->now = left;
}

/* --- switch -------------------------------------------------------------------------------------------------------- */

static bool has_default(const tree_node *body) {
  for (const tree_node *n = body; n != NULL;
       n = n->kind == TREE_SWITCH && n != body ? tree_next_beyond(body, n) : tree_next(body, n)) {
    if (n->kind == TREE_DEFAULT) {
      return true;
    }
  }
  return false;
}

static void choose(walker *w, const tree_node *n) {
  (void)inside_expression(w, n->children[0]);
  state from = w->now, out = {0}, *const before[] = {w->cases, w->breaks};
  w->cases = &from;
  w->breaks = &out;
  w->now.reachable = false;
  statement(w, child(n, 1));
  w->cases = before[0];
  w->breaks = before[1];
  inside_join(w, &w->now, &out);
  if (!has_default(child(n, 1))) {
    inside_join(w, &w->now, &from);
  }
}

/* --- all ----------------------------------------------------------------------------------------------------------- */

static void decide_if(walker *w, const tree_node *n) {
  state yes, no;
  inside_decide(w, n->children[0], &yes, &no);
  w->now = yes;
  statement(w, child(n, 1));
  const state after = w->now;
  w->now = no;
  statement(w, child(n, 2));
  inside_join(w, &w->now, &after);
}

static void give_back(walker *w, const tree_node *n) {
  if (child(n, 0) != NULL) {
    const value v = inside_expression(w, n->children[0]);
    if (w->now.reachable) {
      w->returned = w->returned.r.low > w->returned.r.high ? v : inside_either(w->returned, v);
    }
  }
  jump(w, w->returns);
}

static void each_child(walker *w, const tree_node *n) {
  for (uint32_t i = 0; i < n->child_count; i++) {
    statement(w, n->children[i]);
  }
}

void inside_statement(walker *w, const tree_node *n) {
  switch (n->kind) {
    case TREE_COMPOUND:
    case TREE_DECLARE:
      each_child(w, n);
      break;
    case TREE_VARIABLE:
      inside_declare(w, n);
      break;
    case TREE_EXPRESSION:
      (void)inside_expression(w, n->children[0]);
      break;
    case TREE_IF:
      decide_if(w, n);
      break;
    case TREE_FOR:
    case TREE_WHILE:
    case TREE_DO:
      loop(w, n);
      break;
    case TREE_SWITCH:
      choose(w, n);
      break;
    case TREE_CASE:
    case TREE_DEFAULT:
      w->failed = w->failed || w->cases == NULL;
      if (w->cases != NULL) {
        inside_join(w, &w->now, w->cases);
      }
      statement(w, child(n, n->kind == TREE_CASE ? 2 : 0));
      break;
    case TREE_BREAK:
      jump(w, w->breaks);
      break;
    case TREE_CONTINUE:
      jump(w, w->continues);
      break;
    case TREE_RETURN:
      give_back(w, n);
      break;
    case TREE_EMPTY:
    case TREE_PRAGMA:
    case TREE_TYPEDEF:
    case TREE_RECORD:
    case TREE_ENUM:
      break;
    default: /* goto, labels, what is not understood */
      w->failed = true;
      break;
  }
}

/* --- the kernel ---------------------------------------------------------------------------------------------------- */

static void give_parameter(walker *w, const tree_node *parameter, const facts_argument *a) {
  const uint32_t variable = inside_variable_of(w, parameter->symbol);
  const tree_type *t = parameter->type;
  if (variable == NO_VARIABLE) {
    return;
  }
  value v = inside_anything(t);
  if (t != NULL && t->kind == TREE_TYPE_POINTER && w->object_count < INSIDE_OBJECTS) {
    w->objects[w->object_count] = (object){NULL, a->bytes, a->no_read, a->no_write};
    v = (value){w->object_count++, range_number(0)};
  } else if (a->known && t != NULL && t->kind == TREE_TYPE_INTEGER) {
    v.r = range_as(range_number(a->value), t);
  }
  inside_set(w, &w->now, variable, v);
}

bool launch_stays_inside(const tree_node *kernel, const facts_launch *l) {
  walker w = {.launch = l, .now = {.reachable = true}};
  w.failed = tree_body(kernel) == NULL || l->argument_count + 1 != kernel->child_count || l->dimensions > 3;
  for (uint32_t d = 0; d < l->dimensions && !w.failed; d++) {
    w.failed = l->global[d] == 0 || l->global[d] > INT32_MAX || l->local[d] > INT32_MAX || l->offset[d] > INT32_MAX;
  }
  for (uint32_t i = 0; i + 1 < kernel->child_count && !w.failed; i++) {
    give_parameter(&w, kernel->children[i], &l->arguments[i]);
  }
  state returns = {0};
  w.returns = &returns;
  if (!w.failed) {
    inside_statement(&w, tree_body(kernel));
  }
  return !w.failed;
}
