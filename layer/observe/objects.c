/* Which memory an argument is, asked of the driver; and whether cltestcheck has to look at what a launch does with it. */
#include "layer/observe/objects.h"

#include <stdlib.h>
#include <string.h>

#include "detectors/races/record.h"
#include "layer/common/bytes.h"
#include "layer/common/guest.h"
#include "layer/observe/connection.h"
#include "layer/observe/memory.h"
#include "wire/protocol.h"

/* ---- hidden arguments: buffers are set again only when they are others than before ---- */

cl_uint hidden_index(const kernel *k, hidden_value value) {
  const hidden_value *row = kernel_forms[k->function->form].hidden;
  cl_uint index = k->argument_count;
  for (; *row != HIDDEN_END && *row != value; row++) index++;
  return index;
}

/* What a launch has no memory for gets any buffer: its kernel does not touch it then. */
static cl_mem buffer_of(hidden_value value, const entry *e, const place *p) {
  const cl_mem planes = p->planes != NULL ? p->planes->memory : NULL;
  const cl_mem memory = value == HIDDEN_FLAGS || value == HIDDEN_ANY ? NULL
                        : value == HIDDEN_PLANES                     ? planes
                                                                     : p->memory;
  return memory != NULL ? memory : e->flags;
}

static bool set(const twin *t, cl_uint index, size_t size, const void *value) {
  return driver.clSetKernelArg(t->kernel, index, size, value) == CL_SUCCESS;
}

static bool set_buffer(twin *t, cl_uint first, cl_uint at, cl_mem now, bool renewed) {
  if (!renewed && t->buffers[at] == now) return true;
  t->buffers[at] = now;
  return set(t, first + at, sizeof(cl_mem), &now);
}

bool hidden_set(const kernel *k, twin *t, const entry *e, const place *p) {
  const hidden_value *row = kernel_forms[k->function->form].hidden;
  const cl_uint first = k->argument_count;
  const uint64_t serial =
      e->flags_serial + (p->memory != NULL ? p->serial << 21 : 0) + (p->planes != NULL ? p->planes->serial << 42 : 0);
  const bool renewed = t->serial != serial;
  bool done = true;
  t->serial = 0;
  for (cl_uint at = 0; done && row[at] != HIDDEN_END; at++) {
    const cl_uint number = row[at] == HIDDEN_ZERO ? 0 : p->capacity;
    if (hidden_is_buffer(row[at]))
      done = set_buffer(t, first, at, buffer_of(row[at], e, p), renewed);
    else if (hidden_is_ulong(row[at]))
      done = set(t, first + at, sizeof p->first, &p->first);
    else if (hidden_is_uint(row[at]))
      done = set(t, first + at, sizeof number, &number);
  }
  t->serial = done ? serial : 0;
  return done;
}

/* ---- memory of arguments ---- */

static storage *storage_of(objects *found, const void *key, size_t bytes) {
  for (size_t i = 0; i < found->count; i++)
    if (found->storages[i].key == key) return &found->storages[i];
  if (found->count == STORAGES) return NULL;
  storage *s = &found->storages[found->count++];
  *s = (storage){.key = key, .bytes = bytes, .shift = 4, .first = CHECKED_NO_CELLS};
  return s;
}

static bool place_buffer(objects *found, cl_mem handle, object_place *out) {
  cl_mem parent = NULL;
  size_t whole = 0;
  if (handle == NULL ||
      driver.clGetMemObjectInfo(handle, CL_MEM_SIZE, sizeof out->bytes, &out->bytes, NULL) != CL_SUCCESS)
    return false;
  driver.clGetMemObjectInfo(handle, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem), &parent, NULL);
  driver.clGetMemObjectInfo(handle, CL_MEM_OFFSET, sizeof out->offset, &out->offset, NULL);
  parent = parent != NULL ? parent : handle;
  driver.clGetMemObjectInfo(parent, CL_MEM_SIZE, sizeof whole, &whole, NULL);
  out->in = storage_of(found, parent, whole);
  return out->in != NULL;
}

/* The pixels of an image; 0: it is none. */
static size_t pixels_of(cl_mem handle) {
  static const cl_image_info sizes[] = {CL_IMAGE_WIDTH, CL_IMAGE_HEIGHT, CL_IMAGE_DEPTH, CL_IMAGE_ARRAY_SIZE};
  size_t pixels = 1;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    size_t n = 0;
    if (driver.clGetImageInfo(handle, sizes[i], sizeof n, &n, NULL) != CL_SUCCESS && i == 0) return 0;
    pixels *= n > 0 ? n : 1;
  }
  return pixels;
}

