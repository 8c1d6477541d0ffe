/* Forms and mutants of requests, through a pipe from the process that makes them. */
#include "runner/build/build.h"

#include <stdlib.h>
#include <string.h>

#include "instrument/archive.h"
#include "instrument/instrument.h"
#include "mutate/mutate.h"
#include "runner/build/mutant_text.h"
#include "runner/isolate.h"
#include "schedamp/schedule.h"
#include "wire/gate_record.h"

/* --- forms -------------------------------------------------------------------------------------------------------- */

typedef struct making {
  const pp_input *sources;
  size_t count;
  kernel_form form;
  const build_mutants *which;
  void *out;
} making;

static int make_form(void *context, buffer *out, error *e) {
  const making *m = context;
  instrument_result result;
  const int status = instrument_program(m->sources, m->count, m->form, gate_text, &result, e);
  if (status == 0) {
    archive_write(&result, out);
  }
  return status;
}

static int take_form(void *context, const void *bytes, size_t length) {
  return archive_read(bytes, length, ((const making *)context)->out);
}

static int build_sources(const pp_input *sources, size_t count, kernel_form form, instrument_result *out, error *e) {
  making m = {.sources = sources, .count = count, .form = form, .out = out};
  return isolated(&(isolated_work){&m, make_form, take_form}, e);
}

int build_instrumented(const program_request *r, kernel_form form, instrument_result *out, error *e) {
  pp_input *sources = request_inputs(r);
  *out = (instrument_result){0};
  const int result = build_sources(sources, r->source_count, form, out, e);
  free(sources);
  return result;
}

int build_with_mutant(const program_request *r, kernel_form form, const model *of, const mutant *m,
                      instrument_result *out, error *e) {
  pp_input *sources = request_inputs(r);
  const size_t changed = mutant_source(sources, r->source_count, of, m);
  char *text = NULL;
  int result = 0;
  *out = (instrument_result){0};
  if (changed == SIZE_MAX) {
    result = error_set(e, EXIT_USAGE, "it is in a header");
  } else {
    text = mutant_text(&sources[changed], m);
    sources[changed].text = text;
    sources[changed].length = strlen(text);
    result = build_sources(sources, r->source_count, form, out, e);
  }
  free(text);
  free(sources);
  return result;
}

/* --- mutants ------------------------------------------------------------------------------------------------------ */

static int make_mutants(void *context, buffer *out, error *e) {
  const making *m = context;
  mutate_result result;
  const int status = (m->which->part ? mutate_part : mutate_program)(m->sources, m->count, m->which->numbers,
                                                                     m->which->count, m->which->operators, &result, e);
  if (status == 0) {
    mutate_archive_write(&result, out);
  }
  return status;
}

static int take_mutants(void *context, const void *bytes, size_t length) {
  return mutate_archive_read(bytes, length, ((const making *)context)->out);
}

int build_mutated(const program_request *r, const build_mutants *which, mutate_result *out, error *e) {
  pp_input *sources = request_inputs(r);
  making m = {.sources = sources, .count = r->source_count, .which = which, .out = out};
  *out = (mutate_result){0};
  const int result = isolated(&(isolated_work){&m, make_mutants, take_mutants}, e);
  free(sources);
  return result;
}
