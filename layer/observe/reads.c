/* Calls by which the host reads from the device: numbered, and digests of what it gets are sent. A blocking call's
 * bytes are there when it returns. The memory of a non-blocking one is the user's own to reuse as soon as it is
 * complete: we read the same once more, into memory of our own, in a command that the user's command comes after. */
#include "layer/observe/reads.h"

#include <stdlib.h>
#include <string.h>

#include "layer/common/bytes.h"
#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "layer/observe/connection.h"
#include "layer/observe/enqueue.h"
#include "layer/observe/evidence.h"
#include "layer/observe/hooks.h"
#include "layer/observe/memory.h"
#include "layer/observe/observe.h"
#include "layer/observe/refused.h"
#include "layer/observe/turn.h"
#include "wire/protocol.h"

static size_t at_most(size_t a, size_t b) { return a < b ? a : b; }

static void put_blocks(message *m, const unsigned char *bytes, size_t size) {
  size_t block = read_block(size), count = observe.blocks ? size / block + (size % block != 0) : 0;
  message_u32(m, (uint32_t)count);
  for (size_t i = 0; i < count; i++)
    message_u32(m, (uint32_t)digest_short(bytes + i * block, at_most(size - i * block, block)));
}

/* Adds size, digest and blocks of the rows one after the other. False without memory: nothing is added. */
static bool digest_put(message *m, const area *a, bytes_digest *d) {
  size_t size = area_size(a);
  unsigned char *owned;
  const unsigned char *bytes = area_bytes(a, &owned);
  if (bytes == NULL) return false;
  *d = digest_of(bytes, size);
  MESSAGE_PUT(m, U64(size), U64(d->low), U64(d->high));
  put_blocks(m, bytes, size);
  if (observe.contents) message_bytes(m, bytes, size <= MEMORY_CAP ? size : 0);
  free(owned);
  return true;
}

#define POLL_EVERY 32u /* copies under way */

typedef struct copy {
  arrival base;
  bool wanted; /* the user's call succeeded */
  uint64_t number;
  mark last;
  size_t size;
  unsigned char bytes[];
} copy;

/* One call under way. */
typedef struct reading {
  bool observed;
  bool blocking;
  queue *queue;
  uint64_t number;
  mark last;
  copy *copy;           /* non-blocking; NULL: it could not be made */
  cl_uint waits;        /* of the user's command */
  const cl_event *wait; /* the user's own list, or `longer` */
  cl_event *longer;
} reading;

static atomic_uint_fast64_t numbers;
static atomic_bool noted;

/* ---- what is sent ---- */

/* With `a` NULL: the bytes are not known. */
static void send_read(uint64_t number, const mark *last, const area *a) {
  message m;
  message_start(&m, MESSAGE_READ);
  MESSAGE_PUT(&m, U64(number), TEXT(last->tally != NULL ? last->tally->name : ""), U32(last->argument),
              U64(last->launch), U64(last->tally != NULL ? last->tally->program : 0), U32(observe_threads() ? 1 : 0));
  bytes_digest d = {0};
  bool known = a != NULL && digest_put(&m, a, &d);
  turn_read(number, &d);
  if (!known) {
    MESSAGE_PUT(&m, U64(0) /* bytes */, U64(0) /* digest */, U64(0), U32(0) /* blocks */);
    if (observe.contents) message_bytes(&m, NULL, 0);
  }
  if (observe.contents) MESSAGE_PUT(&m, U32(last->number), U32(last->copied ? 1 : 0), U32(memory_made()));
  connection_send(&m);
  if (!known && !atomic_exchange(&noted, true))
    note("a read of the program could not be looked at: no memory, or it failed on the device");
}

static void copy_arrived(arrival *a, cl_int status) {
  copy *c = (copy *)a;
  area whole = {.first = c->bytes, .row = c->size, .rows = 1, .slices = 1};
  if (c->wanted) send_read(c->number, &c->last, status == CL_COMPLETE ? &whole : NULL);
  free(c);
}

static arrivals copies = ARRIVALS(copies, copy_arrived);

