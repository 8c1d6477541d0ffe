/* Where repeats of a replay cannot differ, so that one stands for all. */
#include "runner/campaign/reuse.h"

bool case_has_lone_groups(const capture *c) {
  bool alone = true;
  for (size_t i = 0; i < c->command_count && alone; i++) {
    const capture_command *l = &c->commands[i];
    for (uint32_t d = 0; l->kind == CAPTURE_LAUNCH && d < l->u.launch.dimensions; d++) {
      const uint64_t local = l->u.launch.has_local ? l->u.launch.local[d] : 1;
      alone = alone && l->u.launch.global[d] <= local;
    }
  }
  return alone;
}

/* What is in doubt when the mutant takes an order away. */
static bool takes_order(const mutant *m) {
  return m->op == MUTATE_BARRIER || m->op == MUTATE_FENCE || m->op == MUTATE_ATOMIC;
}

bool campaign_is_steady(const campaign *c, size_t test, size_t program, uint32_t index) {
  const case_inputs *i = c->tests[test].inputs;
  return i != NULL && i->alone && !takes_order(c->programs[program]->mutants[index].is);
}
