/* Guard zones: what launches have left in them, and what the program sees of buffers that have one.
 *
 * A zone is read when another kernel is about to be given the buffer, when the program waits, and when the buffer or
 * the queue goes; what is there differs from what was there before where a kernel has written past the end.
 *
 * The functions of the driver that take a buffer are replaced, for the program and for the layer alike: a call that
 * leaves the program's part is moved until it leaves the zone, too, so that the driver refuses it as it would without
 * one. */
#include "layer/observe/guard.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer/common/bytes.h"
#include "layer/common/command.h"
#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "layer/observe/connection.h"
#include "layer/observe/evidence.h"
#include "layer/observe/reads.h"
#include "wire/capture_shape.h"
#include "wire/protocol.h"
#include "wire/turn.h"

#define LEAST_ZONE ((size_t)4096)      /* a multiple of what drivers align sub-buffers to */
#define MOST_ZONE ((size_t)16384)      /* of large buffers, whose rows are long */
#define ZONE_SHARE 64u                 /* of a buffer */
#define MOST_COPIED ((size_t)32 << 20) /* of the program's data, to make a larger buffer of it */

static cl_icd_dispatch below;
static bool guards_on;
enum { PATTERNS = 61 }; /* prime: so many words until they begin again */
static unsigned char zone_bytes[MOST_ZONE + 4 * PATTERNS];

bool guards_are_on(void) { return guards_on; }

/* ---- the zone ---- */

/* What the zone of a buffer holds, as long as the longest: small numbers, should a kernel take one for an index; no
 * word is 0. The buffer's own number makes it another one than its neighbours'. */
static const unsigned char *guard_pattern(unsigned number) { return zone_bytes + 4 * (size_t)(number % PATTERNS); }

enum { NAME_BYTES = 128 };

/* Launches of one kernel on one queue that were given a buffer. */
typedef struct given {
  cl_command_queue queue;
  char kernel[NAME_BYTES];
  uint32_t program, of, argument, test_case;
  uint64_t launch, launches; /* number of the first among the kernel's, and how many */
} given;

typedef enum zone_state {
  ZONE_EMPTY, /* it holds anything */
  ZONE_FILLING,
  ZONE_FILLED,
  ZONE_UNUSED /* it could not be filled, and says nothing */
} zone_state;

typedef struct guard {
  object object;
  struct guard *whole; /* of a sub-buffer: what it is a part of, held */
  size_t size, zone;
  unsigned number; /* of what the zone holds */
  zone_state state;
  cl_event filling;           /* of ZONE_FILLING, on this queue: */
  cl_command_queue filled_on; /* to be compared only */
  given last;                 /* launches 0: the zone has been read since, and it is in no list */
  unsigned char *known;       /* what the zone held when it was read last; NULL: the pattern */
  struct guard *next;         /* in the list of those that launches were given since */
} guard;

/* The read of a zone under way. */
typedef struct zone_read {
  arrival base;
  guard *of; /* held */
  given by;
  unsigned char bytes[];
} zone_read;

static void zone_arrived(arrival *a, cl_int status);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static guard *listed;
static arrivals zones = ARRIVALS(zones, zone_arrived);

/* ---- records ---- */

static guard *find(cl_mem handle) { return (guard *)object_find(OBJECT_GUARD, handle); }

/* A buffer with so many bytes for the program and a zone after them, which holds the pattern if it is `filled`; a
 * sub-buffer of one, which may have none. */
static void guard_add(cl_mem handle, size_t size, size_t zone, unsigned number, bool filled) {
  guard *g = calloc(1, sizeof *g);
  if (g != NULL) {
    g->size = size;
    g->zone = zone;
    g->number = number;
    g->state = filled ? ZONE_FILLED : ZONE_EMPTY;
    object_add(&g->object, OBJECT_GUARD, handle, 1);
  }
}