bool reads_poll(const queue *q, bool any) { return arrivals_poll(&copies, q, any); }

void reads_begin(uint64_t number) { atomic_store(&numbers, number); }

void reads_after_fork(void) {
  arrivals_after_fork(&copies);
  atomic_store(&numbers, 0);
  atomic_store(&noted, false);
}

/* ---- a call ---- */

static reading begin(bool observed, cl_command_queue handle, cl_bool blocking, mark last, cl_uint waits,
                     const cl_event *wait) {
  reading r = {.observed = observed && connection_alive(), .blocking = blocking, .waits = waits, .wait = wait};
  if (!r.observed) return r;
  exit_before_driver(false);
  r.queue = (queue *)object_find(OBJECT_QUEUE, handle);
  r.number = atomic_fetch_add(&numbers, 1);
  r.last = last;
  if (atomic_load(&copies.count) % POLL_EVERY == POLL_EVERY - 1) reads_poll(NULL, false);
  return r;
}

/* Memory for our own read of a non-blocking call; NULL if none is needed or there is none. */
static void *copy_make(reading *r, size_t size) {
  if (!r->observed || r->blocking || size > PTRDIFF_MAX - sizeof(copy)) return NULL;
  copy *c = malloc(sizeof *c + size);
  if (c == NULL) return NULL;
  *c = (copy){.base = arrival_on(r->queue), .number = r->number, .last = r->last, .size = size};
  r->copy = c;
  return c->bytes;
}

/* After our own read was enqueued. On a queue that keeps no order the user's command waits for it: what the program
 * does once that one is complete cannot reach what we read. */
static void copy_enqueued(reading *r, cl_int result) {
  if (result != CL_SUCCESS) {
    free(r->copy);
    r->copy = NULL;
    return;
  }
  if (r->queue != NULL && !r->queue->out_of_order) return;
  r->longer = malloc(((size_t)r->waits + 1) * sizeof(cl_event));
  if (r->longer == NULL) return;
  if (r->waits) memcpy(r->longer, r->wait, r->waits * sizeof(cl_event));
  r->longer[r->waits++] = r->copy->base.event;
  r->wait = r->longer;
}

/* A call that failed does not count. */
static void take_number_back(const reading *r) {
  uint64_t next = r->number + 1;
  atomic_compare_exchange_strong(&numbers, &next, r->number);
}

/* `a`: where the bytes of a blocking call are. */
static void end(reading *r, bool success, const area *a) {
  free(r->longer);
  if (!r->observed) return;
  if (!success)
    take_number_back(r);
  else if (r->blocking || r->copy == NULL)
    send_read(r->number, &r->last, r->blocking ? a : NULL);
  if (r->copy == NULL) return;
  r->copy->wanted = success;
  (void)arrivals_put(&copies, &r->copy->base);
  if (r->queue != NULL) atomic_store(&r->queue->dirty, true); /* to be flushed at the end */
}

/* ---- sizes ---- */

/* SIZE_MAX: too large to be true. */
static size_t product(size_t a, size_t b, size_t c) {
  size_t result;
  return __builtin_mul_overflow(a, b, &result) || __builtin_mul_overflow(result, c, &result) ? SIZE_MAX : result;
}

static size_t checked_size(const area *a) { return product(a->row, a->rows, a->slices); }

/* The region of an image as rows; pitches of 0 are the least ones. The layers of a 1D array are slices. */
static area image_area(cl_mem image, const size_t *region, const void *first, size_t row_pitch, size_t slice_pitch) {
  area a = {.first = first};
  size_t element = 0;
  cl_mem_object_type type = 0;
  if (region == NULL ||
      driver.clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL) != CL_SUCCESS ||
      driver.clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS)
    return a;
  bool layers = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  a.row = product(region[0], element, 1);
  a.rows = layers ? 1 : region[1];
  a.slices = layers ? region[1] : region[2];
  a.pitch = row_pitch ? row_pitch : a.row;
  a.slice_pitch = slice_pitch ? slice_pitch : product(a.pitch, a.rows, 1);
  return a;
}

