/* Where repeats of a replay cannot differ, so that one stands for all: nothing in a launch depends on the order in which
 * its work-groups run. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mutate/disjoint.h"
#include "runner/campaign/reuse.h"

uint32_t *memory_owners(const capture *c) {
  uint32_t *owners = mem_calloc(c->command_count + 1, sizeof *owners);
  uint32_t made = 0;
  for (size_t i = 0; i < c->command_count; i++) {
    const capture_command *one = &c->commands[i];
    const uint32_t of = one->kind == CAPTURE_SUB_BUFFER ? one->u.sub_buffer.parent
                        : one->kind == CAPTURE_IMAGE    ? one->u.image.buffer
                                                        : CAPTURE_NONE;
    if (one->kind == CAPTURE_BUFFER || one->kind == CAPTURE_SUB_BUFFER || one->kind == CAPTURE_IMAGE) {
      owners[made] = of == CAPTURE_NONE ? made : owners[of];
      made++;
    }
  }
  return owners;
}

static bool has_one_group(const capture_command *l) {
  bool one = true;
  for (uint32_t d = 0; d < l->u.launch.dimensions; d++) {
    one = one && l->u.launch.global[d] <= (l->u.launch.has_local ? l->u.launch.local[d] : 1);
  }
  return one;
}

/* The value of an integer of so many bytes, if it is the same with a sign and without. */
static bool read_integer(const unsigned char *bytes, uint64_t size, int64_t *value) {
  int32_t four = -1;
  *value = -1;
  if (size == sizeof four) {
    memcpy(&four, bytes, sizeof four);
    *value = four;
  } else if (size == sizeof *value) {
    memcpy(value, bytes, sizeof *value);
  }
  return *value >= 0 && *value <= INT32_MAX;
}

static facts_argument argument_of(const launch_setting *s, uint32_t index) {
  facts_argument a = {.buffer = FACTS_NO_BUFFER};
  const capture_command *set = s->arguments[index];
  if (set != NULL && set->u.argument.kind == CAPTURE_VALUE) {
    a.known = read_integer(set->u.argument.bytes, set->u.argument.size, &a.value);
  }
  if (set != NULL && set->u.argument.kind == CAPTURE_MEMORY && set->u.argument.object != CAPTURE_NONE) {
    a.buffer = s->owners[set->u.argument.object];
  }
  return a;
}

static bool is_disjoint(disjoint *of, const char *kernel, const launch_setting *s) {
  const capture_command *l = s->launch;
  facts_argument *arguments = mem_calloc(s->argument_count + 1, sizeof *arguments);
  for (uint32_t i = 0; i < s->argument_count; i++) {
    arguments[i] = argument_of(s, i);
  }
  facts_launch launch = {
      .dimensions = l->u.launch.dimensions, .arguments = arguments, .argument_count = s->argument_count};
  for (uint32_t d = 0; d < launch.dimensions && d < 3; d++) {
    launch.global[d] = l->u.launch.global[d];
    launch.offset[d] = l->u.launch.has_offset ? l->u.launch.offset[d] : 0;
  }
  const bool holds = disjoint_holds(of, kernel, &launch);
  free(arguments);
  return holds;
}

bool launch_is_steady(campaign_program *p, uint32_t kernel, const launch_setting *s) {
  if (has_one_group(s->launch)) {
    return true;
  }
  if (!p->disjoint_read) { /* libclang has read these sources before */
    pp_input *inputs = request_inputs(&p->request);
    p->disjoint = disjoint_read(inputs, p->request.source_count);
    p->disjoint_read = true;
    free(inputs);
  }
  return p->disjoint != NULL && is_disjoint(p->disjoint, p->schema.model.kernels[kernel].name, s);
}

/* What is in doubt when the mutant takes an order away. */
static bool takes_order(const mutant *m) {
  return m->op == MUTATE_BARRIER || m->op == MUTATE_FENCE || m->op == MUTATE_ATOMIC;
}

bool campaign_is_steady(const campaign *c, size_t test, size_t program, uint32_t index) {
  const case_inputs *i = c->tests[test].inputs;
  const campaign_program *p = c->programs[program];
  const mutant *m = p->mutants[index].is;
  return i != NULL && i->steady && p->launches == NULL && !takes_order(m) && !m->sizes &&
         (p->disjoint == NULL || !disjoint_rests_on(p->disjoint, &p->schema.model, m));
}
