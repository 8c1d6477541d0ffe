/* The objects of a kernel: memory that its parameters lead to, and its __local arrays. */
#include <stdlib.h>

#include "base/memory.h"
#include "frontend/facts/accesses.h"
#include "instrument/checked.h"

static kernel_object *add_object(kernel_objects *k, kernel_object o) {
  kernel_object *added = ARRAY_ADD(k->items, k->count, k->capacity);
  *added = o;
  k->globals += o.local ? 0 : 1;
  return added;
}

static void add_parameters(kernel_objects *k, const tree_node *kernel, bool local) {
  for (uint32_t i = 0; i + 1 < kernel->child_count; i++) {
    const tree_symbol *s = kernel->children[i]->symbol;
    const bool pointer = s != NULL && s->type != NULL && s->type->kind == TREE_TYPE_POINTER;
    const bool image = s != NULL && s->type != NULL && s->type->kind == TREE_TYPE_IMAGE;
    const bool written = image && (s->access == TREE_WRITE_ONLY || s->access == TREE_READ_WRITE);
    if (image && !local) {
      (void)add_object(k, (kernel_object){.symbol = s, .parameter = i, .image = true, .writes = written});
    }
    if (pointer && s->type->element->space == (local ? TREE_SPACE_LOCAL : TREE_SPACE_GLOBAL)) {
      (void)add_object(k, (kernel_object){.symbol = s, .parameter = i, .local = local});
    }
  }
}

/* __local variables, arrays or not. */
static void add_arrays(kernel_objects *k, const tree_node *kernel) {
  const tree_node *body = tree_body(kernel);
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
    if (n->kind == TREE_VARIABLE && n->type != NULL && n->type->space == TREE_SPACE_LOCAL && n->type->size > 0) {
      (void)add_object(k, (kernel_object){.symbol = n->symbol, .parameter = NONE, .local = true, .writes = true});
    }
  }
}

uint32_t object_number(const kernel_objects *k, const kernel_object *o) {
  return (uint32_t)(o - k->items) - (o->local ? k->globals : 0);
}

static kernel_object *find_object(kernel_objects *k, const tree_symbol *s) {
  for (size_t i = 0; s != NULL && i < k->count; i++) {
    if (k->items[i].symbol == s) {
      return &k->items[i];
    }
  }
  return NULL;
}

/* --- granules ------------------------------------------------------------------------------------------------------ */

static uint32_t shift_of(uint32_t bytes) { return bytes % 16 == 0 ? 4 : bytes % 8 == 0 ? 3 : bytes % 4 == 0 ? 2 : 0; }

/* The largest granule that no access cuts: whole vectors by themselves, parts of them by their place, structs by words,
 * as others may access a member. Vector functions need no more alignment than an element has. */
static uint32_t shift_of_access(const access *a) {
  if (a->form == ACCESS_PIXEL) {
    return 0;
  }
  const tree_type *t = a->form == ACCESS_LVALUE ? a->object->type : a->object->type->element;
  if (t->kind == TREE_TYPE_RECORD) {
    return t->size % 4 == 0 ? 2 : 0;
  }
  if (a->form != ACCESS_LVALUE && a->form != ACCESS_ARROW) {
    return shift_of((uint32_t)tree_component(t)->size);
  }
  const uint32_t begin = a->first == 0 ? 4 : shift_of(a->first), size = shift_of(a->bytes);
  return begin < size ? begin : size;
}

/* No granule is larger than what a pointer was made of that became one to something else: that may be at any of its
 * places. */
static uint32_t shift_of_casts(const program *p) {
  uint32_t shift = 4;
  for (uint32_t i = 0; i < p->function_count; i++) {
    const tree_node *body = tree_body(p->functions[i].node);
    for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
      const bool casts = (n->kind == TREE_CONVERT || n->kind == TREE_CAST) && n->conversion == TREE_POINTER_TO_POINTER;
      const tree_type *from = casts ? n->children[0]->type : NULL;
      const bool sized = from != NULL && from->kind == TREE_TYPE_POINTER && from->element->size > 0;
      const uint32_t own = sized ? shift_of((uint32_t)from->element->align) : 4;
      shift = own < shift ? own : shift;
    }
  }
  return shift;
}