/* ---- memory of the program's own ---- */

static void see(cl_mem handle, const void *bytes, size_t size) {
  const mark last = memory_last(handle);
  const area a = area_of_bytes(bytes, size);
  if (connection_alive()) send_read(atomic_fetch_add(&numbers, 1), &last, &a);
}

void reads_finished(cl_command_queue handle) {
  if (observe.reads) storage_queue_over(handle, see);
}

/* The same after a blocking command, if the queue keeps an order; and of the commands of events. */
static void reads_blocked(cl_command_queue handle) {
  const queue *q = observe.reads ? (const queue *)object_find(OBJECT_QUEUE, handle) : NULL;
  if (q != NULL && !q->out_of_order) storage_queue_over(handle, see);
}

void reads_waited(cl_uint count, const cl_event *events) {
  for (cl_uint i = 0; observe.reads && events != NULL && i < count; i++) (void)storage_event_over(events[i], see);
}

/* ---- the calls ---- */

cl_int CL_API_CALL read_clEnqueueReadBuffer(cl_command_queue handle, cl_mem buffer, cl_bool blocking, size_t offset,
                                            size_t size, void *pointer, cl_uint waits, const cl_event *wait,
                                            cl_event *event) {
  reading r = begin(true, handle, blocking, memory_last(buffer), waits, wait);
  void *own = copy_make(&r, size);
  if (own != NULL) {
    copy_enqueued(
        &r, driver.clEnqueueReadBuffer(handle, buffer, CL_FALSE, offset, size, own, waits, wait, &r.copy->base.event));
  }
  cl_int result = driver.clEnqueueReadBuffer(handle, buffer, blocking, offset, size, pointer, r.waits, r.wait, event);
  area a = area_of_bytes(pointer, size);
  end(&r, result == CL_SUCCESS, &a);
  return result;
}

cl_int CL_API_CALL read_clEnqueueReadBufferRect(cl_command_queue handle, cl_mem buffer, cl_bool blocking,
                                                const size_t *buffer_origin, const size_t *host_origin,
                                                const size_t *region, size_t buffer_row, size_t buffer_slice,
                                                size_t host_row, size_t host_slice, void *pointer, cl_uint waits,
                                                const cl_event *wait, cl_event *event) {
  static const size_t nowhere[3];
  reading r = begin(true, handle, blocking, memory_last(buffer), waits, wait);
  area a = {0};
  if (host_origin != NULL && region != NULL && pointer != NULL)
    a = area_of_rectangle(host_origin, region, host_row, host_slice, pointer);
  void *own = a.first != NULL ? copy_make(&r, checked_size(&a)) : NULL;
  if (own != NULL) {
    copy_enqueued(&r,
                  driver.clEnqueueReadBufferRect(handle, buffer, CL_FALSE, buffer_origin, nowhere, region, buffer_row,
                                                 buffer_slice, 0, 0, own, waits, wait, &r.copy->base.event));
  }
  cl_int result =
      driver.clEnqueueReadBufferRect(handle, buffer, blocking, buffer_origin, host_origin, region, buffer_row,
                                     buffer_slice, host_row, host_slice, pointer, r.waits, r.wait, event);
  end(&r, result == CL_SUCCESS, &a);
  return result;
}

cl_int CL_API_CALL read_clEnqueueReadImage(cl_command_queue handle, cl_mem image, cl_bool blocking,
                                           const size_t *origin, const size_t *region, size_t row, size_t slice,
                                           void *pointer, cl_uint waits, const cl_event *wait, cl_event *event) {
  reading r = begin(true, handle, blocking, memory_last(image), waits, wait);
  area a = image_area(image, region, pointer, row, slice);
  void *own = a.row ? copy_make(&r, checked_size(&a)) : NULL;
  if (own != NULL) {
    copy_enqueued(&r, driver.clEnqueueReadImage(handle, image, CL_FALSE, origin, region, 0, 0, own, waits, wait,
                                                &r.copy->base.event));
  }
  cl_int result =
      driver.clEnqueueReadImage(handle, image, blocking, origin, region, row, slice, pointer, r.waits, r.wait, event);
  end(&r, result == CL_SUCCESS, a.row ? &a : NULL);
  return result;
}

