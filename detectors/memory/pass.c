/* The text of programs with bounds as a pass: accesses, what an lvalue is part of, and what the caller learns of them. */
#include "detectors/memory/pass.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "detectors/memory/record.h"
#include "instrument/forms.h"

static bool is_pointer(const tree_type *t) { return t != NULL && t->kind == TREE_TYPE_POINTER; }

static void add(memory_form *m, touch t) { *ARRAY_ADD(m->items, m->count, m->capacity) = t; }

static bool is_bit_field(const tree_node *n) { return n->kind == TREE_MEMBER && n->symbol->bit_field; }

/* What a pointer of ours can point to by name, a value be given by. */
static bool has_name(const tree_type *t) {
  return t->kind == TREE_TYPE_INTEGER || t->kind == TREE_TYPE_FLOAT || t->kind == TREE_TYPE_VECTOR ||
         t->kind == TREE_TYPE_RECORD || t->kind == TREE_TYPE_BOOL || t->kind == TREE_TYPE_ENUM ||
         t->kind == TREE_TYPE_POINTER;
}

static uint32_t bytes_of(const tree_type *t) {
  const uint32_t size = (uint32_t)t->size;
  return t->kind == TREE_TYPE_VECTOR && t->count == 3 ? size / 4 * 3 : size;
}

static uint32_t align_of(const tree_type *t) {
  return t->kind == TREE_TYPE_RECORD ? t->align : t->kind == TREE_TYPE_ARRAY || t->size == 0 ? 1 : (uint32_t)t->size;
}

/* … of a member, too: no more than the structures have that it is in, which may be packed. */
static uint32_t align_of_lvalue(const tree_node *lvalue) {
  const tree_node *n = tree_bare(lvalue);
  uint32_t least = align_of(n->type);
  while ((n->kind == TREE_MEMBER || n->kind == TREE_SUBSCRIPT || n->kind == TREE_CONVERT) && !n->arrow) {
    n = tree_bare(n->children[0]);
    const bool record = n->type != NULL && n->type->kind == TREE_TYPE_RECORD;
    least = record && n->type->align < least ? n->type->align : least;
  }
  const tree_type *to = n->arrow && is_pointer(n->children[0]->type) ? n->children[0]->type->element : NULL;
  return to != NULL && to->kind == TREE_TYPE_RECORD && to->align < least ? to->align : least;
}

/* --- lvalues ------------------------------------------------------------------------------------------------------- */

/* Bytes from the first to the last component of a swizzle. */
static uint32_t bytes_of_swizzle(const tree_node *n) {
  uint8_t least = 255, most = 0;
  for (uint32_t i = 0; i < n->lane_count; i++) {
    least = n->lanes[i] < least ? n->lanes[i] : least;
    most = n->lanes[i] > most ? n->lanes[i] : most;
  }
  return (uint32_t)(most - least + 1) * (uint32_t)tree_component(n->type)->size;
}

/* Of a variable of which nothing is indexed there is nothing to ask. */
static bool is_certain(const memory_root *r) {
  if (r->pointer != NULL) return false;
  const tree_type *t =
      r->name != NULL && r->name->symbol->kind != TREE_SYMBOL_ENUMERATOR ? r->name->symbol->type : NULL;
  return r->name == NULL || t == NULL || r->fixed || t->size == 0 || t->size == TREE_UNSIZED;
}

static bool is_generic(const tree_type *t) { return t != NULL && t->space == TREE_SPACE_GENERIC; }

static void add_lvalue(memory_form *m, touch t, const tree_node *lvalue) {
  const memory_root r = root_of_lvalue(lvalue);
  const tree_node *n = tree_bare(lvalue);
  const bool met = m->copying && n->type != NULL && n->type->space == TREE_SPACE_LOCAL; /* maybe by a copy */
  if ((is_certain(&r) && !met) || n->type == NULL) return;
  if (is_generic(n->type) || !has_name(n->type->plain) || n->type->size == 0) {
    m->left_out = true;
    return;
  }
  t.form = TOUCH_LVALUE;
  t.object = n;
  t.bytes = n->kind == TREE_SWIZZLE ? bytes_of_swizzle(n) : is_bit_field(n) ? 1 : bytes_of(n->type);
  t.align = r.pointer == NULL || is_bit_field(n) ? 1
            : n->kind == TREE_SWIZZLE            ? (uint32_t)tree_component(n->type)->size
                                                 : align_of_lvalue(n);
  add(m, t);
}

/* --- calls --------------------------------------------------------------------------------------------------------- */

