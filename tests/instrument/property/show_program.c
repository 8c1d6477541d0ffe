/* Prints the program of a seed, for a person: property_show SEED */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "generator.h"

int main(int argc, char **argv) {
  tree *p = program_make(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
  printf("%s", p->text);
  if (argc > 2) {
    printf("/* options: %s */\n", p->options);
    for (size_t i = 0; i < p->site_count; i++) {
      const site *s = p->sites[i];
      if (site_exists(s)) {
        printf("/* %s %u:%u outcomes %x seen %x */\n", site_kind_name(s->kind), s->line, s->column, s->outcomes,
               s->seen[0] | s->seen[1] | s->seen[2] | s->seen[3]);
      }
    }
  }
  random_tree_free(p);
  return 0;
}
