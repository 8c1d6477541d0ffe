/* Accesses of a work-item since the last barrier, for annotations that speak of them: "an access" of an array stands for any
 * of them. So what is asserted of it is asserted of all. */
#include "verify/logged.h"

#include <stdlib.h>

#include "base/memory.h"

typedef struct entry {
  const access *access;
  formula live; /* no barrier has come since */
} entry;

/* Any access of a kind to some memory, or none. */
typedef struct any_access {
  uint32_t memory;
  access_kind kind;
  unsigned thread;
  formula has, at; /* there is one; where, in bytes */
} any_access;

struct logged {
  entry *entries;
  size_t count, capacity;
  any_access *any; /* asked since the last change of the entries */
  size_t any_count, any_capacity;
};

static bool speaks_of_accesses(const call *c) {
  return c != NULL && (c->kind == CALL_READ_BEFORE || c->kind == CALL_WRITTEN_BEFORE || c->kind == CALL_READ_AT ||
                       c->kind == CALL_WRITTEN_AT);
}

bool logged_is_asked(const kernel *k) {
  for (uint32_t i = 0; i < k->instruction_count; i++) {
    if (speaks_of_accesses(k->instructions[i].callee)) {
      return true;
    }
  }
  return false;
}

void logged_note(proof *p, const access *a) {
  if (p->logged == NULL) {
    p->logged = mem_calloc(1, sizeof *p->logged);
  }
  struct logged *l = p->logged;
  *ARRAY_ADD(l->entries, l->count, l->capacity) = (entry){a, p->smt.yes};
  l->any_count = 0;
}

void logged_clear(proof *p, const formula conditions[THREADS], unsigned flags) {
  struct logged *l = p->logged;
  for (size_t i = 0; l != NULL && i < l->count; i++) {
    entry *e = &l->entries[i];
    const unsigned of = p->objects[e->access->object].space == SPACE_LOCAL ? FLAG_LOCAL : FLAG_GLOBAL;
    if ((of & flags) != 0) {
      e->live = smt_and(&p->smt, e->live, smt_not(&p->smt, conditions[e->access->thread]));
    }
  }
  if (l != NULL) {
    l->any_count = 0;
  }
}

static bool concerns(const proof *p, const entry *e, const any_access *any) {
  const access *a = e->access;
  return a->thread == any->thread && p->objects[a->object].memory == any->memory && e->live != p->smt.no &&
         (a->kind == any->kind || a->kind == ACCESS_ATOMIC);
}

/* If there is an access, it is one of those that were noted. */
static any_access make_any(proof *p, uint32_t memory, access_kind kind, unsigned thread) {
  any_access made = {memory, kind, thread, smt_fresh(&p->smt, "has", 0, false), NULL};
  made.at = smt_fresh(&p->smt, "access", ADDRESS_BITS, false);
  formula one = p->smt.no;
  for (size_t i = 0; p->logged != NULL && i < p->logged->count; i++) {
    const entry *e = &p->logged->entries[i];
    if (concerns(p, e, &made)) {
      const formula here = smt_equal(&p->smt, made.at, offset_number(&p->values, &e->access->within, 1));
      const formula happened = smt_and(&p->smt, e->access->enabled, e->live);
      one = smt_or(&p->smt, one, smt_and(&p->smt, happened, here));
    }
  }
  proof_fact(p, smt_implies(&p->smt, made.has, one));
  return made;
}

static const any_access *find_any(proof *p, uint32_t memory, access_kind kind, unsigned thread) {
  if (p->logged == NULL) {
    p->logged = mem_calloc(1, sizeof *p->logged);
  }
  struct logged *l = p->logged;
  for (size_t i = 0; i < l->any_count; i++) {
    if (l->any[i].memory == memory && l->any[i].kind == kind && l->any[i].thread == thread) {
      return &l->any[i];
    }
  }
  any_access *made = ARRAY_ADD(l->any, l->any_count, l->any_capacity);
  *made = make_any(p, memory, kind, thread);
  return made;
}

formula logged_execute(proof *p, unsigned thread, const instruction *i, environment variables) {
  const value *pointer = operand(p, variables, LLVMGetOperand(i->value, 0));
  if (pointer->kind != VALUE_POINTER || pointer->count != 1 ||
      p->objects[pointer->targets[0].object].kind == OBJECT_UNKNOWN) {
    return NULL;
  }
  const target *t = &pointer->targets[0];
  const object *o = &p->objects[t->object];
  if (i->callee->kind == CALL_OFFSET) {
    return offset_number(&p->values, &t->at, 1);
  }
  const bool read = i->callee->kind == CALL_READ_BEFORE || i->callee->kind == CALL_READ_AT;
  const any_access *any = find_any(p, o->memory, read ? ACCESS_READ : ACCESS_WRITE, thread);
  if (i->callee->kind == CALL_READ_BEFORE || i->callee->kind == CALL_WRITTEN_BEFORE) {
    return any->has;
  }
  const offset begin = object_within(p, t->object, (offset){0, 0, NULL});
  return smt_subtract(&p->smt, any->at, offset_number(&p->values, &begin, 1));
}

void logged_free(proof *p) {
  if (p->logged != NULL) {
    free(p->logged->entries);
    free(p->logged->any);
  }
  free(p->logged);
}
