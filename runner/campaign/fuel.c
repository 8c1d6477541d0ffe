/* How many iterations a work-item of a mutant may make: by what those of the original make in the same kernel and test
 * case, so that no other test case has a say in a verdict. */
#include "base/memory.h"
#include "runner/campaign/reuse.h"

/* A loop that waits for another work-group makes as many iterations as the machine gives it time for: a second's work
 * and more is not a wait. */
enum { FUEL_FACTOR = 100, FUEL_LEAST = 10000, FUEL_WAITING = 100000000 };

/* Made if need be. NULL: there is no such kernel. */
static kernel_iterations *place_of(campaign *c, size_t test, size_t program, uint32_t kernel) {
  test_state *t = &c->tests[test];
  while (t->iteration_count <= program) {
    (void)ARRAY_ADD(t->iterations, t->iteration_count, t->iteration_capacity);
  }
  const size_t kernels = c->programs.list[program]->schema.model.kernel_count;
  if (t->iterations[program] == NULL) {
    t->iterations[program] = mem_calloc(kernels + 1, sizeof **t->iterations);
  }
  return kernel < kernels ? &t->iterations[program][kernel] : NULL;
}

void campaign_iterations(campaign *c, size_t test, size_t program, uint32_t kernel, uint32_t iterations, bool again) {
  kernel_iterations *known = place_of(c, test, program, kernel);
  if (known == NULL) {
    return;
  }
  uint32_t *most = again ? &known->again : &known->most;
  *most = *most > iterations ? *most : iterations;
  *(again ? &known->launched_again : &known->launched) = true;
}

void campaign_wait(campaign *c, const reference *r) {
  for (size_t i = 0; i < r->kernel_count; i++) {
    kernel_iterations *known = place_of(c, r->test, r->program, r->kernels[i]);
    if (known != NULL) {
      known->waits = true;
    }
  }
}

/* A kernel that waits for others iterates as long as they take. */
static bool is_waiting(const kernel_iterations *k) { return k->waits || (k->launched_again && k->again != k->most); }

static uint32_t fuel_for(uint64_t iterations) {
  const uint64_t fuel = iterations * FUEL_FACTOR + FUEL_LEAST;
  return fuel >= UINT32_MAX ? UINT32_MAX - 1 : (uint32_t)fuel;
}

static const kernel_iterations *iterations_of(const test_state *t, size_t program, uint32_t kernel) {
  const bool known = program < t->iteration_count && t->iterations[program] != NULL;
  return known && t->iterations[program][kernel].launched ? &t->iterations[program][kernel] : NULL;
}

/* Counts alone, which are the same whatever else the machine does: so those of a kernel that waits are left out. */
double campaign_turns(const campaign *c, size_t test, size_t program, uint32_t kernel) {
  const case_inputs *i = c->tests[test].inputs;
  const kernel_iterations *known = iterations_of(&c->tests[test], program, kernel);
  const uint32_t most = known == NULL || is_waiting(known) ? 0 : known->most;
  return i == NULL ? 0 : i->items[program][kernel] * ((double)most + 1);
}

/* A kernel that the original does not launch there gets what the program's busiest one anywhere has. */
uint32_t campaign_fuel(const campaign *c, size_t test, size_t program, uint32_t kernel) {
  const kernel_iterations *known = iterations_of(&c->tests[test], program, kernel);
  if (known != NULL) {
    return is_waiting(known) ? FUEL_WAITING : fuel_for(known->most);
  }
  uint32_t most = 0;
  for (size_t t = 0; t < c->base.options->test_count; t++) {
    for (uint32_t k = 0; k < c->programs.list[program]->schema.model.kernel_count; k++) {
      known = iterations_of(&c->tests[t], program, k);
      most = known != NULL && known->most > most ? known->most : most;
    }
  }
  return fuel_for(most);
}

uint32_t campaign_fuel_of(const campaign_job *j, uint32_t kernel) {
  return j->unfueled ? UINT32_MAX : campaign_fuel(j->campaign, j->base.test, j->program, kernel);
}
