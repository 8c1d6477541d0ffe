#include "verify/told.h"

static unsigned line_of(const proof *p, uint32_t number) {
  source_place place = {0};
  const instruction *i = kernel_instruction(p->kernel, number);
  return module_place(i->value, 0, &place) ? place.line : 0;
}

told_fault told_pair(const proof *p, const pair *x) {
  const unsigned a = line_of(p, x->first->instruction), b = line_of(p, x->second->instruction);
  return (told_fault){-1, {a < b ? a : b, a < b ? b : a}};
}

told_fault told_mishap(const proof *p, const mishap *m) {
  const unsigned line = line_of(p, m->instruction);
  return (told_fault){(int)m->kind, {line, line}};
}

bool told_has(const proof *p, told_fault one) {
  for (size_t i = 0; i < p->told_count; i++) {
    const told_fault *t = &p->told[i];
    if (t->kind == one.kind && t->lines[0] == one.lines[0] && t->lines[1] == one.lines[1]) {
      return true;
    }
  }
  return false;
}
