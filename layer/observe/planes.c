/* Barriers: room for what the work-items of a launch leave about them, and the kernel that compares the work-items of
 * each work-group afterwards. */
#include "layer/observe/planes.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "layer/common/guest.h"
#include "layer/observe/connection.h"
#include "layer/observe/queue.h"
#include "layer/observe/slots.h"
#include "wire/protocol.h"

#define HEADER_BYTES ((size_t)32) /* with what is spare at the end; a spare item comes on top */
#define LEAST_BYTES ((size_t)4096)
#define JUDGES_PER_UNIT_CPU 4u
#define JUDGES_PER_UNIT 256u
#define JUDGE_GROUP 64u

/* Makes `s` hold `bytes`, or as much as the cap allows: halves what it asks for until it gets it. */
static bool make_room(queue *q, slots *s, size_t bytes, size_t least) {
  if (s->capacity >= bytes) {
    return true;
  }
  size_t had = s->capacity;
  slots_release(q->context, s);
  bytes = bytes < LEAST_BYTES ? LEAST_BYTES : bytes;
  for (size_t wanted = bytes; wanted >= LEAST_BYTES && wanted >= had; wanted /= 2) {
    if (slots_make(q->context, s, wanted)) {
      return true;
    }
  }
  return (had && slots_make(q->context, s, had)) || slots_make(q->context, s, least);
}

bool planes_place(queue *q, entry *e, slots *s, size_t items, cl_uint *capacity) {
  size_t record = ((size_t)e->function->planes + 1) * 4;
  size_t bytes = 0;
  if (items > UINT32_MAX || __builtin_mul_overflow(items, record, &bytes) ||
      __builtin_add_overflow(bytes, HEADER_BYTES + record, &bytes)) {
    bytes = SIZE_MAX / 2;
  }
  if (!make_room(q, s, bytes, HEADER_BYTES + record)) {
    return false;
  }
  size_t room = (s->capacity - HEADER_BYTES - record) / record;
  *capacity = (cl_uint)(room < items ? room : items);
  if (room < items && !atomic_exchange(&e->function->cut, true)) {
    note(
        "kernel %s: a launch has more work-items than fit into memory for barrier evidence; its first and last "
        "work-groups were looked at",
        e->function->name);
  }
  return true;
}

bool planes_ready(entry *e, cl_program owner) {
  if (e->judge == NULL) {
    char name[512];
    int length = snprintf(name, sizeof name, JUDGE_PREFIX "%s", e->function->name);
    if (length < 0 || (size_t)length >= sizeof name) {
      return false;
    }
    e->judge = driver.clCreateKernel(owner, name, NULL);
  }
  return e->judge != NULL;
}

static bool set_judge(const entry *e, cl_mem memory, cl_mem items, cl_ulong first, cl_uint number) {
  if (items == NULL) {
    items = e->flags; /* ignored then */
  }
  return driver.clSetKernelArg(e->judge, 0, sizeof(cl_mem), &e->flags) == CL_SUCCESS &&
         driver.clSetKernelArg(e->judge, 1, sizeof(cl_mem), &memory) == CL_SUCCESS &&
         driver.clSetKernelArg(e->judge, 2, sizeof number, &number) == CL_SUCCESS &&
         (!e->function->planes_in_slots || (driver.clSetKernelArg(e->judge, 3, sizeof(cl_mem), &items) == CL_SUCCESS &&
                                            driver.clSetKernelArg(e->judge, 4, sizeof first, &first) == CL_SUCCESS));
}

bool planes_judge(queue *q, entry *e, cl_mem memory, cl_mem items, cl_ulong first, cl_uint number, cl_uint waits,
                  const cl_event *wait, cl_event *event) {
  size_t global = (size_t)q->units * (q->cpu ? JUDGES_PER_UNIT_CPU : JUDGES_PER_UNIT);
  size_t local = q->cpu ? 1 : JUDGE_GROUP;
  return set_judge(e, memory, items, first, number) &&
         driver.clEnqueueNDRangeKernel(q->object.handle, e->judge, 1, NULL, &global, &local, waits, wait, event) ==
             CL_SUCCESS;
}
