/* How the kernels of a program are launched: ranges of one to three dimensions, with and without sizes and offsets. */
#include "generate.h"

static void plan_launch(generator *g, function *k, const uint32_t local[3], uint32_t dimensions) {
  launch *l = &g->p->launches[g->p->launch_count++];
  *l = (launch){.kernel = k, .dimensions = dimensions, .has_local = k->local_known, .has_offset = chance(g, 25)};
  for (uint32_t d = 0; d < 3; d++) {
    l->local[d] = local[d];
    l->global[d] = d >= dimensions ? 1 : local[d] * (1 + below(g, 3));
    l->offset[d] = l->has_offset && d < dimensions ? below(g, 6) : 0;
  }
  if (!k->local_known) {
    l->global[0] = 1 + below(g, 40);
    l->global[1] = dimensions > 1 ? 1 + below(g, 3) : 1;
  }
  l->n = chance(g, 70) ? below(g, 8) : (uint32_t)random_next(&g->random);
}

void generate_launches(generator *g) {
  static const uint32_t sizes[][4] = {{1, 1, 1, 1}, {4, 1, 1, 1},  {8, 1, 1, 1}, {16, 1, 1, 1},
                                      {5, 1, 1, 1}, {32, 1, 1, 1}, {4, 2, 1, 2}, {3, 3, 1, 2},
                                      {8, 1, 1, 2}, {2, 2, 2, 3},  {4, 1, 3, 3}, {2, 1, 1, 1}};
  static const uint32_t ones[3] = {1, 1, 1};
  for (size_t i = 0; i < g->p->function_count; i++) {
    function *k = g->p->functions[i];
    if (!k->kernel || (g->p->kernel_count > 1 && chance(g, 10))) {
      continue;
    }
    const uint32_t *size = sizes[below(g, 12)];
    uint32_t dimensions = size[3];
    if (k->required[0] > 0) {
      dimensions = k->required[1] > 1 ? 2 : 1;
      size = k->required;
    }
    uint32_t count = 1 + (chance(g, 40) ? 1 : 0);
    for (uint32_t n = 0; n < count; n++) {
      plan_launch(g, k, k->local_known ? size : ones, dimensions);
    }
  }
  for (int i = 0; i < INPUT_LENGTH; i++) {
    g->p->input[i] = chance(g, 90) ? below(g, 16) : (uint32_t)random_next(&g->random);
  }
}
