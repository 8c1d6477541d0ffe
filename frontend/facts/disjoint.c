/* Comparing the accesses of a kernel, buffer by buffer. */
#include "frontend/facts/disjoint.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/facts/box.h"
#include "frontend/facts/pointers.h"

/* A use of what a parameter points to. */
typedef struct access {
  uint32_t parameter;
  const tree_node *at;
  const tree_node *index; /* NULL: 0 */
  bool reads, writes;
} access;

typedef struct proof {
  const tree_node *kernel;
  const facts_launch *launch;
  linear_reader reader;
  bool guarded; /* decisions around an access count: they leave fewer work-items */
  access *accesses;
  size_t access_count, access_capacity;
  size_t used_before; /* what the caller had noted */
} proof;

/* --- kernels that can be judged ------------------------------------------------------------------------------------- */

static bool is_plain_call(const tree_node *n) {
  if (n->symbol == NULL || (n->symbol->kind == TREE_SYMBOL_BUILTIN && n->builtin == NULL)) {
    return false;
  }
  for (uint32_t i = 0; i < n->child_count; i++) {
    const tree_type *t = n->children[i] != NULL ? n->children[i]->type : NULL;
    if (t == NULL || (!tree_type_is_integer(t) && !tree_type_is_float(t))) {
      return false;
    }
  }
  const tree_builtin_kind kind = n->builtin == NULL ? TREE_MATH : n->builtin->kind;
  static const bool fine[TREE_BUILTIN_KIND_COUNT] = {
      [TREE_WORK_ITEM] = true, [TREE_MATH] = true,       [TREE_INTEGER] = true,    [TREE_COMMON] = true,
      [TREE_GEOMETRIC] = true, [TREE_RELATIONAL] = true, [TREE_CONVERSION] = true, [TREE_VECTOR_MISC] = true};
  return fine[kind];
}

/* Neither local memory nor pointers of its own, nor anything that is not understood. */
static bool is_plain_node(const tree_node *n) {
  switch (n->kind) {
    case TREE_UNKNOWN_DECLARATION:
    case TREE_UNKNOWN_STATEMENT:
    case TREE_UNKNOWN_EXPRESSION:
    case TREE_STATEMENT_EXPRESSION:
    case TREE_SELECTION:
      return false;
    case TREE_VARIABLE:
      return n->type != NULL && n->type->kind != TREE_TYPE_POINTER && n->type->space != TREE_SPACE_LOCAL &&
             n->type->space != TREE_SPACE_GLOBAL && (n->symbol == NULL || !n->symbol->is_static);
    case TREE_CALL:
      return is_plain_call(n);
    default:
      return true;
  }
}

static bool is_plain_parameter(const tree_type *t) {
  return tree_type_is_integer(t) || tree_type_is_float(t) || t->kind == TREE_TYPE_RECORD ||
         (t->kind == TREE_TYPE_POINTER &&
          (t->element->space == TREE_SPACE_GLOBAL || t->element->space == TREE_SPACE_CONSTANT));
}

/* Variables that several work-items see. */
static bool has_shared_variables(const tree *t) {
  for (uint32_t i = 0; i < t->unit->child_count; i++) {
    const tree_node *n = t->unit->children[i];
    const tree_type *type = n->type;
    while (n->kind == TREE_VARIABLE && type->kind == TREE_TYPE_ARRAY && type->space != TREE_SPACE_CONSTANT) {
      type = type->element;
    }
    if (n->kind == TREE_VARIABLE && type->space != TREE_SPACE_CONSTANT) {
      return true;
    }
  }
  return false;
}

static bool is_plain_kernel(const tree *t, const tree_node *kernel, const tree_graph_function *graph) {
  if (graph == NULL || graph->reaches_barrier || has_shared_variables(t)) {
    return false;
  }
  for (const tree_node *n = kernel; n != NULL; n = tree_next(kernel, n)) {
    if (n->kind == TREE_PARAMETER ? !is_plain_parameter(n->type) : !is_plain_node(n)) {
      return false;
    }
  }
  return true;
}

/* --- accesses ------------------------------------------------------------------------------------------------------- */

/* The object that a pointer's name leads to, and its index. False: the pointer is used in another way. */
static bool find_object(const tree_node *name, access *out) {
  const tree_node *n = find_pointer(name, &out->index);
  if (n == NULL) {
    return false;
  }
  const tree_node *up = n->parent;
  out->at = up;
  if (up->kind == TREE_SUBSCRIPT && n->index == 0 && out->index == NULL) {
    out->index = up->children[1];
    return true;
  }
  return up->kind == TREE_DEREFERENCE ||
         ((up->kind == TREE_MEMBER || up->kind == TREE_SWIZZLE) && up->arrow && out->index == NULL);
}

