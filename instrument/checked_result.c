/* Checks as a pass, and what the caller learns: the places of accesses, the objects of kernels. */
#include <stdlib.h>

#include "base/memory.h"
#include "instrument/checked.h"
#include "wire/check_record.h"

/* The token by which a person knows the access: the name of the function, else where the lvalue begins. */
static uint32_t token_of(const access *a) {
  const bool called = a->form != ACCESS_LVALUE && a->form != ACCESS_ARROW && a->whole != NULL;
  return called ? a->whole->token : a->object->tokens.first;
}

static void put_checks(const checked *c, program *p) {
  instrument_result *out = p->out;
  out->checks = mem_calloc(c->found.count + 1, sizeof *out->checks);
  out->check_count = c->found.count;
  out->left_out = c->found.left_out || c->found.count >= CHECKED_ACCESSES;
  out->ordered = c->found.ordered;
  for (size_t i = 0; i < c->found.count; i++) {
    const access *a = &c->found.items[i];
    unit *u = &p->units[a->unit];
    const pp_position *at = shown_at(&u->text.tokens[token_of(a)]);
    out->checks[i] = (instrument_check){file_of(p, u, at->file), at->line, at->column, at->offset, a->kind, a->local};
  }
}

static void put_object(const kernel_object *from, instrument_object *to) {
  const tree_type *t = from->symbol->type;
  const tree_type *element = t->kind == TREE_TYPE_POINTER || t->kind == TREE_TYPE_ARRAY ? t->element : t;
  while (element->kind == TREE_TYPE_ARRAY) {
    element = element->element;
  }
  *to = (instrument_object){.name = mem_strdup(from->symbol->name),
                            .parameter = from->parameter == NONE ? MODEL_NONE : from->parameter,
                            .size = (uint32_t)element->size,
                            .local = from->local,
                            .image = from->image,
                            .shift = from->shift,
                            .writes = from->writes};
}

/* What the caller learns of it, into p->out. */
static void checked_result(const checked *c, program *p) {
  put_checks(c, p);
  for (size_t i = 0; i < p->kernel_count; i++) {
    const kernel_objects *k = &c->kernels[p->kernel_functions[i]];
    instrument_kernel *to = &p->out->kernels[i];
    to->objects = mem_calloc(k->count + 1, sizeof *to->objects);
    to->object_count = k->count;
    to->area = k->area;
    to->total_words = CHECKED_WORDS;
    for (size_t n = 0; n < k->count; n++) {
      put_object(&k->items[n], &to->objects[n]);
    }
  }
}

static int checked_begin(program *p, void **state, error *e) {
  (void)e;
  checked *c = mem_calloc(1, sizeof *c);
  *state = c;
  c->p = p;
  find_accesses(p, c);
  find_order(p, c);
  find_objects(p, c);
  find_apart(c);
  checked_result(c, p);
  return 0;
}

static void checked_end(void *state) {
  checked *c = state;
  for (size_t i = 0; i < c->p->function_count; i++) {
    free(c->kernels[i].items);
  }
  free(c->kernels);
  free(c->found.items);
  free(c);
}

const pass checked_pass = {.begin = checked_begin,
                           .end = checked_end,
                           .before = checked_before,
                           .parameters = checked_parameters,
                           .function = checked_function};
