/* The text of a form as data: passes over the functions of a program. */
#ifndef CLTC_INSTRUMENT_FORMS_H
#define CLTC_INSTRUMENT_FORMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "frontend/tree.h"
#include "instrument/edit.h"
#include "instrument/program_internal.h"

/* One concern of a form. All but `begin` get the state that this leaves. NULL: there is nothing to do. */
typedef struct pass {
  /* Finds what it needs and fills in what the caller learns of it (p->out). Returns 0, or -1 with a sentence. */
  int (*begin)(program *p, void **state, error *e);
  void (*end)(void *state);
  /* Text in front of the context of a work-item, members of the context, text after it. */
  void (*before)(const void *state, const program *p, buffer *out);
  void (*members)(const void *state, const program *p, buffer *out);
  void (*macros)(const void *state, const program *p, buffer *out);
  /* Hidden parameters of a kernel after those that all forms have. */
  void (*parameters)(const void *state, const pp_result *text, const tree_node *declared, edits *e);
  /* Parameters of a function that is called, also of a kernel as one (EDIT_TWIN), after the context. */
  void (*handed)(const void *state, const pp_result *text, const tree_node *declared, edits *e);
  /* Edits of a function. */
  void (*function)(const void *state, const program *p, uint32_t index, edits *e);
  /* Kernels of ours that belong to a kernel; they stand at the end of its unit. */
  void (*kernels)(const void *state, const program *p, uint32_t kernel, buffer *out);
} pass;

typedef struct form_text {
  const char *title;
  /* Inner ones first: around the same tokens their edits go inside those of the next. */
  const pass *passes[PASSES_MOST];
  bool all_guards;  /* every decision that guards a barrier has a plane, so that it is known where work-items wait */
  bool counts_ways; /* through all decisions: conditions are evaluated once */
  bool brief;       /* a kernel with bounds says only whether anything was wrong */
  const char *bare; /* what records when it is built with -DCLTC_BARE, for speed; NULL: it cannot be built so */
} form_text;

/* As `plain` of instrument_filled. */
uint32_t fill_plain_bytes(const tree_type *t);

/* The texts that the rows of wire/forms.h name. */
#define TEXT(name) extern const form_text name;
#define NO_TEXT
#define FORM_TEXTS(NAME, CALLED, FIELDS, HIDDEN, EXTENSION, WRITTEN, ...) WRITTEN
CLTC_FORMS(FORM_TEXTS, FORMS_IGNORED)
#undef TEXT
#undef NO_TEXT
/* Passes that texts of other detectors have, too. */
extern const pass coverage_pass, memory_pass;

/* instrument_program with any form. */
int instrument_as(const form_text *row, const pp_input *sources, size_t source_count, const char *gate,
                  instrument_result *out, error *e);

/* Components of vload4, vstorea_half8, …; 1 without a number. */
uint32_t vector_function_components(const char *name);
/* Elements from one index to the next. */
uint32_t vector_function_step(const char *name);
/* vloada_half and vstorea_half: addresses are multiples of the vector. */
bool vector_function_is_aligned(const char *name);
/* A pixel and the sizes of its image, as arguments. */

/* Writes ", x, y, z" as ulongs. `coordinates` is a text for the value of `index`; where it has fewer
 * components, the others are 0. `image`: the name of a parameter. */
void put_pixel(const char *coordinates, const tree_node *index, const tree_node *image, buffer *out);
/* Its width, height and depth. `pixels`: how many it has. */
void put_pixel_sizes(const tree_node *image, const char *pixels, buffer *out);

#endif
