/* Coverage: what the edits of a function are made from, and the text around them. */
#ifndef CLTC_DETECTORS_COVERAGE_PASS_H
#define CLTC_DETECTORS_COVERAGE_PASS_H

#include "instrument/forms.h"

/* One function of the program and the edits of its unit. */
typedef struct writer {
  const program *p;
  const unit *u;
  const function *f;
  uint32_t index; /* of the function */
  edits *edits;
} writer;

static inline uint32_t mask(uint32_t bit) { return 1u << (bit % 32); }

/* Embedded: record.cl, what a work-item has seen; planes.cl, what it leaves about barriers. */
extern const char instrument_record[], instrument_planes[];

/* --- pass_decisions.c --- */
/* An async call compares its arguments; what its events come from is kept where they are stored. */
void edit_arguments(const writer *w, const instance *i, uint32_t number);
void edit_event_stores(const writer *w);
/* The variables that this takes. */
void append_argument_locals(const writer *w, buffer *out);

/* --- pass_text.c --- */
/* The bit of the way through a decision, as an expression of its own; NULL if it has to be counted while the decision is
 * taken. To be freed. */
char *range_check_way(const program *p, const function *f, uint32_t number);

void coverage_members(const void *state, const program *p, buffer *out);
void coverage_macros(const void *state, const program *p, buffer *out);
/* The kernel "cltc_judge_NAME" that compares the work-items of each group; nothing for a kernel without barriers. */
void coverage_kernels(const void *state, const program *p, uint32_t kernel, buffer *out);
/* Where a kernel keeps the labels of wide switches, its own and those of the functions that it calls. */
void emit_wide_switches(const program *p, uint32_t kernel, buffer *out);
void emit_kernel_exit(const program *p, uint32_t kernel, buffer *out);

#endif
