#include "layer/observe/needless.h"

#include <stdlib.h>
#include <string.h>

#include "layer/common/area.h"
#include "layer/common/message.h"
#include "layer/observe/connection.h"
#include "wire/protocol.h"

/* An integer that is the same with a sign and without. */
static bool small_integer(const argument *a, uint64_t *value) {
  uint32_t four = 0;
  if (a->kind != ARGUMENT_VALUE || a->value == NULL || (a->size != sizeof four && a->size != sizeof *value)) {
    return false;
  }
  *value = 0;
  memcpy(a->size == sizeof four ? (void *)&four : (void *)value, a->value, a->size);
  *value = a->size == sizeof four ? four : *value;
  return *value <= INT32_MAX;
}

static void write_arguments(message *m, const kernel *k, const needless_memory *of) {
  message_u32(m, k->argument_count);
  for (cl_uint n = 0; n < k->argument_count; n++) {
    uint64_t value = 0;
    const bool number = !of[n].memory && small_integer(&k->arguments[n], &value);
    message_u32(m, number ? 1 : of[n].known ? 2 : 0);
    message_u64(m, number ? value : of[n].number);
    message_u64(m, of[n].bytes);
  }
}

static void write_question(message *m, const kernel *k, const launch *l, const needless_memory *of) {
  const cl_uint dimensions = l->task ? 1 : l->dimensions;
  message_start(m, MESSAGE_NEEDLESS);
  message_u32(m, k->function->program);
  message_u32(m, k->function->kernel);
  message_u32(m, dimensions);
  for (cl_uint d = 0; d < dimensions; d++) {
    message_u64(m, l->task || l->offset == NULL ? 0 : l->offset[d]);
    message_u64(m, l->task ? 1 : l->global[d]);
    message_u64(m, l->task ? 1 : l->local == NULL ? 0 : l->local[d]);
  }
  write_arguments(m, k, of);
}

/* Never 0. */
static uint64_t digest_of_question(const message *m) { return digest_short(m->data, m->length) | 1; }

enum { PATIENCE = 4 }; /* a kernel of which the answer was no so often is not asked about again */

/* The answer to the same question stays the same. */
bool ask_needless(kernel *k, const launch *l, const needless_memory *of) {
  function *f = k->function;
  unsigned char *body = NULL;
  size_t length = 0;
  message m;
  if (f->needed == PATIENCE) {
    return false;
  }
  write_question(&m, k, l, of);
  const uint64_t digest = digest_of_question(&m);
  if (f->asked == digest) {
    message_free(&m);
    return f->needless;
  }
  f->asked = digest;
  f->needless = false;
  if (connection_ask(&m, MESSAGE_IS_NEEDLESS, &body, &length)) {
    wire_reader r = {.at = body, .left = length};
    f->needless = wire_u32(&r) == 1 && !r.failed;
    free(body);
  }
  f->needed = f->needless ? 0 : f->needed + 1;
  return f->needless;
}