/* Of all accesses whose object is found when they run. */
static uint32_t shift_of_any(const checked *c, bool local) {
  uint32_t shift = 4;
  for (size_t i = 0; i < c->found.count; i++) {
    const access *a = &c->found.items[i];
    const uint32_t own = shift_of_access(a);
    if (a->root == NONE && a->form != ACCESS_PIXEL && a->local == local && own < shift) {
      shift = own;
    }
  }
  return shift;
}

/* --- writes -------------------------------------------------------------------------------------------------------- */

static void mark_writes(kernel_objects *k, const tree_node *kernel) {
  parameter_accesses all = read_accesses(kernel);
  for (size_t i = 0; i < k->count; i++) {
    kernel_object *o = &k->items[i];
    const bool may =
        o->parameter != NONE && !o->image && all.escapes[o->parameter] && !o->symbol->type->element->is_const;
    o->writes = o->writes || may;
  }
  for (size_t i = 0; i < all.count; i++) {
    for (size_t n = 0; n < k->count; n++) {
      kernel_object *o = &k->items[n];
      o->writes = o->writes || (all.items[i].writes && o->parameter == all.items[i].parameter);
    }
  }
  accesses_free(&all);
}

static void find_roots(checked *c, uint32_t index, kernel_objects *k) {
  const function *f = &c->p->functions[index];
  for (size_t i = 0; i < c->found.count; i++) {
    access *a = &c->found.items[i];
    /* the copy that other functions call has other parameters */
    if (a->function != index || f->called || a->form == ACCESS_COPY) {
      continue;
    }
    const bool pixel = a->form == ACCESS_PIXEL;
    kernel_object *o = find_object(k, pixel ? a->object->symbol : root_symbol(tree_body(f->node), a->object));
    if (o != NULL && o->local == a->local) {
      a->root = object_number(k, o);
      o->writes = o->writes || a->kind != CHECK_READ;
      const uint32_t shift = shift_of_access(a);
      o->shift = shift < o->shift ? shift : o->shift;
    }
  }
}

static void place_arrays(kernel_objects *k) {
  for (size_t i = 0; i < k->count; i++) {
    kernel_object *o = &k->items[i];
    if (o->parameter == NONE) {
      o->first_cell = k->area;
      k->area += (uint32_t)((o->symbol->type->size + (1u << o->shift) - 1) >> o->shift);
    }
  }
}

void find_objects(const program *p, checked *c) {
  c->kernels = mem_calloc(p->function_count + 1, sizeof *c->kernels);
  for (uint32_t i = 0; i < p->function_count; i++) {
    const tree_node *node = p->functions[i].node;
    kernel_objects *k = &c->kernels[i];
    if (node->symbol->kernel) {
      add_parameters(k, node, false);
      add_parameters(k, node, true);
      add_arrays(k, node);
      for (size_t n = 0; n < k->count; n++) {
        k->items[n].shift = 4;
      }
      mark_writes(k, node);
      find_roots(c, i, k);
    }
  }
  const uint32_t casts = shift_of_casts(p), by_address[2] = {shift_of_any(c, false), shift_of_any(c, true)};
  const uint32_t any[2] = {casts < by_address[0] ? casts : by_address[0],
                           casts < by_address[1] ? casts : by_address[1]};
  for (uint32_t i = 0; i < p->function_count; i++) {
    kernel_objects *k = &c->kernels[i];
    for (size_t n = 0; n < k->count; n++) {
      const uint32_t shift = k->items[n].image ? 0 : any[k->items[n].local];
      k->items[n].shift = shift < k->items[n].shift ? shift : k->items[n].shift;
    }
    place_arrays(k);
  }
}
