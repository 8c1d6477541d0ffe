/* What the layer does around a launch for each form of a kernel (wire/forms.h). */
#ifndef CLTC_LAYER_OBSERVE_FORMS_H
#define CLTC_LAYER_OBSERVE_FORMS_H

#include <stdbool.h>

#include "layer/observe/kernel.h"
#include "layer/observe/launch.h"
#include "layer/observe/place.h"

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

const form_launch *form_of(const kernel *k);

#endif
