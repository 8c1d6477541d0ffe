/* Counterexamples of proofs as code flows: a thread flow a work-item, from step to step to its place. */
#include "reports/ci/sarif_parts.h"
#include "reports/common/verification.h"
#include "reports/words/finding_words.h"

enum { THREADS = 2 };

static void add_steps(const sarif *s, const db_finding *f, uint32_t thread, json_t *steps) {
  for (size_t i = 0; i < f->path_count; i++) {
    const db_step *step = &f->path[i];
    if (step->thread == thread || step->thread == 0) {
      buffer words = {0};
      buffer_puts(&words, step->text);
      value_add(steps, sarif_step(sarif_point_location(s, step->file, step->line, step->column, &words)));
    }
  }
}

/* The calls that a place was inlined by, outermost first, then the place. */
static void add_place(const sarif *s, const db_finding *f, size_t place, json_t *steps) {
  const db_place *p = &f->places[place];
  buffer words = {0};
  for (size_t i = p->inlined_count; i-- > 0;) {
    const db_call *c = &p->inlined[i];
    buffer_puts(&words, "call");
    value_add(steps, sarif_step(sarif_point_location(s, c->file, c->line, c->column, &words)));
    words = (buffer){0};
  }
  verification_place(f, place, &words);
  value_add(steps, sarif_step(sarif_point_location(s, p->file, p->line, p->column, &words)));
}

void sarif_counterexample(const sarif *s, const db_finding *f, json_t *result) {
  json_t *flows = json_array();
  for (uint32_t thread = 1; thread <= THREADS; thread++) {
    size_t place = 0;
    if (!verification_place_of_thread(f, thread, &place)) {
      continue;
    }
    buffer name = {0};
    json_t *steps = json_array();
    add_steps(s, f, thread, steps);
    add_place(s, f, place, steps);
    verification_thread(f, thread, &name);
    json_t *flow = json_object();
    value_set(flow, "id", value_string(buffer_text(&name)));
    value_set(flow, "locations", steps);
    value_add(flows, flow);
    buffer_free(&name);
  }
  if (json_array_size(flows) == 0) {
    json_decref(flows);
    return;
  }
  buffer words = {0};
  verification_witness(f, &words);
  if (words.length == 0) {
    finding_message(s->v, f, &words);
  }
  value_set(result, "codeFlows", sarif_one_flow(flows, &words));
}