static void guard_add_part(cl_mem handle, cl_mem of) {
  guard *whole = find(of);
  guard *g = whole != NULL ? calloc(1, sizeof *g) : NULL;
  if (g != NULL) {
    g->whole = whole;
    object_hold(&whole->object);
    object_add(&g->object, OBJECT_GUARD, handle, 1);
  }
}

/* False: it has no zone. */
static bool guard_sizes(cl_mem handle, size_t *size, size_t *zone) {
  const guard *g = find(handle);
  if (g == NULL || g->whole != NULL) return false;
  *size = g->size;
  *zone = g->zone;
  return true;
}

static void drop(guard *g) {
  if (g->whole != NULL && object_unhold(&g->whole->object)) drop(g->whole);
  if (g->state == ZONE_FILLING) driver.clReleaseEvent(g->filling);
  free(g->known);
  free(g);
}

/* ---- filling a zone ---- */

/* In front of the first launch that is given the buffer, in its queue; where that keeps no order, it is waited for. */
static void fill(guard *g, const queue *q) {
  pthread_mutex_lock(&lock);
  const bool empty = g->state == ZONE_EMPTY;
  g->state = empty ? ZONE_UNUSED : g->state;
  pthread_mutex_unlock(&lock);
  cl_event done = NULL;
  if (!empty || (q->out_of_order && atomic_load(&q->context->open_events) > 0) ||
      below.clEnqueueWriteBuffer(q->object.handle, g->object.handle, CL_FALSE, g->size, g->zone,
                                 guard_pattern(g->number), 0, NULL, &done) != CL_SUCCESS)
    return;
  if (q->out_of_order) driver.clWaitForEvents(1, &done);
  pthread_mutex_lock(&lock);
  g->filling = done;
  g->filled_on = q->object.handle;
  g->state = ZONE_FILLING;
  pthread_mutex_unlock(&lock);
}

/* With the lock held. */
static void settle(guard *g) {
  if (g->state == ZONE_FILLING && event_status(g->filling) == CL_COMPLETE) {
    driver.clReleaseEvent(g->filling);
    g->state = ZONE_FILLED;
  }
}

/* Whether what is in the zone says anything to a command that is put into the queue now. */
static bool is_filled(guard *g, const queue *q) {
  pthread_mutex_lock(&lock);
  settle(g);
  const bool is = g->state == ZONE_FILLED || (g->state == ZONE_FILLING && g->filled_on == q->object.handle);
  pthread_mutex_unlock(&lock);
  return is;
}

/* ---- reading a zone ---- */

/* After everything in the queue. Where that keeps no order, a marker waits for it. */
static bool enqueue_read(const queue *q, const guard *g, zone_read *a) {
  cl_event marker = NULL;
  if (q->out_of_order && (driver.clEnqueueMarkerWithWaitList == NULL ||
                          driver.clEnqueueMarkerWithWaitList(q->object.handle, 0, NULL, &marker) != CL_SUCCESS))
    return false;
  const bool done =
      below.clEnqueueReadBuffer(q->object.handle, g->object.handle, CL_FALSE, g->size, g->zone, a->bytes,
                                marker != NULL, marker != NULL ? &marker : NULL, &a->base.event) == CL_SUCCESS;
  if (marker != NULL) driver.clReleaseEvent(marker);
  return done;
}

static bool look(const queue *q, guard *g, const given *by) {
  zone_read *a = is_filled(g, q) ? calloc(1, sizeof *a + g->zone) : NULL;
  if (a == NULL) return false;
  a->base = arrival_on(q);
  a->of = g;
  a->by = *by;
  if (!enqueue_read(q, g, a)) {
    free(a);
    return false;
  }
  object_hold(&g->object);
  (void)arrivals_put(&zones, &a->base);
  return true;
}

