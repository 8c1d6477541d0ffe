/* The user's memory objects and their mappings: their numbers, sizes and references; buffers, sub-buffers and images as
 * they are made. */
#include <stdlib.h>
#include <string.h>

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

/* Records a new one. `c` is complete but for its first contents, which are `contents` (may be NULL). */
static void memory_made(cl_mem handle, capture_command *c, const capture_shape *shape, memory *parent,
                        const area *contents) {
  memory *m = calloc(1, sizeof *m);
  if (m == NULL || !number_it(m)) {
    free(m);
    unsuitable("the capture ran out of memory");
    return;
  }
  m->shape = *shape;
  m->parent = parent;
  if (parent != NULL) object_hold(&parent->object);
  if (c->kind != CAPTURE_SUB_BUFFER)
    *(c->kind == CAPTURE_IMAGE ? &c->u.image.blob : &c->u.buffer.blob) =
        contents != NULL ? blob_of(contents) : CAPTURE_NONE;
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

/* Mapped for writing once more (1) or once less (-1). */
static void memory_mapped(memory *m, int change) {
  m->mapped += (unsigned)change;
  for (memory *p = m->parent; p != NULL; p = p->parent) p->parts_mapped += (unsigned)change;
}

bool memory_is_mapped(const memory *m) {
  bool mapped = m->parts_mapped != 0;
  for (; m != NULL && !mapped; m = m->parent) mapped = m->mapped != 0;
  return mapped;
}

/* ---- commands ---- */

void memory_command(capture_command *c, cl_mem first, cl_mem second) {
  memory *from = memory_find(first), *to = second != NULL ? memory_find(second) : NULL;
  if (from == NULL || (second != NULL && to == NULL)) return;
  if (!capture_fits(c, &from->shape, to != NULL ? &to->shape : NULL)) {
    unsuitable("a command went beyond the end of its memory object");
    return;
  }
  c->u.transfer.at.memory = from->number;
  if (to != NULL) c->u.transfer.to.memory = to->number;
  record(c);
}

void memory_after_fork(void) { count = 0; }

/* ---- the calls ---- */

/* Properties of buffers and images are those of extensions. */
static bool properties_given(const cl_mem_properties *properties) { return properties != NULL && properties[0]; }

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

/* ---- images ---- */

/* What the description says and its type has; the rest may be anything. */
static capture_command command_of(cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc) {
  cl_mem_object_type type = desc->image_type;
  bool flat = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  bool array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  bool solid = type == CL_MEM_OBJECT_IMAGE3D;
  capture_command c = {.kind = CAPTURE_IMAGE, .u.image = {.flags = flags & ACCESS_FLAGS}};
  c.u.image.order = format->image_channel_order;
  c.u.image.data_type = format->image_channel_data_type;
  c.u.image.type = type;
  c.u.image.width = desc->image_width;
  c.u.image.height = flat || solid ? desc->image_height : 0;
  c.u.image.depth = solid ? desc->image_depth : 0;
  c.u.image.array_size = array ? desc->image_array_size : 0;
  c.u.image.row_pitch = desc->mem_object != NULL ? desc->image_row_pitch : 0;
  c.u.image.buffer = CAPTURE_NONE;
  c.u.image.blob = CAPTURE_NONE;
  return c;
}

/* Whether we know how large an element is: the driver has to say the same. */
static bool format_known(cl_mem handle, const capture_command *c, capture_shape *shape) {
  size_t element = 0;
  shape->element = capture_element(c->u.image.order, c->u.image.data_type);
  return shape->element &&
         driver.clGetImageInfo(handle, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL) == CL_SUCCESS &&
         element == shape->element;
}

/* First contents in the host's memory. */
static area contents_of(const cl_image_desc *desc, const capture_shape *shape, const void *data) {
  const bool layers = desc->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  area a = {.first = data, .row = (size_t)(shape->extent[0] * shape->element)};
  a.rows = layers ? 1 : (size_t)shape->extent[1];
  a.slices = (size_t)shape->extent[layers ? 1 : 2];
  a.pitch = desc->image_row_pitch ? desc->image_row_pitch : a.row;
  a.slice_pitch = desc->image_slice_pitch ? desc->image_slice_pitch : a.pitch * a.rows;
  return a;
}

/* With the lock held. */
static void record_image(cl_mem handle, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc,
                         const void *data) {
  capture_command c = command_of(flags, format, desc);
  capture_shape shape = {.image = true};
  memory *parent = desc->mem_object != NULL ? memory_find(desc->mem_object) : NULL;
  area contents;
  if (desc->num_mip_levels || desc->num_samples) {
    unsuitable("an image has mip levels or samples");
  } else if (desc->mem_object != NULL && (parent == NULL || parent->shape.image)) {
    unsuitable("an image is made of another image");
  } else if (!format_known(handle, &c, &shape)) {
    unsuitable("an image has a format that is not captured: order 0x%x, type 0x%x", c.u.image.order,
               c.u.image.data_type);
  } else if (!capture_extent(&c, shape.extent) || (parent != NULL && !capture_image_fits(&c, &shape, &parent->shape))) {
    unsuitable("an image has a type or size that is not captured: type 0x%x", c.u.image.type);
  }
  if (!recording()) return;
  if (parent != NULL)
    c.u.image.buffer = parent->number;
  else
    contents = contents_of(desc, &shape, data);
  memory_made(handle, &c, &shape, parent, parent == NULL && (flags & HOST_CONTENTS) ? &contents : NULL);
}

static void made(cl_mem handle, const cl_mem_properties *properties, cl_mem_flags flags, const cl_image_format *format,
                 const cl_image_desc *desc, const void *data) {
  if (handle == NULL || !record_begin()) return;
  if (properties_given(properties)) unsuitable("an image has properties of an extension");
  record_image(handle, flags, format, desc, data);
  storage_made(handle, desc->mem_object, flags, data, 0);
  record_end();
}

static cl_mem CL_API_CALL create_image(cl_context handle, cl_mem_flags flags, const cl_image_format *format,
                                       const cl_image_desc *desc, void *data, cl_int *status) {
  cl_mem m = driver.clCreateImage(handle, flags, format, desc, data, status);
  made(m, NULL, flags, format, desc, data);
  return m;
}

static cl_mem CL_API_CALL create_image_with_properties(cl_context handle, const cl_mem_properties *properties,
                                                       cl_mem_flags flags, const cl_image_format *format,
                                                       const cl_image_desc *desc, void *data, cl_int *status) {
  cl_mem m = driver.clCreateImageWithProperties(handle, properties, flags, format, desc, data, status);
  made(m, properties, flags, format, desc, data);
  return m;
}

static cl_mem CL_API_CALL create_image_2d(cl_context handle, cl_mem_flags flags, const cl_image_format *format,
                                          size_t width, size_t height, size_t row, void *data, cl_int *status) {
  cl_mem m = driver.clCreateImage2D(handle, flags, format, width, height, row, data, status);
  cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height, .image_row_pitch = row};
  made(m, NULL, flags, format, &desc, data);
  return m;
}

