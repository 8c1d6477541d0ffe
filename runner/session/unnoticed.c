/* From a refused launch, and what the program did next, to a finding `api-error`. */
#include <stdlib.h>

#include "base/cl_error.h"
#include "runner/session/internal.h"

typedef struct unnoticed {
  char *call, *kernel, *detail, *next;
  int32_t code;
  uint32_t program, number, argument;
} unnoticed;

static void read_message(wire_reader *in, unnoticed *u) {
  u->call = wire_string(in, NULL);
  u->kernel = wire_string(in, NULL);
  u->code = (int32_t)wire_u32(in);
  u->detail = wire_string(in, NULL);
  u->next = wire_string(in, NULL);
  u->program = wire_u32(in);
  u->number = wire_u32(in);
  u->argument = wire_u32(in);
}

/* Whether the launch would have written that memory, as far as its source says. */
static bool was_to_be_written(const session *s, const unnoticed *u) {
  const instrument_result *made = u->program < s->program_count ? &s->programs[u->program].result : NULL;
  const instrument_kernel *k = made != NULL && u->number < made->model.kernel_count ? &made->kernels[u->number] : NULL;
  for (size_t i = 0; k != NULL && i < k->written_count; i++) {
    if (k->written[i] == u->argument) {
      return true;
    }
  }
  return false;
}

/* The same refusal is kept once. */
static int keep(session *s, const session_client *c, const unnoticed *u, error *e) {
  char number[16];
  buffer same = {0};
  const db_witness witness[] = {{.what = "kernel", .value = u->kernel},
                                {.what = "launch", .value = u->detail},
                                {.what = "next call", .value = u->next}};
  buffer_printf(&same, "%s %s %d %s", u->call, u->kernel, (int)u->code, u->detail);
  const db_finding row = {.run = s->run,
                          .test_case = session_row(s, c, 0),
                          .rule = "api-error",
                          .detail = {.call = u->call, .cause = cl_error_name(u->code, number, sizeof number)},
                          .witness = witness,
                          .witness_count = sizeof witness / sizeof witness[0],
                          .distinct = buffer_text(&same)};
  const int result = db_put_finding(s->db, &row, e);
  buffer_free(&same);
  return result;
}

int session_unnoticed(session *s, const session_client *c, wire_reader *in, error *e) {
  unnoticed u = {0};
  read_message(in, &u);
  const int result = in->failed ? error_set(e, EXIT_INTERNAL, "the layer sent a malformed message")
                     : c->repeats || !was_to_be_written(s, &u) ? 0
                                                               : keep(s, c, &u, e);
  free(u.call);
  free(u.kernel);
  free(u.detail);
  free(u.next);
  return result;
}
