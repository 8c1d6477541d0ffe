/* Launches of kernels with bounds: what each of their objects is, and whether the checks can be left out. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "detectors/fills/record.h"
#include "detectors/memory/record.h"
#include "layer/common/guest.h"
#include "layer/observe/forms.h"
#include "layer/observe/memory.h"
#include "layer/observe/objects.h"
#include "layer/observe/observe.h"
#include "wire/protocol.h"

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
  if (driver.clGetMemObjectInfo(handle, CL_MEM_FLAGS, sizeof flags, &flags, NULL) != CL_SUCCESS) return 0;
  out |= (flags & CL_MEM_READ_ONLY) != 0 ? MEMORY_NO_WRITE : 0;
  out |= (flags & CL_MEM_WRITE_ONLY) != 0 ? MEMORY_NO_READ : 0;
  out |= l->waits == 0 && mapped_for_writing(handle, bytes) ? MEMORY_IS_MAPPED : 0;
  out |= is_watched(handle, bytes) ? MEMORY_WATCHED : 0;
  return out << MEMORY_FLAGS_AT;
}

static bounds bounds_of_buffer(cl_mem handle, const launch *l) {
  size_t bytes = 0;
  if (handle == NULL) return (bounds){0};
  if (driver.clGetMemObjectInfo(handle, CL_MEM_SIZE, sizeof bytes, &bytes, NULL) != CL_SUCCESS)
    return (bounds){.bytes = ENDLESS};
  return (bounds){.bytes = bytes | flags_of(handle, bytes, l)};
}

static bounds bounds_of(const kernel *k, const checked_object *o, const launch *l) {
  const argument *a = o->argument < k->argument_count ? &k->arguments[o->argument] : NULL;
  cl_mem handle = NULL;
  if (o->local) return (bounds){.bytes = object_local_bytes(k, o)};
  if (a != NULL && a->kind == ARGUMENT_POINTER) {
    const void *first = NULL;
    size_t size = 0;
    const uint64_t address = (uint64_t)(uintptr_t)a->pointer;
    return a->pointer == NULL                          ? (bounds){0}
           : !memory_extent(a->pointer, &first, &size) ? (bounds){address, ENDLESS} /* from address 0 on */
                                                       : (bounds){address - (uint64_t)(uintptr_t)first, size};
  }
  if (a == NULL || a->kind != ARGUMENT_VALUE || (a->value != NULL && a->size != sizeof handle))
    return (bounds){.bytes = ENDLESS};
  if (a->value != NULL) memcpy(&handle, a->value, sizeof handle);
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
  if (!o->local && a != NULL && a->kind == ARGUMENT_VALUE && a->value != NULL && a->size == sizeof handle)
    memcpy(&handle, a->value, sizeof handle);
  if (handle == NULL || driver.clGetMemObjectInfo(handle, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS ||
      type == CL_MEM_OBJECT_BUFFER || type == CL_MEM_OBJECT_PIPE)
    return bounds_of(k, o, l);
  const bool rows = type == CL_MEM_OBJECT_IMAGE1D_ARRAY; /* whose y says which */
  const uint64_t flags = flags_of(handle, 0, l) & ~((uint64_t)MEMORY_IS_MAPPED << MEMORY_FLAGS_AT);
  return (bounds){
      .first = image_size(handle, CL_IMAGE_WIDTH) | image_size(handle, rows ? CL_IMAGE_ARRAY_SIZE : CL_IMAGE_HEIGHT)
                                                        << 32,
      .bytes = flags | (rows ? 1 : image_size(handle, CL_IMAGE_DEPTH) * image_size(handle, CL_IMAGE_ARRAY_SIZE))};
}

/* Sets the arguments HIDDEN_OBJECTS of a twin (detectors/memory/record.h). */
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
  if (from != NULL && from[0]) return l->items >= strtoull(from, NULL, 10);
  return l->items >= ITEMS || bytes >= BYTES || atomic_load(&k->function->launches) >= LAUNCHES;
}

/* Memory that the host has mapped is looked at, and what nothing is known of. */
/* Whether no access of the launch can be wrong, so that it can run as the user wrote it. With both locks held. */
bool bounds_are_kept(kernel *k, const launch *l) {
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

static twin *begin_memory(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  (void)q, (void)e;
  p->capacity = atomic_load(&k->function->launches);
  p->first = filling_byte(observe.filling, observe.filling >> 2 & 0x7fff);
  return bounds_set(k, &k->stored, l) ? &k->stored : NULL;
}

twin *bounds_begin(queue *q, kernel *k, entry *e, const launch *l, place *p) {
  twin *t = counted_begin(q, k, e, l, p);
  return t != NULL && bounds_set(k, t, l) ? t : NULL;
}

const form_launch memory_launch = {.begin = begin_memory};
const form_launch bounds_launch = {.is_needless = bounds_are_kept, .counts_needless = true, .begin = bounds_begin};
