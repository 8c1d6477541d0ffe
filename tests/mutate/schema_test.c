/* Schemata end to end on an OpenCL device: kernels switched by number and kernels cloned, against sources of their own.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/edits.h"
#include "frontend/frontend.h"
#include "schema_support.h"

enum { MAX_FACTS = 1024 };

static unsigned failed;

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("FAILED: ");
  (void)vprintf(format, arguments);
  printf("\n");
  va_end(arguments);
  failed++;
}

unsigned failures(void) { return failed; }

mutate_result mutate_text(const char *text, const char *options, const uint32_t *clones, size_t clone_count) {
  pp_fact facts[MAX_FACTS];
  size_t fact_count = 0;
  mutate_result r;
  for (;;) {
    const pp_input input = {.name = "test.cl",
                            .text = text,
                            .length = strlen(text),
                            .options = options,
                            .facts = facts,
                            .fact_count = fact_count};
    error e = {0};
    if (mutate_program(&input, 1, clones, clone_count, NULL, &r, &e) != 0) {
      printf("cannot be mutated: %s\n%s\n", e.text, text);
      exit(1);
    }
    if (r.question_count == 0) break;
    for (size_t i = 0; i < r.question_count && fact_count < MAX_FACTS; i++) {
      const char *expression = mem_strdup(r.questions[i].expression);
      facts[fact_count++] = (pp_fact){expression, front_answer(expression, options)};
    }
    mutate_free(&r);
  }
  for (size_t i = 0; i < fact_count; i++) free((void *)(uintptr_t)facts[i].expression);
  return r;
}

build *build_schema(device *d, const mutate_result *r, const char *more_options) {
  char *options = text_of("%s %s", r->options[0], more_options);
  build *b = device_build(d, r->texts[0], options, false);
  free(options);
  return b;
}

bool is_full(void) {
  const char *full = getenv("CLTC_FULL");
  return full != NULL && strcmp(full, "1") == 0;
}

bool clone_is_due(const mutant *m) { return is_full() || m->form != MUTANT_SELECTED || m->number % 4 == 1; }
bool text_is_due(const mutant *m) { return is_full() || m->form != MUTANT_SELECTED || m->number % 4 > 1; }

static build *build_some(device *d, const char *text, const char *options, const mutate_result *r,
                         bool (*wanted)(const mutant *)) {
  uint32_t *numbers = mem_calloc(r->mutant_count + 1, sizeof *numbers);
  size_t count = 1;
  for (size_t i = 0; i < r->mutant_count; i++)
    if (!r->mutants[i].invalid && (wanted == NULL || wanted(&r->mutants[i]))) numbers[count++] = r->mutants[i].number;
  mutate_result clones = mutate_text(text, options, numbers, count);
  build *b = build_schema(d, &clones, "");
  mutate_free(&clones);
  free(numbers);
  return b;
}

build *build_clones(device *d, const char *text, const char *options, const mutate_result *r) {
  return build_some(d, text, options, r, NULL);
}

build *build_due_clones(device *d, const char *text, const char *options, const mutate_result *r) {
  return build_some(d, text, options, r, clone_is_due);
}

outcome run_clone(build *clones, const char *kernel, const int32_t *in, bool single, uint32_t number, uint32_t fuel) {
  char *name = mutant_clone_name(kernel, number);
  outcome o = build_run(clones, name, in, single, 0, fuel);
  free(name);
  return o;
}

int main(int count, char **arguments) {
  (void)setvbuf(stdout, NULL, _IOLBF, 0);
  device *d = device_open();
  const struct {
    const char *name;
    void (*run)(device *);
  } tests[] = {{"cases", test_cases},
               {"numbers", test_numbers},
               {"loops", test_loops},
               {"records", test_records},
               {"wide", test_wide}};
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    if (count < 2 || strcmp(arguments[1], tests[i].name) == 0) tests[i].run(d);
  printf("%u failures\n", failed);
  return failed == 0 ? 0 : 1;
}