/* Takes one out of the list: this, or any of this queue; held. NULL: there is none. `by` gets its launches. */
static guard *take(const guard *wanted, const void *queue_handle, given *by) {
  guard *g = NULL;
  pthread_mutex_lock(&lock);
  for (guard **at = &listed; *at != NULL; at = &(*at)->next) {
    if (wanted != NULL ? *at == wanted : (*at)->last.queue == queue_handle) {
      g = *at;
      *at = g->next;
      *by = g->last;
      g->last.launches = 0;
      object_hold(&g->object);
      break;
    }
  }
  pthread_mutex_unlock(&lock);
  return g;
}

static void let_go(guard *g) {
  if (object_unhold(&g->object)) drop(g);
}

/* On the queue of its launches. */
static void look_now(const guard *wanted) {
  given by;
  guard *g = take(wanted, NULL, &by);
  const queue *q = g != NULL ? (queue *)object_find(OBJECT_QUEUE, by.queue) : NULL;
  if (q != NULL) (void)look(q, g, &by);
  if (g != NULL) let_go(g);
}

size_t guard_collect(const queue *q) {
  given by;
  size_t count = 0;
  for (guard *g; (g = take(NULL, q->object.handle, &by)) != NULL; let_go(g)) count += look(q, g, &by);
  return count;
}

/* ---- launches ---- */

static guard *guard_of(const argument *a) {
  const cl_mem handle = argument_memory(a);
  guard *g = handle != NULL ? find(handle) : NULL;
  return g != NULL && g->whole != NULL ? g->whole : g;
}

static const char *name_of(const kernel *k) {
  return k->function != NULL ? k->function->name : k->tally != NULL ? k->tally->name : "";
}

static bool may_write(const kernel *k, cl_uint index) { return k->constant == NULL || !k->constant[index]; }

/* Whether other launches than this one were given it. */
static bool given_to_another(const guard *g, const kernel *k, cl_command_queue on, cl_uint index) {
  pthread_mutex_lock(&lock);
  const given *last = &g->last;
  const bool same = last->queue == on && last->argument == index && last->test_case == test_case_now() &&
                    strcmp(last->kernel, name_of(k)) == 0;
  const bool other = last->launches > 0 && !same;
  pthread_mutex_unlock(&lock);
  return other;
}

/* The queue of a launch whose zones are to be looked at; NULL: they are not. */
static queue *queue_of(const kernel *k, cl_command_queue on) {
  return guards_are_on() && k != NULL && (k->function != NULL || k->tally != NULL) && connection_alive()
             ? (queue *)object_find(OBJECT_QUEUE, on)
             : NULL;
}

void guard_before(kernel *k, cl_command_queue on) {
  const queue *q = queue_of(k, on);
  if (q == NULL) return;
  pthread_mutex_lock(&k->lock);
  for (cl_uint i = 0; i < k->argument_count; i++) {
    guard *g = may_write(k, i) ? guard_of(&k->arguments[i]) : NULL;
    if (g != NULL) fill(g, q);
    if (g != NULL && given_to_another(g, k, on, i)) look_now(g);
  }
  pthread_mutex_unlock(&k->lock);
}

/* With the lock held. */
static void give(guard *g, const kernel *k, cl_command_queue on, cl_uint index) {
  const function *f = k->function;
  given *last = &g->last;
  if (last->launches++ > 0) return;
  *last = (given){.queue = on,
                  .program = f != NULL ? f->program : NO_PROGRAM,
                  .of = f != NULL ? f->kernel : 0,
                  .argument = index,
                  .test_case = test_case_now(),
                  .launch = f != NULL ? atomic_load(&f->launches) : atomic_load(&k->tally->launches),
                  .launches = 1};
  last->launch -= last->launch > 0;
  snprintf(last->kernel, sizeof last->kernel, "%s", name_of(k));
  g->next = listed;
  listed = g;
}

