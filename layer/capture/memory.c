/* The user's memory objects: their numbers, sizes and references; buffers and sub-buffers as they are made. */
#include <stdlib.h>

#include "layer/capture/layer.h"

static memory **numbered; /* NULL: released */
static uint32_t count, capacity;

memory *memory_look_up(cl_mem handle) { return (memory *)object_find(OBJECT_MEMORY, handle); }

memory *memory_find(cl_mem handle) {
  memory *m = memory_look_up(handle);
  if (m == NULL) unsuitable("a memory object was used that is neither a buffer nor an image made by the program");
  return m;
}

memory *memory_numbered(uint32_t number) { return number < count ? numbered[number] : NULL; }

static bool number_it(memory *m) {
  if (count == capacity) {
    uint32_t larger = 2 * capacity + 64;
    memory **grown = realloc(numbered, larger * sizeof *grown);
    if (grown == NULL) return false;
    numbered = grown;
    capacity = larger;
  }
  m->number = count;
  numbered[count++] = m;
  return true;
}

static uint32_t *contents_blob(capture_command *c) {
  return c->kind == CAPTURE_IMAGE ? &c->u.image.blob : &c->u.buffer.blob;
}

void memory_made(cl_mem handle, capture_command *c, const capture_shape *shape, memory *parent, const area *contents) {
  memory *m = calloc(1, sizeof *m);
  if (m == NULL || !number_it(m)) {
    free(m);
    unsuitable("the capture ran out of memory");
    return;
  }
  m->shape = *shape;
  m->layers = c->kind == CAPTURE_IMAGE && c->u.image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  m->parent = parent;
  if (parent != NULL) object_hold(&parent->object);
  if (c->kind != CAPTURE_SUB_BUFFER) *contents_blob(c) = contents != NULL ? blob_of(contents) : CAPTURE_NONE;
  object_add(&m->object, OBJECT_MEMORY, handle, 1);
  record(c);
}

/* Nothing refers to it any more; the same may then be true of what it is a part of. */
static void dispose(memory *m) {
  while (m != NULL) {
    memory *parent = m->parent;
    record(&(capture_command){.kind = CAPTURE_RELEASE_MEMORY, .u.release.object = m->number});
    map_forget(m->number);
    numbered[m->number] = NULL;
    free(m);
    m = parent != NULL && object_unhold(&parent->object) ? parent : NULL;
  }
}

void memory_mapped(memory *m, int change) {
  m->mapped += (unsigned)change;
  for (memory *p = m->parent; p != NULL; p = p->parent) p->parts_mapped += (unsigned)change;
}

bool memory_is_mapped(const memory *m) {
  bool mapped = m->parts_mapped != 0;
  for (; m != NULL && !mapped; m = m->parent) mapped = m->mapped != 0;
  return mapped;
}

area memory_area(const memory *m, const size_t *region, size_t row, size_t slice, const void *pointer) {
  area a = {.first = pointer, .row = region[0] * (size_t)m->shape.element};
  a.rows = m->layers ? 1 : region[1];
  a.slices = m->layers ? region[1] : region[2];
  a.pitch = row ? row : a.row;
  a.slice_pitch = slice ? slice : a.pitch * a.rows;
  return a;
}

/* ---- commands ---- */

static bool copies(const capture_command *c) {
  return c->kind >= CAPTURE_COPY && c->kind <= CAPTURE_COPY_BUFFER_TO_IMAGE;
}

void memory_command(capture_command *c, cl_mem first, cl_mem second) {
  memory *from = memory_find(first), *to = second != NULL ? memory_find(second) : NULL;
  if (from == NULL || (second != NULL && to == NULL)) return;
  if (!capture_fits(c, &from->shape, to != NULL ? &to->shape : NULL)) {
    unsuitable("a command went beyond the end of its memory object");
    return;
  }
  if (copies(c)) {
    c->u.copy.from = from->number;
    c->u.copy.to = to->number;
  } else if (c->kind == CAPTURE_WRITE || c->kind == CAPTURE_FILL || c->kind == CAPTURE_READ) {
    c->u.bytes.memory = from->number;
  } else {
    c->u.area.memory = from->number;
  }
  record(c);
}

void memory_after_fork(void) { count = 0; }

/* ---- the calls ---- */

bool properties_given(const cl_mem_properties *properties) { return properties != NULL && properties[0]; }

static void buffer_made(cl_mem handle, const cl_mem_properties *properties, cl_mem_flags flags, size_t size,
                        const void *data) {
  if (handle == NULL || !record_begin()) return;
  capture_shape shape = {.size = size};
  capture_command c = {.kind = CAPTURE_BUFFER, .u.buffer = {.flags = flags & ACCESS_FLAGS, .size = size}};
  area contents = area_of_bytes(data, size);
  if (properties_given(properties)) unsuitable("a buffer has properties of an extension");
  memory_made(handle, &c, &shape, NULL, flags & HOST_CONTENTS ? &contents : NULL);
  storage_made(handle, NULL, flags, data, size);
  record_end();
}

static cl_mem CL_API_CALL create_buffer(cl_context handle, cl_mem_flags flags, size_t size, void *data,
                                        cl_int *status) {
  cl_mem m = driver.clCreateBuffer(handle, flags, size, data, status);
  buffer_made(m, NULL, flags, size, data);
  return m;
}

static cl_mem CL_API_CALL create_buffer_with_properties(cl_context handle, const cl_mem_properties *properties,
                                                        cl_mem_flags flags, size_t size, void *data, cl_int *status) {
  cl_mem m = driver.clCreateBufferWithProperties(handle, properties, flags, size, data, status);
  buffer_made(m, properties, flags, size, data);
  return m;
}

static cl_mem CL_API_CALL create_sub_buffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                            const void *info, cl_int *status) {
  cl_mem made = driver.clCreateSubBuffer(buffer, flags, type, info, status);
  if (made == NULL || !record_begin()) return made;
  memory *parent = memory_find(buffer);
  if (parent != NULL && type == CL_BUFFER_CREATE_TYPE_REGION) {
    const cl_buffer_region *r = info;
    capture_shape shape = {.size = r->size};
    capture_command c = {
        .kind = CAPTURE_SUB_BUFFER,
        .u.sub_buffer = {
            .parent = parent->number, .flags = flags & ACCESS_FLAGS, .origin = r->origin, .size = r->size}};
    memory_made(made, &c, &shape, parent, NULL);
    storage_made(made, buffer, flags, NULL, 0);
  } else {
    unsuitable("a sub-buffer is of an unknown kind");
  }
  record_end();
  return made;
}

static cl_int CL_API_CALL retain_memory(cl_mem handle) {
  cl_int result = driver.clRetainMemObject(handle);
  if (result == CL_SUCCESS) {
    object_retain(OBJECT_MEMORY, handle);
    storage_retain(handle);
  }
  return result;
}

/* Before the driver's own, after which the handle may be that of another object. */
static cl_int CL_API_CALL release_memory(cl_mem handle) {
  if (record_begin()) {
    memory *m = (memory *)object_release(OBJECT_MEMORY, handle);
    if (!storage_release(handle)) own_memory_missed();
    if (m != NULL) dispose(m);
    record_end();
  }
  return driver.clReleaseMemObject(handle);
}

const guest_call memory_calls[] = {
    CALL(clCreateBuffer, create_buffer),        CALL(clCreateBufferWithProperties, create_buffer_with_properties),
    CALL(clCreateSubBuffer, create_sub_buffer), CALL(clRetainMemObject, retain_memory),
    CALL(clReleaseMemObject, release_memory),   {NULL, 0, NULL},
};
