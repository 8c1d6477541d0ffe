/* Launch mutants: where the host launches kernels, which mutants that makes, and what the layer is told of each. */
#ifndef CLTC_RUNNER_CAMPAIGN_LAUNCHES_H
#define CLTC_RUNNER_CAMPAIGN_LAUNCHES_H

#include "runner/campaign/internal.h"
#include "runner/experiment/captures.h"
#include "wire/launch_change.h"

/* A kernel and a call that launches it. */
struct launch_site {
  char *kernel, *module;
  uint64_t offset;
  uint32_t shape;           /* SHAPE_… */
  uint64_t values, nonzero; /* arguments */
  bool *reached;            /* by test cases */
};

/* From this number on a kernel is launched there, as a run of a test case told. */
struct launch_moment {
  uint32_t site;
  uint64_t number, thread;
};

struct launch_mutant {
  uint32_t site;
  launch_change change;
};

/* Whether there are to be any. */
bool campaign_has_launches(const campaign_options *o);
/* MESSAGE_SITE of a run without any mutant. */
int campaign_site(campaign_job *j, wire_reader *in, error *e);
/* Makes programs of the files whose calls launch kernels, and the mutants of these. They are no part of `schema` before
 * campaign_take_launches. */
int campaign_launches(campaign *c, error *e);
void campaign_take_launches(const campaign_programs *all);

/* A mutant's change as the layer reads it; free() it. NULL: it is no launch mutant. */
char *launch_change_text(const launch_sites *sites, const campaign_program *p, uint32_t index);
bool launch_reached(const launch_sites *sites, size_t test, const campaign_program *p, uint32_t index);
/* Which launches of its kernel a mutant changes, by their numbers; free() them. */
launch_range *launch_ranges(const campaign *c, size_t test, const campaign_program *p, uint32_t index, size_t *count);
/* Whether these numbers are the same in each run; of mutants in kernels: true. */
bool launch_is_ordered(const campaign *c, size_t test, const campaign_program *p, uint32_t index);
void launches_free(campaign *c);

#endif
