/* Where a program reads and writes global and local memory. */
#include <string.h>

#include "base/memory.h"
#include "instrument/checked.h"
#include "instrument/vectors.h"

static bool in_memory(const tree_type *t) {
  return t != NULL && (t->space == TREE_SPACE_GLOBAL || t->space == TREE_SPACE_LOCAL);
}

static bool is_pointer(const tree_type *t) { return t != NULL && t->kind == TREE_TYPE_POINTER; }

bool can_repeat(const tree_node *n) {
  for (const tree_node *at = n; at != NULL; at = tree_next(n, at)) {
    const bool changes = at->kind == TREE_ASSIGN || at->kind == TREE_COMPOUND_ASSIGN || at->kind == TREE_STEP ||
                         at->kind == TREE_STATEMENT_EXPRESSION || at->kind == TREE_UNKNOWN_EXPRESSION ||
                         (at->kind == TREE_CALL && (at->builtin == NULL || !tree_builtin_is_pure(at->builtin)));
    if (changes) {
      return false;
    }
  }
  return true;
}

/* A kernel that no other function calls: it has its own parameters. */
static bool is_plain_kernel(const checked *c, uint32_t index) {
  const function *f = &c->p->functions[index];
  return f->node->symbol->kernel && !f->called;
}

static access *add(checked *c, access a) {
  access *added = ARRAY_ADD(c->found.items, c->found.count, c->found.capacity);
  a.root = NONE;
  *added = a;
  return added;
}

/* Types that a pointer to can be written of, in front of what is checked. */
static bool has_name(const tree_type *t) {
  return t->kind == TREE_TYPE_INTEGER || t->kind == TREE_TYPE_FLOAT || t->kind == TREE_TYPE_VECTOR ||
         t->kind == TREE_TYPE_RECORD || t->kind == TREE_TYPE_BOOL || t->kind == TREE_TYPE_ENUM ||
         t->kind == TREE_TYPE_ATOMIC;
}

static bool is_bit_field(const tree_node *n) { return n->kind == TREE_MEMBER && n->symbol->bit_field; }

/* The components that `v.lo.x` means, by their numbers in v, which is returned; with an arrow the pointer to it. */
static const tree_node *whole_vector(const tree_node *swizzle, bool used[16], bool *arrow) {
  const tree_node *at = swizzle;
  uint8_t lanes[16];
  memcpy(lanes, at->lanes, sizeof lanes);
  while (!at->arrow && tree_bare(at->children[0])->kind == TREE_SWIZZLE) {
    at = tree_bare(at->children[0]);
    for (uint32_t i = 0; i < swizzle->lane_count; i++) {
      lanes[i] = at->lanes[lanes[i] & 15];
    }
  }
  for (uint32_t i = 0; i < swizzle->lane_count; i++) {
    used[lanes[i] & 15] = true;
  }
  *arrow = at->arrow;
  return at->children[0];
}

/* Runs of neighbouring components, each an access of its own. False: it is not known of what. */
static bool add_components(checked *c, const access *of, const tree_node *swizzle) {
  bool used[16] = {false}, arrow = false;
  const tree_node *vector = whole_vector(swizzle, used, &arrow);
  const tree_type *type = arrow && is_pointer(vector->type) ? vector->type->element : vector->type;
  if (type == NULL || type->kind != TREE_TYPE_VECTOR || (!arrow && !vector->lvalue) || (arrow && !in_memory(type))) {
    return false;
  }
  const uint32_t size = (uint32_t)tree_component(type)->size;
  for (uint32_t i = 0; i < 16; i++) {
    if (used[i] && (i == 0 || !used[i - 1])) {
      uint32_t last = i;
      while (last < 15 && used[last + 1]) {
        last++;
      }
      access a = *of;
      a.form = arrow ? ACCESS_ARROW : a.form;
      a.object = vector;
      a.first = i * size;
      a.bytes = (last - i + 1) * size;
      (void)add(c, a);
    }
  }
  return true;
}

/* An lvalue in memory is accessed. */
static void add_lvalue(checked *c, access a, const tree_node *lvalue) {
  lvalue = tree_bare(lvalue);
  if (lvalue->kind == TREE_CONDITIONAL || lvalue->kind == TREE_COMMA || is_bit_field(lvalue) ||
      (lvalue->kind == TREE_SUBSCRIPT && lvalue->children[0]->type != NULL &&
       lvalue->children[0]->type->kind == TREE_TYPE_VECTOR)) {
    c->found.left_out = true;
    return;
  }
  a.form = ACCESS_LVALUE;
  a.local = lvalue->type->space == TREE_SPACE_LOCAL;
  if (lvalue->kind == TREE_SWIZZLE && add_components(c, &a, lvalue)) {
    return;
  }
  if (lvalue->kind == TREE_SWIZZLE || !has_name(lvalue->type) || lvalue->type->size == 0) {
    c->found.left_out = true;
    return;
  }
  a.object = lvalue;
  a.bytes = (uint32_t)lvalue->type->size;
  if (lvalue->type->kind == TREE_TYPE_VECTOR && lvalue->type->count == 3) {
    a.bytes = a.bytes / 4 * 3;
  }
  (void)add(c, a);
}

