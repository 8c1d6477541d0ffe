/* Launches of kernels with fillings: those of kernels with bounds, and what memory holds that nobody has written. */
#include "layer/observe/forms.h"
#include "layer/observe/observe.h"

static twin *begin_filled(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  p->capacity = observe.filling;
  return bounds_begin(q, k, e, l, p);
}

const form_launch filled_launch = {.is_needless = bounds_are_kept, .counts_needless = true, .begin = begin_filled};