void guard_after(kernel *k, cl_command_queue on) {
  queue *q = queue_of(k, on);
  if (q == NULL) return;
  pthread_mutex_lock(&k->lock);
  for (cl_uint i = 0; i < k->argument_count; i++) {
    guard *g = may_write(k, i) ? guard_of(&k->arguments[i]) : NULL;
    if (g != NULL) {
      pthread_mutex_lock(&lock);
      give(g, k, on, i);
      pthread_mutex_unlock(&lock);
      atomic_store(&q->dirty, true);
    }
  }
  pthread_mutex_unlock(&k->lock);
}

/* ---- references ---- */

void guard_retain(cl_mem handle) { object_retain(OBJECT_GUARD, handle); }

void guard_release(cl_mem handle) {
  guard *g = guards_are_on() ? find(handle) : NULL;
  if (g != NULL && object_last(OBJECT_GUARD, handle)) look_now(g->whole != NULL ? g->whole : g);
  g = g != NULL ? (guard *)object_release(OBJECT_GUARD, handle) : NULL;
  if (g != NULL) drop(g);
}

/* ---- what has arrived ---- */

static void tell(const zone_read *a, size_t first, size_t last) {
  const given *by = &a->by;
  TELL(MESSAGE_OVERRUN, TEXT(by->kernel), U32(by->program), U32(by->of), U32(by->argument), U32(by->test_case),
       U64(by->launch), U64(by->launches), U64(a->of->size), U64(first), U64(last));
}

static void compare(const zone_read *a) {
  guard *g = a->of;
  size_t first = g->zone, last = 0;
  if (g->known == NULL) {
    g->known = malloc(g->zone);
    if (g->known == NULL) return;
    memcpy(g->known, guard_pattern(g->number), g->zone);
  }
  for (size_t i = 0; i < g->zone; i++) {
    if (a->bytes[i] != g->known[i]) {
      first = first < i ? first : i;
      last = i;
    }
  }
  if (first < g->zone) {
    tell(a, first, last);
    memcpy(g->known, a->bytes, g->zone);
  }
}

static void zone_arrived(arrival *a, cl_int status) {
  zone_read *z = (zone_read *)a;
  if (status == CL_COMPLETE) compare(z);
  pthread_mutex_lock(&lock);
  settle(z->of);
  pthread_mutex_unlock(&lock);
  let_go(z->of);
  free(z);
}

bool guard_poll(const queue *q, bool any) { return arrivals_poll(&zones, q, any); }

void guard_after_fork(void) {
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  listed = NULL;
  arrivals_after_fork(&zones);
}

/* ---- making ---- */

static size_t zone_for(size_t size) {
  const size_t wanted = size / ZONE_SHARE / LEAST_ZONE * LEAST_ZONE;
  return wanted < LEAST_ZONE ? LEAST_ZONE : wanted > MOST_ZONE ? MOST_ZONE : wanted;
}

static cl_mem create_filled(cl_context handle, cl_mem_flags flags, size_t size, size_t zone, unsigned number,
                            const void *data) {
  scoped unsigned char *all = size <= MOST_COPIED ? malloc(size + zone) : NULL;
  if (all == NULL) return NULL;
  memcpy(all, data, size);
  memcpy(all + size, guard_pattern(number), zone);
  return below.clCreateBuffer(handle, flags, size + zone, all, NULL);
}

/* Not those in memory of the program's own, nor those that the host must not write or read: nor can we. */
static bool can_have_zone(cl_mem_flags flags, size_t size, const void *data) {
  const cl_mem_flags out = CL_MEM_USE_HOST_PTR | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
  return guards_on && size > 0 && size < SIZE_MAX - MOST_ZONE && (flags & out) == 0 &&
         ((flags & CL_MEM_COPY_HOST_PTR) != 0) == (data != NULL);
}

cl_mem guard_create(cl_context handle, cl_mem_flags flags, size_t size, void *data, cl_int *error) {
  static atomic_uint numbers;
  const size_t zone = zone_for(size);
  const unsigned number = atomic_fetch_add(&numbers, 1);
  cl_mem made = !can_have_zone(flags, size, data) ? NULL
                : data != NULL                    ? create_filled(handle, flags, size, zone, number, data)
                                                  : below.clCreateBuffer(handle, flags, size + zone, NULL, NULL);
  if (made == NULL) return driver.clCreateBuffer(handle, flags, size, data, error);
  guard_add(made, size, zone, number, data != NULL);
  if (error != NULL) *error = CL_SUCCESS;
  return made;
}

