/* Launches: the twin runs in the place of the original. Whatever goes wrong, the original is launched and its answer
 * is the user's. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer/common/guest.h"
#include "layer/common/message.h"
#include "layer/common/object.h"
#include "layer/observe/announced.h"
#include "layer/observe/checked.h"
#include "layer/observe/connection.h"
#include "layer/observe/contents.h"
#include "layer/observe/evidence.h"
#include "layer/observe/exit.h"
#include "layer/observe/gate.h"
#include "layer/observe/guard.h"
#include "layer/observe/hidden.h"
#include "layer/observe/hooks.h"
#include "layer/observe/kernel.h"
#include "layer/observe/launch.h"
#include "layer/observe/mapped.h"
#include "layer/observe/memory.h"
#include "layer/observe/objects.h"
#include "layer/observe/observe.h"
#include "layer/observe/place.h"
#include "layer/observe/queue.h"
#include "layer/observe/reduction.h"
#include "layer/observe/refused.h"
#include "layer/observe/shadow.h"
#include "layer/observe/slots.h"
#include "layer/observe/unnoticed.h"
#include "layer/observe/vary.h"
#include "wire/filling.h"
#include "wire/memory_record.h"
#include "wire/protocol.h"

/* All with the locks of the queue and the kernel held. NULL: nothing is to be done. */
typedef struct form_launch {
  /* Whether the launch can as well run as the user wrote it. */
  bool (*is_needless)(kernel *k, const launch *l);
  bool counts_needless; /* such launches count among those of which there is evidence */
  /* Before a launch: finds its memory and sets arguments that only this form has. The twin to launch, or NULL. */
  twin *(*begin)(queue *q, kernel *k, entry *e, const launch *l, place *p);
  /* It did not take place. */
  void (*cancel)(queue *q, place *p);
  /* After it on the queue. `done`: the launch, where the queue keeps no order, else NULL. */
  void (*end)(queue *q, kernel *k, entry *e, place *p, launch *l, cl_event done);
} form_launch;

#define ENDLESS ((UINT64_C(1) << MEMORY_FLAGS_AT) - 1)

typedef struct bounds {
  uint64_t first; /* byte of the object that the argument points to */
  uint64_t bytes; /* with flags */
} bounds;

/* The one object that is filled, and a buffer that may hold a copy of it: `bytes` 0: it is an image. */
static bool is_watched(cl_mem handle, size_t bytes) {
  const uint32_t first = observe.filling >> 2 & 0x7fff;
  bool copied = false;
  return observe.filling >> 17 == first + 1 && first >= FILLING_BUFFERS &&
         (memory_number(handle, &copied) == first || (copied && bytes > 0));
}

/* What waits for events may come after the host has unmapped it. */
static uint64_t flags_of(cl_mem handle, size_t bytes, const launch *l) {
  cl_mem_flags flags = 0;
  uint64_t out = 0;
  if (driver.clGetMemObjectInfo(handle, CL_MEM_FLAGS, sizeof flags, &flags, NULL) != CL_SUCCESS) {
    return 0;
  }
  out |= (flags & CL_MEM_READ_ONLY) != 0 ? MEMORY_NO_WRITE : 0;
  out |= (flags & CL_MEM_WRITE_ONLY) != 0 ? MEMORY_NO_READ : 0;
  out |= l->waits == 0 && mapped_for_writing(handle, bytes) ? MEMORY_IS_MAPPED : 0;
  out |= is_watched(handle, bytes) ? MEMORY_WATCHED : 0;
  return out << MEMORY_FLAGS_AT;
}

static bounds bounds_of_buffer(cl_mem handle, const launch *l) {
  size_t bytes = 0;
  if (handle == NULL) {
    return (bounds){0};
  }
  if (driver.clGetMemObjectInfo(handle, CL_MEM_SIZE, sizeof bytes, &bytes, NULL) != CL_SUCCESS) {
    return (bounds){.bytes = ENDLESS};
  }
  return (bounds){.bytes = bytes | flags_of(handle, bytes, l)};
}

