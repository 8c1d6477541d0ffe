/* What each form does. One that needs nothing of its own gets the common hidden arguments, and objects without cells. */
#include "layer/observe/forms.h"

#include <stdatomic.h>

#include "layer/observe/bounds.h"
#include "layer/observe/checked.h"
#include "layer/observe/contents.h"
#include "layer/observe/gate.h"
#include "layer/observe/objects.h"
#include "layer/observe/reduction.h"
#include "wire/filling.h"
#include "wire/protocol.h"

static twin *begin_counted(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  if (reduction_ready(q)) {
    if (q->out_of_order) {
      place_in_chunk(q, e, l->full_items, p);
    } else {
      place_in_ring(q, e, l->full_items, p);
    }
  }
  return p->memory != NULL ? &k->stored : kernel_direct(k);
}

static twin *begin_mutated(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  (void)q, (void)e, (void)l;
  p->first = k->function->schema.mutant | (cl_ulong)k->function->schema.fuel << 32;
  return &k->stored;
}

static twin *begin_gated(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  if (!gate_begin(q, k, e, l, &p->gating)) {
    return NULL;
  }
  p->memory = p->gating.memory;
  p->serial = p->gating.serial;
  p->first = p->gating.order.first;
  return &k->stored;
}

static void cancel_gated(queue *q, place *p) { gate_cancel(q, &p->gating); }

static void end_gated(queue *q, kernel *k, entry *e, place *p, launch *l, cl_event done) {
  if (p->gating.order.flags & SCHEDULE_MEMORY) {
    l->left = contents_of(k, p->gating.order.number, done);
  }
  gate_end(q, e, &p->gating, done);
}

static twin *begin_checked(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  checking c = {.launch = atomic_load(&k->function->launches)};
  if (!checked_begin(q, k, l, &c)) {
    return NULL;
  }
  p->own = c.own;
  p->memory = c.cells != NULL ? c.cells : e->flags;
  p->serial = c.serial;
  p->first = c.first;
  p->capacity = c.launch;
  return &k->stored;
}

static twin *begin_memory(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  (void)q, (void)e;
  p->capacity = atomic_load(&k->function->launches);
  p->first = filling_byte(observe.filling, observe.filling >> 2 & 0x7fff);
  return bounds_set(k, &k->stored, l) ? &k->stored : NULL;
}

static twin *begin_bounds(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  twin *t = begin_counted(q, k, e, l, p);
  return t != NULL && bounds_set(k, t, l) ? t : NULL;
}

static twin *begin_filled(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  p->capacity = observe.filling;
  return begin_bounds(q, k, e, l, p);
}

static twin *begin_plain(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  (void)q, (void)e, (void)l, (void)p;
  return objects_set(k) ? &k->stored : NULL;
}

#define FORM_LAUNCH(NAME, CALLED, FIELDS, HIDDEN, EXTENSION, PASSES, TEXT, LAUNCH, ...) \
  [KERNEL_##NAME] = {FORMS_COLUMN LAUNCH},
static const form_launch launches[] = {CLTC_FORMS(FORM_LAUNCH, FORMS_IGNORED)};

const form_launch *form_of(const kernel *k) {
  static const form_launch plain = {.begin = begin_plain};
  const form_launch *own = &launches[k->function->form];
  return own->begin != NULL ? own : &plain;
}