/* A plain variable behind `&` needs no check. */
static bool is_own_variable(const tree_node *pointer) {
  const tree_node *n = tree_bare(pointer);
  if (n->kind != TREE_ADDRESS) return false;
  const memory_root r = root_of_lvalue(n->children[0]);
  return r.pointer == NULL && is_certain(&r);
}

static check_kind kind_of_call(const tree_builtin *b, tree_effect effect) {
  switch (b->kind) {
    case TREE_ATOMIC_ANY:
    case TREE_ATOMIC_STORE: return CHECK_ATOMIC;
    case TREE_ATOMIC_LOAD: return CHECK_ATOMIC_LOAD;
    default: return effect == TREE_EFFECT_READ ? CHECK_READ : effect == TREE_EFFECT_WRITE ? CHECK_WRITE : CHECK_UPDATE;
  }
}

/* What a pointer of a call leads to, where the call accesses it and there is something to ask; else NULL. */
static const tree_type *asked_of(const tree_node *pointer, tree_effect effect) {
  const tree_type *to = is_pointer(pointer->type) ? pointer->type->element : NULL;
  return effect != TREE_EFFECT_NONE && to != NULL && to->size > 0 && !is_own_variable(pointer) ? to : NULL;
}

/* The first pointer of a call; others have no check. */
static void add_call(memory_form *m, touch t, const tree_node *n) {
  bool first = true;
  for (uint32_t i = 0; i < n->child_count; i++) {
    if (!is_pointer(n->children[i]->type)) continue;
    const tree_effect effect = first ? n->builtin->first : n->builtin->others;
    const tree_node *pointer = tree_unconverted(n->children[i]);
    const tree_type *to = asked_of(pointer, effect);
    if (to != NULL && (!first || is_generic(to))) {
      m->left_out = true;
    } else if (to != NULL) {
      t.form = TOUCH_CALL;
      t.whole = n;
      t.object = pointer;
      t.kind = kind_of_call(n->builtin, effect);
      t.bytes = bytes_of(to);
      t.align = align_of(to);
      add(m, t);
    }
    first = false;
  }
}

static void add_vector(memory_form *m, touch t, const tree_node *n) {
  const bool loads = n->builtin->kind == TREE_VECTOR_LOAD;
  if (n->child_count < (loads ? 2u : 3u)) return;
  const tree_node *pointer = tree_unconverted(n->children[loads ? 1 : 2]);
  const tree_type *to = is_pointer(pointer->type) ? pointer->type->element : NULL;
  if (to == NULL || is_generic(to)) {
    m->left_out = true;
    return;
  }
  const uint32_t count = vector_function_components(n->symbol->name);
  t.form = TOUCH_VECTOR;
  t.whole = n;
  t.object = pointer;
  t.index = n->children[loads ? 0 : 1];
  t.kind = loads ? CHECK_READ : CHECK_WRITE;
  t.bytes = count * (uint32_t)to->size;
  t.step = vector_function_step(n->symbol->name);
  t.align = vector_function_is_aligned(n->symbol->name) ? t.step * (uint32_t)to->size : (uint32_t)to->size;
  add(m, t);
}

/* The strided side of async_work_group_strided_copy is the one in global memory. */
static void add_copy(memory_form *m, touch t, const tree_node *n) {
  const bool strided = strstr(n->symbol->name, "strided") != NULL;
  if (n->child_count < (strided ? 5u : 4u) || strncmp(n->symbol->name, "async_work_group_copy_", 22) == 0) {
    m->left_out = true;
    return;
  }
  for (uint32_t i = 0; i < 2; i++) {
    const tree_node *pointer = tree_unconverted(n->children[i]);
    const tree_type *to = is_pointer(pointer->type) ? pointer->type->element : NULL;
    if (to == NULL || is_generic(to) || to->size == 0) {
      m->left_out = true;
      continue;
    }
    t.form = TOUCH_COPY;
    t.whole = n;
    t.object = pointer;
    t.index = n->children[2];
    t.stride = strided && to->space != TREE_SPACE_LOCAL ? n->children[3] : NULL;
    t.kind = i == 0 ? CHECK_COPY_WRITE : CHECK_COPY_READ;
    t.bytes = (uint32_t)to->size; /* of 3 components 4 are copied */
    m->copies = true;
    add(m, t);
  }
}

