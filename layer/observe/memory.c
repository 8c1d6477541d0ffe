/* The user's memory objects and shared virtual memory: which launch was given each of them last. A handle is known from
 * its creation on, so that a scalar argument is not mistaken for one, and a new object has no launches of an old one.
 */
#include "layer/observe/memory.h"

#include <pthread.h>
#include <search.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "detectors/fills/record.h"
#include "layer/common/bytes.h"
#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "layer/observe/connection.h"
#include "layer/observe/contents.h"
#include "layer/observe/guard.h"
#include "layer/observe/hooks.h"
#include "layer/observe/observe.h"
#include "layer/observe/queue.h"
#include "layer/observe/refused.h"
#include "wire/protocol.h"

/* ---- what the host has mapped: programs have few maps at a time; what does not fit is not known ---- */

enum { MOST = 256 };

static pthread_mutex_t mapped_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  cl_mem memory;
  const void *pointer;
  bool writes;
  size_t offset, size;
} items[MOST];
static atomic_size_t mapped_count; /* changed with the lock held */

void mapped_add(cl_mem memory, cl_map_flags flags, size_t offset, size_t size, const void *pointer) {
  if (memory == NULL || pointer == NULL) return;
  pthread_mutex_lock(&mapped_lock);
  const size_t at = atomic_load(&mapped_count);
  if (at < MOST) {
    items[at].memory = memory;
    items[at].pointer = pointer;
    items[at].writes = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
    items[at].offset = offset;
    items[at].size = size;
    atomic_store(&mapped_count, at + 1);
  }
  pthread_mutex_unlock(&mapped_lock);
}

/* One map, or with `all` every map of the memory. */
static void drop(cl_mem memory, const void *pointer, bool all) {
  if (memory == NULL || atomic_load(&mapped_count) == 0) return;
  pthread_mutex_lock(&mapped_lock);
  bool done = false;
  for (size_t i = atomic_load(&mapped_count); i-- > 0 && !done;) {
    if (items[i].memory == memory && (all || items[i].pointer == pointer)) {
      const size_t last = atomic_load(&mapped_count) - 1;
      items[i] = items[last];
      atomic_store(&mapped_count, last);
      done = !all;
    }
  }
  pthread_mutex_unlock(&mapped_lock);
}

void mapped_end(cl_mem memory, const void *pointer) { drop(memory, pointer, false); }

bool mapped_for_writing(cl_mem memory, size_t bytes) {
  bool any = false;
  if (atomic_load(&mapped_count) == 0) return false;
  pthread_mutex_lock(&mapped_lock);
  for (size_t i = 0; i < atomic_load(&mapped_count); i++) {
    any = any || (items[i].memory == memory && items[i].writes &&
                  (items[i].size == 0 || (items[i].offset == 0 && items[i].size >= bytes)));
  }
  pthread_mutex_unlock(&mapped_lock);
  return any;
}

void unordered(void) {
  static atomic_bool told;
  if (!atomic_load(&told) && getenv(ENV_UNAWAITED) != NULL && connection_alive() && !atomic_exchange(&told, true)) {
    message m;
    message_start(&m, MESSAGE_UNORDERED);
    connection_send(&m);
  }
}

void mapped_command(void) {
  if (atomic_load(&mapped_count) > 0) unordered();
}

typedef struct memory {
  object object;
  mark last;
  uint32_t number;     /* of detectors/fills/record.h */
  atomic_bool copied;  /* something was copied there, or an image lies in it */
  bool whole;          /* the host has written all of it, */
  cl_command_queue on; /* NULL: before it went on, else in the order of this queue */
} memory;

static atomic_uint made_buffers;

typedef struct region {
  const unsigned char *first;
  size_t size;
  mark last;
} region;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all marks and of the regions */
static void *regions;                                    /* a tree */

/* ---- memory objects ---- */

static memory *find(cl_mem handle) { return (memory *)object_find(OBJECT_MEMORY, handle); }

