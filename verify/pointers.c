/* Whether two pointers are one: the same for both work-items where these are. */
#include <stdio.h>
#include <string.h>

#include "verify/proof.h"

static bool is_null(const object *o) { return o->kind == OBJECT_NULL; }

/* Whether a launch gave memory for it. */
static bool is_given(const proof *p, const object *o) {
  for (size_t i = 0; i < p->launch->buffer_count; i++) {
    const buffer_given *b = &p->launch->buffers[i];
    if (!b->counted && !b->said && !b->null && strcmp(b->name, o->name) == 0) {
      return true;
    }
  }
  return false;
}

/* An argument may be null, but where a launch gave memory for it. Where something goes wrong for certain it is not, as then
 * a launch needs it. */
static formula null_argument(proof *p, const object *o) {
  char name[200];
  if (o->kind != OBJECT_ARGUMENT || is_given(p, o)) {
    return p->smt.no;
  }
  if (p->turns > 0) {
    p->complete = false;
    return p->smt.no;
  }
  (void)snprintf(name, sizeof name, "null %.160s", o->name);
  return smt_unknown(&p->smt, name, 0);
}

static formula targets_equal(proof *p, const target *x, const target *y) {
  const object *a = &p->objects[x->object], *b = &p->objects[y->object];
  if (a->kind == OBJECT_UNKNOWN || b->kind == OBJECT_UNKNOWN) {
    return smt_fresh(&p->smt, "pointers", 0, true);
  }
  const formula at[] = {offset_number(&p->values, &x->at, 1), offset_number(&p->values, &y->at, 1)};
  if (x->object == y->object || (is_null(a) && is_null(b))) {
    return smt_equal(&p->smt, at[0], at[1]);
  }
  if (is_null(a) || is_null(b)) {
    return null_argument(p, is_null(a) ? b : a);
  }
  char name[64]; /* whether two objects are one is not known */
  (void)snprintf(name, sizeof name, "equal %u %u", x->object, y->object);
  return smt_apply(&p->smt, name, at, 2, 0, true);
}

formula pointers_equal(proof *p, const value *a, const value *b) {
  formula any = p->smt.no;
  for (size_t i = 0; i < a->count; i++) {
    for (size_t j = 0; j < b->count; j++) {
      const target *x = &a->targets[i], *y = &b->targets[j];
      const formula both = smt_and(&p->smt, x->when, y->when);
      if (both != p->smt.no) {
        any = smt_or(&p->smt, any, smt_and(&p->smt, both, targets_equal(p, x, y)));
      }
    }
  }
  return any;
}