static bounds bounds_of(const kernel *k, const checked_object *o, const launch *l) {
  const argument *a = o->argument < k->argument_count ? &k->arguments[o->argument] : NULL;
  cl_mem handle = NULL;
  if (o->local) {
    return (bounds){.bytes = object_local_bytes(k, o)};
  }
  if (a != NULL && a->kind == ARGUMENT_POINTER) {
    const void *first = NULL;
    size_t size = 0;
    const uint64_t address = (uint64_t)(uintptr_t)a->pointer;
    return a->pointer == NULL                          ? (bounds){0}
           : !memory_extent(a->pointer, &first, &size) ? (bounds){address, ENDLESS} /* from address 0 on */
                                                       : (bounds){address - (uint64_t)(uintptr_t)first, size};
  }
  if (a == NULL || a->kind != ARGUMENT_VALUE || (a->value != NULL && a->size != sizeof handle)) {
    return (bounds){.bytes = ENDLESS};
  }
  if (a->value != NULL) {
    memcpy(&handle, a->value, sizeof handle);
  }
  return bounds_of_buffer(handle, l);
}

static uint64_t image_size(cl_mem handle, cl_image_info name) {
  size_t n = 0;
  return driver.clGetImageInfo(handle, name, sizeof n, &n, NULL) == CL_SUCCESS && n > 0 ? n : 1;
}

