#include "runner/engine/elements.h"

#include <string.h>

static const parameter *parameter_of(const signature *of, const char *name) {
  for (size_t i = 0; i < of->count; i++) {
    const parameter *p = &of->parameters[i];
    if (strcmp(p->name, name) == 0 && (p->kind == PARAMETER_GLOBAL || p->kind == PARAMETER_LOCAL)) {
      return p;
    }
  }
  return NULL;
}

static void tell_element(answer_finding *f, const parameter *p) {
  const uint64_t byte = f->element * f->element_size;
  f->byte = byte % p->size;
  f->has_byte = f->element_size < p->size;
  f->element = byte / p->size;
  f->element_size = p->size;
}

void elements_tell(verify_answer *a, const signature *of) {
  for (size_t i = 0; of != NULL && i < a->finding_count; i++) {
    answer_finding *f = &a->findings[i];
    const parameter *p = f->has_element && strcmp(f->space, "image") != 0 ? parameter_of(of, f->array) : NULL;
    if (p != NULL && p->size > 0 && f->element_size > 0 && f->element_size != p->size) {
      tell_element(f, p);
    }
  }
}
