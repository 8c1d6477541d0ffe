/* Barriers, async calls and the decisions that guard them: the branches and loops around such a call, and those around
 * a jump that can bypass it. Each gets a plane: a private counter or hash that must agree over a work-group; but for
 * those that agree whatever happens (uniform.c): such a barrier has a bit like other code, such an async call nothing.
 * What is said of barriers below holds for async calls. Their arguments have planes of their own. */
#include <stdlib.h>

#include "base/memory.h"
#include "instrument/program_internal.h"

static uint32_t plane_of(program *p, uint32_t function_index, uint32_t instance_index) {
  instance *i = &p->functions[function_index].instances[instance_index];
  if (i->plane == NONE) {
    *ARRAY_ADD(p->planes, p->plane_count, p->plane_capacity) = (plane){function_index, instance_index, false};
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

/* The instance of a decision; NONE for && and ||, which is_lazy (uniform.c) looks at, and for what has no site. */
static uint32_t instance_of(const function *f, const tree_node *decision) {
  for (uint32_t i = 0; i < f->instance_count; i++) {
    const site_kind kind = f->instances[i].kind;
    if (f->instances[i].node == decision && kind != SITE_DECISION && kind != SITE_REGION) {
      return i;
    }
  }
  return NONE;
}

uint32_t *guards_of(const program *p, const function *f, uint32_t token, size_t *count) {
  const tree_node_list guards = tree_guards(f->graph, tree_innermost(p->units[f->unit].tree, token));
  uint32_t *list = mem_calloc(guards.count + 1, sizeof *list);
  *count = 0;
  for (size_t i = 0; i < guards.count; i++) {
    const uint32_t number = instance_of(f, guards.items[i]);
    if (number != NONE) {
      list[(*count)++] = number;
    }
  }
  free(guards.items);
  return list;
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
      f->has_barrier = f->has_barrier || is_meeting(f->instances[k].kind);
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
      if (is_meeting(f->instances[k].kind)) {
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

static void compare_arguments(program *p, uint32_t function_index, uint32_t instance_index) {
  const function *f = &p->functions[function_index];
  instance *i = &f->instances[instance_index];
  if (i->kind == SITE_ASYNC && !arguments_are_alike(p, f, i->node)) {
    *ARRAY_ADD(p->planes, p->plane_count, p->plane_capacity) = (plane){function_index, instance_index, true};
    i->arguments = (uint32_t)(p->plane_count - 1);
  }
}

/* What tells whether work-items come to a barrier alike. */
static void watch_point(program *p, uint32_t function_index, const barrier_point *point, bool alike) {
  function *f = &p->functions[function_index];
  if (!alike) {
    (void)plane_of(p, function_index, point->instance);
  } else if (f->instances[point->instance].kind == SITE_BARRIER) {
    add_bit(f, &f->instances[point->instance]);
  }
  compare_arguments(p, function_index, point->instance);
}

void find_guards(program *p) {
  mark_barriers(p);
  find_points(p);
  bool *varying = varying_functions(p);
  for (uint32_t i = 0; i < p->function_count; i++) {
    function *f = &p->functions[i];
    for (size_t k = 0; k < f->point_count; k++) {
      if (f->points[k].instance != NONE) {
        watch_point(p, i, &f->points[k], f->points[k].uniform && !varying[i]);
      }
    }
  }
  free(varying);
  if (p->gate == NULL) {
    find_settled(p);
  }
}
