/* From a refused launch, and what the program did next, to a finding `api-error`. */
#include "runner/session/unnoticed.h"

#include <stdlib.h>
#include <string.h>

#include "base/cl_error.h"
#include "base/memory_rules.h"
#include "runner/build/written.h"
#include "runner/session/internal.h"
#include "wire/protocol.h"

int unnoticed_read(wire_reader *in, unnoticed *out) {
  out->call = wire_string(in, NULL);
  out->kernel = wire_string(in, NULL);
  out->code = (int32_t)wire_u32(in);
  out->detail = wire_string(in, NULL);
  out->next = wire_string(in, NULL);
  out->program = wire_u32(in);
  out->number = wire_u32(in);
  out->argument = wire_u32(in);
  return in->failed ? -1 : 0;
}

void unnoticed_free(unnoticed *u) {
  free(u->call);
  free(u->kernel);
  free(u->detail);
  free(u->next);
}

/* Whether the launch would have written that memory, as far as its source says. */
static bool was_to_be_written(const session *s, const unnoticed *u) {
  const instrument_result *next = u->program < s->program_count ? &s->programs[u->program].result : NULL;
  if (strcmp(u->call, "clEnqueueNDRangeKernel") != 0) { /* what may be written by who reads it, it may make itself */
    return u->program == NO_PROGRAM ||
           (next != NULL && u->number < next->model.kernel_count && !kernel_may_write(next, u->number, u->argument));
  }
  if (u->program == NO_PROGRAM) {
    return source_may_write((const program_request *const *)s->untouched, s->untouched_count, u->kernel, u->argument);
  }
  const instrument_result *made = u->program < s->program_count ? &s->programs[u->program].result : NULL;
  return made != NULL && u->number < made->model.kernel_count && kernel_may_write(made, u->number, u->argument);
}

int unnoticed_store(const unnoticed *u, db *d, int64_t run, int64_t test_case, error *e) {
  char number[16];
  buffer same = {0};
  const db_witness witness[] = {{.what = "kernel", .value = u->kernel},
                                {.what = "launch", .value = u->detail},
                                {.what = "next call", .value = u->next}};
  buffer_printf(&same, "%s %s %d %s", u->call, u->kernel, (int)u->code, u->detail);
  const db_finding row = {.of.run = run,
                          .of.test_case = test_case,
                          .rule = "api-error",
                          .detail = {.call = u->call, .cause = cl_error_name(u->code, number, sizeof number)},
                          .witness = witness,
                          .witness_count = sizeof witness / sizeof witness[0],
                          .distinct = buffer_text(&same)};
  const int result = db_put_finding(d, &row, e);
  buffer_free(&same);
  return result;
}

int session_unnoticed(session *s, const session_client *c, wire_reader *in, error *e) {
  unnoticed u = {0};
  int result = unnoticed_read(in, &u) != 0 ? error_set(e, EXIT_INTERNAL, "the layer sent a malformed message") : 0;
  if (result == 0 && !c->repeats && memory_rule_is_wanted(s->rules, "api-error") && was_to_be_written(s, &u)) {
    s->summary.findings++;
    result = unnoticed_store(&u, s->db, s->run, session_row(s, c, 0), e);
  }
  unnoticed_free(&u);
  return result;
}
