/* Access ranges of a launch: which elements each parameter reads and writes, and whether work-items are disjoint. */
#include <stdlib.h>
#include <string.h>

#include "base/integer.h"
#include "frontend/facts/accesses.h"
#include "frontend/facts/linear.h"

/* Comparing the accesses of a kernel, buffer by buffer. */

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
  if (n->symbol == NULL || (n->symbol->kind == TREE_SYMBOL_BUILTIN && n->builtin == NULL)) return false;
  for (uint32_t i = 0; i < n->child_count; i++) {
    const tree_type *t = n->children[i] != NULL ? n->children[i]->type : NULL;
    if (t == NULL || (!tree_type_is_integer(t) && !tree_type_is_float(t))) return false;
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
    case TREE_SELECTION: return false;
    case TREE_VARIABLE:
      return n->type != NULL && n->type->kind != TREE_TYPE_POINTER && n->type->space != TREE_SPACE_LOCAL &&
             n->type->space != TREE_SPACE_GLOBAL && (n->symbol == NULL || !n->symbol->is_static);
    case TREE_CALL: return is_plain_call(n);
    default: return true;
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
    while (n->kind == TREE_VARIABLE && type->kind == TREE_TYPE_ARRAY && type->space != TREE_SPACE_CONSTANT)
      type = type->element;
    if (n->kind == TREE_VARIABLE && type->space != TREE_SPACE_CONSTANT) return true;
  }
  return false;
}

static bool is_plain_kernel(const tree *t, const tree_node *kernel, const tree_graph_function *graph) {
  if (graph == NULL || graph->reaches_barrier || has_shared_variables(t)) return false;
  for (const tree_node *n = kernel; n != NULL; n = tree_next(kernel, n))
    if (n->kind == TREE_PARAMETER ? !is_plain_parameter(n->type) : !is_plain_node(n)) return false;
  return true;
}

/* --- accesses ------------------------------------------------------------------------------------------------------- */

/* The object that a pointer's name leads to, and its index. False: the pointer is used in another way. */
static bool find_accessed(const tree_node *name, access *out) {
  const tree_node *n = find_pointer(name, &out->index);
  if (n == NULL) return false;
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
    if (part) continue;
    a->reads = up->kind == TREE_CONVERT && up->conversion == TREE_LOAD;
    a->writes = n->index == 0 && (up->kind == TREE_ASSIGN || up->kind == TREE_COMPOUND_ASSIGN || up->kind == TREE_STEP);
    return a->reads || a->writes;
  }
}

static bool find_accesses(proof *p) {
  const tree_node *kernel = p->kernel;
  for (const tree_node *n = kernel; n != NULL; n = tree_next(kernel, n)) {
    if (n->kind != TREE_NAME || n->type == NULL || n->type->kind != TREE_TYPE_POINTER) continue;
    access a = {.parameter = n->symbol == NULL ? UINT32_MAX : parameter_index(kernel, n->symbol)};
    if (a.parameter >= p->launch->argument_count || !find_accessed(n, &a) || !find_use(&a)) return false;
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
    if (next < 0) break;
    done[next] = true;
    int64_t more = 0;
    if (llabs(x->by[next]) <= reach ||
        __builtin_mul_overflow(llabs(x->by[next]), b->high[next] - b->low[next], &more) || more > INT32_MAX)
      return false;
    reach += more;
  }
  return reach <= INT32_MAX && (x->step == 0 || x->step > (uint64_t)reach);
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
    if (buffer_of(p, a) != shared) continue;
    const linear where = a->index == NULL ? zero : linear_of(&p->reader, a->index);
    const box b = p->guarded ? box_at(&p->reader, a->at) : box_of_launch(p->launch);
    if (a->parameter != parameter || !where.known ||
        (!first && !(all.plus == where.plus && memcmp(all.by, where.by, sizeof all.by) == 0)))
      return false;
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
    if (a->writes && (buffer_of(p, a) == FACTS_NO_BUFFER || !is_disjoint(p, a->parameter))) return false;
  }
  return true;
}

