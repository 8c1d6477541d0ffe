/* Launches of kernels that record coverage: slots for what their work-items have seen, which kernels of ours add up, and planes
 * for what they leave about barriers, which others compare. */
#include "detectors/coverage/layer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "layer/common/guest.h"
#include "layer/observe/connection.h"
#include "layer/observe/context.h"
#include "layer/observe/enqueue.h"
#include "layer/observe/evidence.h"
#include "layer/observe/shadow.h"
#include "wire/protocol.h"

/* ---- the reduction: contiguous chunks for CPU devices, coalesced strides for the others ----
 * Words of an item repeat with the item's size, so that each accumulator belongs to one flag word. */

#define VECTOR_BYTES 64u   /* uint16 */
#define CHUNK_VECTORS 256u /* at least, for a CPU work-item */
#define CPU_ITEMS_PER_UNIT 2u
#define STRIDE_GROUP 64u
#define STRIDE_GROUPS_PER_UNIT 8u
#define WORDS_PER_ITEM 8u /* at least, for a work-item of other devices */

extern const char reduction_text[]; /* reduction.cl, embedded */

static cl_program reduction_program(context *c) {
  pthread_mutex_lock(&c->lock);
  if (!c->reduction_tried) {
    c->reduction_tried = true;
    cl_int result = CL_SUCCESS;
    cl_program p = announced_build(c->object.handle, 0, NULL, reduction_text, "", &result);
    if (p != NULL && result != CL_SUCCESS) {
      driver.clReleaseProgram(p);
      p = NULL;
    }
    if (p != NULL) atomic_fetch_add(&c->programs, 1);
    c->reduction = p;
  }
  pthread_mutex_unlock(&c->lock);
  return c->reduction;
}

static bool reduction_ready(queue *q) {
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
  if (!items) return true;
  if (!reduction_ready(q)) return false;
  shape s = shape_of(q, e->function->item_bytes, items * e->function->item_bytes);
  const struct {
    size_t size;
    const void *value;
  } arguments[] = {
      {sizeof e->flags, &e->flags}, {sizeof memory, &memory},     {sizeof s.total, &s.total}, {sizeof s.step, &s.step},
      {sizeof s.words, &s.words},   {sizeof s.period, &s.period}, {sizeof s.fold, &s.fold},
  };
  for (cl_uint i = 0; i < sizeof arguments / sizeof *arguments; i++)
    if (driver.clSetKernelArg(q->reduce, i, arguments[i].size, arguments[i].value) != CL_SUCCESS) return false;
  return driver.clEnqueueNDRangeKernel(q->object.handle, q->reduce, 1, NULL, &s.global, &s.local, waits, wait, event) ==
         CL_SUCCESS;
}

#define RING_LEAST ((size_t)16 << 10)
#define RING_COMFORT ((size_t)1 << 20) /* beyond this a ring only grows for a single launch */
#define RING_LAUNCHES 4u               /* that a ring should hold at least */
#define ITEM_ALIGNMENT 64u             /* launches begin at such items, for vector stores */

/* ---- in-order queues: a ring for each kernel function ---- */

/* Clean rings of other functions give way. */
static void evict_rings(queue *q, const entry *but) {
  for (entry *e = q->entries; e != NULL; e = e->next)
    if (e != but && !e->used) slots_release(q->context, &e->ring);
}

static size_t ring_capacity(const entry *e, size_t bytes) {
  size_t capacity = e->ring.capacity * 2 > RING_LEAST ? e->ring.capacity * 2 : RING_LEAST;
  while (capacity < bytes * RING_LAUNCHES && capacity < RING_COMFORT) capacity *= 2;
  if (capacity > RING_COMFORT) capacity = RING_COMFORT;
  return capacity < bytes ? bytes : capacity;
}

/* The full ring is reduced, and replaced by a larger one while it holds few launches. */
static bool ring_renew(queue *q, entry *e, size_t bytes) {
  unsigned held = e->unreduced;
  if (!evidence_reduce(q, e)) return false;
  bool fits = e->ring.memory != NULL && e->ring.capacity >= bytes;
  if (fits && (held >= RING_LAUNCHES * 4 || e->ring.capacity >= RING_COMFORT)) return true;
  size_t capacity = ring_capacity(e, bytes);
  if (fits && capacity <= e->ring.capacity) return true;
  slots larger = {0};
  bool made = slots_make(q->context, &larger, capacity);
  if (!made && fits) return true;
  if (!made) {
    evict_rings(q, NULL); /* this one, too small, as well */
    made = slots_make(q->context, &larger, capacity) || slots_make(q->context, &larger, bytes);
  }
  if (!made) return false;
  slots_release(q->context, &e->ring);
  e->ring = larger;
  return true;
}

static void place_in_ring(queue *q, entry *e, size_t items, place *p) {
  size_t item_bytes = e->function->item_bytes, bytes = items * item_bytes;
  size_t first = (e->used + ITEM_ALIGNMENT - 1) / ITEM_ALIGNMENT * ITEM_ALIGNMENT;
  if (e->ring.memory == NULL || (first + items) * item_bytes > e->ring.capacity) {
    if (!ring_renew(q, e, bytes)) return;
    first = 0;
  }
  p->memory = e->ring.memory;
  p->serial = e->ring.serial;
  p->first = first;
  p->in_ring = true;
}

/* ---- out-of-order queues: a chunk for each launch, free again once it is reduced ---- */