/* Without a sampler nothing says what lies outside of an image; with one, it is asked only whether it may be read. */
static void add_pixel(memory_form *m, touch t, const tree_node *n) {
  const bool writes = n->builtin->kind == TREE_IMAGE_WRITE;
  const tree_node *image = n->child_count > 1 ? tree_plain(n->children[0]) : NULL;
  while (image != NULL && image->kind == TREE_CONVERT) image = tree_plain(image->children[0]);
  const uint32_t usual = writes ? 3 : 2;
  const bool parameter =
      image != NULL && image->kind == TREE_NAME && image->symbol->kind == TREE_SYMBOL_PARAMETER && image->type != NULL;
  const bool sampled = !writes && n->child_count != usual;
  if (sampled && !parameter) return;
  if (!sampled && (!parameter || n->child_count != usual || !tree_type_is_integer(n->children[1]->type) ||
                   strstr(image->type->name, "msaa") != NULL)) {
    m->left_out = true;
    return;
  }
  t.form = TOUCH_PIXEL;
  t.whole = n;
  t.object = image;
  t.index = sampled ? NULL : n->children[1];
  t.kind = writes ? CHECK_WRITE : CHECK_READ;
  m->pixels = true;
  add(m, t);
}

static void look_at_call(memory_form *m, touch t, const tree_node *n) {
  switch (n->builtin->kind) {
    case TREE_VECTOR_LOAD:
    case TREE_VECTOR_STORE: add_vector(m, t, n); break;
    case TREE_ASYNC_COPY: add_copy(m, t, n); break;
    case TREE_ATOMIC_ANY:
    case TREE_ATOMIC_LOAD:
    case TREE_ATOMIC_STORE:
    case TREE_MATH: add_call(m, t, n); break;
    case TREE_IMAGE_READ:
    case TREE_IMAGE_WRITE: add_pixel(m, t, n); break;
    case TREE_PIPE: m->left_out = true; break;
    default: break;
  }
}

/* --- all ----------------------------------------------------------------------------------------------------------- */

static bool is_widening(const tree_node *n) {
  if ((n->kind != TREE_CONVERT && n->kind != TREE_CAST) || !is_pointer(n->type)) return false;
  const tree_type *from = n->children[0]->type;
  return n->conversion == TREE_INTEGER_TO_POINTER ||
         (n->conversion == TREE_POINTER_TO_POINTER && is_pointer(from) &&
          (from->element->size == 0 || from->element->kind == TREE_TYPE_RECORD ||
           align_of(n->type->element) > align_of(from->element)));
}

static void look_at(memory_form *m, touch t, const tree_node *n) {
  if (n->kind == TREE_CONVERT && n->conversion == TREE_LOAD) {
    t.kind = CHECK_READ;
    t.whole = n->children[0];
    add_lvalue(m, t, n->children[0]);
  } else if (n->kind == TREE_ASSIGN || n->kind == TREE_COMPOUND_ASSIGN || n->kind == TREE_STEP) {
    t.kind = n->kind == TREE_ASSIGN ? CHECK_WRITE : CHECK_UPDATE;
    t.whole = n;
    t.value = n->kind == TREE_STEP ? NULL : n->children[1];
    add_lvalue(m, t, n->children[0]);
  } else if (n->kind == TREE_CALL && n->builtin != NULL) {
    look_at_call(m, t, n);
  }
  m->left_out = m->left_out || n->kind == TREE_UNKNOWN_EXPRESSION;
  m->widens = m->widens || is_widening(n);
}

/* pass.c */
static void find_touches(const program *p, memory_form *m) {
  find_events(p, m);
  for (uint32_t i = 0; i < p->function_count; i++) {
    const tree_node *body = tree_body(p->functions[i].node);
    for (const tree_node *n = body; n != NULL;) {
      if (n->not_executed || n->kind == TREE_SIZEOF) {
        n = tree_next_beyond(body, n);
        continue;
      }
      look_at(m, (touch){.unit = p->functions[i].unit, .function = i, .align = 1}, n);
      n = tree_next(body, n);
    }
  }
}

/* From an lvalue to the variable that it is part of, or to the pointer that leads to it. */

const tree_node *memory_decayed(const tree_node *pointer) {
  const tree_node *n = tree_bare(pointer);
  return n->kind == TREE_CONVERT && n->conversion == TREE_DECAY ? tree_bare(n->children[0]) : NULL;
}

