/* Launches in which nothing needs to be checked: the kernel's tree says so for their sizes and arguments. Their work-items
 * do not touch what others write (frontend/facts/launch.h), or no access leaves its memory (frontend/facts/launch.h). */
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/memory.h"
#include "detectors/memory/record.h"
#include "runner/build/disjoint.h"
#include "runner/isolate.h"
#include "runner/session/internal.h"
#include "wire/protocol.h"

enum { MOST_QUESTIONS = 32, MOST_ARGUMENTS = 1024 };

/* A question of a program, and its answer. */
typedef struct asked_launch {
  uint64_t digest;
  bool needless;
} asked_launch;

typedef struct question {
  const session_program *program;
  const char *kernel;
  kernel_form form;
  facts_launch launch;
  facts_argument arguments[MOST_ARGUMENTS];
  bool answer;
} question;

static void read_launch(wire_reader *in, question *q) {
  q->launch.dimensions = wire_u32(in);
  in->failed = in->failed || q->launch.dimensions > 3;
  for (uint32_t d = 0; d < q->launch.dimensions && !in->failed; d++) {
    q->launch.offset[d] = wire_u64(in);
    q->launch.global[d] = wire_u64(in);
    q->launch.local[d] = wire_u64(in);
  }
  q->launch.argument_count = wire_u32(in);
  in->failed = in->failed || q->launch.argument_count > MOST_ARGUMENTS;
  for (size_t i = 0; i < q->launch.argument_count && !in->failed; i++) {
    const uint32_t kind = wire_u32(in);
    const uint64_t value = wire_u64(in), bytes = wire_u64(in), flags = bytes >> MEMORY_FLAGS_AT;
    q->arguments[i] = (facts_argument){.known = kind == 1,
                                       .value = kind == 1 ? (int64_t)value : 0,
                                       .buffer = kind == 2 ? (uint32_t)value : FACTS_NO_BUFFER,
                                       .bytes = kind == 2 ? bytes & ((UINT64_C(1) << MEMORY_FLAGS_AT) - 1) : 0,
                                       .no_read = (flags & MEMORY_NO_READ) != 0,
                                       .no_write = (flags & MEMORY_NO_WRITE) != 0};
  }
  q->launch.arguments = q->arguments;
}

static int look(void *context, buffer *out, error *e) {
  const question *q = context;
  (void)e;
  pp_input *inputs = request_inputs(q->program->request);
  disjoint *d = disjoint_read(inputs, q->program->request->source_count);
  const bool inside = q->form != KERNEL_CHECKED;
  const bool holds = d != NULL && (inside ? disjoint_stays_inside(d, q->kernel, &q->launch)
                                          : disjoint_holds(d, q->kernel, &q->launch));
  buffer_putc(out, holds ? 1 : 0);
  return 0;
}

static int take(void *context, const void *bytes, size_t length) {
  question *q = context;
  q->answer = length == 1 && *(const char *)bytes == 1;
  return length == 1 ? 0 : -1;
}

/* In a process of its own: libclang reads the sources again. */
static bool find_out(session_program *p, uint64_t digest, question *q) {
  for (size_t i = 0; i < p->asked_count; i++)
    if (p->asked[i].digest == digest) return p->asked[i].needless;
  error ignored;
  if (p->request == NULL || p->asked_count >= MOST_QUESTIONS ||
      isolated(&(isolated_work){q, look, take}, &ignored) != 0)
    q->answer = false;
  if (p->asked_count < MOST_QUESTIONS)
    *ARRAY_ADD(p->asked, p->asked_count, p->asked_capacity) = (asked_launch){digest, q->answer};
  return q->answer;
}

int session_needless(session *s, wire_reader *in, buffer *answer, error *e) {
  const uint64_t digest = hash_more(HASH_EMPTY, in->at, in->left);
  const uint32_t number = wire_u32(in), kernel = wire_u32(in);
  question *q = mem_calloc(1, sizeof *q);
  read_launch(in, q);
  if (in->failed || number >= s->program_count || kernel >= s->programs[number].result.model.kernel_count) {
    free(q);
    return error_set(e, EXIT_INTERNAL, "the layer asked about a launch of no kernel");
  }
  q->program = &s->programs[number];
  q->form = s->kernels;
  q->kernel = q->program->result.model.kernels[kernel].name;
  const bool fills = s->kernels == KERNEL_FILLED && q->program->result.filled_count > 0;
  const bool holds = !s->all && !fills && find_out(&s->programs[number], digest, q);
  if (holds && q->program->checks != NULL) q->program->checks[kernel].made = true;
  wire_begin(answer, MESSAGE_IS_NEEDLESS);
  wire_put_u32(answer, holds ? 1 : 0);
  wire_end(answer);
  free(q);
  return 0;
}
