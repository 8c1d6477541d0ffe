/* The accesses of a program to global and local memory: where they are, which objects they lead to, and which need no
 * check. */
#include <stdlib.h>
#include <string.h>

#include "detectors/races/pass.h"
#include "instrument/forms.h"

static bool in_memory(const tree_type *t) {
  return t != NULL && (t->space == TREE_SPACE_GLOBAL || t->space == TREE_SPACE_LOCAL);
}

static bool is_pointer(const tree_type *t) { return t != NULL && t->kind == TREE_TYPE_POINTER; }

bool can_repeat(const tree_node *n) {
  for (const tree_node *at = n; at != NULL; at = tree_next(n, at)) {
    const bool changes = at->kind == TREE_ASSIGN || at->kind == TREE_COMPOUND_ASSIGN || at->kind == TREE_STEP ||
                         at->kind == TREE_STATEMENT_EXPRESSION || at->kind == TREE_UNKNOWN_EXPRESSION ||
                         (at->kind == TREE_CALL && (at->builtin == NULL || !tree_builtin_is_pure(at->builtin)));
    if (changes) return false;
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
    for (uint32_t i = 0; i < swizzle->lane_count; i++) lanes[i] = at->lanes[lanes[i] & 15];
  }
  for (uint32_t i = 0; i < swizzle->lane_count; i++) used[lanes[i] & 15] = true;
  *arrow = at->arrow;
  return at->children[0];
}