/* What is made of another memory object has that as `parent`; `size` is that of `data`, of a buffer. */
static void made(cl_mem handle, cl_mem parent, cl_mem_flags flags, const void *data, size_t size) {
  if (!observe.reads || handle == NULL) return;
  storage_made(handle, parent, flags, data, size);
  const memory *whole = parent != NULL ? find(parent) : NULL;
  const bool written = whole != NULL ? whole->whole : (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  const cl_command_queue on = whole != NULL ? whole->on : NULL;
  const uint32_t number = whole != NULL ? whole->number : FILLING_BUFFERS + atomic_fetch_add(&made_buffers, 1);
  memory *old = find(handle), *m = old != NULL ? old : calloc(1, sizeof *m);
  if (m == NULL) return;
  pthread_mutex_lock(&lock); /* the handle may be that of memory that is gone */
  m->last = (mark){0};
  m->number = number;
  m->whole = written;
  m->on = on;
  pthread_mutex_unlock(&lock);
  atomic_store(&m->copied, false);
  if (old == NULL) object_add(&m->object, OBJECT_MEMORY, handle, 1);
}

void memory_mark(cl_mem handle, const mark *last) {
  memory *m = find(handle);
  if (m == NULL) return;
  pthread_mutex_lock(&lock);
  m->last = *last;
  pthread_mutex_unlock(&lock);
}

void memory_copied(cl_mem handle) {
  memory *m = find(handle);
  if (m != NULL) atomic_store(&m->copied, true);
}

/* One thread's order is what counts: where several give commands, a write may come after the launch. */
void memory_written(cl_mem handle, cl_command_queue on, size_t offset, size_t size) {
  memory *m = observe.filling != 0 ? find(handle) : NULL;
  size_t all = 0;
  if (m == NULL || observe_threads() || offset > 0 ||
      driver.clGetMemObjectInfo(handle, CL_MEM_SIZE, sizeof all, &all, NULL) != CL_SUCCESS || size < all)
    return;
  const queue *q = on != NULL ? (queue *)object_find(OBJECT_QUEUE, on) : NULL;
  pthread_mutex_lock(&lock);
  m->whole = on == NULL || (q != NULL && !q->out_of_order);
  m->on = on;
  pthread_mutex_unlock(&lock);
}

void memory_used(cl_mem handle, cl_command_queue on, enum bare_use use, tally *of, cl_uint index) {
  const memory *m = observe.filling != 0 ? find(handle) : NULL;
  if (m == NULL) return;
  pthread_mutex_lock(&lock);
  const bool whole = m->whole && (m->on == NULL || m->on == on);
  pthread_mutex_unlock(&lock);
  const uint64_t bit = of != NULL && index < 64 ? UINT64_C(1) << index : 0;
  if ((whole && !observe_threads()) || (bit != 0 && (atomic_fetch_or(&of->bare, bit) & bit) != 0)) return;
  TELL(MESSAGE_BARE, U32(use), TEXT(of != NULL ? of->name : ""), U32(index));
}

uint32_t memory_made(void) { return atomic_load(&made_buffers); }

uint32_t memory_number(cl_mem handle, bool *copied) {
  const memory *m = find(handle);
  *copied = m != NULL && atomic_load(&m->copied);
  return m != NULL ? m->number : FILLING_END;
}

mark memory_last(cl_mem handle) {
  const memory *m = find(handle);
  mark last = {.number = FILLING_END};
  if (m == NULL) return last;
  pthread_mutex_lock(&lock);
  last = m->last;
  pthread_mutex_unlock(&lock);
  last.number = m->number;
  last.copied = atomic_load(&m->copied);
  return last;
}

/* ---- shared virtual memory ---- */

/* Gated kernels may come later, so that all of it is known while there is somebody to tell. */
static bool tracked(void) { return observe.reads || connection_alive(); }

/* Regions that overlap are equal: in the tree there is one at most for every address. */
static int compare(const void *left, const void *right) {
  const region *a = left, *b = right;
  uintptr_t first = (uintptr_t)a->first, other = (uintptr_t)b->first;
  if (first + a->size <= other) return -1;
  return other + b->size <= first;
}

/* With the lock held. */
static region *locate(const void *pointer) {
  const region key = {.first = pointer, .size = 1};
  region **found = tfind(&key, &regions, compare);
  return found != NULL ? *found : NULL;
}

static void forget_pointer(const void *pointer) {
  pthread_mutex_lock(&lock);
  region *gone = locate(pointer);
  if (gone != NULL) tdelete(gone, &regions, compare);
  pthread_mutex_unlock(&lock);
  free(gone);
}

/* What the layer has not seen go, gives way. */
static void allocated(const void *pointer, size_t size) {
  region *r = size ? malloc(sizeof *r) : NULL;
  if (r == NULL) return;
  *r = (region){.first = pointer, .size = size};
  pthread_mutex_lock(&lock);
  for (region **old; (old = tfind(r, &regions, compare)) != NULL;) {
    region *gone = *old;
    tdelete(gone, &regions, compare);
    free(gone);
  }
  if (tsearch(r, &regions, compare) == NULL) free(r);
  pthread_mutex_unlock(&lock);
}

void memory_mark_pointer(const void *pointer, const mark *last) {
  pthread_mutex_lock(&lock);
  region *r = locate(pointer);
  if (r != NULL) r->last = *last;
  pthread_mutex_unlock(&lock);
}

bool memory_last_pointer(const void *pointer, mark *last) {
  *last = (mark){0};
  pthread_mutex_lock(&lock);
  const region *r = locate(pointer);
  if (r != NULL) *last = r->last;
  pthread_mutex_unlock(&lock);
  last->number = FILLING_END;
  return r != NULL;
}

bool memory_extent(const void *pointer, const void **first, size_t *size) {
  pthread_mutex_lock(&lock);
  const region *r = locate(pointer);
  if (r != NULL) {
    *first = r->first;
    *size = r->size;
  }
  pthread_mutex_unlock(&lock);
  return r != NULL;
}

void memory_after_fork(void) {
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  regions = NULL;
  mapped_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  atomic_store(&mapped_count, 0);
}

/* ---- memory that nobody has written ---- */

static unsigned char byte_of(cl_mem buffer) {
  bool copied = false;
  return filling_byte(observe.filling, memory_number(buffer, &copied));
}

/* Slice by slice, as bytes. */
static void fill_image(cl_command_queue own, cl_mem image, unsigned char byte) {
  size_t part[3], origin[3] = {0, 0, 0};
  const size_t bytes = image_region(image, part) * part[0] * part[1], slices = part[2];
  scoped void *slice = bytes > 0 && bytes <= MEMORY_CAP ? malloc(bytes) : NULL;
  part[2] = 1;
  for (; slice != NULL && origin[2] < slices; origin[2]++) {
    memset(slice, byte, bytes);
    driver.clEnqueueWriteImage(own, image, CL_TRUE, origin, part, 0, 0, slice, 0, NULL, NULL);
  }
}

/* Before the program has the handle; `size` 0: an image. What cannot be filled stays as it is. */
static void fill(cl_context handle, cl_mem buffer, cl_mem_flags flags, size_t size) {
  cl_device_id *devices = NULL;
  size_t bytes = 0;
  const unsigned char byte = observe.fills || buffer == NULL ? observe.fill : byte_of(buffer);
  if ((!observe.fills && observe.filling == 0) || (size == 0 && observe.filling == 0) || buffer == NULL ||
      (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0 || driver.clEnqueueFillBuffer == NULL ||
      driver.clGetContextInfo(handle, CL_CONTEXT_DEVICES, 0, NULL, &bytes) != CL_SUCCESS || bytes < sizeof *devices ||
      (devices = malloc(bytes)) == NULL)
    return;
  if (driver.clGetContextInfo(handle, CL_CONTEXT_DEVICES, bytes, devices, NULL) == CL_SUCCESS) {
    cl_command_queue own = driver.clCreateCommandQueue(handle, devices[0], 0, NULL);
    if (own != NULL) {
      if (size == 0)
        fill_image(own, buffer, byte);
      else
        driver.clEnqueueFillBuffer(own, buffer, &byte, sizeof byte, 0, size, 0, NULL, NULL);
      driver.clFinish(own);
      driver.clReleaseCommandQueue(own);
    }
  }
  free(devices);
}

static void made_image(cl_context handle, cl_mem image, const cl_image_desc *desc, cl_mem_flags flags,
                       const void *data) {
  made(image, desc != NULL ? desc->mem_object : NULL, flags, data, 0);
  if (desc == NULL || desc->mem_object == NULL) fill(handle, image, flags, 0);
}

/* ---- the calls that make and free ---- */

cl_mem CL_API_CALL hook_clCreateBuffer(cl_context handle, cl_mem_flags flags, size_t size, void *data, cl_int *error) {
  cl_mem m = guard_create(handle, flags, size, data, error);
  made(m, NULL, flags, data, size);
  fill(handle, m, flags, size);
  return m;
}

cl_mem CL_API_CALL hook_clCreateBufferWithProperties(cl_context handle, const cl_mem_properties *properties,
                                                     cl_mem_flags flags, size_t size, void *data, cl_int *error) {
  cl_mem m = driver.clCreateBufferWithProperties(handle, properties, flags, size, data, error);
  made(m, NULL, flags, data, size);
  fill(handle, m, flags, size);
  return m;
}

cl_mem CL_API_CALL hook_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                          const void *info, cl_int *error) {
  cl_mem m = driver.clCreateSubBuffer(buffer, flags, type, info, error);
  made(m, buffer, flags, NULL, 0);
  return m;
}

cl_mem CL_API_CALL hook_clCreateImage(cl_context handle, cl_mem_flags flags, const cl_image_format *format,
                                      const cl_image_desc *desc, void *data, cl_int *error) {
  cl_mem m = driver.clCreateImage(handle, flags, format, desc, data, error);
  made_image(handle, m, desc, flags, data);
  return m;
}

cl_mem CL_API_CALL hook_clCreateImageWithProperties(cl_context handle, const cl_mem_properties *properties,
                                                    cl_mem_flags flags, const cl_image_format *format,
                                                    const cl_image_desc *desc, void *data, cl_int *error) {
  cl_mem m = driver.clCreateImageWithProperties(handle, properties, flags, format, desc, data, error);
  made_image(handle, m, desc, flags, data);
  return m;
}

cl_mem CL_API_CALL hook_clCreateImage2D(cl_context handle, cl_mem_flags flags, const cl_image_format *format,
                                        size_t width, size_t height, size_t row, void *data, cl_int *error) {
  cl_mem m = driver.clCreateImage2D(handle, flags, format, width, height, row, data, error);
  made_image(handle, m, NULL, flags, data);
  return m;
}

cl_mem CL_API_CALL hook_clCreateImage3D(cl_context handle, cl_mem_flags flags, const cl_image_format *format,
                                        size_t width, size_t height, size_t depth, size_t row, size_t slice, void *data,
                                        cl_int *error) {
  cl_mem m = driver.clCreateImage3D(handle, flags, format, width, height, depth, row, slice, data, error);
  made_image(handle, m, NULL, flags, data);
  return m;
}

cl_int CL_API_CALL hook_clGetMemObjectInfo(cl_mem handle, cl_mem_info name, size_t size, void *value,
                                           size_t *size_ret) {
  return driver.clGetMemObjectInfo(handle, name, size, value, size_ret);
}

cl_int CL_API_CALL hook_clRetainMemObject(cl_mem handle) {
  cl_int result = driver.clRetainMemObject(handle);
  if (result == CL_SUCCESS) {
    guard_retain(handle);
    storage_retain(handle);
  }
  return result;
}

/* Before the driver's own, after which the handle may be that of another object. */
cl_int CL_API_CALL hook_clReleaseMemObject(cl_mem handle) {
  (void)storage_release(handle);
  unnoticed_given(handle);
  drop(handle, NULL, true);
  guard_release(handle);
  return driver.clReleaseMemObject(handle);
}

void *CL_API_CALL hook_clSVMAlloc(cl_context handle, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  void *pointer = driver.clSVMAlloc(handle, flags, size, alignment);
  if (tracked() && pointer != NULL) allocated(pointer, size);
  return pointer;
}

void CL_API_CALL hook_clSVMFree(cl_context handle, void *pointer) {
  if (tracked() && pointer != NULL) forget_pointer(pointer);
  driver.clSVMFree(handle, pointer);
}

cl_int CL_API_CALL hook_clEnqueueSVMFree(cl_command_queue handle, cl_uint count, void *pointers[], free_notify notify,
                                         void *user_data, cl_uint waits, const cl_event *wait, cl_event *event) {
  for (cl_uint i = 0; tracked() && pointers != NULL && i < count; i++) forget_pointer(pointers[i]);
  return driver.clEnqueueSVMFree(handle, count, pointers, notify, user_data, waits, wait, event);
}
