/* Forms and mutants of requests, through a pipe from the process that makes them. */
#include "runner/build/build.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "detectors/gates/record.h"
#include "instrument/archive.h"
#include "instrument/instrument.h"
#include "mutate/mutate.h"
#include "runner/isolate.h"
#include "schedamp/schedule.h"

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
  if (status == 0) archive_write(&result, out);
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
  if (status == 0) mutate_archive_write(&result, out);
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

/* A mutant that is written into its source. */

size_t mutant_source(const pp_input *inputs, size_t count, const model *of, const mutant *m) {
  const model_file *file = &of->files[m->file];
  for (size_t i = 0; i < count; i++) {
    const pp_input *in = &inputs[i];
    if (strnlen(in->text, in->length) == file->length && memcmp(in->text, file->text, file->length) == 0) return i;
  }
  return SIZE_MAX;
}

char *mutant_text(const pp_input *source, const mutant *m) {
  buffer text = {0};
  buffer_append(&text, source->text, m->offset);
  buffer_puts(&text, m->replacement);
  buffer_puts(&text, source->text + m->end_offset);
  return buffer_take(&text);
}

/* Parameters that a kernel may write memory through, of programs that were not instrumented. */

bool kernel_may_write(const instrument_result *made, size_t kernel, uint32_t argument) {
  const instrument_kernel *k = &made->kernels[kernel];
  bool any = false;
  for (size_t i = 0; i < k->written_count; i++) any = any || k->written[i] == argument;
  return any;
}

typedef enum answer { HAS_NO_SUCH_KERNEL, MAY_WRITE, WRITES_NOT } answer;

static answer ask(const program_request *r, const char *kernel, uint32_t argument) {
  instrument_result made = {0};
  error why;
  answer said = HAS_NO_SUCH_KERNEL;
  const bool read = build_instrumented(r, KERNEL_COUNTED, &made, &why) == 0 && made.question_count == 0;
  for (size_t k = 0; read && k < made.model.kernel_count; k++)
    if (strcmp(made.model.kernels[k].name, kernel) == 0)
      said = kernel_may_write(&made, k, argument) ? MAY_WRITE : WRITES_NOT;
  instrument_free(&made);
  return said;
}

bool source_may_write(const program_request *const *programs, size_t count, const char *kernel, uint32_t argument) {
  bool any = false, all = true;
  for (size_t i = 0; i < count && all; i++) {
    const answer said = ask(programs[i], kernel, argument);
    any = any || said == MAY_WRITE;
    all = said != WRITES_NOT;
  }
  return any && all;
}