/* Of an image: width and above bit 32 height; depth, or how many images it is. Not every device tells kernels of each kind. */
static bounds bounds_told(const kernel *k, const checked_object *o, const launch *l) {
  const argument *a = o->argument < k->argument_count ? &k->arguments[o->argument] : NULL;
  cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
  cl_mem handle = NULL;
  if (!o->local && a != NULL && a->kind == ARGUMENT_VALUE && a->value != NULL && a->size == sizeof handle) {
    memcpy(&handle, a->value, sizeof handle);
  }
  if (handle == NULL || driver.clGetMemObjectInfo(handle, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS ||
      type == CL_MEM_OBJECT_BUFFER || type == CL_MEM_OBJECT_PIPE) {
    return bounds_of(k, o, l);
  }
  const bool rows = type == CL_MEM_OBJECT_IMAGE1D_ARRAY; /* whose y says which */
  const uint64_t flags = flags_of(handle, 0, l) & ~((uint64_t)MEMORY_IS_MAPPED << MEMORY_FLAGS_AT);
  return (bounds){
      .first = image_size(handle, CL_IMAGE_WIDTH) | image_size(handle, rows ? CL_IMAGE_ARRAY_SIZE : CL_IMAGE_HEIGHT)
                                                        << 32,
      .bytes = flags | (rows ? 1 : image_size(handle, CL_IMAGE_DEPTH) * image_size(handle, CL_IMAGE_ARRAY_SIZE))};
}

/* Sets the arguments HIDDEN_OBJECTS of a twin (wire/memory_record.h). */
static bool bounds_set(const kernel *k, const twin *t, const launch *l) {
  const cl_uint index = hidden_index(k, HIDDEN_OBJECTS);
  bool done = true;
  for (uint32_t i = 0; done && i < k->function->object_count; i++) {
    const bounds b = bounds_told(k, &k->function->objects[i], l);
    const cl_ulong pair[2] = {b.first, b.bytes};
    done = driver.clSetKernelArg(t->kernel, index + i, sizeof pair, pair) == CL_SUCCESS;
  }
  return done;
}

/* To ask costs as much as a short launch. */
static bool is_worth_it(const kernel *k, const launch *l, uint64_t bytes) {
  enum { ITEMS = 1 << 10, LAUNCHES = 8, BYTES = 1 << 18 };
  const char *from = getenv(ENV_ASK_FROM);
  if (from != NULL && from[0]) {
    return l->items >= strtoull(from, NULL, 10);
  }
  return l->items >= ITEMS || bytes >= BYTES || atomic_load(&k->function->launches) >= LAUNCHES;
}

/* Memory that the host has mapped is looked at, and what nothing is known of. */
/* Whether no access of the launch can be wrong, so that it can run as the user wrote it. With both locks held. */
static bool bounds_are_kept(kernel *k, const launch *l) {
  needless_memory *of = calloc(k->argument_count + 1, sizeof *of);
  bool known = of != NULL;
  uint64_t all = 0;
  for (uint32_t i = 0; known && i < k->function->object_count; i++) {
    const checked_object *o = &k->function->objects[i];
    const bounds b = bounds_of(k, o, l);
    const uint64_t flags = b.bytes >> MEMORY_FLAGS_AT, bytes = b.bytes & ENDLESS;
    known = o->argument < k->argument_count && b.first == 0 && bytes != ENDLESS &&
            (flags & (MEMORY_IS_MAPPED | MEMORY_WATCHED)) == 0;
    if (known) {
      of[o->argument] = (needless_memory){.memory = true, .known = true, .bytes = b.bytes};
      all += bytes;
    }
  }
  const bool kept = known && is_worth_it(k, l, all) && ask_needless(k, l, of);
  free(of);
  return kept;
}

static twin *begin_counted(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  if (reduction_ready(q)) {
    if (q->out_of_order) {
      place_in_chunk(q, e, l->full_items, p);
    } else {
      place_in_ring(q, e, l->full_items, p);
    }
  }
  return p->memory != NULL ? &k->stored : kernel_direct(k);
}

static twin *begin_mutated(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  (void)q, (void)e, (void)l;
  p->first = k->function->schema.mutant | (cl_ulong)k->function->schema.fuel << 32;
  return &k->stored;
}

static twin *begin_gated(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  if (!gate_begin(q, k, e, l, &p->gating)) {
    return NULL;
  }
  p->memory = p->gating.memory;
  p->serial = p->gating.serial;
  p->first = p->gating.order.first;
  return &k->stored;
}

static void cancel_gated(queue *q, place *p) { gate_cancel(q, &p->gating); }

static void end_gated(queue *q, kernel *k, entry *e, place *p, launch *l, cl_event done) {
  if (p->gating.order.flags & SCHEDULE_MEMORY) {
    l->left = contents_of(k, p->gating.order.number, done);
  }
  gate_end(q, e, &p->gating, done);
}

static twin *begin_checked(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  checking c = {.launch = atomic_load(&k->function->launches)};
  if (!checked_begin(q, k, l, &c)) {
    return NULL;
  }
  p->own = c.own;
  p->memory = c.cells != NULL ? c.cells : e->flags;
  p->serial = c.serial;
  p->first = c.first;
  p->capacity = c.launch;
  return &k->stored;
}

static twin *begin_memory(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  (void)q, (void)e;
  p->capacity = atomic_load(&k->function->launches);
  p->first = filling_byte(observe.filling, observe.filling >> 2 & 0x7fff);
  return bounds_set(k, &k->stored, l) ? &k->stored : NULL;
}

static twin *begin_bounds(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  twin *t = begin_counted(q, k, e, l, p);
  return t != NULL && bounds_set(k, t, l) ? t : NULL;
}

static twin *begin_filled(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  p->capacity = observe.filling;
  return begin_bounds(q, k, e, l, p);
}

static twin *begin_plain(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  (void)q, (void)e, (void)l, (void)p;
  return objects_set(k) ? &k->stored : NULL;
}

#define FORM_LAUNCH(NAME, CALLED, FIELDS, HIDDEN, EXTENSION, PASSES, TEXT, LAUNCH, ...) \
  [KERNEL_##NAME] = {FORMS_COLUMN LAUNCH},
static const form_launch launches[] = {CLTC_FORMS(FORM_LAUNCH, FORMS_IGNORED)};

static const form_launch *form_of(const kernel *k) {
  static const form_launch plain = {.begin = begin_plain};
  const form_launch *own = &launches[k->function->form];
  return own->begin != NULL ? own : &plain;
}

#define HEADER_BYTES ((size_t)32) /* with what is spare at the end; a spare item comes on top */
#define LEAST_BYTES ((size_t)4096)
#define JUDGES_PER_UNIT_CPU 4u
#define JUDGES_PER_UNIT 256u
#define JUDGE_GROUP 64u
#define PENDING_CAP 64u
#define COLLECT_NS UINT64_C(250000000) /* at the latest, for programs that never synchronise */

/* ---- evidence on barriers: room for it, and the kernel that compares the work-items of each work-group afterwards ---- */

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

/* Room in `s` for the barrier evidence of `items` work-items; `*capacity` says for how many there is. */
static bool planes_place(queue *q, entry *e, slots *s, size_t items, cl_uint *capacity) {
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

/* Makes the entry's comparing kernel at the first call. */
static bool planes_ready(entry *e, cl_program owner) {
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

/* Enqueues the comparison of the work-items of the launch of this number, by what they left in `memory` and from item
 * `first` on in `items` (NULL: nowhere). */
static bool planes_judge(queue *q, entry *e, cl_mem memory, cl_mem items, cl_ulong first, cl_uint number, cl_uint waits,
                         const cl_event *wait, cl_event *event) {
  size_t global = (size_t)q->units * (q->cpu ? JUDGES_PER_UNIT_CPU : JUDGES_PER_UNIT);
  size_t local = q->cpu ? 1 : JUDGE_GROUP;
  return set_judge(e, memory, items, first, number) &&
         driver.clEnqueueNDRangeKernel(q->object.handle, e->judge, 1, NULL, &global, &local, waits, wait, event) ==
             CL_SUCCESS;
}

/* ---- launches ---- */

static cl_int run(cl_command_queue queue_handle, cl_kernel kernel_handle, const launch *l, cl_event *event) {
  if (l->task) {
    return driver.clEnqueueTask(queue_handle, kernel_handle, l->waits, l->wait, event);
  }
  return driver.clEnqueueNDRangeKernel(queue_handle, kernel_handle, l->dimensions, l->offset, l->global, l->local,
                                       l->waits, l->wait, event);
}

/* False: nothing to observe, or the original will say what is wrong. */
static bool count_items(const queue *q, launch *l) {
  l->items = 1;
  l->full_items = 1;
  if (l->task) {
    return true;
  }
  if (l->dimensions < 1 || l->dimensions > 3 || l->global == NULL) {
    return false;
  }
  for (cl_uint d = 0; d < l->dimensions; d++) {
    size_t local = l->local != NULL && l->local[d] ? l->local[d] : 1;
    size_t full = (l->global[d] / local + (l->global[d] % local != 0)) * local;
    if (l->local == NULL && q->non_uniform &&
        __builtin_mul_overflow(full, 2, &full)) { /* the driver may choose any size */
      return false;
    }
    if (__builtin_mul_overflow(l->items, l->global[d], &l->items) ||
        __builtin_mul_overflow(l->full_items, full, &l->full_items)) {
      return false;
    }
  }
  return l->items && l->full_items <= SIZE_MAX / 4096; /* nothing runs in an empty launch */
}

static void add_pending(entry *e, cl_event event) {
  if (e->pending_count >= PENDING_CAP) {
    entry_prune(e);
  }
  if (e->pending_count == e->pending_capacity) {
    size_t capacity = e->pending_capacity ? e->pending_capacity * 2 : 16;
    cl_event *grown = realloc(e->pending, capacity * sizeof(cl_event));
    if (grown == NULL) {
      return;
    }
    e->pending = grown;
    e->pending_capacity = capacity;
  }
  if (driver.clRetainEvent(event) == CL_SUCCESS) {
    e->pending[e->pending_count++] = event;
  }
}

/* After an out-of-order launch: its comparison and reduction, and what reads of the flags have to wait for. */
static void follow_up(queue *q, entry *e, const place *p, const launch *l, cl_uint number, cl_event done) {
  if (p->chunk == NULL) {
    add_pending(e, done);
    return;
  }
  cl_event judged = NULL;
  if (p->planes != NULL && !planes_judge(q, e, p->planes->memory, p->memory, p->first, number, 1, &done, &judged)) {
    judged = NULL;
  }
  const cl_event *before = judged != NULL ? &judged : &done;
  cl_event reduced = NULL;
  if (!reduction_enqueue(q, e, p->memory, l->full_items, 1, before, &reduced)) {
    driver.clRetainEvent(*before);
    reduced = *before;
  }
  if (judged != NULL) {
    driver.clReleaseEvent(judged);
  }
  if (reduced == NULL) {
    return;
  }
  p->chunk->reduced = reduced;
  add_pending(e, reduced);
}

/* ---- the twin ---- */

static void launched(queue *q, entry *e, const place *p, const launch *l, cl_uint number) {
  e->launches++;
  e->first = e->end == 0 || number < e->first ? number : e->first;
  e->end = number >= e->end ? number + 1 : e->end;
  announced_launch();
  evidence_watch();
  if (p->in_ring) {
    e->used = (size_t)p->first + l->full_items;
    e->unreduced++;
  }
  atomic_store(&q->dirty, true);
  uint64_t now = now_ns();
  if (!q->collected) {
    q->collected = now;
  }
  if (now - q->collected >= COLLECT_NS) {
    evidence_before(q, true);
    evidence_after();
  }
}

static uint64_t mix(uint64_t digest, uint64_t value) { return (digest ^ value) * UINT64_C(0x9E3779B97F4A7C15) + 1; }

/* Drivers compile for what this digest is made of, some of them only when a kernel is launched. */
static uint64_t shape_of(const launch *l, bool direct) {
  uint64_t digest = mix(1, direct);
  for (cl_uint d = 0; d < l->dimensions; d++) {
    digest = mix(digest, l->local != NULL ? l->local[d] : l->global[d]);
    digest = mix(digest, l->offset != NULL && l->offset[d]);
    digest = mix(digest, l->global[d] > UINT16_MAX);
  }
  return digest;
}

/* Should the process die in this launch, cltestcheck knows of which kernel. */
static void announce(function *f, const launch *l, bool direct) {
  uint64_t shape = shape_of(l, direct);
  if (atomic_exchange(&f->announced, shape) == shape) {
    return;
  }
  exit_before_driver(true);
  evidence_compiling();
  message m;
  message_start(&m, MESSAGE_LAUNCHING);
  message_u32(&m, f->program);
  message_u32(&m, f->kernel);
  connection_send(&m);
}

/* Work-items whose evidence about barriers needs room of its own; an out-of-order launch without a chunk has none that
 * could be compared. */
static size_t compared_items(const queue *q, const entry *e, const launch *l, const place *p) {
  bool nowhere = q->out_of_order && p->chunk == NULL;
  bool in_slots = e->function->planes_in_slots && p->memory != NULL;
  return nowhere || in_slots ? 0 : l->full_items;
}

static bool place_planes(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  if (!e->function->planes) {
    return true;
  }
  if (!planes_ready(e, k->shadow->program)) {
    return false;
  }
  p->planes = p->chunk != NULL ? &p->chunk->planes : &e->planes;
  return planes_place(q, e, p->planes, compared_items(q, e, l, p), &p->capacity);
}

/* What follows the launch of a twin on the queue. `done` is the launch where the queue keeps no order. */
static void behind(queue *q, kernel *k, entry *e, place *p, launch *l, cl_uint number, cl_event done) {
  if (form_of(k)->end != NULL) {
    form_of(k)->end(q, k, e, p, l, done);
  }
  if (q->out_of_order) {
    follow_up(q, e, p, l, number, done);
    if (l->event != NULL) {
      *l->event = done;
    } else {
      driver.clReleaseEvent(done);
    }
  } else if (p->planes != NULL) {
    planes_judge(q, e, p->planes->memory, p->memory, p->first, number, 0, NULL, NULL);
  }
  launched(q, e, p, l, number);
}

/* With both locks held. False: nothing was launched. */
static bool launch_placed(queue *q, kernel *k, entry *e, place *p, twin *t, launch *l) {
  if (!place_planes(q, k, e, l, p) || !hidden_set(k, t, e, p)) {
    return false;
  }
  cl_uint number = atomic_fetch_add(&k->function->launches, 1);
  cl_event done = NULL;
  announce(k->function, l, t == &k->direct);
  if (run(q->object.handle, t->kernel, l, q->out_of_order ? &done : l->event) != CL_SUCCESS) {
    return false;
  }
  behind(q, k, e, p, l, number, done);
  return true;
}

static bool launch_twin(queue *q, kernel *k, launch *l) {
  entry *e = queue_entry(q, k->function);
  place p = {0};
  const form_launch *f = form_of(k);
  twin *t = e != NULL ? f->begin(q, k, e, l, &p) : NULL;
  bool ran = t != NULL && launch_placed(q, k, e, &p, t, l);
  if (t != NULL && !ran && f->cancel != NULL) {
    f->cancel(q, &p);
  }
  hidden_buffer_release(q->context, p.own.memory); /* the driver keeps it until the launch has ended */
  return ran;
}

/* A kernel as the user wrote it. */
static cl_int run_untouched(cl_command_queue queue_handle, cl_kernel kernel_handle, const launch *l) {
  cl_int result = run(queue_handle, kernel_handle, l, l->event);
  queue *q = result == CL_SUCCESS && connection_alive() ? (queue *)object_find(OBJECT_QUEUE, queue_handle) : NULL;
  if (q != NULL && !atomic_exchange(&q->busy, true)) {
    exit_before_driver(true);
    evidence_compiling();
  }
  return result;
}

/* The original in the place of a twin that cannot run. */
static cl_int run_original(cl_command_queue queue_handle, cl_kernel kernel_handle, const kernel *k, const launch *l) {
  cl_int result = run_untouched(queue_handle, kernel_handle, l);
  if (result == CL_SUCCESS && !atomic_exchange(&k->function->noted, true)) {
    note_uninstrumented(k->function->program,
                        "kernel %s: the device refused an instrumented launch; it ran uninstrumented",
                        k->function->name);
  }
  return result;
}

/* The original, as nothing of the launch needs to be watched. */
static cl_int run_needless(queue *q, cl_kernel kernel_handle, kernel *k, const launch *l) {
  (void)atomic_fetch_add(&k->function->launches, 1); /* others say which of the kernel's launches they are */
  const cl_int result = run_untouched(q->object.handle, kernel_handle, l);
  if (result == CL_SUCCESS && form_of(k)->counts_needless) {
    pthread_mutex_lock(&q->lock);
    entry *e = queue_entry(q, k->function);
    if (e != NULL) {
      e->launches++;
      atomic_store(&q->dirty, true);
    }
    pthread_mutex_unlock(&q->lock);
  }
  return result;
}

/* The twin if there is one, else the original. */
static cl_int launch_either(cl_command_queue queue_handle, cl_kernel kernel_handle, kernel *k, launch *l) {
  queue *q = k != NULL && k->function != NULL ? (queue *)object_find(OBJECT_QUEUE, queue_handle) : NULL;
  if (q == NULL || !count_items(q, l) || !connection_alive()) {
    return run_untouched(queue_handle, kernel_handle, l);
  }
  pthread_mutex_lock(&k->lock);
  pthread_mutex_lock(&q->lock);
  const form_launch *f = form_of(k);
  const bool needless = !k->broken && f->is_needless != NULL && f->is_needless(k, l);
  bool ran = !k->broken && !needless && launch_twin(q, k, l);
  pthread_mutex_unlock(&q->lock);
  pthread_mutex_unlock(&k->lock);
  if (needless) {
    return run_needless(q, kernel_handle, k, l);
  }
  return ran ? CL_SUCCESS : run_original(queue_handle, kernel_handle, k, l);
}

/* As the mutant of the turn or of the process has it, unless the device refuses that. */
static cl_int launch_varied(cl_command_queue queue_handle, cl_kernel kernel_handle, kernel *k, launch *l) {
  variation v;
  if (!vary_begin(k, kernel_handle, l, &v)) {
    return launch_either(queue_handle, kernel_handle, k, l);
  }
  const cl_int result = run_untouched(queue_handle, kernel_handle, &v.launch);
  vary_end(k, kernel_handle, &v, result);
  return result == CL_SUCCESS ? result : launch_either(queue_handle, kernel_handle, k, l);
}

static cl_int enqueue(cl_command_queue queue_handle, cl_kernel kernel_handle, launch *l) {
  kernel *k = (kernel *)object_find(OBJECT_KERNEL, kernel_handle);
  if (k != NULL) {
    exit_before_driver(false);
  }
  observe_command();
  mapped_command();
  guard_before(k, queue_handle);
  const bool varies = observe.varies && k != NULL && k->tally != NULL;
  last_launch_begins(queue_handle, kernel_handle, l);
  cl_int result =
      varies ? launch_varied(queue_handle, kernel_handle, k, l) : launch_either(queue_handle, kernel_handle, k, l);
  if (result == CL_SUCCESS && varies) {
    vary_tell(k, l);
  }
  if (result == CL_SUCCESS && k != NULL && k->tally != NULL) {
    observe_launched(k, queue_handle, l->event);
  }
  if (result == CL_SUCCESS) {
    last_launch_made(l->event);
    guard_after(k, queue_handle);
    unnoticed_launched(kernel_handle, k);
  } else {
    last_launch_refused();
    refused_launch(kernel_handle, k, l, result);
  }
  contents_send(queue_handle, l->left);
  return result;
}

cl_int CL_API_CALL hook_clEnqueueNDRangeKernel(cl_command_queue queue_handle, cl_kernel kernel_handle,
                                               cl_uint dimensions, const size_t *offset, const size_t *global,
                                               const size_t *local, cl_uint waits, const cl_event *wait,
                                               cl_event *event) {
  launch l = {.dimensions = dimensions,
              .offset = offset,
              .global = global,
              .local = local,
              .waits = waits,
              .wait = wait,
              .event = event};
  return enqueue(queue_handle, kernel_handle, &l);
}

cl_int CL_API_CALL hook_clEnqueueTask(cl_command_queue queue_handle, cl_kernel kernel_handle, cl_uint waits,
                                      const cl_event *wait, cl_event *event) {
  launch l = {.waits = waits, .wait = wait, .event = event, .task = true};
  return enqueue(queue_handle, kernel_handle, &l);
}