/* What is done with the object, or a part of it. */
static bool find_use(access *a) {
  for (const tree_node *n = a->at;; n = n->parent) {
    const tree_node *up = n->parent;
    const bool part = up->kind == TREE_PARENTHESES || (up->kind == TREE_SUBSCRIPT && n->index == 0) ||
                      ((up->kind == TREE_MEMBER || up->kind == TREE_SWIZZLE) && !up->arrow) ||
                      (up->kind == TREE_CONVERT && up->conversion == TREE_DECAY);
    if (part) {
      continue;
    }
    a->reads = up->kind == TREE_CONVERT && up->conversion == TREE_LOAD;
    a->writes = n->index == 0 && (up->kind == TREE_ASSIGN || up->kind == TREE_COMPOUND_ASSIGN || up->kind == TREE_STEP);
    return a->reads || a->writes;
  }
}

static bool find_accesses(proof *p) {
  const tree_node *kernel = p->kernel;
  for (const tree_node *n = kernel; n != NULL; n = tree_next(kernel, n)) {
    if (n->kind != TREE_NAME || n->type == NULL || n->type->kind != TREE_TYPE_POINTER) {
      continue;
    }
    access a = {.parameter = n->symbol == NULL ? UINT32_MAX : parameter_index(kernel, n->symbol)};
    if (a.parameter >= p->launch->argument_count || !find_object(n, &a) || !find_use(&a)) {
      return false;
    }
    *ARRAY_ADD(p->accesses, p->access_count, p->access_capacity) = a;
  }
  return true;
}

/* --- one buffer ------------------------------------------------------------------------------------------------------ */

static uint32_t buffer_of(const proof *p, const access *a) { return p->launch->arguments[a->parameter].buffer; }

/* In dimensions by growing factors: each factor has to be larger than all that those before it come to. */
static bool is_one_to_one(const linear *x, const box *b) {
  bool done[3] = {false, false, false};
  int64_t reach = 0;
  for (int round = 0; round < 3; round++) {
    int next = -1;
    for (int d = 0; d < 3; d++) {
      const bool counts = !done[d] && b->high[d] > b->low[d];
      next = counts && (next < 0 || llabs(x->by[d]) < llabs(x->by[next])) ? d : next;
    }
    if (next < 0) {
      break;
    }
    done[next] = true;
    int64_t more = 0;
    if (llabs(x->by[next]) <= reach ||
        __builtin_mul_overflow(llabs(x->by[next]), b->high[next] - b->low[next], &more) || more > INT32_MAX) {
      return false;
    }
    reach += more;
  }
  return reach <= INT32_MAX && (x->step == 0 || x->step > (uint64_t)reach);
}

static bool same_place(const linear *a, const linear *b) {
  return a->plus == b->plus && memcmp(a->by, b->by, sizeof a->by) == 0;
}

/* Whether no two work-items meet in the buffer of an access that writes. */
static bool is_disjoint(proof *p, uint32_t parameter) {
  const uint32_t shared = p->launch->arguments[parameter].buffer;
  const linear zero = {.known = true};
  linear all = zero;
  box hull = {{0}, {0}};
  bool first = true;
  for (size_t i = 0; i < p->access_count; i++) {
    const access *a = &p->accesses[i];
    if (buffer_of(p, a) != shared) {
      continue;
    }
    const linear where = a->index == NULL ? zero : linear_of(&p->reader, a->index);
    const box b = p->guarded ? box_at(&p->reader, a->at) : box_of_launch(p->launch);
    if (a->parameter != parameter || !where.known || (!first && !same_place(&all, &where))) {
      return false;
    }
    hull = first ? b : box_around(&hull, &b);
    const uint64_t step = first ? where.step : common_divisor(all.step, where.step);
    all = where;
    all.step = step;
    first = false;
  }
  return is_one_to_one(&all, &hull);
}

/* --- a launch -------------------------------------------------------------------------------------------------------- */

static bool try_launch(proof *p) {
  p->reader.used->count = p->used_before;
  for (size_t i = 0; i < p->access_count; i++) {
    const access *a = &p->accesses[i];
    if (a->writes && (buffer_of(p, a) == FACTS_NO_BUFFER || !is_disjoint(p, a->parameter))) {
      return false;
    }
  }
  return true;
}

bool launch_is_disjoint(const tree *t, const tree_node *kernel, const tree_graph_function *graph, const facts_launch *l,
                        span_list *used) {
  if (l->dimensions > 3 || !is_plain_kernel(t, kernel, graph)) {
    return false;
  }
  proof p = {.kernel = kernel, .launch = l, .reader = {kernel, l, used}, .used_before = used->count};
  bool holds = find_accesses(&p);
  if (holds) {
    holds = try_launch(&p);
    if (!holds) {
      p.guarded = true;
      holds = try_launch(&p);
    }
  }
  free(p.accesses);
  return holds;
}