bool launch_is_disjoint(const tree *t, const tree_node *kernel, const tree_graph_function *graph, const facts_launch *l,
                        span_list *used) {
  if (l->dimensions > 3 || !is_plain_kernel(t, kernel, graph)) return false;
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

typedef struct reading {
  linear_reader linear;
  const tree_node *kernel;
  parameter_touches *out;
} reading;

/* Where an access lies: an object of `size` bytes at `index` (NULL: 0) of the parameter. */
typedef struct object {
  const tree_node *at, *index;
  uint64_t size;
  bool whole; /* and nothing smaller in it */
} object;

/* --- the object of an access --------------------------------------------------------------------------------------- */

/* p[i], *(p + i), *p, p->m; false: it is used in another way. */
static bool find_object(const tree_node *name, object *out) {
  const tree_node *n = find_pointer(name, &out->index);
  const tree_node *up = n == NULL ? NULL : n->parent;
  if (n == NULL) return false;
  out->at = up;
  if (up->kind == TREE_SUBSCRIPT && n->index == 0 && out->index == NULL) {
    out->index = up->children[1];
  } else if (up->kind != TREE_DEREFERENCE) {
    out->whole = false;
    return (up->kind == TREE_MEMBER || up->kind == TREE_SWIZZLE) && up->arrow && out->index == NULL;
  }
  const tree_node *around = beyond_parentheses(up)->parent;
  out->whole = around->kind != TREE_MEMBER && around->kind != TREE_SWIZZLE && around->kind != TREE_SUBSCRIPT &&
               !(around->kind == TREE_CONVERT && around->conversion == TREE_DECAY);
  return true;
}

static bool is_atomic(const tree_node *n) {
  return n->kind == TREE_CALL && n->builtin != NULL &&
         (n->builtin->kind == TREE_ATOMIC_ANY || n->builtin->kind == TREE_ATOMIC_LOAD ||
          n->builtin->kind == TREE_ATOMIC_STORE);
}

static bool is_argument_of_atomic(const tree_node *n) {
  const tree_node *up = beyond_parentheses(n)->parent;
  while (up->kind == TREE_PARENTHESES || (up->kind == TREE_CONVERT && up->conversion == TREE_POINTER_TO_POINTER))
    up = up->parent;
  return is_atomic(up);
}

/* atomic_inc(p), atomic_inc(p + i), atomic_inc(&p[i]) */
static bool find_atomic_object(const tree_node *name, object *out) {
  const tree_node *pointer = find_pointer(name, &out->index);
  if (pointer != NULL && is_argument_of_atomic(pointer)) {
    out->at = pointer;
    out->whole = true;
    return true;
  }
  const tree_node *up = find_object(name, out) && out->whole ? beyond_parentheses(out->at)->parent : NULL;
  return up != NULL && up->kind == TREE_ADDRESS && is_argument_of_atomic(up);
}

/* --- ranges -------------------------------------------------------------------------------------------------------- */

typedef struct extent {
  int64_t low, high; /* elements, both included */
} extent;

/* From the least to the largest that a sum comes to; false: too large. */
static bool reach_of(const linear *x, const box *b, extent *out) {
  int64_t low = x->plus, high = x->plus;
  bool fits = x->known && x->step == 0;
  for (int d = 0; d < 3 && fits; d++) {
    int64_t one = 0, other = 0;
    fits = !__builtin_mul_overflow(x->by[d], b->low[d], &one) &&
           !__builtin_mul_overflow(x->by[d], b->high[d], &other) &&
           !__builtin_add_overflow(low, one < other ? one : other, &low) &&
           !__builtin_add_overflow(high, one < other ? other : one, &high);
  }
  *out = (extent){low, high};
  return fits && low > INT32_MIN && high < INT32_MAX;
}

/* Whether all numbers between the least and the largest come out. */
static bool is_dense(const linear *x, const box *b) {
  bool done[3] = {false, false, false};
  int64_t covered = 1;
  for (int round = 0; round < 3; round++) {
    int next = -1;
    for (int d = 0; d < 3; d++) {
      const bool counts = !done[d] && b->high[d] > b->low[d] && x->by[d] != 0;
      next = counts && (next < 0 || llabs(x->by[d]) < llabs(x->by[next])) ? d : next;
    }
    if (next < 0) return true;
    if (llabs(x->by[next]) > covered) return false;
    done[next] = true;
    covered += llabs(x->by[next]) * (b->high[next] - b->low[next]);
  }
  return true;
}

static void add_range(touch *t, const extent *e, uint64_t size) {
  const int64_t low = e->low * (int64_t)size, high = (e->high + 1) * (int64_t)size;
  if (!t->may) {
    *t = (touch){.may = true, .bounded = true, .low = low, .high = high, .token = t->token};
  } else if (t->bounded) {
    t->low = low < t->low ? low : t->low;
    t->high = high > t->high ? high : t->high;
  }
}

/* The longer of what was known and this. */
static void add_sure(touch *t, int64_t low, int64_t high) {
  t->sure = true;
  if (high - low > t->sure_high - t->sure_low) {
    t->sure_low = low;
    t->sure_high = high;
  }
}

static void anywhere(touch *t, uint32_t token) {
  t->may = true;
  t->bounded = false;
  t->token = t->token == PP_NONE ? token : t->token;
}

/* --- accesses ------------------------------------------------------------------------------------------------------ */

static void add_object(const reading *r, const object *o, touch *t, uint32_t token) {
  const linear zero = {.known = true};
  const linear where = o->index == NULL ? zero : linear_of(&r->linear, o->index);
  const box at_most = box_at(&r->linear, o->at);
  extent e;
  if (box_is_empty(&at_most)) return; /* nobody comes there */
  box just;
  const bool reached = box_reached(&r->linear, o->at, &just) && !box_is_empty(&just);
  t->token = t->token == PP_NONE || (reached && !t->sure) ? token : t->token;
  if (!reach_of(&where, &at_most, &e) || o->size == 0 || o->size > INT32_MAX) {
    anywhere(t, token);
    t->sure = t->sure || reached;
    return;
  }
  add_range(t, &e, o->size);
  if (reached && reach_of(&where, &just, &e)) {
    const int64_t size = (int64_t)o->size;
    const bool dense = is_dense(&where, &just);
    if (o->whole)
      add_sure(t, e.low * size, ((dense ? e.high : e.low) + 1) * size);
    else
      t->sure = true;
  }
}

static uint64_t element_size(const tree_node *name) {
  const tree_type *t = name->type;
  return t != NULL && t->kind == TREE_TYPE_POINTER && t->element != NULL ? t->element->size : 0;
}

/* Whether the address of an object, or of a part of it, goes on: what is touched there may lie after it. */
static bool is_address_taken(const tree_node *whole) {
  const tree_node *n = whole;
  for (tree_kind up = n->parent->kind;
       up == TREE_PARENTHESES || (up == TREE_MEMBER && !n->parent->arrow) || (up == TREE_SUBSCRIPT && n->index == 0) ||
       (up == TREE_CONVERT && n->parent->conversion == TREE_DECAY);
       up = n->parent->kind)
    n = n->parent;
  return n->parent->kind == TREE_ADDRESS || (n->type != NULL && n->type->kind == TREE_TYPE_POINTER && !n->lvalue);
}

static void add_access(const reading *r, const parameter_access *a) {
  object o = {.size = element_size(a->name)};
  const bool atomic = find_atomic_object(a->name, &o);
  touch *t = &r->out[a->parameter].by[atomic ? TOUCH_ATOMIC : a->writes ? TOUCH_WRITE : TOUCH_READ];
  const bool own = a->name->symbol == r->kernel->children[a->parameter]->symbol; /* else its index is a copy's */
  if (own && (atomic || (find_object(a->name, &o) && !is_address_taken(o.at))))
    add_object(r, &o, t, a->name->token);
  else
    anywhere(t, a->name->token);
}

static void add_escape(const tree_node *parameter, parameter_touches *to) {
  if (parameter->type->kind == TREE_TYPE_IMAGE) {
    /* Images are handed to functions whose coordinates are not followed. */
    const tree_access qualifier = parameter->symbol->access;
    if (qualifier != TREE_WRITE_ONLY) anywhere(&to->by[TOUCH_READ], parameter->token);
    if (qualifier == TREE_WRITE_ONLY || qualifier == TREE_READ_WRITE) anywhere(&to->by[TOUCH_WRITE], parameter->token);
  } else if (parameter->type->kind == TREE_TYPE_POINTER) {
    anywhere(&to->by[TOUCH_READ], parameter->token);
    if (parameter->type->kind == TREE_TYPE_POINTER && !parameter->type->element->is_const &&
        parameter->type->element->space != TREE_SPACE_CONSTANT)
      anywhere(&to->by[TOUCH_WRITE], parameter->token);
  }
}

/* A pixel that a work-item surely comes to. Where a sampler says which, it may be none. */
static void add_pixel(const reading *r, const tree_node *call) {
  const tree_node *image = call->child_count > 1 ? tree_plain(call->children[0]) : NULL;
  while (image != NULL && image->kind == TREE_CONVERT) image = tree_plain(image->children[0]);
  const bool writes = call->builtin->kind == TREE_IMAGE_WRITE;
  box just;
  for (uint32_t i = 0; image != NULL && image->kind == TREE_NAME && i + 1 < r->kernel->child_count; i++) {
    const bool it = r->kernel->children[i]->symbol == image->symbol && (writes || call->child_count == 2);
    if (it && box_reached(&r->linear, call, &just) && !box_is_empty(&just)) {
      touch *t = &r->out[i].by[writes ? TOUCH_WRITE : TOUCH_READ];
      t->token = t->sure ? t->token : call->tokens.first;
      t->sure = true;
    }
  }
}

/* What is not understood may do anything with what it names. */
static bool has_unknown(const tree_node *kernel) {
  for (const tree_node *n = kernel; n != NULL; n = tree_next(kernel, n))
    if (n->kind == TREE_UNKNOWN_STATEMENT || n->kind == TREE_UNKNOWN_EXPRESSION || n->kind == TREE_SELECTION ||
        n->kind == TREE_UNKNOWN_DECLARATION)
      return true;
  return false;
}

parameter_touches *read_footprint(const tree_node *kernel, const facts_launch *l) {
  span_list used = {0};
  reading r = {.linear = {kernel, l, &used}, .kernel = kernel};
  r.out = mem_calloc(kernel->child_count + 1, sizeof *r.out);
  parameter_accesses all = read_accesses(kernel);
  const bool unknown = has_unknown(kernel);
  for (uint32_t i = 0; i + 1 < kernel->child_count; i++) {
    for (int k = 0; k < TOUCH_KINDS; k++) r.out[i].by[k].token = PP_NONE;
    if (all.escapes[i] || unknown) add_escape(kernel->children[i], &r.out[i]);
  }
  for (size_t i = 0; i < all.count; i++) add_access(&r, &all.items[i]);
  for (const tree_node *n = kernel; n != NULL && !unknown; n = tree_next(kernel, n))
    if (n->kind == TREE_CALL && n->builtin != NULL &&
        (n->builtin->kind == TREE_IMAGE_READ || n->builtin->kind == TREE_IMAGE_WRITE))
      add_pixel(&r, n);
  accesses_free(&all);
  free(used.items);
  return r.out;
}