/* ---- ranges ---- */

/* Where bytes are to begin that the program wants from this offset on. */
static size_t place(cl_mem handle, size_t offset, size_t bytes) {
  size_t size = 0, zone = 0;
  const bool leaves = guard_sizes(handle, &size, &zone) && (offset > size || bytes > size - offset);
  return leaves && offset <= SIZE_MAX - zone ? offset + zone : offset;
}

/* The same of a rectangle, whose origin is changed in `copy` where it must be. */
static const size_t *place_rectangle(cl_mem handle, const size_t *origin, const size_t *region, size_t row,
                                     size_t slice, size_t *copy) {
  size_t size = 0, zone = 0;
  if (origin == NULL || region == NULL || !guard_sizes(handle, &size, &zone)) return origin;
  const size_t rows = row != 0 ? row : region[0];
  const size_t slices = slice != 0 ? slice : region[1] * rows;
  const size_t first = origin[2] * slices + origin[1] * rows + origin[0];
  const size_t bytes = (region[2] - 1) * slices + (region[1] - 1) * rows + region[0];
  if (first <= size && bytes <= size - first) return origin;
  memcpy(copy, origin, 3 * sizeof *copy);
  copy[0] += zone;
  return copy;
}

static size_t bytes_of_image(cl_mem image, const size_t *region) {
  size_t element = 0;
  return region != NULL &&
                 below.clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL) == CL_SUCCESS
             ? element * region[0] * region[1] * region[2]
             : 0;
}

/* ---- the driver's functions ---- */

static cl_int CL_API_CALL get_info(cl_mem handle, cl_mem_info name, size_t size, void *value, size_t *size_ret) {
  size_t bytes = 0, zone = 0;
  return name == CL_MEM_SIZE && guard_sizes(handle, &bytes, &zone)
             ? info_answer(&bytes, sizeof bytes, size, value, size_ret)
             : below.clGetMemObjectInfo(handle, name, size, value, size_ret);
}

/* The command where the buffer's part is. */
static void guard_over(command *c) {
  size_t copies[2][3];
  command placed = *c;
  switch (c->call) {
    case CALL_clEnqueueReadBuffer:
    case CALL_clEnqueueWriteBuffer:
    case CALL_clEnqueueMapBuffer:
    case CALL_clEnqueueFillBuffer: placed.offset = place(c->memory, c->offset, c->size); break;
    case CALL_clEnqueueReadBufferRect:
    case CALL_clEnqueueWriteBufferRect:
    case CALL_clEnqueueCopyBufferRect:
      placed.origin = place_rectangle(c->memory, c->origin, c->region, c->row, c->slice, copies[0]);
      if (c->to != NULL)
        placed.to_origin = place_rectangle(c->to, c->to_origin, c->region, c->to_row, c->to_slice, copies[1]);
      break;
    case CALL_clEnqueueCopyBuffer:
      placed.offset = place(c->memory, c->offset, c->size);
      placed.to_offset = place(c->to, c->to_offset, c->size);
      break;
    case CALL_clEnqueueCopyImageToBuffer:
      placed.to_offset = place(c->to, c->to_offset, bytes_of_image(c->memory, c->region));
      break;
    case CALL_clEnqueueCopyBufferToImage:
      placed.offset = place(c->memory, c->offset, bytes_of_image(c->to, c->region));
      break;
    default: break;
  }
  command_below(&placed);
  c->result = placed.result;
  c->mapped = placed.mapped;
}