/* An image has a granule for each pixel. */
static bool place_image(objects *found, cl_mem handle, object_place *out) {
  cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
  driver.clGetMemObjectInfo(handle, CL_MEM_TYPE, sizeof type, &type, NULL);
  const size_t pixels = type == CL_MEM_OBJECT_BUFFER || type == CL_MEM_OBJECT_PIPE ? 0 : pixels_of(handle);
  if (pixels > 0) {
    out->bytes = pixels;
    out->in = storage_of(found, handle, pixels);
  }
  return out->in != NULL;
}

static bool place_argument(objects *found, const argument *a, object_place *out) {
  *out = (object_place){0};
  if (a->kind == ARGUMENT_POINTER) {
    const void *first = NULL;
    size_t size = 0;
    if (!memory_extent(a->pointer, &first, &size)) return false;
    out->offset = (size_t)((const char *)a->pointer - (const char *)first);
    out->bytes = size - out->offset;
    out->in = storage_of(found, first, size);
    return out->in != NULL;
  }
  const cl_mem handle = argument_memory(a);
  return handle != NULL && (place_image(found, handle, out) || place_buffer(found, handle, out));
}

objects *objects_find(const kernel *k) {
  const function *f = k->function;
  objects *found = calloc(1, sizeof *found + f->object_count * sizeof *found->places);
  for (uint32_t i = 0; found != NULL && i < f->object_count; i++) {
    const checked_object *o = &f->objects[i];
    object_place *at = &found->places[i];
    if (!o->local && o->argument < k->argument_count && place_argument(found, &k->arguments[o->argument], at)) {
      at->in->shift = o->shift < at->in->shift ? o->shift : at->in->shift;
      at->in->writes = at->in->writes || o->writes;
    }
  }
  return found;
}

size_t object_local_bytes(const kernel *k, const checked_object *o) {
  const bool given = o->argument < k->argument_count && k->arguments[o->argument].kind == ARGUMENT_VALUE;
  return given && k->arguments[o->argument].value == NULL ? k->arguments[o->argument].size : 0;
}

bool object_set_pair(const kernel *k, cl_uint index, cl_ulong first, cl_ulong second) {
  const cl_ulong pair[2] = {first, second};
  return driver.clSetKernelArg(k->stored.kernel, index, sizeof pair, pair) == CL_SUCCESS;
}

bool objects_set(const kernel *k) {
  if (!form_has(k->function->form, HIDDEN_OBJECTS)) return true;
  scoped objects *found = objects_find(k);
  const cl_uint index = hidden_index(k, HIDDEN_OBJECTS);
  bool done = found != NULL;
  for (uint32_t i = 0; done && i < k->function->object_count; i++) {
    const checked_object *o = &k->function->objects[i];
    const size_t bytes = o->local ? object_local_bytes(k, o) : found->places[i].bytes;
    done = object_set_pair(k, index + i, CHECKED_NO_CELLS, bytes);
  }
  return done;
}

/* ---- launches that need no look ---- */

/* An integer that is the same with a sign and without. */
static bool small_integer(const argument *a, uint64_t *value) {
  uint32_t four = 0;
  if (a->kind != ARGUMENT_VALUE || a->value == NULL || (a->size != sizeof four && a->size != sizeof *value))
    return false;
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
    MESSAGE_PUT(m, U32(number ? 1 : of[n].known ? 2 : 0), U64(number ? value : of[n].number), U64(of[n].bytes));
  }
}

static void write_question(message *m, const kernel *k, const launch *l, const needless_memory *of) {
  const cl_uint dimensions = l->task ? 1 : l->dimensions;
  message_start(m, MESSAGE_NEEDLESS);
  MESSAGE_PUT(m, U32(k->function->program), U32(k->function->kernel), U32(dimensions));
  for (cl_uint d = 0; d < dimensions; d++) {
    const size_t local = l->task ? 1 : l->local == NULL ? 0 : l->local[d];
    MESSAGE_PUT(m, U64(l->task || l->offset == NULL ? 0 : l->offset[d]), U64(l->task ? 1 : l->global[d]), U64(local));
  }
  write_arguments(m, k, of);
}

enum { PATIENCE = 4 }; /* a kernel of which the answer was no so often is not asked about again */

/* The answer to the same question stays the same. */
bool ask_needless(kernel *k, const launch *l, const needless_memory *of) {
  function *f = k->function;
  unsigned char *body = NULL;
  size_t length = 0;
  message m;
  if (f->needed == PATIENCE) return false;
  write_question(&m, k, l, of);
  const uint64_t digest = digest_short(m.data, m.length) | 1; /* never 0 */
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