/* Runs of neighbouring components, each an access of its own. False: it is not known of what. */
static bool add_components(checked *c, const access *of, const tree_node *swizzle) {
  bool used[16] = {false}, arrow = false;
  const tree_node *vector = whole_vector(swizzle, used, &arrow);
  const tree_type *type = arrow && is_pointer(vector->type) ? vector->type->element : vector->type;
  if (type == NULL || type->kind != TREE_TYPE_VECTOR || (!arrow && !vector->lvalue) || (arrow && !in_memory(type)))
    return false;
  const uint32_t size = (uint32_t)tree_component(type)->size;
  for (uint32_t i = 0; i < 16; i++) {
    if (used[i] && (i == 0 || !used[i - 1])) {
      uint32_t last = i;
      while (last < 15 && used[last + 1]) last++;
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
  if (lvalue->kind == TREE_SWIZZLE && add_components(c, &a, lvalue)) return;
  if (lvalue->kind == TREE_SWIZZLE || !has_name(lvalue->type) || lvalue->type->size == 0) {
    c->found.left_out = true;
    return;
  }
  a.object = lvalue;
  a.bytes = (uint32_t)lvalue->type->size;
  if (lvalue->type->kind == TREE_TYPE_VECTOR && lvalue->type->count == 3) a.bytes = a.bytes / 4 * 3;
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
  for (const tree_node *at = n; at != NULL; at = tree_next(n, at))
    if (tree_names(text, at, word)) return true;
  return false;
}

/* Functions of OpenCL 2.0 that have a memory order, if they do not say another one. */
static bool has_order(const checked *c, uint32_t unit_index, const tree_node *n) {
  static const char *const families[] = {"atomic_store",  "atomic_load", "atomic_exchange", "atomic_compare_exchange",
                                         "atomic_fetch_", "atomic_flag_"};
  for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
    if (strncmp(n->symbol->name, families[i], strlen(families[i])) == 0)
      return !has_word(c->p, unit_index, n, "memory_order_relaxed");
  return false;
}

/* Of a function that does something through a pointer: atomics, fract and its like. */
static void add_pointers(checked *c, access at, const tree_node *n) {
  bool first = true;
  for (uint32_t i = 0; i < n->child_count; i++) {
    const tree_node *argument = n->children[i];
    if (!is_pointer(argument->type)) continue;
    const tree_effect effect = first ? n->builtin->first : n->builtin->others;
    const bool atomic = first && (n->builtin->kind == TREE_ATOMIC_ANY || n->builtin->kind == TREE_ATOMIC_STORE);
    const bool look = first && n->builtin->kind == TREE_ATOMIC_LOAD;
    first = false;
    const tree_node *pointer = tree_unconverted(argument);
    c->found.elsewhere = c->found.elsewhere || !leads_to_memory(pointer);
    if (effect == TREE_EFFECT_NONE || !leads_to_memory(pointer) || pointer->type->element->size == 0) continue;
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
  if (n->child_count < 2 + (loads ? 0u : 1u)) return;
  const tree_node *index = n->children[loads ? 0 : 1];
  const tree_node *pointer = tree_unconverted(n->children[loads ? 1 : 2]);
  c->found.elsewhere = c->found.elsewhere || !leads_to_memory(pointer);
  if (!leads_to_memory(pointer)) return;
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
  if (n->child_count < 2) return;
  const tree_node *image = n->children[0];
  while ((image->kind == TREE_CONVERT || image->kind == TREE_PARENTHESES) && image->child_count == 1)
    image = image->children[0];
  const bool parameter = image->kind == TREE_NAME && image->symbol->kind == TREE_SYMBOL_PARAMETER;
  const tree_node *coordinates = n->children[writes ? 1 : n->child_count - 1];
  if (!writes && !tree_type_is_integer(coordinates->type)) return; /* a sampler says which pixels */
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
  if (n->builtin == NULL) return;
  switch (n->builtin->kind) {
    case TREE_VECTOR_LOAD:
    case TREE_VECTOR_STORE: add_vector(c, at, n); break;
    case TREE_ASYNC_COPY: add_copy(c, at, n); break;
    case TREE_ATOMIC_ANY:
    case TREE_ATOMIC_LOAD:
    case TREE_ATOMIC_STORE:
    case TREE_MATH: add_pointers(c, at, n); break;
    case TREE_IMAGE_READ:
    case TREE_IMAGE_WRITE: add_pixel(c, at, n); break;
    case TREE_BARRIER: /* one of a sub-group is not followed */
      c->found.sub_groups = c->found.sub_groups || strncmp(n->symbol->name, "sub_group", 9) == 0;
      c->found.left_out = c->found.left_out || c->found.sub_groups;
      break;
    case TREE_PIPE: c->found.left_out = true; break;
    default: break;
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
    case TREE_CALL: add_call(c, a, n); break;
    default: break;
  }
  const bool generic = n->type != NULL && n->lvalue && n->type->space == TREE_SPACE_GENERIC;
  c->found.left_out = c->found.left_out || generic || n->kind == TREE_UNKNOWN_EXPRESSION;
  const bool by_address =
      n->kind == TREE_SUBSCRIPT || n->kind == TREE_DEREFERENCE || (n->kind == TREE_MEMBER && n->arrow);
  c->found.elsewhere = c->found.elsewhere ||
                       (by_address && !in_memory(n->type) && (n->type == NULL || n->type->kind != TREE_TYPE_ARRAY));
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

/* Reads through parameters that nothing in the program writes through. They race with nothing as long as no other
 * argument of the launch leads to the same memory, and the form with CLTC_APART leaves out their checks. */

typedef struct parameter_set {
  const tree_symbol **items;
  size_t count, capacity;
} parameter_set;

static bool has(const parameter_set *set, const tree_symbol *s) {
  for (size_t i = 0; s != NULL && i < set->count; i++)
    if (set->items[i] == s) return true;
  return false;
}

static void drop(parameter_set *set, const tree_symbol *s) {
  for (size_t i = 0; i < set->count; i++) {
    if (set->items[i] == s) {
      set->items[i] = set->items[--set->count];
      return;
    }
  }
}

static bool leads_to_global(const tree_symbol *s) {
  return s != NULL && s->type != NULL && s->type->kind == TREE_TYPE_POINTER &&
         s->type->element->space == TREE_SPACE_GLOBAL;
}

/* What a kernel writes is known of its objects. */
static bool kernel_writes(const kernel_objects *k, const tree_symbol *s) {
  for (size_t i = 0; i < k->count; i++)
    if (k->items[i].symbol == s) return k->items[i].writes;
  return false;
}

/* The parameters of a function that it does not write through itself. */
static void add_unwritten(const checked *c, uint32_t index, parameter_set *set) {
  const tree_node *node = c->p->functions[index].node;
  parameter_accesses all = read_accesses(node);
  for (uint32_t i = 0; i + 1 < node->child_count; i++) {
    const tree_symbol *s = node->children[i]->symbol;
    bool written =
        !leads_to_global(s) || kernel_writes(&c->kernels[index], s) || (all.escapes[i] && !s->type->element->is_const);
    for (size_t n = 0; n < all.count; n++) written = written || (all.items[n].writes && all.items[n].parameter == i);
    if (!written) *ARRAY_ADD(set->items, set->count, set->capacity) = s;
  }
  accesses_free(&all);
}

/* Parameters of the function that is called stay only if the call gives them memory of such parameters. */
static bool look_at_call(const checked *c, const tree_node *body, const tree_node *at, parameter_set *set) {
  bool dropped = false;
  for (size_t k = 0; k < c->p->function_count; k++) {
    const tree_node *callee = c->p->functions[k].node;
    if (strcmp(callee->symbol->name, at->symbol->name) != 0) continue;
    for (uint32_t i = 0; i + 1 < callee->child_count; i++) {
      const tree_symbol *s = callee->children[i]->symbol;
      const bool given = i < at->child_count && has(set, root_symbol(body, at->children[i]));
      if (has(set, s) && !given) {
        drop(set, s);
        dropped = true;
      }
    }
  }
  return dropped;
}

static bool look_at_calls(const checked *c, parameter_set *set) {
  bool dropped = false;
  for (size_t f = 0; f < c->p->function_count; f++) {
    const tree_node *body = tree_body(c->p->functions[f].node);
    for (const tree_node *n = body; n != NULL; n = tree_next(body, n))
      if (n->kind == TREE_CALL && n->builtin == NULL && n->symbol != NULL)
        dropped = look_at_call(c, body, n, set) || dropped;
  }
  return dropped;
}

void find_apart(checked *c) {
  parameter_set set = {0};
  for (uint32_t i = 0; i < c->p->function_count; i++) add_unwritten(c, i, &set);
  while (look_at_calls(c, &set)) {
  }
  for (size_t i = 0; i < c->found.count; i++) {
    access *a = &c->found.items[i];
    const bool plain =
        a->form == ACCESS_LVALUE || a->form == ACCESS_ARROW || a->form == ACCESS_POINTER || a->form == ACCESS_VECTOR;
    if (plain && a->kind == CHECK_READ && !a->local)
      a->apart = has(&set, root_symbol(tree_body(c->p->functions[a->function].node), a->object));
  }
  free(set.items);
}

/* The objects of a kernel: memory that its parameters lead to, and its __local arrays. */

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
    if (image && !local)
      (void)add_object(k, (kernel_object){.symbol = s, .parameter = i, .image = true, .writes = written});
    if (pointer && s->type->element->space == (local ? TREE_SPACE_LOCAL : TREE_SPACE_GLOBAL))
      (void)add_object(k, (kernel_object){.symbol = s, .parameter = i, .local = local});
  }
}

uint32_t object_number(const kernel_objects *k, const kernel_object *o) {
  return (uint32_t)(o - k->items) - (o->local ? k->globals : 0);
}

static kernel_object *find_object(kernel_objects *k, const tree_symbol *s) {
  for (size_t i = 0; s != NULL && i < k->count; i++)
    if (k->items[i].symbol == s) return &k->items[i];
  return NULL;
}

/* --- granules ------------------------------------------------------------------------------------------------------ */

static uint32_t shift_of(uint32_t bytes) { return bytes % 16 == 0 ? 4 : bytes % 8 == 0 ? 3 : bytes % 4 == 0 ? 2 : 0; }

/* The largest granule that no access cuts: whole vectors by themselves, parts of them by their place, structs by words,
 * as others may access a member. Vector functions need no more alignment than an element has. */
static uint32_t shift_of_access(const access *a) {
  if (a->form == ACCESS_PIXEL) return 0;
  const tree_type *t = a->form == ACCESS_LVALUE ? a->object->type : a->object->type->element;
  if (t->kind == TREE_TYPE_RECORD) return t->size % 4 == 0 ? 2 : 0;
  if (a->form != ACCESS_LVALUE && a->form != ACCESS_ARROW) return shift_of((uint32_t)tree_component(t)->size);
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
    if (a->root == NONE && a->form != ACCESS_PIXEL && a->local == local && own < shift) shift = own;
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
    if (a->function != index || f->called || a->form == ACCESS_COPY) continue;
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
      /* __local variables, arrays or not. */
      const tree_node *body = tree_body(node);
      for (const tree_node *n = body; n != NULL; n = tree_next(body, n))
        if (n->kind == TREE_VARIABLE && n->type != NULL && n->type->space == TREE_SPACE_LOCAL && n->type->size > 0)
          (void)add_object(k, (kernel_object){.symbol = n->symbol, .parameter = NONE, .local = true, .writes = true});
      for (size_t n = 0; n < k->count; n++) k->items[n].shift = 4;
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

/* Whether what a program leaves in memory may depend on the order of its work-items though none of its accesses race:
 * atomic functions whose old value is used, or which do not commute. Additions commute with each other, and so do ands,
 * ors, exclusive ors, minima and maxima of integers each among themselves. */

/* Functions of one letter commute with each other. */
static const struct {
  const char *name; /* after atomic_ or atom_, without _explicit */
  char family;
} commuting[] = {
    {"add", '+'}, {"sub", '+'},       {"inc", '+'}, {"dec", '+'},       {"fetch_add", '+'}, {"fetch_sub", '+'},
    {"and", '&'}, {"fetch_and", '&'}, {"or", '|'},  {"fetch_or", '|'},  {"xor", '^'},       {"fetch_xor", '^'},
    {"min", '<'}, {"fetch_min", '<'}, {"max", '>'}, {"fetch_max", '>'},
};

/* 0: it commutes with nothing. */
static char family_of(const char *called) {
  static const char suffix[] = "_explicit";
  const char *name = strncmp(called, "atomic_", 7) == 0 ? called + 7
                     : strncmp(called, "atom_", 5) == 0 ? called + 5
                                                        : "";
  for (size_t i = 0; i < sizeof commuting / sizeof commuting[0]; i++) {
    const size_t length = strlen(commuting[i].name);
    if (strncmp(name, commuting[i].name, length) == 0 && (name[length] == '\0' || strcmp(name + length, suffix) == 0))
      return commuting[i].family;
  }
  return 0;
}

/* A statement of its own, which is not the value of a statement expression. */
static bool is_unused(const tree_node *n) {
  return n->parent->kind == TREE_EXPRESSION && n->parent->parent != NULL &&
         (n->parent->parent->kind != TREE_COMPOUND || n->parent->parent->parent->kind != TREE_STATEMENT_EXPRESSION);
}

/* What the first argument leads to is made of integers. */
static bool is_of_integers(const tree_node *n) {
  const tree_type *t = n->child_count > 0 ? n->children[0]->type : NULL;
  t = t != NULL && t->kind == TREE_TYPE_POINTER ? t->element : NULL;
  t = t != NULL && t->kind == TREE_TYPE_ATOMIC ? t->element : t;
  return t != NULL && tree_type_is_integer(t);
}

static bool depends(const tree_node *n, char *family) {
  switch (n->builtin->kind) {
    case TREE_ATOMIC_ANY: {
      const char own = is_unused(n) && is_of_integers(n) ? family_of(n->symbol->name) : 0;
      const bool alone = own != 0 && (*family == 0 || *family == own);
      *family = own;
      return !alone;
    }
    case TREE_ATOMIC_LOAD:
    case TREE_ATOMIC_STORE:
    case TREE_GROUP:
    case TREE_SUB_GROUP:
    case TREE_PIPE:
    case TREE_EVENT: return true;
    default: return false;
  }
}

void find_order(const program *p, checked *c) {
  char family = 0;
  for (uint32_t i = 0; i < p->function_count; i++) {
    const tree_node *body = tree_body(p->functions[i].node);
    for (const tree_node *n = body; n != NULL; n = tree_next(body, n))
      if (n->kind == TREE_CALL && n->builtin != NULL && depends(n, &family)) c->found.ordered = true;
  }
}
