/* Which memory an argument is, asked of the driver. */
#include "layer/observe/objects.h"

#include <stdlib.h>
#include <string.h>

#include "layer/common/guest.h"
#include "layer/observe/hidden.h"
#include "layer/observe/memory.h"
#include "wire/check_record.h"

static storage *storage_of(objects *found, const void *key, size_t bytes) {
  for (size_t i = 0; i < found->count; i++) {
    if (found->storages[i].key == key) {
      return &found->storages[i];
    }
  }
  if (found->count == STORAGES) {
    return NULL;
  }
  storage *s = &found->storages[found->count++];
  *s = (storage){.key = key, .bytes = bytes, .shift = 4, .first = CHECKED_NO_CELLS};
  return s;
}

static bool place_buffer(objects *found, cl_mem handle, object_place *out) {
  cl_mem parent = NULL;
  size_t whole = 0;
  if (handle == NULL ||
      driver.clGetMemObjectInfo(handle, CL_MEM_SIZE, sizeof out->bytes, &out->bytes, NULL) != CL_SUCCESS) {
    return false;
  }
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
    if (driver.clGetImageInfo(handle, sizes[i], sizeof n, &n, NULL) != CL_SUCCESS && i == 0) {
      return 0;
    }
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
    if (!memory_extent(a->pointer, &first, &size)) {
      return false;
    }
    out->offset = (size_t)((const char *)a->pointer - (const char *)first);
    out->bytes = size - out->offset;
    out->in = storage_of(found, first, size);
    return out->in != NULL;
  }
  cl_mem handle = NULL;
  if (a->kind != ARGUMENT_VALUE || a->value == NULL || a->size != sizeof handle) {
    return false;
  }
  memcpy(&handle, a->value, sizeof handle);
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
  if (!form_has(k->function->form, HIDDEN_OBJECTS)) {
    return true;
  }
  objects *found = objects_find(k);
  const cl_uint index = hidden_index(k, HIDDEN_OBJECTS);
  bool done = found != NULL;
  for (uint32_t i = 0; done && i < k->function->object_count; i++) {
    const checked_object *o = &k->function->objects[i];
    const size_t bytes = o->local ? object_local_bytes(k, o) : found->places[i].bytes;
    done = object_set_pair(k, index + i, CHECKED_NO_CELLS, bytes);
  }
  free(found);
  return done;
}
