/* Prints the facts of a host program: host_show FILE [OPTION…], or host_show compile_commands.json */
#include <stdio.h>
#include <string.h>

#include "proofs/host/host.h"

static const char *const kinds[] = {"constant", "relation", "condition", "loop", "allocation", "rounding", "elements"};
static const char *const argument_kinds[] = {"unknown", "value", "memory", "local", "other"};

static void show_launch(const host_launch *l) {
  printf("%s:%u: %s\n", l->file, l->line, l->kernel == NULL ? "?" : l->kernel);
  printf("  dimensions %u", l->dimensions);
  printf(", local %lu %lu %lu", (unsigned long)l->local[0], (unsigned long)l->local[1], (unsigned long)l->local[2]);
  printf(", groups %lu %lu %lu\n", (unsigned long)l->groups[0], (unsigned long)l->groups[1],
         (unsigned long)l->groups[2]);
  printf("  options %s%s\n", l->options == NULL ? "?" : l->options, l->options_known ? "" : " (not all known)");
  for (size_t i = 0; i < l->argument_count; i++) {
    const host_argument *a = &l->arguments[i];
    printf("  $%zu: %s, %u bytes, memory %d\n", i, argument_kinds[a->kind], a->size, a->memory);
  }
  for (size_t i = 0; i < l->fact_count; i++) {
    const host_fact *f = &l->facts[i];
    buffer text = {0};
    expression_write(f->expression, NULL, &text);
    printf("  %-10s %s", kinds[f->kind], buffer_text(&text));
    buffer_free(&text);
    if (f->element_size > 0) printf(" (elements of %u bytes)", f->element_size);
    printf("   [%u]\n", f->line);
  }
}

int main(int argc, char **argv) {
  error e = {0};
  host_facts facts;
  if (argc < 2) return 1;
  const host_source source = {argv[1], (const char *const *)&argv[2], (size_t)argc - 2};
  const bool database = strstr(argv[1], ".json") != NULL;
  host_input in = {&source, database ? 0 : 1, database ? argv[1] : NULL};
  host_source more[64];
  if (!database && argc > 2 && strcmp(argv[2], "--") == 0) { /* FILE -- OPTION… -- FILE… */
    size_t options = 0;
    while (3 + options < (size_t)argc && strcmp(argv[3 + options], "--") != 0) options++;
    size_t count = 0;
    more[count++] = (host_source){argv[1], (const char *const *)&argv[3], options};
    for (size_t i = 4 + options; i < (size_t)argc && count < 64; i++)
      more[count++] = (host_source){argv[i], (const char *const *)&argv[3], options};
    in.sources = more;
    in.source_count = count;
  }
  if (host_read(&in, &facts, &e) != 0) {
    fprintf(stderr, "%s\n", e.text);
    host_free(&facts);
    return e.code;
  }
  for (size_t i = 0; i < facts.launch_count; i++) show_launch(&facts.launches[i]);
  for (size_t i = 0; i < facts.note_count; i++) printf("note: %s\n", facts.notes[i]);
  printf("%zu launches, %zu of unknown kernels%s\n", facts.launch_count, facts.unknown_launches,
         facts.complete ? "" : ", incomplete");
  host_free(&facts);
  return 0;
}
