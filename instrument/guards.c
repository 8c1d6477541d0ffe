/* Barriers and the decisions that guard them: the branches and loops around a barrier, and those around a jump that can
 * bypass it. Each gets a plane: a private counter or hash that must agree over a work-group. */
#include <stdlib.h>

#include "base/memory.h"
#include "instrument/program.h"

static uint32_t plane_of(program *p, uint32_t function_index, uint32_t instance_index) {
  instance *i = &p->functions[function_index].instances[instance_index];
  if (i->plane == NONE) {
    *ARRAY_ADD(p->planes, p->plane_count, p->plane_capacity) = (plane){function_index, instance_index};
    i->plane = (uint32_t)(p->plane_count - 1);
  }
  return i->plane;
}

static void add_guard(program *p, uint32_t function_index, barrier_point *point, uint32_t instance_index) {
  uint32_t added = plane_of(p, function_index, instance_index);
  for (size_t i = 0; i < point->guard_count; i++) {
    if (point->guards[i] == added) {
      return;
    }
  }
  *ARRAY_ADD(point->guards, point->guard_count, point->guard_capacity) = added;
}

/* Whether an instance decides if code at `token` runs. */
static bool decides(const program *p, const function *f, const instance *i, uint32_t token) {
  if (i->conditional != NONE) {
    const front_conditional *c = &p->units[f->unit].facts.conditionals[i->conditional];
    return c->components == 1 && (span_has(c->yes, token) || span_has(c->no, token));
  }
  if (i->statement == NONE || i->kind == SITE_REGION || i->kind == SITE_FUNCTION) {
    return false;
  }
  const statement *s = &f->syntax.items[i->statement];
  if (!span_has(s->tokens, token) || span_empty(s->condition)) {
    return false;
  }
  return is_loop(s->kind) || !span_has(s->condition, token);
}

/* Where a jump leads: the statement that it leaves (break) or goes on with (continue); NO_STATEMENT: out of everything.
 */
static uint32_t jump_target(const function *f, uint32_t jump) {
  const statement *items = f->syntax.items;
  statement_kind kind = items[jump].kind;
  if (kind == STATEMENT_RETURN || kind == STATEMENT_GOTO) {
    return NO_STATEMENT;
  }
  uint32_t s = items[jump].parent;
  while (s != NO_STATEMENT && !is_loop(items[s].kind) &&
         !(kind == STATEMENT_BREAK && items[s].kind == STATEMENT_SWITCH)) {
    s = items[s].parent;
  }
  return s;
}

static bool share_loop(const function *f, uint32_t a, uint32_t b) {
  for (size_t s = 0; s < f->syntax.count; s++) {
    const statement *st = &f->syntax.items[s];
    if (is_loop(st->kind) && span_has(st->tokens, a) && span_has(st->tokens, b)) {
      return true;
    }
  }
  return false;
}

/* Whether a jump from `from` to `to` leaves a loop that `token` is in: its later turns are missed. */
static bool leaves_loop_of(const function *f, uint32_t token, uint32_t from, uint32_t to) {
  for (size_t s = 0; s < f->syntax.count; s++) {
    const statement *st = &f->syntax.items[s];
    if (is_loop(st->kind) && span_has(st->tokens, token) && span_has(st->tokens, from) && !span_has(st->tokens, to)) {
      return true;
    }
  }
  return false;
}

/* Whether taking the jump can keep a work-item from the code at `token`. */
static bool bypasses(const program *p, const function *f, uint32_t jump, uint32_t token) {
  const statement *j = &f->syntax.items[jump];
  uint32_t target = jump_target(f, jump);
  switch (j->kind) {
    case STATEMENT_RETURN:
      return token > j->keyword || share_loop(f, token, j->keyword);
    case STATEMENT_GOTO: {
      uint32_t target_label = goto_target(&p->units[f->unit].text, &f->syntax, jump);
      uint32_t label = target_label == NO_STATEMENT ? f->front->body : f->syntax.items[target_label].keyword;
      uint32_t low = label < j->keyword ? label : j->keyword;
      uint32_t high = label < j->keyword ? j->keyword : label;
      return (token > low && token < high) || leaves_loop_of(f, token, j->keyword, label);
    }
    case STATEMENT_BREAK:
      return span_has(f->syntax.items[target].tokens, token) &&
             (is_loop(f->syntax.items[target].kind) || token > j->keyword);
    default: /* continue */
      return span_has(f->syntax.items[target].tokens, token) && token > j->keyword;
  }
}

static void guard_by_jump(program *p, uint32_t function_index, barrier_point *point, uint32_t jump) {
  function *f = &p->functions[function_index];
  uint32_t target = jump_target(f, jump);
  for (uint32_t i = 0; i < f->instance_count; i++) {
    const instance *in = &f->instances[i];
    bool inside = in->statement == NONE || target == NO_STATEMENT || in->statement > target;
    if (inside && decides(p, f, in, f->syntax.items[jump].keyword)) {
      add_guard(p, function_index, point, i);
    }
  }
}

static bool is_jump(statement_kind kind) {
  return kind == STATEMENT_RETURN || kind == STATEMENT_GOTO || kind == STATEMENT_BREAK || kind == STATEMENT_CONTINUE;
}

static void guard_point(program *p, uint32_t function_index, barrier_point *point) {
  function *f = &p->functions[function_index];
  for (uint32_t i = 0; i < f->instance_count; i++) {
    if (decides(p, f, &f->instances[i], point->token)) {
      add_guard(p, function_index, point, i);
    }
  }
  for (uint32_t s = 0; s < f->syntax.count; s++) {
    if (is_jump(f->syntax.items[s].kind) && bypasses(p, f, s, point->token)) {
      guard_by_jump(p, function_index, point, s);
    }
  }
}

static barrier_point *add_point(function *f, uint32_t token, uint32_t instance_index, uint32_t callee) {
  barrier_point *point = ARRAY_ADD(f->points, f->point_count, f->point_capacity);
  point->token = token;
  point->instance = instance_index;
  point->callee = callee;
  return point;
}

static void mark_barriers(program *p) {
  for (size_t i = 0; i < p->function_count; i++) {
    function *f = &p->functions[i];
    for (size_t k = 0; k < f->instance_count; k++) {
      f->has_barrier = f->has_barrier || f->instances[k].kind == SITE_BARRIER;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < p->function_count; i++) {
      function *f = &p->functions[i];
      for (size_t k = 0; k < f->call_count && !f->has_barrier; k++) {
        f->has_barrier = p->functions[f->calls[k].callee].has_barrier;
        changed = changed || f->has_barrier;
      }
    }
  }
}

void find_guards(program *p) {
  mark_barriers(p);
  for (uint32_t i = 0; i < p->function_count; i++) {
    function *f = &p->functions[i];
    for (uint32_t k = 0; k < f->instance_count; k++) {
      if (f->instances[k].kind == SITE_BARRIER) {
        (void)add_point(f, f->instances[k].token, k, NONE);
        (void)plane_of(p, i, k);
      }
    }
    for (size_t k = 0; k < f->call_count; k++) {
      if (p->functions[f->calls[k].callee].has_barrier) {
        (void)add_point(f, f->calls[k].token, NONE, f->calls[k].callee);
      }
    }
    for (size_t k = 0; k < f->point_count; k++) {
      guard_point(p, i, &f->points[k]);
    }
  }
}