/* --- calls ------------------------------------------------------------------------------------------------------- */

static bool leads_to_memory(const tree_node *argument) {
  return is_pointer(argument->type) && in_memory(argument->type->element);
}

static check_kind kind_of_effect(tree_effect effect) {
  return effect == TREE_EFFECT_READ ? CHECK_READ : effect == TREE_EFFECT_WRITE ? CHECK_WRITE : CHECK_UPDATE;
}

/* Whether a constant of the language stands in a call. */
static bool has_word(const program *p, uint32_t unit_index, const tree_node *n, const char *word) {
  const pp_result *text = &p->units[unit_index].text;
  for (const tree_node *at = n; at != NULL; at = tree_next(n, at)) {
    if (tree_names(text, at, word)) {
      return true;
    }
  }
  return false;
}

/* Functions of OpenCL 2.0 that have a memory order, if they do not say another one. */
static bool has_order(const checked *c, uint32_t unit_index, const tree_node *n) {
  static const char *const families[] = {"atomic_store",  "atomic_load", "atomic_exchange", "atomic_compare_exchange",
                                         "atomic_fetch_", "atomic_flag_"};
  for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
    if (strncmp(n->symbol->name, families[i], strlen(families[i])) == 0) {
      return !has_word(c->p, unit_index, n, "memory_order_relaxed");
    }
  }
  return false;
}

/* Of a function that does something through a pointer: atomics, fract and its like. */
static void add_pointers(checked *c, access at, const tree_node *n) {
  bool first = true;
  for (uint32_t i = 0; i < n->child_count; i++) {
    const tree_node *argument = n->children[i];
    if (!is_pointer(argument->type)) {
      continue;
    }
    const tree_effect effect = first ? n->builtin->first : n->builtin->others;
    const bool atomic = first && (n->builtin->kind == TREE_ATOMIC_ANY || n->builtin->kind == TREE_ATOMIC_STORE);
    const bool look = first && n->builtin->kind == TREE_ATOMIC_LOAD;
    first = false;
    const tree_node *pointer = tree_unconverted(argument);
    if (effect == TREE_EFFECT_NONE || !leads_to_memory(pointer) || pointer->type->element->size == 0) {
      continue;
    }
    (void)add(c, (access){.unit = at.unit,
                          .function = at.function,
                          .form = ACCESS_POINTER,
                          .whole = n,
                          .object = pointer,
                          .kind = atomic ? CHECK_ATOMIC
                                  : look ? CHECK_ATOMIC_LOAD
                                         : kind_of_effect(effect),
                          .local = pointer->type->element->space == TREE_SPACE_LOCAL,
                          .ordered = (atomic || look) && has_order(c, at.unit, n),
                          .of_group = atomic && has_word(c->p, at.unit, n, "memory_scope_work_group"),
                          .bytes = (uint32_t)pointer->type->element->size});
  }
}

static void add_vector(checked *c, access at, const tree_node *n) {
  const bool loads = n->builtin->kind == TREE_VECTOR_LOAD;
  if (n->child_count < 2 + (loads ? 0u : 1u)) {
    return;
  }
  const tree_node *index = n->children[loads ? 0 : 1];
  const tree_node *pointer = tree_unconverted(n->children[loads ? 1 : 2]);
  if (!leads_to_memory(pointer)) {
    return;
  }
  if (!can_repeat(index) || !can_repeat(pointer)) {
    c->found.left_out = true;
    return;
  }
  const uint32_t count = vector_function_components(n->symbol->name);
  (void)add(c, (access){.unit = at.unit,
                        .function = at.function,
                        .form = ACCESS_VECTOR,
                        .whole = n,
                        .object = pointer,
                        .kind = loads ? CHECK_READ : CHECK_WRITE,
                        .local = pointer->type->element->space == TREE_SPACE_LOCAL,
                        .bytes = count * (uint32_t)pointer->type->element->size,
                        .index = index,
                        .step = vector_function_step(n->symbol->name)});
}

