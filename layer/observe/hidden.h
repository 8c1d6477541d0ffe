/* The hidden arguments of our kernels, as the row of their form has them (wire/forms.h). */
#ifndef CLTC_LAYER_OBSERVE_HIDDEN_H
#define CLTC_LAYER_OBSERVE_HIDDEN_H

#include <stdbool.h>

#include "layer/observe/forms.h"
#include "layer/observe/kernel.h"

/* Which argument of the kernel's twins that is; after the last of the row where the form has none. */
cl_uint hidden_index(const kernel *k, hidden_value value);
/* Sets the hidden arguments of a twin for a launch; not HIDDEN_AREAS and HIDDEN_OBJECTS, which objects.h and checked.h
 * set. */
bool hidden_set(const kernel *k, twin *t, const entry *e, const place *p);

#endif
