/* Barriers, async calls and the decisions that guard them: the branches and loops around such a call, and those around
 * a jump that can bypass it. Each gets a plane: a private counter or hash that must agree over a work-group; but for
 * those that agree whatever happens (facts/uniform.h): such a barrier has a bit like other code, such an async call nothing.
 * What is said of barriers below holds for async calls. Their arguments have planes of their own. */
#include <stdlib.h>

#include "base/memory.h"
#include "instrument/forms.h"

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

/* The instance of a decision, NONE for what has no site. */
static uint32_t instance_of(const function *f, const tree_node *decision) {
  for (uint32_t i = 0; i < f->instance_count; i++) {
    const site_kind kind = f->instances[i].kind;
    if (f->instances[i].node == decision && kind != SITE_REGION) {
      return i;
    }
  }
  return NONE;
}

uniform_scope scope_of(const program *p, const function *f) {
  const unit *u = &p->units[f->unit];
  return (uniform_scope){.tree = u->tree,
                         .graph = f->graph,
                         .statements = &f->statements,
                         .stores = &u->stores,
                         .arguments_alike = f->node->symbol->kernel && !f->called};
}

/* Planes for the decisions that guard a point, unless they are uniform. */
static void guard_point(program *p, uint32_t function_index, barrier_point *point) {
  const function *f = &p->functions[function_index];
  const uniform_scope scope = scope_of(p, f);
  const tree_node_list guards = uniform_guards(&scope, point->node);
  bool *uniform = mem_calloc(guards.count + 1, sizeof *uniform);
  if (!p->form->all_guards) {
    find_uniform(&scope, &guards, uniform);
  }
  for (size_t i = 0; i < guards.count; i++) {
    const uint32_t number = uniform[i] ? NONE : instance_of(f, guards.items[i]);
    if (number != NONE) {
      add_guard(p, function_index, point, number);
    }
  }
  point->uniform = !p->form->all_guards && point->guard_count == 0 && guards_are_all(&scope, point->node);
  free(uniform);
  free(guards.items);
}

static barrier_point *add_point(function *f, const tree_node *of, uint32_t instance_index, uint32_t callee) {
  barrier_point *point = ARRAY_ADD(f->points, f->point_count, f->point_capacity);
  point->node = of;
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
        (void)add_point(f, f->instances[k].node, k, NONE);
      }
    }
    for (size_t k = 0; k < f->call_count; k++) {
      if (p->functions[f->calls[k].callee].has_barrier) {
        (void)add_point(f, tree_innermost(p->units[f->unit].tree, f->calls[k].token), NONE, f->calls[k].callee);
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
  if (!p->form->all_guards) {
    find_settled(p);
  }
}