static cl_mem CL_API_CALL create_image_3d(cl_context handle, cl_mem_flags flags, const cl_image_format *format,
                                          size_t width, size_t height, size_t depth, size_t row, size_t slice,
                                          void *data, cl_int *status) {
  cl_mem m = driver.clCreateImage3D(handle, flags, format, width, height, depth, row, slice, data, status);
  cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                        .image_width = width,
                        .image_height = height,
                        .image_depth = depth,
                        .image_row_pitch = row,
                        .image_slice_pitch = slice};
  made(m, NULL, flags, format, &desc, data);
  return m;
}

/* ---- memory of the program's own ----
 *
 * What a kernel has put there is a read where the program learns that the kernel has ended. Where it is not clear when
 * the program looks, a replay cannot look for it. */

static void see(cl_mem handle, const void *bytes, size_t size) {
  capture_command c = {.kind = CAPTURE_READ, .u.transfer = {.size = size}};
  area a = area_of_bytes(bytes, size);
  area_digest(&a, &c);
  memory_command(&c, handle, NULL);
}

void own_memory_missed(void) {
  if (file_is_for_order()) return;
  unsuitable(
      "a kernel wrote to the program's own memory (CL_MEM_USE_HOST_PTR), and when the program looks at it is not "
      "known");
}

void own_memory_finished(cl_command_queue queue) { storage_queue_over(queue, see); }

void own_memory_event(cl_event event) {
  if (!storage_event_over(event, see)) own_memory_missed();
}

