/* A mutant that is in a program all the time: its text with the replacement made, instrumented like the user's own. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/isolate.h"
#include "runner/session/internal.h"

/* The source of the request that is file `file` of the model; NULL: it is a header. */
static request_source *source_of(program_request *r, const model_file *file) {
  for (size_t i = 0; i < r->source_count; i++) {
    const pp_input *in = &r->sources[i].input;
    if (strnlen(in->text, in->length) == file->length && memcmp(in->text, file->text, file->length) == 0) {
      return &r->sources[i];
    }
  }
  return NULL;
}

static void replace(request_source *s, const mutant *m) {
  buffer text = {0};
  buffer_append(&text, s->input.text, m->offset);
  buffer_puts(&text, m->replacement);
  buffer_puts(&text, s->input.text + m->end_offset);
  free(s->text);
  s->input.length = text.length;
  s->text = buffer_take(&text);
  s->input.text = s->text;
}

static int write_mutant(program_request *r, const mutate_result *all, const mutant *m, error *e) {
  request_source *source = source_of(r, &all->model.files[m->file]);
  if (source == NULL) {
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
  replace(source, m);
  return 0;
}

int apply_mutant(session *s, program_request *r, error *e) {
  mutate_result all;
  pp_input *inputs = request_inputs(r);
  int status = isolated_mutate(inputs, r->source_count, NULL, 0, NULL, &all, e);
  free(inputs);
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