/* One step outwards: `*n` becomes the lvalue around it, NULL at the end. */
static void step_out(const tree_node **n, memory_root *r) {
  const tree_node *at = *n, *base = at->child_count > 0 ? at->children[0] : NULL;
  *n = NULL;
  switch (at->kind) {
    case TREE_NAME: r->name = at; break;
    case TREE_PARENTHESES: *n = base; break;
    case TREE_SWIZZLE:
    case TREE_MEMBER:
      r->member = r->member || at->kind == TREE_MEMBER;
      r->pointer = at->arrow ? base : NULL;
      *n = at->arrow ? NULL : base;
      break;
    case TREE_SUBSCRIPT: {
      const tree_constant *index = &at->children[1]->constant;
      const tree_node *whole = base->type != NULL && base->type->kind == TREE_TYPE_VECTOR ? base : memory_decayed(base);
      const uint64_t count = whole != NULL && whole->type != NULL ? whole->type->count : 0;
      r->fixed = r->fixed && index->kind == TREE_INTEGER_CONSTANT && (uint64_t)index->integer < count;
      r->pointer = whole == NULL ? base : NULL;
      *n = whole;
      break;
    }
    case TREE_DEREFERENCE: {
      const tree_node *whole = memory_decayed(base);
      r->pointer = whole == NULL ? base : NULL;
      *n = whole;
      break;
    }
    default: break;
  }
}

memory_root root_of_lvalue(const tree_node *lvalue) {
  memory_root r = {.fixed = true};
  for (const tree_node *n = lvalue; n != NULL;) step_out(&n, &r);
  return r;
}

/* Of one node alone. */
static bool is_plain_node(const tree_node *n) {
  switch (n->kind) {
    case TREE_LITERAL:
    case TREE_MACRO:
    case TREE_NAME:
    case TREE_PARENTHESES:
    case TREE_UNARY:
    case TREE_SIZEOF:
    case TREE_CAST: return true;
    case TREE_BINARY: return n->op != OP_DIVIDE && n->op != OP_REMAINDER;
    case TREE_MEMBER:
    case TREE_SWIZZLE: return !n->arrow;
    case TREE_CONVERT:
      if (n->conversion == TREE_LOAD) {
        const memory_root r = root_of_lvalue(n->children[0]);
        const tree_space space = r.name != NULL && r.name->type != NULL ? r.name->type->space : TREE_SPACE_NONE;
        return r.name != NULL && r.fixed && (space == TREE_SPACE_NONE || space == TREE_SPACE_PRIVATE) &&
               !r.name->type->is_volatile;
      }
      return true;
    case TREE_CALL: return n->builtin != NULL && n->builtin->kind == TREE_WORK_ITEM;
    default: return false;
  }
}

bool is_plain_value(const tree_node *n) {
  for (const tree_node *at = n; at != NULL; at = tree_next(n, at))
    if (!is_plain_node(at)) return false;
  return true;
}

uint32_t parameter_number(const tree_node *owner, const tree_symbol *s) {
  for (uint32_t i = 0; i + 1 < owner->child_count; i++)
    if (owner->children[i]->symbol == s) return i;
  return NONE;
}

/* Whether its address is taken, so that it can change in other ways. */
static bool is_exposed(const tree_node *body, const tree_symbol *s) {
  for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
    if (n->kind == TREE_ADDRESS) {
      const memory_root r = root_of_lvalue(n->children[0]);
      if (r.name != NULL && r.name->symbol == s) return true;
    }
  }
  return false;
}

bool is_handled_type(const tree_type *t) {
  return t != NULL && (t->kind == TREE_TYPE_POINTER || t->kind == TREE_TYPE_IMAGE);
}

bool has_handle(const tree_node *owner, const tree_symbol *s) {
  if (s == NULL || !is_handled_type(s->type) || s->is_static || s->is_extern || s->type->is_volatile ||
      is_exposed(tree_body(owner), s))
    return false;
  if (s->kind == TREE_SYMBOL_PARAMETER) return parameter_number(owner, s) != NONE;
  const tree_space space = s->type->space;
  return s->kind == TREE_SYMBOL_VARIABLE && (space == TREE_SPACE_NONE || space == TREE_SPACE_PRIVATE) &&
         s->declaration != NULL && tree_function_of(s->declaration) == owner;
}

/* Bounds as a pass, and what the caller learns: the places of accesses and calls, the memory that there is. */

/* The token by which a person knows the access: the name of the function, else where the lvalue begins. */
static uint32_t token_of(const touch *t) { return t->form != TOUCH_LVALUE ? t->whole->token : t->object->tokens.first; }

static instrument_check place_of(program *p, uint32_t unit_index, uint32_t token) {
  unit *u = &p->units[unit_index];
  const pp_position *at = shown_at(&u->text.tokens[token]);
  return (instrument_check){
      .file = file_of(p, u, at->file), .line = at->line, .column = at->column, .offset = at->offset};
}

