/* What the layer does around a launch of each form, and where the evidence of the launch goes. */
#ifndef CLTC_LAYER_OBSERVE_FORMS_H
#define CLTC_LAYER_OBSERVE_FORMS_H

#include "detectors/gates/layer.h"
#include "layer/observe/kernel.h"
#include "layer/observe/queue.h"

/* Where a launch's items go: memory NULL means that they go nowhere (the direct variant, a schema's kernel). */
typedef struct place {
  cl_mem memory;
  uint64_t serial;
  cl_ulong first;
  chunk *chunk;
  slots *planes; /* NULL: no barriers */
  cl_uint capacity;
  bool in_ring;
  gating gating; /* of a gated kernel: the memory is its */
  slots own;     /* for this launch alone; the memory is released after it */
} place;

/* All with the locks of the queue and the kernel held. NULL: nothing is to be done. */
typedef struct form_launch {
  /* Whether the launch can as well run as the user wrote it. */
  bool (*is_needless)(kernel *k, const launch *l);
  bool counts_needless; /* such launches count among those of which there is evidence */
  /* Before a launch: finds its memory and sets arguments that only this form has. The twin to launch, or NULL. */
  twin *(*begin)(queue *q, kernel *k, entry *e, const launch *l, place *p);
  /* It did not take place. */
  void (*cancel)(queue *q, place *p);
  /* After it on the queue. `done`: the launch, where the queue keeps no order, else NULL. */
  void (*end)(queue *q, kernel *k, entry *e, place *p, launch *l, cl_event done);
} form_launch;

/* Those that the rows of wire/forms.h name. */
#define LAUNCH(name) extern const form_launch name;
#define NO_LAUNCH
#define FORM_LAUNCHES(NAME, CALLED, FIELDS, HIDDEN, EXTENSION, WRITTEN, LAUNCHED, ...) LAUNCHED
CLTC_FORMS(FORM_LAUNCHES, FORMS_IGNORED)
#undef LAUNCH
#undef NO_LAUNCH

/* Of kernels whose work-items have slots: finds room for them. */
twin *counted_begin(queue *q, kernel *k, entry *e, const launch *l, place *p);
/* Of kernels with bounds that say only whether anything was wrong: whether no access can be; objects for the others. */
bool bounds_are_kept(kernel *k, const launch *l);
twin *bounds_begin(queue *q, kernel *k, entry *e, const launch *l, place *p);

#endif
