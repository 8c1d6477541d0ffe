/* From a guard zone that a kernel has changed to a finding `buffer-overrun`. */
#include "runner/session/overrun.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "runner/session/internal.h"

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
