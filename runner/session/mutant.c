/* A mutant that is in a program all the time: its text with the replacement made, instrumented like the user's own. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/build/build.h"
#include "runner/session/internal.h"

static int write_mutant(program_request *r, const mutate_result *all, const mutant *m, error *e) {
  pp_input *inputs = request_inputs(r);
  const size_t index = mutant_source(inputs, r->source_count, &all->model, m);
  free(inputs);
  if (index == SIZE_MAX) {
    return error_set(e, EXIT_USAGE,
                     "mutant %u is in a header, which other programs may use too; only mutants in %s "
                     "itself can be run by themselves",
                     (unsigned)m->id, r->sources[0].name);
  }
  if (m->description != NULL) {
    return error_set(e, EXIT_USAGE,
                     "mutant %u (%s) is no change of the text; only those that are can be run by themselves",
                     (unsigned)m->id, m->description);
  }
  request_source *source = &r->sources[index];
  char *text = mutant_text(&source->input, m);
  free(source->text);
  source->text = text;
  source->input.text = text;
  source->input.length = strlen(text);
  return 0;
}

int apply_mutant(session *s, program_request *r, error *e) {
  mutate_result all;
  int status = build_mutated(r, &(build_mutants){0}, &all, e);
  for (size_t i = 0; i < all.mutant_count && status == 0; i++) {
    if (all.mutants[i].id == s->mutant) {
      status = write_mutant(r, &all, &all.mutants[i], e);
      s->mutant_found = s->mutant_found || status == 0;
      break;
    }
  }
  mutate_free(&all);
  return status;
}

void session_mutate(session *s, uint32_t mutant_id) { s->mutant = mutant_id; }

bool session_has_mutant(const session *s) { return s->mutant_found; }
