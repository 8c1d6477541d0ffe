/* What the tool makes of a source, in every form in which it rewrites one. */
#ifndef CLTC_TESTS_SPACING_FORMS_H
#define CLTC_TESTS_SPACING_FORMS_H

#include "mutate/mutate.h"

enum { FORM_COVERAGE, FORM_GATE, FORM_SCHEMA, FORM_CLONES, FORM_COUNT };
extern const char *const form_names[FORM_COUNT];

typedef struct forms {
  bool refused[FORM_COUNT];
  char *texts[FORM_COUNT]; /* a sentence where the form is refused */
  char *options;           /* for the device's compiler */
  mutate_result found;     /* with its mutants */
} forms;

/* Questions of the preprocessor are answered by libclang. `in` without facts. */
void make_forms(const pp_input *in, forms *out);
/* What the front end has against a text, to be freed; NULL: nothing. */
char *form_fault(const forms *f, int form);
void free_forms(forms *f);

#endif