void *CL_API_CALL read_clEnqueueMapBuffer(cl_command_queue handle, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                                          size_t offset, size_t size, cl_uint waits, const cl_event *wait,
                                          cl_event *event, cl_int *error) {
  reading r =
      begin(storage_shows(flags, storage_was_given(buffer)), handle, blocking, memory_last(buffer), waits, wait);
  void *own = copy_make(&r, size);
  if (own != NULL) {
    copy_enqueued(
        &r, driver.clEnqueueReadBuffer(handle, buffer, CL_FALSE, offset, size, own, waits, wait, &r.copy->base.event));
  }
  void *mapped =
      driver.clEnqueueMapBuffer(handle, buffer, blocking, flags, offset, size, r.waits, r.wait, event, error);
  area a = area_of_bytes(mapped, size);
  end(&r, mapped != NULL, &a);
  return mapped;
}

void *CL_API_CALL read_clEnqueueMapImage(cl_command_queue handle, cl_mem image, cl_bool blocking, cl_map_flags flags,
                                         const size_t *origin, const size_t *region, size_t *row, size_t *slice,
                                         cl_uint waits, const cl_event *wait, cl_event *event, cl_int *error) {
  reading r = begin(storage_shows(flags, storage_was_given(image)), handle, blocking, memory_last(image), waits, wait);
  area tight = r.observed ? image_area(image, region, NULL, 0, 0) : (area){0};
  void *own = tight.row ? copy_make(&r, checked_size(&tight)) : NULL;
  if (own != NULL) {
    copy_enqueued(&r, driver.clEnqueueReadImage(handle, image, CL_FALSE, origin, region, 0, 0, own, waits, wait,
                                                &r.copy->base.event));
  }
  void *mapped = driver.clEnqueueMapImage(handle, image, blocking, flags, origin, region, row, slice, r.waits, r.wait,
                                          event, error);
  area a = {0};
  if (r.observed && mapped != NULL)
    a = image_area(image, region, mapped, row != NULL ? *row : 0, slice != NULL ? *slice : 0);
  end(&r, mapped != NULL, a.row ? &a : NULL);
  return mapped;
}

/* Only copies out of shared virtual memory are reads. */
cl_int CL_API_CALL read_clEnqueueSVMMemcpy(cl_command_queue handle, cl_bool blocking, void *target, const void *source,
                                           size_t size, cl_uint waits, const cl_event *wait, cl_event *event) {
  mark last;
  bool inside = memory_last_pointer(target, &last);
  memory_last_pointer(source, &last);
  reading r = begin(!inside, handle, blocking, last, waits, wait);
  void *own = copy_make(&r, size);
  if (own != NULL)
    copy_enqueued(&r, driver.clEnqueueSVMMemcpy(handle, CL_FALSE, own, source, size, waits, wait, &r.copy->base.event));
  cl_int result = driver.clEnqueueSVMMemcpy(handle, blocking, target, source, size, r.waits, r.wait, event);
  area a = area_of_bytes(target, size);
  end(&r, result == CL_SUCCESS, &a);
  return result;
}

cl_int CL_API_CALL read_clEnqueueSVMMap(cl_command_queue handle, cl_bool blocking, cl_map_flags flags, void *pointer,
                                        size_t size, cl_uint waits, const cl_event *wait, cl_event *event) {
  mark last;
  memory_last_pointer(pointer, &last);
  reading r = begin(storage_shows(flags, last.tally != NULL), handle, blocking, last, waits, wait);
  void *own = copy_make(&r, size);
  if (own != NULL) {
    copy_enqueued(&r,
                  driver.clEnqueueSVMMemcpy(handle, CL_FALSE, own, pointer, size, waits, wait, &r.copy->base.event));
  }
  cl_int result = driver.clEnqueueSVMMap(handle, blocking, flags, pointer, size, r.waits, r.wait, event);
  area a = area_of_bytes(pointer, size);
  end(&r, result == CL_SUCCESS, &a);
  return result;
}

