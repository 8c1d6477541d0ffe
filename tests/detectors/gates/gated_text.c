/* Instrumenting until no question is left. */
#include "gated_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "detectors/gates/record.h"
#include "schedamp/schedule.h"

typedef struct answers {
  pp_fact *facts;
  size_t count, capacity;
} answers;

static void add(answers *a, const char *expression, bool value) {
  *ARRAY_ADD(a->facts, a->count, a->capacity) = (pp_fact){mem_strdup(expression), value};
}

static void release(answers *a) {
  for (size_t i = 0; i < a->count; i++) free((void *)(uintptr_t)a->facts[i].expression);
  free(a->facts);
}

int gated_source(const char *name, const char *text, const char *options, gated_answer answer, void *context,
                 instrument_result *out, error *e) {
  answers known = {0};
  int result = 0;
  for (;;) {
    const pp_input input = {.name = name,
                            .text = text,
                            .length = strlen(text),
                            .options = options,
                            .facts = known.facts,
                            .fact_count = known.count};
    result = instrument_program(&input, 1, KERNEL_GATED, gate_text, out, e);
    if (result != 0 || out->question_count == 0) break;
    for (size_t i = 0; i < out->question_count; i++) {
      const char *expression = out->questions[i].expression;
      add(&known, expression, answer(context, expression, options));
    }
    instrument_free(out);
  }
  release(&known);
  return result;
}