const guest_call memory_calls[] = {
    CALL(clCreateBuffer, create_buffer),
    CALL(clCreateBufferWithProperties, create_buffer_with_properties),
    CALL(clCreateSubBuffer, create_sub_buffer),
    CALL(clRetainMemObject, retain_memory),
    CALL(clReleaseMemObject, release_memory),
    CALL(clCreateImage, create_image),
    CALL(clCreateImageWithProperties, create_image_with_properties),
    CALL(clCreateImage2D, create_image_2d),
    CALL(clCreateImage3D, create_image_3d),
    {NULL, 0, NULL},
};

/* ---- mappings ----
 *
 * One that shows what a kernel has written is a read. What the host wrote into one for writing is recorded
 * when it is unmapped: all of it, or, where a kernel has put something there before, what differs from then. */

/* Differences are told in pieces of so many bytes, counted from the buffer's start: no number is torn. */
#define PIECE 8u
#define RUNS_MOST 256u /* of pieces that differ; beyond that they are one */

typedef struct mapping {
  struct mapping *next;
  cl_mem handle;
  uint32_t memory;
  void *pointer;
  capture_command write; /* for when it is unmapped */
  area area;
  unsigned char *before; /* the bytes as they were mapped; NULL: all that is there is taken for written */
  cl_event event;        /* NULL: it is mapped; else it was not yet when the call returned */
} mapping;

static mapping *mappings;

static mapping **locate(cl_mem handle, const void *pointer) {
  mapping **at = &mappings;
  while (*at != NULL && ((*at)->handle != handle || (*at)->pointer != pointer)) at = &(*at)->next;
  return at;
}

static void drop(mapping **at) {
  mapping *gone = *at;
  *at = gone->next;
  if (gone->event != NULL) driver.clReleaseEvent(gone->event);
  free(gone->before);
  free(gone);
}

void map_forget(uint32_t number) {
  order_forget_memory(number);
  for (mapping **at = &mappings; *at != NULL;)
    if ((*at)->memory == number)
      drop(at);
    else
      at = &(*at)->next;
}

void map_after_fork(void) { mappings = NULL; }

/* ---- mapping ---- */

static unsigned char *copy_of(const area *a) {
  unsigned char *owned;
  const unsigned char *bytes = area_bytes(a, &owned);
  if (owned != NULL || bytes == NULL) return owned;
  unsigned char *copy = malloc(area_size(a) + 1);
  if (copy != NULL && area_size(a)) memcpy(copy, bytes, area_size(a));
  return copy;
}

/* With the lock held. Takes over the event. */
static void add(memory *m, const mapping *made, cl_map_flags flags) {
  mapping *kept = malloc(sizeof *kept);
  if (kept == NULL) {
    unsuitable("the capture ran out of memory");
    if (made->event != NULL) driver.clReleaseEvent(made->event);
    return;
  }
  *kept = *made;
  kept->memory = m->number;
  if (kept->event == NULL && storage_was_given(made->handle) && !(flags & CL_MAP_WRITE_INVALIDATE_REGION))
    kept->before = copy_of(&kept->area);
  kept->next = mappings;
  mappings = kept;
  memory_mapped(m, 1);
}

/* The memory is mapped, or will be. With the lock held. */
static void record_map(memory *m, mapping *made, cl_map_flags flags, capture_kind read) {
  if (storage_shows(flags, storage_was_given(made->handle))) {
    capture_command c = made->write;
    c.kind = read;
    if (made->event == NULL) area_digest(&made->area, &c);
    memory_command(&c, made->handle, NULL);
  }
  if ((flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0 && recording())
    add(m, made, flags);
  else if (made->event != NULL)
    driver.clReleaseEvent(made->event);
}

static bool is_whole(cl_mem image, const size_t *region) {
  static const cl_image_info names[] = {CL_IMAGE_WIDTH, CL_IMAGE_HEIGHT, CL_IMAGE_DEPTH, CL_IMAGE_ARRAY_SIZE};
  size_t all = 1;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    size_t size = 0;
    driver.clGetImageInfo(image, names[i], sizeof size, &size, NULL);
    all *= size > 0 ? size : 1;
  }
  return region[0] * region[1] * region[2] == all;
}