/* ---- reads, writes, maps and copies: the blocking ones are synchronisation points ---- */

static void before(cl_command_queue handle, cl_bool blocking) {
  observe_command();
  mapped_command();
  queue *q = blocking ? (queue *)object_find(OBJECT_QUEUE, handle) : NULL;
  if (q != NULL) evidence_before(q, false);
}

static void after(cl_command_queue handle, cl_bool blocking, bool worked) {
  if (blocking) {
    const queue *q = worked ? (queue *)object_find(OBJECT_QUEUE, handle) : NULL;
    if (q != NULL && !q->out_of_order) last_launch_waited(handle);
    evidence_after();
    reads_blocked(handle);
  }
}

static void no_map(cl_mem memory, cl_map_flags map_flags, size_t first, size_t bytes, cl_int result) {
  (void)memory, (void)map_flags, (void)first, (void)bytes, (void)result;
}

/* Those that have a parameter of this name hide it. */
static const cl_mem buffer = NULL, image = NULL;
static const cl_map_flags flags = 0;
static const size_t offset = 0, size = 0;
#pragma GCC diagnostic ignored "-Wshadow"

#define LOOK_AT_MAP(result) \
  _Generic((result), cl_int : no_map, default : mapped_add)(MEMORY, flags, offset, size, result)
#define MEMORY (buffer != NULL ? buffer : image)

#define WRITE(type, name, parameters, arguments)                      \
  type CL_API_CALL hook_##name parameters {                           \
    before(handle, blocking);                                         \
    type result = driver.name arguments;                              \
    if (WORKED(result)) {                                             \
      unnoticed_given(MEMORY);                                        \
      memory_written(buffer, blocking ? NULL : handle, offset, size); \
    }                                                                 \
    after(handle, blocking, WORKED(result));                          \
    return result;                                                    \
  }
CALLS_WRITE(WRITE)

#define READ(type, name, parameters, arguments)                                  \
  type CL_API_CALL hook_##name parameters {                                      \
    before(handle, blocking);                                                    \
    type result = observe.reads ? read_##name arguments : driver.name arguments; \
    if (WORKED(result)) {                                                        \
      unnoticed_used(MEMORY, #name);                                             \
      memory_used(MEMORY, handle, BARE_HOST, NULL, 0);                           \
    }                                                                            \
    LOOK_AT_MAP(result);                                                         \
    after(handle, blocking, WORKED(result));                                     \
    return result;                                                               \
  }
CALLS_READ(READ)

#define COPY(type, name, parameters, arguments)      \
  type CL_API_CALL hook_##name parameters {          \
    mapped_command();                                \
    type result = driver.name arguments;             \
    if (result == CL_SUCCESS) {                      \
      unnoticed_used(from, #name);                   \
      unnoticed_given(to);                           \
    }                                                \
    if (result == CL_SUCCESS && observe.reads) {     \
      storage_given(to, handle, event);              \
      memory_used(from, handle, BARE_COPY, NULL, 0); \
      memory_copied(to);                             \
    }                                                \
    return result;                                   \
  }
CALLS_COPY(COPY)

#define FILL(type, name, parameters, arguments)     \
  type CL_API_CALL hook_##name parameters {         \
    mapped_command();                               \
    type result = driver.name arguments;            \
    if (result == CL_SUCCESS) {                     \
      unnoticed_given(MEMORY);                      \
      memory_written(buffer, handle, offset, size); \
    }                                               \
    return result;                                  \
  }
CALLS_FILL(FILL)

#define UNMAP(type, name, parameters, arguments) \
  type CL_API_CALL hook_##name parameters {      \
    type result = driver.name arguments;         \
    if (result == CL_SUCCESS) {                  \
      mapped_end(buffer, pointer);               \
    }                                            \
    return result;                               \
  }
CALLS_UNMAP(UNMAP)
