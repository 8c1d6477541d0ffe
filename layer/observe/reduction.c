/* The kernels that OR what work-items left in slots into flags: contiguous chunks for CPU devices, coalesced strides
 * for the others. Words of an item repeat with the item's size, so that each accumulator belongs to one flag word. */
#include "layer/observe/reduction.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "layer/common/builds.h"
#include "layer/common/guest.h"
#include "layer/observe/context.h"
#include "layer/observe/queue.h"

#define VECTOR_BYTES 64u   /* uint16 */
#define CHUNK_VECTORS 256u /* at least, for a CPU work-item */
#define CPU_ITEMS_PER_UNIT 2u
#define STRIDE_GROUP 64u
#define STRIDE_GROUPS_PER_UNIT 8u
#define WORDS_PER_ITEM 8u /* at least, for a work-item of other devices */

extern const char reduction_text[]; /* reduction.cl */

static cl_program reduction_program(context *c) {
  pthread_mutex_lock(&c->lock);
  if (!c->reduction_tried) {
    c->reduction_tried = true;
    cl_int result = CL_SUCCESS;
    cl_program p = build_text(c->object.handle, 0, NULL, reduction_text, "", &result);
    if (p != NULL && result != CL_SUCCESS) {
      driver.clReleaseProgram(p);
      p = NULL;
    }
    if (p != NULL) {
      atomic_fetch_add(&c->programs, 1);
    }
    c->reduction = p;
  }
  pthread_mutex_unlock(&c->lock);
  return c->reduction;
}

bool reduction_ready(queue *q) {
  if (!q->reduce_tried) {
    q->reduce_tried = true;
    cl_program p = reduction_program(q->context);
    q->reduce = p != NULL ? driver.clCreateKernel(p, q->cpu ? "cltc_chunks" : "cltc_strides", NULL) : NULL;
  }
  return q->reduce != NULL;
}

static size_t at_most(size_t a, size_t b) { return a < b ? a : b; }

static size_t up_to_multiple(size_t value, size_t of) { return (value + of - 1) / of * of; }

typedef struct shape {
  cl_ulong total; /* vectors or words to read */
  cl_ulong step;  /* chunk or stride */
  cl_uint words, period, fold;
  size_t global, local;
} shape;

static cl_uint common_divisor(cl_uint a, cl_uint b) {
  while (b) {
    cl_uint rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static shape shape_of(const queue *q, uint32_t item_bytes, size_t bytes) {
  shape s = {.words = item_bytes < 4 ? 1 : item_bytes / 4, .fold = item_bytes < 4 ? item_bytes : 0};
  s.period = s.words / common_divisor(s.words, 16);
  if (q->cpu) {
    size_t vectors = (bytes + VECTOR_BYTES - 1) / VECTOR_BYTES;
    size_t chunks = at_most((size_t)q->units * CPU_ITEMS_PER_UNIT, (vectors + CHUNK_VECTORS - 1) / CHUNK_VECTORS);
    size_t step = up_to_multiple((vectors + chunks - 1) / chunks, s.period);
    s.total = vectors;
    s.step = step;
    s.global = (vectors + step - 1) / step;
    s.local = 1;
    return s;
  }
  size_t words = (bytes + 3) / 4;
  size_t items =
      at_most((size_t)q->units * STRIDE_GROUPS_PER_UNIT * STRIDE_GROUP, (words + WORDS_PER_ITEM - 1) / WORDS_PER_ITEM);
  items = up_to_multiple(items < s.words ? s.words : items, STRIDE_GROUP);
  s.total = words;
  s.step = items - items % s.words;
  s.global = items;
  s.local = STRIDE_GROUP;
  return s;
}

bool reduction_enqueue(queue *q, entry *e, cl_mem memory, size_t items, cl_uint waits, const cl_event *wait,
                       cl_event *event) {
  if (!items) {
    return true;
  }
  if (!reduction_ready(q)) {
    return false;
  }
  shape s = shape_of(q, e->function->item_bytes, items * e->function->item_bytes);
  const struct {
    size_t size;
    const void *value;
  } arguments[] = {
      {sizeof e->flags, &e->flags}, {sizeof memory, &memory},     {sizeof s.total, &s.total}, {sizeof s.step, &s.step},
      {sizeof s.words, &s.words},   {sizeof s.period, &s.period}, {sizeof s.fold, &s.fold},
  };
  for (cl_uint i = 0; i < sizeof arguments / sizeof *arguments; i++) {
    if (driver.clSetKernelArg(q->reduce, i, arguments[i].size, arguments[i].value) != CL_SUCCESS) {
      return false;
    }
  }
  return driver.clEnqueueNDRangeKernel(q->object.handle, q->reduce, 1, NULL, &s.global, &s.local, waits, wait, event) ==
         CL_SUCCESS;
}
