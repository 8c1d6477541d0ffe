/* Calls that the driver has refused: reading, storing and saying it. */
#include "runner/session/refusal.h"

#include <stdlib.h>
#include <string.h>

#include "base/cl_error.h"
#include "runner/session/internal.h"

int refusal_read(wire_reader *in, refusal *out) {
  out->call = wire_string(in, NULL);
  out->kernel = wire_string(in, NULL);
  const uint32_t code = wire_u32(in);
  out->detail = wire_string(in, NULL);
  out->count = wire_u64(in);
  out->error = cl_error_name((int32_t)code, out->number, sizeof out->number);
  out->launch = strcmp(out->call, "clEnqueueNDRangeKernel") == 0 || strcmp(out->call, "clEnqueueTask") == 0;
  return in->failed || out->count > INT64_MAX ? -1 : 0;
}

void refusal_free(refusal *r) {
  free(r->call);
  free(r->kernel);
  free(r->detail);
}

int refusal_store(const refusal *r, db *d, int64_t run, error *e) {
  const db_refused row = {r->call, r->kernel, r->error, r->detail, (int64_t)r->count};
  return db_add_refused(d, run, &row, e);
}

void refusal_words(const refusal *r, buffer *out) {
  buffer_printf(out, "%s%s: %s", r->kernel[0] == '\0' ? r->call : "kernel ", r->kernel, r->error);
  if (r->detail[0] != '\0') {
    buffer_printf(out, " (%s)", r->detail);
  }
}

int session_refused(session *s, const session_client *c, wire_reader *in, error *e) {
  refusal r;
  int result = refusal_read(in, &r) != 0 ? error_set(e, EXIT_INTERNAL, "the layer sent a malformed message")
               : c->repeats              ? 0
                                         : refusal_store(&r, s->db, s->run, e);
  if (result == 0 && r.launch && !c->repeats) {
    s->summary.refused_launches += r.count;
    if (s->refusal == NULL) {
      buffer words = {0};
      refusal_words(&r, &words);
      s->refusal = buffer_take(&words);
    }
  }
  refusal_free(&r);
  return result;
}
