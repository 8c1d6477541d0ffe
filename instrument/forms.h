/* The text of a form as data: passes over the functions of a program. */
#ifndef CLTC_INSTRUMENT_FORMS_H
#define CLTC_INSTRUMENT_FORMS_H

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

#define PASS(name) extern const pass name;
#define FORM_PASSES(NAME, CALLED, FIELDS, HIDDEN, EXTENSION, PASSES, ...) FORMS_COLUMN PASSES
CLTC_FORMS(FORM_PASSES, FORMS_IGNORED)
#undef PASS

/* instrument_program with any form. */
int instrument_as(const form_text *row, const pp_input *sources, size_t source_count, const char *gate,
                  instrument_result *out, error *e);

/* All edits of a unit, sorted; the text in front of it, and after it. */
void collect_edits(const program *p, uint32_t unit_index, edits *e);
void emit_preamble(const program *p, buffer *out);
void emit_kernels(const program *p, uint32_t unit_index, buffer *out);

/* OpenCL C that the build embeds: the files of this folder that end in .cl. */

extern const char instrument_record[];      /* record.cl: what a work-item has seen */
extern const char instrument_planes[];      /* planes.cl: what it leaves about barriers */
extern const char instrument_bare[];        /* bare.cl: in their place, where there is no coverage */
extern const char instrument_gated_group[]; /* gated_group.cl: the number of a group that stands for another */
extern const char instrument_checked[];     /* checked.cl: shadow memory, and what finds races in it */

extern const char instrument_memory[]; /* memory.cl: what holds accesses against their objects */

#endif
