/* Hidden buffers, and the cap on the memory that slots may take over all rings and chunks of the process. */
#include "layer/observe/slots.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "layer/common/guest.h"
#include "layer/observe/context.h"
#include "wire/protocol.h"

#define SLOTS_CAP ((size_t)64 << 20)
#define ALIGNMENT ((size_t)64) /* the reduction reads 16 words at a time */

static atomic_size_t slots_used;
static atomic_uint_fast64_t serials;

static size_t slots_cap(void) {
  static atomic_size_t cap;
  size_t known = atomic_load(&cap);
  if (known) return known;
  const char *text = getenv(ENV_SLOTS_CAP);
  char *end = NULL;
  unsigned long long value = text != NULL && text[0] ? strtoull(text, &end, 10) : SLOTS_CAP;
  known = end != NULL && *end ? SLOTS_CAP : (size_t)value;
  if (!known) known = 1;
  atomic_store(&cap, known);
  return known;
}

uint64_t next_serial(void) { return atomic_fetch_add(&serials, 1) + 1; }

cl_mem hidden_buffer(context *c, size_t bytes) {
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void *zeros = calloc(1, bytes);
  if (zeros == NULL) return NULL;
  cl_int error;
  cl_mem memory =
      driver.clCreateBuffer(c->object.handle, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, zeros, &error);
  free(zeros);
  if (memory != NULL) atomic_fetch_add(&c->buffers, 1);
  return memory;
}

void hidden_buffer_release(context *c, cl_mem memory) {
  if (memory == NULL) return;
  atomic_fetch_sub(&c->buffers, 1);
  driver.clReleaseMemObject(memory);
}

bool slots_make(context *c, slots *s, size_t bytes) {
  if (bytes > SIZE_MAX - ALIGNMENT) return false;
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  size_t used = atomic_load(&slots_used);
  do {
    if (bytes > slots_cap() || used > slots_cap() - bytes) return false;
  } while (!atomic_compare_exchange_weak(&slots_used, &used, used + bytes));
  s->memory = hidden_buffer(c, bytes);
  if (s->memory == NULL) {
    atomic_fetch_sub(&slots_used, bytes);
    return false;
  }
  s->capacity = bytes;
  s->serial = next_serial();
  return true;
}

void slots_release(context *c, slots *s) {
  if (s->memory == NULL) return;
  hidden_buffer_release(c, s->memory);
  atomic_fetch_sub(&slots_used, s->capacity);
  *s = (slots){0};
}

void slots_after_fork(void) { atomic_store(&slots_used, 0); }
