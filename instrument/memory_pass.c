/* Bounds as a pass, and what the caller learns: the places of accesses and calls, the memory that there is. */
#include <stdlib.h>

#include "base/memory.h"
#include "instrument/memory.h"
#include "wire/memory_record.h"

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
  for (uint32_t i = 0; i < p->function_count; i++) {
    out->call_count += p->functions[i].call_count;
  }
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
  while (element->kind == TREE_TYPE_ARRAY) {
    element = element->element;
  }
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
    for (uint32_t n = 0; n + 1 < kernel->child_count; n++) {
      if (is_memory_parameter(kernel->children[n]->symbol)) {
        to->objects[to->object_count++] = object_of(kernel->children[n]->symbol, n);
      }
    }
  }
}

static void put_arrays(const memory_form *m, program *p) {
  p->out->arrays = mem_calloc(m->named_count + 1, sizeof *p->out->arrays);
  p->out->array_count = m->named_count;
  for (size_t i = 0; i < m->named_count; i++) {
    p->out->arrays[i] = object_of(m->named[i].symbol, MODEL_NONE);
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
  put_arrays(m, p);
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
