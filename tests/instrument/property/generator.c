/* A program from a seed; one that would run too long is thrown away for the next. */
#include "generator.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "generate.h"
#include "interpret.h"
#include "print.h"

static void choose_options(generator *g) {
  static const char *const given[] = {"-DGIVEN -DVALUE=5", "-D GIVEN=1 -D VALUE=7", "-D VALUE=5u -DGIVEN=( -I."};
  g->given = chance(g, 50);
  g->version3 = chance(g, 20);
  (void)snprintf(g->p->options, sizeof g->p->options, "%s%s", g->given ? given[below(g, 3)] : "",
                 g->version3 ? " -cl-std=CL3.0" : "");
}

static tree *grow(uint64_t seed, uint64_t attempt) {
  tree *p = mem_calloc(1, sizeof *p);
  p->seed = seed;
  generator g = {.p = p, .random = {seed * 0x2545F4914F6CDD1Du + attempt}};
  choose_options(&g);
  g.entries = chance(&g, 35);
  if (chance(&g, 60)) generate_helper(&g, true, false);
  generate_macros(&g);
  for (uint32_t i = below(&g, 3); i > 0; i--) generate_helper(&g, false, false);
  if (chance(&g, 20)) generate_made(&g);
  if (!g.entries && chance(&g, 30)) generate_helper(&g, false, true);
  uint32_t kernels = chance(&g, 65) ? 1 : 2 + below(&g, 2);
  for (uint32_t i = 0; i < kernels; i++) generate_kernel(&g);
  generate_launches(&g);
  return p;
}

tree *program_make(uint64_t seed) {
  for (uint64_t attempt = 0;; attempt++) {
    tree *p = grow(seed, attempt);
    print_program(p);
    if (interpret(p)) return p;
    random_tree_free(p);
  }
}
