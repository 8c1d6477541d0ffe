/* What the driver has refused, what the program did next as if nothing had happened (a finding `api-error`), and what kernels wrote
 * past the end of buffers (a finding `buffer-overrun`). */
#include "runner/session/refusal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cl_error.h"
#include "base/memory_rules.h"
#include "runner/build/build.h"
#include "runner/call_places.h"
#include "runner/session/internal.h"
#include "wire/protocol.h"

/* "256 bytes for argument 1, main.c:12" */
static void add_place(refusal *r, const char *module, uint64_t offset) {
  buffer text = {0};
  const size_t had = strlen(r->detail);
  buffer_printf(&text, "%s%s", r->detail, had > 0 ? ", " : "");
  const size_t before = text.length;
  put_call_place(module, offset, &text);
  if (text.length > before) {
    free(r->detail);
    r->detail = buffer_take(&text);
  }
  buffer_free(&text);
}

int refusal_read(wire_reader *in, refusal *out) {
  out->call = wire_string(in, NULL);
  out->kernel = wire_string(in, NULL);
  const uint32_t code = wire_u32(in);
  out->detail = wire_string(in, NULL);
  out->count = wire_u64(in);
  char *module = wire_string(in, NULL);
  add_place(out, module, wire_u64(in));
  free(module);
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
  if (r->detail[0] != '\0') buffer_printf(out, " (%s)", r->detail);
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

/* --- and went unnoticed --- */

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
  if (u->program == NO_PROGRAM)
    return source_may_write((const program_request *const *)s->untouched, s->untouched_count, u->kernel, u->argument);
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

/* --- guard zones --- */

int overrun_read(wire_reader *in, overrun *out) {
  out->kernel = wire_string(in, NULL);
  out->program = wire_u32(in);
  out->of = wire_u32(in);
  out->argument = wire_u32(in);
  out->test_case = wire_u32(in);
  out->launch = wire_u64(in);
  out->launches = wire_u64(in);
  out->size = wire_u64(in);
  out->first = wire_u64(in);
  out->last = wire_u64(in);
  return in->failed || out->launch > INT64_MAX || out->size > INT64_MAX || out->last > INT32_MAX ||
                 out->first > out->last
             ? -1
             : 0;
}

void overrun_free(overrun *o) { free(o->kernel); }

int overrun_store(const overrun *o, db *d, int64_t run, int64_t test_case, int64_t kernel, error *e) {
  char argument[16], last[24];
  buffer same = {0};
  (void)snprintf(argument, sizeof argument, "%u", (unsigned)o->argument + 1);
  (void)snprintf(last, sizeof last, "%llu", (unsigned long long)(o->size + o->last));
  const db_witness witness[] = {{.what = "kernel", .value = o->kernel},
                                {.what = "argument", .value = argument},
                                {.what = "last byte", .value = last}};
  const db_detail detail = {.space = "global",
                            .size = db_known(o->size),
                            .element = db_known(o->size + o->first),
                            .element_size = db_known(1),
                            .launch = {o->launches == 1, o->launch},
                            .count = {o->launches == 1, 1}};
  buffer_printf(&same, "%s %s", o->kernel, argument);
  const db_finding row = {.of.run = run,
                          .of.test_case = test_case,
                          .of.kernel = kernel,
                          .rule = "buffer-overrun",
                          .detail = detail,
                          .witness = witness,
                          .witness_count = sizeof witness / sizeof witness[0],
                          .distinct = buffer_text(&same)};
  const int result = db_put_finding(d, &row, e);
  buffer_free(&same);
  return result;
}

int session_overrun(session *s, const session_client *c, wire_reader *in, error *e) {
  overrun o = {0};
  int result = overrun_read(in, &o);
  if (result != 0) {
    (void)error_set(e, EXIT_INTERNAL, "the layer sent a malformed message");
  } else if (!c->repeats) {
    const session_program *p = o.program < s->program_count ? &s->programs[o.program] : NULL;
    const bool known_kernel = p != NULL && p->reason == NULL && o.of < p->result.model.kernel_count;
    result = overrun_store(&o, s->db, s->run, session_row(s, c, o.test_case),
                           known_kernel && !s->aside ? p->stored.kernels[o.of] : 0, e);
  }
  overrun_free(&o);
  return result;
}