void map_over(command *c) {
  const bool image = c->call == CALL_clEnqueueMapImage;
  const host_call call = call_of(c);
  waiting w = wait_begin(c->blocking, c->event);
  const bool arrived = wait_for_command(&w, c);
  if (command_worked(c) && record_begin_command(c->on)) {
    memory *m = memory_find(c->memory);
    const uint64_t size = !image ? c->size : is_whole(c->memory, c->region) ? 1 : 0;
    order_mapped(&call, c->memory, c->mapped, &(capture_call){.flags = c->flags, .offset = c->offset, .size = size});
    mapping made = {.handle = c->memory,
                    .pointer = c->mapped,
                    .area = command_area(c),
                    .write = transfer_of(c, image ? CAPTURE_WRITE_IMAGE : CAPTURE_WRITE)};
    made.event = arrived || m == NULL ? NULL : wait_keep_event(&w, true);
    if (m != NULL) record_map(m, &made, c->flags, image ? CAPTURE_READ_IMAGE : CAPTURE_READ);
    if (m != NULL && image) storage_read(c->memory);
    record_end_blocking(c->on, c->blocking);
  }
  wait_end(&w);
}

/* ---- unmapping ---- */

static void record_all(mapping *w) {
  w->write.u.transfer.blob = blob_of(&w->area);
  memory_command(&w->write, w->handle, NULL);
}

/* Part of a buffer: bytes from `first` to before `end` of the mapping. */
static void record_part(const mapping *w, size_t first, size_t end) {
  capture_command c = w->write;
  c.u.transfer.at.offset += first;
  c.u.transfer.size = end - first;
  c.u.transfer.blob = blob_of_bytes(w->area.first + first, end - first);
  memory_command(&c, w->handle, NULL);
}

/* The end of the piece that begins at or contains `at`. */
static size_t piece_end(const mapping *w, size_t at) {
  size_t end = at + PIECE - (size_t)(w->write.u.transfer.at.offset + at) % PIECE;
  return end < w->area.row ? end : w->area.row;
}

/* The next run of pieces that differ, from `*end` on. */
static bool next_run(const mapping *w, size_t *first, size_t *end) {
  size_t at = *end;
  while (at < w->area.row && memcmp(w->area.first + at, w->before + at, piece_end(w, at) - at) == 0)
    at = piece_end(w, at);
  *first = at;
  while (at < w->area.row && memcmp(w->area.first + at, w->before + at, piece_end(w, at) - at) != 0)
    at = piece_end(w, at);
  *end = at;
  return *first < *end;
}

static void record_differences(const mapping *w) {
  size_t runs = 0, first, end = 0, begin = 0, last = 0;
  for (; next_run(w, &first, &end); runs++) {
    begin = runs ? begin : first;
    last = end;
  }
  if (runs > RUNS_MOST) {
    record_part(w, begin, last);
    return;
  }
  for (end = 0; runs && next_run(w, &first, &end);) record_part(w, first, end);
}

/* Whether an image is as it was. */
static bool unchanged(const mapping *w) {
  unsigned char *owned;
  const unsigned char *bytes = area_bytes(&w->area, &owned);
  bool same = bytes != NULL && memcmp(bytes, w->before, area_size(&w->area)) == 0;
  free(owned);
  return same;
}

/* Until it is mapped the host may not write to it. */
static bool is_mapped(const mapping *w) {
  cl_int status = CL_QUEUED;
  return w->event == NULL || (driver.clGetEventInfo(w->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                                    NULL) == CL_SUCCESS &&
                              status == CL_COMPLETE);
}

static void record_written(mapping *w) {
  if (!is_mapped(w)) return;
  if (w->before == NULL)
    record_all(w);
  else if (w->write.kind == CAPTURE_WRITE)
    record_differences(w);
  else if (!unchanged(w))
    record_all(w);
}

void unmap_over(command *c) {
  const host_call call = call_of(c);
  if (record_begin_command(c->on)) {
    mapping *w = *locate(c->memory, c->pointer);
    if (w != NULL) record_written(w); /* the bytes may be gone afterwards */
    record_end();
  }
  command_below(c);
  if (!command_worked(c) || !record_begin()) return;
  (void)order_unmapped(&call, c->memory, c->pointer);
  mapping **at = locate(c->memory, c->pointer);
  memory *m = *at != NULL ? memory_numbered((*at)->memory) : NULL;
  if (m != NULL) memory_mapped(m, -1);
  if (*at != NULL) drop(at);
  record_end();
}