static cl_mem CL_API_CALL create_part(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *info,
                                      cl_int *error) {
  cl_buffer_region region = {0};
  if (type != CL_BUFFER_CREATE_TYPE_REGION || info == NULL)
    return below.clCreateSubBuffer(buffer, flags, type, info, error);
  memcpy(&region, info, sizeof region);
  region.origin = place(buffer, region.origin, region.size);
  cl_mem made = below.clCreateSubBuffer(buffer, flags, type, &region, error);
  if (made != NULL) guard_add_part(made, buffer);
  return made;
}

/* ---- images that lie in a buffer ---- */

typedef struct image_request {
  const cl_mem_properties *properties; /* NULL: of the call that has none */
  cl_mem_flags flags;
  const cl_image_format *format;
  const cl_image_desc *desc;
  void *data;
} image_request;

static cl_mem make_image(cl_context handle, const image_request *r, const cl_image_desc *desc, cl_int *error) {
  return r->properties == NULL
             ? below.clCreateImage(handle, r->flags, r->format, desc, r->data, error)
             : below.clCreateImageWithProperties(handle, r->properties, r->flags, r->format, desc, r->data, error);
}

static size_t bytes_of(const cl_image_format *format, const cl_image_desc *desc) {
  const uint64_t element =
      format != NULL ? capture_element(format->image_channel_order, format->image_channel_data_type) : 0;
  const size_t row = desc->image_row_pitch != 0 ? desc->image_row_pitch : (size_t)element * desc->image_width;
  return element == 0 ? 0 : row * (desc->image_type == CL_MEM_OBJECT_IMAGE2D ? desc->image_height : 1);
}

/* Whether the driver makes such an image of a buffer without a zone, if it would need that. */
static bool is_refused(cl_context handle, const image_request *r, cl_int *error) {
  size_t size = 0, zone = 0;
  if (r->desc == NULL || r->desc->mem_object == NULL || !guard_sizes(r->desc->mem_object, &size, &zone) ||
      bytes_of(r->format, r->desc) <= size)
    return false;
  cl_mem plain = below.clCreateBuffer(handle, CL_MEM_READ_WRITE, size, NULL, NULL);
  cl_image_desc other = *r->desc;
  other.mem_object = plain;
  cl_mem made = plain != NULL ? make_image(handle, r, &other, error) : NULL;
  if (made != NULL) below.clReleaseMemObject(made);
  if (plain != NULL) below.clReleaseMemObject(plain);
  return plain != NULL && made == NULL;
}

static cl_mem CL_API_CALL create_image(cl_context handle, cl_mem_flags flags, const cl_image_format *format,
                                       const cl_image_desc *desc, void *data, cl_int *error) {
  const image_request r = {NULL, flags, format, desc, data};
  return is_refused(handle, &r, error) ? NULL : make_image(handle, &r, desc, error);
}

static cl_mem CL_API_CALL create_image_with(cl_context handle, const cl_mem_properties *properties, cl_mem_flags flags,
                                            const cl_image_format *format, const cl_image_desc *desc, void *data,
                                            cl_int *error) {
  const image_request r = {properties, flags, format, desc, data};
  return is_refused(handle, &r, error) ? NULL : make_image(handle, &r, desc, error);
}

/* ---- at the start ---- */

/* What the driver does not have stays so. */
#define REPLACE(name, own) driver.name = driver.name != NULL ? (own) : NULL

void guard_start(void) {
  guards_on = environment_is(ENV_GUARD_ZONES, "1") && !environment_is(ENV_GUARDED, "1");
  if (!guards_on) return;
  below = driver;
  command_over(guard_over, COMMAND_ALL);
  for (size_t i = 0; i < sizeof zone_bytes; i++)
    zone_bytes[i] = i % 4 == 0 ? (unsigned char)(65 + i / 4 * 37 % PATTERNS) : 0;
  REPLACE(clGetMemObjectInfo, get_info);
  REPLACE(clCreateSubBuffer, create_part);
  REPLACE(clCreateImage, create_image);
  REPLACE(clCreateImageWithProperties, create_image_with);
}
