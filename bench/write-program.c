/* What write-report and write-shards do alike. */
#include "bench/write-program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void must(int result, const error *e) {
  if (result != 0) {
    (void)fprintf(stderr, "%s: %s\n", program_invocation_short_name, e->text);
    exit(1);
  }
}

void read_source(const char *name, const char *text, mutate_result *out) {
  error e;
  pp_input input = {.name = name, .text = text, .length = strlen(text), .options = ""};
  must(mutate_program(&input, 1, NULL, 0, NULL, out, &e), &e);
}