static void put_checks(const memory_form *m, program *p) {
  instrument_result *out = p->out;
  out->checks = mem_calloc(m->count + 1, sizeof *out->checks);
  out->check_count = m->count;
  out->left_out = m->left_out || m->count >= MEMORY_ACCESSES;
  for (size_t i = 0; i < m->count; i++) {
    const touch *t = &m->items[i];
    out->checks[i] = place_of(p, t->unit, token_of(t));
    out->checks[i].kind = t->kind;
    const tree_type *to = t->form == TOUCH_LVALUE ? t->object->type : t->object->type->element;
    out->checks[i].local = to != NULL && to->space == TREE_SPACE_LOCAL;
  }
}

/* In the order of their numbers (write_calls). */
static void put_calls(program *p) {
  instrument_result *out = p->out;
  for (uint32_t i = 0; i < p->function_count; i++) out->call_count += p->functions[i].call_count;
  out->calls = mem_calloc(out->call_count + 1, sizeof *out->calls);
  size_t number = 0;
  for (uint32_t i = 0; i < p->function_count; i++) {
    const tree_node *body = tree_body(p->functions[i].node);
    const size_t first = number;
    for (const tree_node *n = body; n != NULL; n = tree_next(body, n)) {
      for (size_t k = 0; n->kind == TREE_CALL && n->builtin == NULL && k < p->functions[i].call_count; k++) {
        if (p->functions[i].calls[k].token == n->token && number < first + p->functions[i].call_count) {
          out->calls[number++] = place_of(p, p->functions[i].unit, n->token);
          break;
        }
      }
    }
    number = first + p->functions[i].call_count;
  }
}

static instrument_object object_of(const tree_symbol *s, uint32_t parameter) {
  const tree_type *t = s->type;
  const tree_type *element = t->kind == TREE_TYPE_POINTER || t->kind == TREE_TYPE_ARRAY ? t->element : t;
  while (element->kind == TREE_TYPE_ARRAY) element = element->element;
  const tree_space space = t->kind == TREE_TYPE_POINTER ? element->space : t->space;
  return (instrument_object){.name = mem_strdup(s->name),
                             .parameter = parameter,
                             .size = (uint32_t)element->size,
                             .plain = fill_plain_bytes(element),
                             .local = space == TREE_SPACE_LOCAL,
                             .image = t->kind == TREE_TYPE_IMAGE,
                             .space = space == TREE_SPACE_NONE ? TREE_SPACE_PRIVATE : space};
}

static void put_kernels(program *p) {
  for (size_t i = 0; i < p->kernel_count; i++) {
    const tree_node *kernel = p->functions[p->kernel_functions[i]].node;
    instrument_kernel *to = &p->out->kernels[i];
    to->objects = mem_calloc(kernel->child_count + 1, sizeof *to->objects);
    to->item_bytes = p->form->brief ? 1 : 0;
    to->flag_words = p->form->brief ? 1 : 0;
    to->total_words = p->form->brief ? 1 : MEMORY_WORDS;
    for (uint32_t n = 0; n + 1 < kernel->child_count; n++)
      if (is_memory_parameter(kernel->children[n]->symbol))
        to->objects[to->object_count++] = object_of(kernel->children[n]->symbol, n);
  }
}

static int begin(program *p, void **state, error *e) {
  (void)e;
  memory_form *m = mem_calloc(1, sizeof *m);
  *state = m;
  m->p = p;
  find_touches(p, m);
  memory_try(m);
  put_checks(m, p);
  put_calls(p);
  put_kernels(p);
  p->out->arrays = mem_calloc(m->named_count + 1, sizeof *p->out->arrays);
  p->out->array_count = m->named_count;
  for (size_t i = 0; i < m->named_count; i++) p->out->arrays[i] = object_of(m->named[i].symbol, MODEL_NONE);
  return 0;
}

static void end(void *state) {
  memory_form *m = state;
  free(m->items);
  free(m->named);
  free(m);
}

const pass memory_pass = {.begin = begin,
                          .end = end,
                          .before = memory_before,
                          .parameters = memory_parameters,
                          .handed = memory_handed,
                          .function = memory_function};

const form_text memory_text = {.title = "/* With bounds by cltestcheck. */\n", .passes = {&memory_pass}};
const form_text bounds_text = {.title = "/* With bounds by cltestcheck. */\n", .passes = {&memory_pass}, .brief = true};