static bool chunk_free(chunk *c) {
  cl_int status = -1;
  if (c->reduced == NULL) return true;
  driver.clGetEventInfo(c->reduced, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  if (status > CL_COMPLETE) return false;
  driver.clReleaseEvent(c->reduced);
  c->reduced = NULL;
  return true;
}

/* Free chunks, too small for this launch, give way. */
static void evict_chunks(queue *q, entry *e) {
  for (chunk **at = &e->chunks; *at != NULL;) {
    chunk *c = *at;
    if (!chunk_free(c)) {
      at = &c->next;
      continue;
    }
    *at = c->next;
    slots_release(q->context, &c->slots);
    slots_release(q->context, &c->planes);
    free(c);
  }
}

static void place_in_chunk(queue *q, entry *e, size_t items, place *p) {
  size_t bytes = items * e->function->item_bytes;
  chunk *c = e->chunks;
  while (c != NULL && (c->slots.capacity < bytes || !chunk_free(c))) c = c->next;
  if (c == NULL) {
    c = calloc(1, sizeof *c);
    if (c == NULL) return;
    bool made = slots_make(q->context, &c->slots, bytes);
    if (!made) {
      evict_chunks(q, e);
      made = slots_make(q->context, &c->slots, bytes);
    }
    if (!made) {
      free(c);
      return;
    }
    c->next = e->chunks;
    e->chunks = c;
  }
  p->memory = c->slots.memory;
  p->serial = c->slots.serial;
  p->chunk = c;
}

twin *counted_begin(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  if (reduction_ready(q)) {
    if (q->out_of_order)
      place_in_chunk(q, e, l->full_items, p);
    else
      place_in_ring(q, e, l->full_items, p);
  }
  return p->memory != NULL ? &k->stored : kernel_direct(k);
}

/* All that the kernel can show has been seen in this test case. Then it is launched as the user wrote it, once it has been
 * launched for a while in vain: a driver may have to compile that first. */
static bool shows_nothing_new(kernel *k, const launch *l) {
  enum { LAUNCHES = 8 };
  const uint64_t patience = UINT64_C(100000000); /* ns */
  function *f = k->function;
  (void)l;
  return f->bits > 0 && atomic_load(&f->whole_in) == (uint64_t)test_case_now() + 1 &&
         atomic_load(&f->launches) - atomic_load(&f->whole_at) > LAUNCHES &&
         now_ns() - atomic_load(&f->whole_since) > patience;
}

const form_launch counted_launch = {.is_needless = shows_nothing_new, .counts_needless = true, .begin = counted_begin};

/* ---- planes ---- */

#define HEADER_BYTES ((size_t)32) /* with what is spare at the end; a spare item comes on top */
#define LEAST_BYTES ((size_t)4096)
#define JUDGES_PER_UNIT_CPU 4u
#define JUDGES_PER_UNIT 256u
#define JUDGE_GROUP 64u

/* ---- evidence on barriers: room for it, and the kernel that compares the work-items of each work-group afterwards ---- */

/* Makes `s` hold `bytes`, or as much as the cap allows: halves what it asks for until it gets it. */
static bool make_room(queue *q, slots *s, size_t bytes, size_t least) {
  if (s->capacity >= bytes) return true;
  size_t had = s->capacity;
  slots_release(q->context, s);
  bytes = bytes < LEAST_BYTES ? LEAST_BYTES : bytes;
  for (size_t wanted = bytes; wanted >= LEAST_BYTES && wanted >= had; wanted /= 2)
    if (slots_make(q->context, s, wanted)) return true;
  return (had && slots_make(q->context, s, had)) || slots_make(q->context, s, least);
}

/* Room in `s` for the barrier evidence of `items` work-items; `*capacity` says for how many there is. */
static bool find_room(queue *q, entry *e, slots *s, size_t items, cl_uint *capacity) {
  size_t record = ((size_t)e->function->planes + 1) * 4;
  size_t bytes = 0;
  if (items > UINT32_MAX || __builtin_mul_overflow(items, record, &bytes) ||
      __builtin_add_overflow(bytes, HEADER_BYTES + record, &bytes))
    bytes = SIZE_MAX / 2;
  if (!make_room(q, s, bytes, HEADER_BYTES + record)) return false;
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

/* Makes the entry's comparing kernel at the first call. */
static bool planes_ready(entry *e, cl_program owner) {
  if (e->judge == NULL) {
    char name[512];
    int length = snprintf(name, sizeof name, JUDGE_PREFIX "%s", e->function->name);
    if (length < 0 || (size_t)length >= sizeof name) return false;
    e->judge = driver.clCreateKernel(owner, name, NULL);
  }
  return e->judge != NULL;
}

static bool set_judge(const entry *e, cl_mem memory, cl_mem items, cl_ulong first, cl_uint number) {
  if (items == NULL) items = e->flags; /* ignored then */
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

/* Work-items whose evidence about barriers needs room of its own; an out-of-order launch without a chunk has none that
 * could be compared. */
static size_t compared_items(const queue *q, const entry *e, const launch *l, const place *p) {
  bool nowhere = q->out_of_order && p->chunk == NULL;
  bool in_slots = e->function->planes_in_slots && p->memory != NULL;
  return nowhere || in_slots ? 0 : l->full_items;
}

bool planes_place(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  if (!e->function->planes) return true;
  if (!planes_ready(e, k->shadow->program)) return false;
  p->planes = p->chunk != NULL ? &p->chunk->planes : &e->planes;
  return find_room(q, e, p->planes, compared_items(q, e, l, p), &p->capacity);
}
