/* The forms in which a process gets the programs that it builds: the BUILT of wire/forms.h. Where a device cannot build a
 * form, or a program cannot be read, it runs untouched, and the reason is kept. */
#ifndef CLTC_RUNNER_BUILD_FORMS_H
#define CLTC_RUNNER_BUILD_FORMS_H

#include "wire/forms.h"

#define FORMS_BUILT(NAME, ...) FORM_##NAME,
typedef enum program_form { CLTC_FORMS(FORMS_IGNORED, FORMS_BUILT) PROGRAM_FORM_COUNT } program_form;

typedef struct form_row {
  kernel_form kernels; /* whose text, hidden arguments and record they have; KERNEL_UNKNOWN: the user's */
  const char *options; /* for the device's compiler, after those of each source */
  bool bare;           /* without coverage, though the text has it: the record says nothing of it */
} form_row;

extern const form_row form_rows[]; /* by program_form */

#endif
