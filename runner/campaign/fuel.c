/* How many loop turns a work-item of a mutant may make: by what those of the original make in the same kernel and test
 * case, so that no other test case has a say in a verdict. */
#include "base/memory.h"
#include "runner/campaign/internal.h"

enum { FUEL_FACTOR = 100, FUEL_LEAST = 10000 };

void campaign_turns(campaign *c, size_t test, size_t program, uint32_t kernel, uint32_t turns) {
  test_state *t = &c->tests[test];
  while (t->turns_count <= program) {
    (void)ARRAY_ADD(t->turns, t->turns_count, t->turns_capacity);
  }
  const size_t kernels = c->programs[program]->schema.model.kernel_count;
  if (t->turns[program] == NULL) {
    t->turns[program] = mem_calloc(kernels + 1, sizeof **t->turns);
  }
  if (kernel < kernels) {
    kernel_turns *known = &t->turns[program][kernel];
    known->most = known->launched && known->most > turns ? known->most : turns;
    known->launched = true;
  }
}

static uint32_t fuel_for(uint64_t turns) {
  const uint64_t fuel = turns * FUEL_FACTOR + FUEL_LEAST;
  return fuel >= UINT32_MAX ? UINT32_MAX - 1 : (uint32_t)fuel;
}

static const kernel_turns *turns_of(const campaign *c, size_t test, size_t program, uint32_t kernel) {
  const test_state *t = &c->tests[test];
  const bool known = program < t->turns_count && t->turns[program] != NULL;
  return known && t->turns[program][kernel].launched ? &t->turns[program][kernel] : NULL;
}

/* A kernel that the original does not launch there gets what the program's busiest one anywhere has. */
uint32_t campaign_fuel(const campaign *c, size_t test, size_t program, uint32_t kernel) {
  const kernel_turns *known = turns_of(c, test, program, kernel);
  if (known != NULL) {
    return fuel_for(known->most);
  }
  uint32_t most = 0;
  for (size_t t = 0; t < c->options->test_count; t++) {
    for (uint32_t k = 0; k < c->programs[program]->schema.model.kernel_count; k++) {
      known = turns_of(c, t, program, k);
      most = known != NULL && known->most > most ? known->most : most;
    }
  }
  return fuel_for(most);
}
