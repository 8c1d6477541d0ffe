/* The forms in which a process gets the programs that it builds: one row each. What their kernels have beside the user's
 * arguments, what of a device they need and who sets what around a launch follows from the row's kernel_form: see
 * wire/forms.h. Where a device cannot build a form, or a program cannot be read, it runs untouched, and the reason is kept. */
#ifndef CLTC_RUNNER_BUILD_FORMS_H
#define CLTC_RUNNER_BUILD_FORMS_H

#include <stdbool.h>

#include "wire/forms.h"

typedef enum program_form {
  FORM_COVERAGE,
  FORM_UNTOUCHED,
  FORM_GATED_COVERAGE,   /* gated, with coverage, which counts */
  FORM_GATED,            /* without coverage */
  FORM_GATED_WATCHED,    /* likewise, and groups say how far they are */
  FORM_CHECKED,          /* accesses to memory are checked */
  FORM_CHECKED_STRICT,   /* the same, and fences with atomic functions order nothing */
  FORM_CHECKED_REVERSED, /* as FORM_CHECKED, with the work-groups in the opposite order */
  FORM_CHECKED_BOUNDS,   /* as FORM_CHECKED, and whether accesses lie in their objects */
  FORM_MEMORY,           /* accesses are held against their objects, and those outside are not made */
  FORM_BOUNDS,           /* the same, and only whether there were any is said */
  FORM_FILLED            /* the same, and memory that nobody has written is filled */
} program_form;

typedef struct form_row {
  kernel_form kernels; /* whose text, hidden arguments and record they have; KERNEL_UNKNOWN: the user's */
  const char *options; /* for the device's compiler, after those of each source */
  bool bare;           /* without coverage, though the text has it: the record says nothing of it */
} form_row;

extern const form_row form_rows[]; /* by program_form */

#endif