/* The strided side of async_work_group_strided_copy is the one in global memory. */
static void add_copy(checked *c, access at, const tree_node *n) {
  const bool strided = strstr(n->symbol->name, "strided") != NULL;
  if (n->child_count < (strided ? 5u : 4u) || strncmp(n->symbol->name, "async_work_group_copy_", 22) == 0) {
    c->found.left_out = true;
    return;
  }
  for (uint32_t i = 0; i < 2; i++) {
    const tree_node *pointer = tree_unconverted(n->children[i]);
    const tree_node *count = n->children[2];
    const tree_node *stride = strided ? n->children[3] : NULL;
    if (!leads_to_memory(pointer) || !can_repeat(pointer) || !can_repeat(count) ||
        (stride != NULL && !can_repeat(stride))) {
      c->found.left_out = true;
      continue;
    }
    const bool local = pointer->type->element->space == TREE_SPACE_LOCAL;
    (void)add(c, (access){.unit = at.unit,
                          .function = at.function,
                          .form = ACCESS_COPY,
                          .whole = n,
                          .object = pointer,
                          .kind = i == 0 ? CHECK_COPY_WRITE : CHECK_COPY_READ,
                          .local = local,
                          .bytes = (uint32_t)pointer->type->element->size,
                          .index = count,
                          .stride = local ? NULL : stride});
  }
}

/* Pixels of images by their coordinates as integers. */
static void add_pixel(checked *c, access at, const tree_node *n) {
  const bool writes = n->builtin->kind == TREE_IMAGE_WRITE;
  if (n->child_count < 2) {
    return;
  }
  const tree_node *image = n->children[0];
  while ((image->kind == TREE_CONVERT || image->kind == TREE_PARENTHESES) && image->child_count == 1) {
    image = image->children[0];
  }
  const bool parameter = image->kind == TREE_NAME && image->symbol->kind == TREE_SYMBOL_PARAMETER;
  const tree_node *coordinates = n->children[writes ? 1 : n->child_count - 1];
  if (!writes && !tree_type_is_integer(coordinates->type)) {
    return; /* a sampler says which pixels */
  }
  if (!parameter || !is_plain_kernel(c, at.function) || !can_repeat(coordinates) ||
      !tree_type_is_integer(coordinates->type)) {
    c->found.left_out = c->found.left_out || writes;
    return;
  }
  (void)add(c, (access){.unit = at.unit,
                        .function = at.function,
                        .form = ACCESS_PIXEL,
                        .whole = n,
                        .object = image,
                        .kind = writes ? CHECK_WRITE : CHECK_READ,
                        .bytes = 1,
                        .index = coordinates});
}

static void add_call(checked *c, access at, const tree_node *n) {
  if (n->builtin == NULL) {
    return;
  }
  switch (n->builtin->kind) {
    case TREE_VECTOR_LOAD:
    case TREE_VECTOR_STORE:
      add_vector(c, at, n);
      break;
    case TREE_ASYNC_COPY:
      add_copy(c, at, n);
      break;
    case TREE_ATOMIC_ANY:
    case TREE_ATOMIC_LOAD:
    case TREE_ATOMIC_STORE:
    case TREE_MATH:
      add_pointers(c, at, n);
      break;
    case TREE_IMAGE_READ:
    case TREE_IMAGE_WRITE:
      add_pixel(c, at, n);
      break;
    case TREE_BARRIER: /* one of a sub-group is not followed */
      c->found.sub_groups = c->found.sub_groups || strncmp(n->symbol->name, "sub_group", 9) == 0;
      c->found.left_out = c->found.left_out || c->found.sub_groups;
      break;
    case TREE_PIPE:
      c->found.left_out = true;
      break;
    default:
      break;
  }
}

/* --- all ----------------------------------------------------------------------------------------------------------- */

static void look_at(checked *c, access a, const tree_node *n) {
  switch (n->kind) {
    case TREE_CONVERT:
      if (n->conversion == TREE_LOAD && in_memory(n->children[0]->type)) {
        a.kind = CHECK_READ;
        add_lvalue(c, a, n->children[0]);
      }
      break;
    case TREE_ASSIGN:
    case TREE_COMPOUND_ASSIGN:
    case TREE_STEP:
      if (in_memory(n->children[0]->type)) {
        a.kind = n->kind == TREE_ASSIGN ? CHECK_WRITE : CHECK_UPDATE;
        a.whole = n;
        add_lvalue(c, a, n->children[0]);
      }
      break;
    case TREE_CALL:
      add_call(c, a, n);
      break;
    default:
      break;
  }
  const bool generic = n->type != NULL && n->lvalue && n->type->space == TREE_SPACE_GENERIC;
  c->found.left_out = c->found.left_out || generic || n->kind == TREE_UNKNOWN_EXPRESSION;
}

void find_accesses(const program *p, checked *c) {
  for (uint32_t i = 0; i < p->function_count; i++) {
    const tree_node *body = tree_body(p->functions[i].node);
    for (const tree_node *n = body; n != NULL;) {
      if (n->not_executed || n->kind == TREE_SIZEOF) {
        n = tree_next_beyond(body, n);
        continue;
      }
      look_at(c, (access){.unit = p->functions[i].unit, .function = i}, n);
      n = tree_next(body, n);
    }
  }
}
