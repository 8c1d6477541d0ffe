/* Barriers and the decisions that guard them: the branches and loops around a barrier, and those around a jump that can
 * bypass it. Each gets a plane: a private counter or hash that must agree over a work-group; but for those that agree
 * whatever happens (uniform.c): such a barrier has a bit like other code. */
#include <stdlib.h>

#include "base/memory.h"
#include "instrument/conditions.h"
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
static bool decides(const function *f, const instance *i, uint32_t token) {
  if (i->kind == SITE_CONDITIONAL) {
    const conditional c = read_conditional(i->node);
    return c.components == 1 && (span_has(c.yes, token) || span_has(c.no, token));
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
      uint32_t label = target_label == NO_STATEMENT ? f->body.first : f->syntax.items[target_label].keyword;
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

/* Instances of a function, each once. */
typedef struct guard_list {
  uint32_t *items;
  size_t count, capacity;
} guard_list;

static void list_guard(guard_list *list, uint32_t instance_index) {
  for (size_t i = 0; i < list->count; i++) {
    if (list->items[i] == instance_index) {
      return;
    }
  }
  *ARRAY_ADD(list->items, list->count, list->capacity) = instance_index;
}

static void guard_by_jump(const function *f, uint32_t jump, guard_list *list) {
  uint32_t target = jump_target(f, jump);
  for (uint32_t i = 0; i < f->instance_count; i++) {
    const instance *in = &f->instances[i];
    bool inside = in->statement == NONE || target == NO_STATEMENT || in->statement > target;
    if (inside && decides(f, in, f->syntax.items[jump].keyword)) {
      list_guard(list, i);
    }
  }
}

static bool is_jump(statement_kind kind) {
  return kind == STATEMENT_RETURN || kind == STATEMENT_GOTO || kind == STATEMENT_BREAK || kind == STATEMENT_CONTINUE;
}

uint32_t *guards_of(const program *p, const function *f, uint32_t token, size_t *count) {
  guard_list list = {0};
  for (uint32_t i = 0; i < f->instance_count; i++) {
    if (decides(f, &f->instances[i], token)) {
      list_guard(&list, i);
    }
  }
  for (uint32_t s = 0; s < f->syntax.count; s++) {
    if (is_jump(f->syntax.items[s].kind) && bypasses(p, f, s, token)) {
      guard_by_jump(f, s, &list);
    }
  }
  *count = list.count;
  return list.items;
}

/* Planes for the decisions that guard a point, unless they are uniform. A gated kernel has all of them, so that the
 * gate knows where work-items wait. */
static void guard_point(program *p, uint32_t function_index, barrier_point *point) {
  function *f = &p->functions[function_index];
  size_t count = 0;
  uint32_t *guards = guards_of(p, f, point->token, &count);
  if (p->gate == NULL) {
    find_uniform(p, f, guards, count);
  }
  for (size_t i = 0; i < count; i++) {
    if (!f->instances[guards[i]].uniform) {
      add_guard(p, function_index, point, guards[i]);
    }
  }
  point->uniform = p->gate == NULL && point->guard_count == 0 && guards_are_all(p, f, point->token);
  free(guards);
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

static void find_points(program *p) {
  for (uint32_t i = 0; i < p->function_count; i++) {
    function *f = &p->functions[i];
    for (uint32_t k = 0; k < f->instance_count; k++) {
      if (f->instances[k].kind == SITE_BARRIER) {
        (void)add_point(f, f->instances[k].token, k, NONE);
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

/* The functions that work-items of a group do not surely enter equally often; to be freed. */
static bool *varying_functions(const program *p) {
  bool *varying = mem_calloc(p->function_count + 1, sizeof *varying);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < p->function_count; i++) {
      for (size_t k = 0; k < p->functions[i].point_count; k++) {
        const barrier_point *point = &p->functions[i].points[k];
        if (point->callee != NONE && !varying[point->callee] && (varying[i] || !point->uniform)) {
          varying[point->callee] = changed = true;
        }
      }
    }
  }
  return varying;
}

static void add_bit(function *f, instance *barrier) {
  barrier->outcomes = 1;
  barrier->bit = take_bits(f, 1);
}

void find_guards(program *p) {
  mark_barriers(p);
  find_points(p);
  bool *varying = varying_functions(p);
  for (uint32_t i = 0; i < p->function_count; i++) {
    function *f = &p->functions[i];
    for (size_t k = 0; k < f->point_count; k++) {
      const barrier_point *point = &f->points[k];
      if (point->instance != NONE && point->uniform && !varying[i]) {
        add_bit(f, &f->instances[point->instance]);
      } else if (point->instance != NONE) {
        (void)plane_of(p, i, point->instance);
      }
    }
  }
  free(varying);
  if (p->gate == NULL) {
    find_settled(p);
  }
}
