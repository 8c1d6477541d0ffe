/* All forms of a source. */
#include "forms.h"

#include <stdlib.h>

#include "base/memory.h"
#include "detectors/gates/record.h"
#include "frontend/edits.h"
#include "frontend/frontend.h"
#include "schedamp/schedule.h"

const char *const form_names[] = {"coverage", "gate", "schema", "clones"};

enum { MAX_FACTS = 64, MAX_CLONES = 6 };

/* The source with all questions answered. */
static pp_input answered(const pp_input *in) {
  pp_fact *facts = mem_calloc(MAX_FACTS, sizeof *facts);
  pp_input known = *in;
  known.facts = facts;
  for (;;) {
    pp_result r;
    error e;
    const size_t before = known.fact_count;
    (void)pp_run(&known, &r, &e);
    for (size_t i = 0; i < r.question_count && known.fact_count < MAX_FACTS; i++)
      facts[known.fact_count++] = (pp_fact){mem_strdup(r.questions[i]), front_answer(r.questions[i], in->options)};
    pp_result_free(&r);
    if (known.fact_count == before) return known;
  }
}

static void free_answers(pp_input *in) {
  for (size_t i = 0; i < in->fact_count; i++) free((void *)(uintptr_t)in->facts[i].expression);
  free((void *)(uintptr_t)in->facts);
}

static char *instrumented(const pp_input *in, const char *gate, bool *refused) {
  instrument_result r;
  error e;
  char *text = NULL;
  *refused = instrument_program(in, 1, gate == NULL ? KERNEL_COUNTED : KERNEL_GATED, gate, &r, &e) != 0;
  if (*refused)
    text = mem_strdup(e.text);
  else
    text = mem_strdup(r.source_count == 0 ? "questions are left" : r.texts[0]);
  instrument_free(&r);
  return text;
}

/* The original and some of the mutants: a clone has all of its kernel. */
static char *cloned(const pp_input *in, const mutate_result *found) {
  uint32_t numbers[MAX_CLONES + 1] = {0};
  size_t count = 1;
  const size_t step = found->mutant_count / MAX_CLONES + 1;
  for (size_t i = 0; i < found->mutant_count && count <= MAX_CLONES; i += step)
    numbers[count++] = found->mutants[i].number;
  mutate_result r;
  error e;
  const int status = mutate_program(in, 1, numbers, count, NULL, &r, &e);
  char *text = mem_strdup(status != 0 ? e.text : r.source_count == 0 ? "questions are left" : r.texts[0]);
  mutate_free(&r);
  return text;
}

void make_forms(const pp_input *in, forms *out) {
  pp_input known = answered(in);
  error e;
  *out = (forms){0};
  out->texts[FORM_COVERAGE] = instrumented(&known, NULL, &out->refused[FORM_COVERAGE]);
  out->texts[FORM_GATE] = instrumented(&known, gate_text, &out->refused[FORM_GATE]);
  const int status = mutate_program(&known, 1, NULL, 0, NULL, &out->found, &e);
  const bool made = status == 0 && out->found.source_count > 0;
  out->refused[FORM_SCHEMA] = out->refused[FORM_CLONES] = !made;
  out->texts[FORM_SCHEMA] = mem_strdup(made ? out->found.texts[0] : status != 0 ? e.text : "questions are left");
  out->options = mem_strdup(made ? out->found.options[0] : "");
  out->texts[FORM_CLONES] = made ? cloned(&known, &out->found) : mem_strdup(out->texts[FORM_SCHEMA]);
  free_answers(&known);
}

char *form_fault(const forms *f, int form) {
  size_t count = 0;
  front_error *errors = front_check(f->texts[form], f->options, &count);
  char *fault = count == 0 ? NULL : text_of("line %u: %s", errors[0].line, errors[0].message);
  front_errors_free(errors, count);
  return fault;
}

void free_forms(forms *f) {
  for (int i = 0; i < FORM_COUNT; i++) free(f->texts[i]);
  free(f->options);
  mutate_free(&f->found);
}
