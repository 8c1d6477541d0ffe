/* What the program sees of buffers with guard zones. The functions of the driver that take a buffer are replaced, for
 * the program and for the layer alike: a call that leaves the program's part is moved until it leaves the zone, too, so
 * that the driver refuses it as it would without one. */
#include "layer/observe/guard.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "layer/common/guest.h"
#include "wire/capture_shape.h"
#include "wire/protocol.h"
#include "wire/turn.h"

#define LEAST_ZONE ((size_t)4096)      /* a multiple of what drivers align sub-buffers to */
#define MOST_ZONE ((size_t)16384)      /* of large buffers, whose rows are long */
#define ZONE_SHARE 64u                 /* of a buffer */
#define MOST_COPIED ((size_t)32 << 20) /* of the program's data, to make a larger buffer of it */

static cl_icd_dispatch below;
static bool on;
enum { PATTERNS = 61 }; /* prime: so many words until they begin again */
static unsigned char zone_bytes[MOST_ZONE + 4 * PATTERNS];

bool guards_are_on(void) { return on; }

/* ---- making ---- */

static size_t zone_for(size_t size) {
  const size_t wanted = size / ZONE_SHARE / LEAST_ZONE * LEAST_ZONE;
  return wanted < LEAST_ZONE ? LEAST_ZONE : wanted > MOST_ZONE ? MOST_ZONE : wanted;
}

static cl_mem create_filled(cl_context handle, cl_mem_flags flags, size_t size, size_t zone, unsigned number,
                            const void *data) {
  unsigned char *all = size <= MOST_COPIED ? malloc(size + zone) : NULL;
  if (all == NULL) return NULL;
  memcpy(all, data, size);
  memcpy(all + size, guard_pattern(number), zone);
  cl_mem made = below.clCreateBuffer(handle, flags, size + zone, all, NULL);
  free(all);
  return made;
}

/* Not those in memory of the program's own, nor those that the host must not write or read: nor can we. */
static bool can_have_zone(cl_mem_flags flags, size_t size, const void *data) {
  const cl_mem_flags out = CL_MEM_USE_HOST_PTR | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
  return on && size > 0 && size < SIZE_MAX - MOST_ZONE && (flags & out) == 0 &&
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

/* ---- the zone ---- */

/* Small numbers, should a kernel take one for an index; no word is 0. */
const unsigned char *guard_pattern(unsigned number) { return zone_bytes + 4 * (size_t)(number % PATTERNS); }

static void make_pattern(void) {
  for (size_t i = 0; i < sizeof zone_bytes; i++)
    zone_bytes[i] = i % 4 == 0 ? (unsigned char)(65 + i / 4 * 37 % PATTERNS) : 0;
}

bool guard_fill(cl_command_queue on_queue, cl_mem buffer, size_t size, size_t zone, unsigned number, cl_event *event) {
  return below.clEnqueueWriteBuffer(on_queue, buffer, CL_FALSE, size, zone, guard_pattern(number), 0, NULL, event) ==
         CL_SUCCESS;
}

bool guard_read(cl_command_queue on_queue, cl_mem buffer, size_t size, size_t zone, void *to, cl_event after,
                cl_event *event) {
  return below.clEnqueueReadBuffer(on_queue, buffer, CL_FALSE, size, zone, to, after != NULL ? 1 : 0,
                                   after != NULL ? &after : NULL, event) == CL_SUCCESS;
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

static cl_int CL_API_CALL read_buffer(cl_command_queue handle, cl_mem buffer, cl_bool blocking, size_t offset,
                                      size_t size, void *pointer, cl_uint waits, const cl_event *wait,
                                      cl_event *event) {
  return below.clEnqueueReadBuffer(handle, buffer, blocking, place(buffer, offset, size), size, pointer, waits, wait,
                                   event);
}

static cl_int CL_API_CALL write_buffer(cl_command_queue handle, cl_mem buffer, cl_bool blocking, size_t offset,
                                       size_t size, const void *pointer, cl_uint waits, const cl_event *wait,
                                       cl_event *event) {
  return below.clEnqueueWriteBuffer(handle, buffer, blocking, place(buffer, offset, size), size, pointer, waits, wait,
                                    event);
}

static cl_int CL_API_CALL read_rectangle(cl_command_queue handle, cl_mem buffer, cl_bool blocking,
                                         const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
                                         size_t buffer_row, size_t buffer_slice, size_t host_row, size_t host_slice,
                                         void *pointer, cl_uint waits, const cl_event *wait, cl_event *event) {
  size_t copy[3];
  return below.clEnqueueReadBufferRect(
      handle, buffer, blocking, place_rectangle(buffer, buffer_origin, region, buffer_row, buffer_slice, copy),
      host_origin, region, buffer_row, buffer_slice, host_row, host_slice, pointer, waits, wait, event);
}

static cl_int CL_API_CALL write_rectangle(cl_command_queue handle, cl_mem buffer, cl_bool blocking,
                                          const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
                                          size_t buffer_row, size_t buffer_slice, size_t host_row, size_t host_slice,
                                          const void *pointer, cl_uint waits, const cl_event *wait, cl_event *event) {
  size_t copy[3];
  return below.clEnqueueWriteBufferRect(
      handle, buffer, blocking, place_rectangle(buffer, buffer_origin, region, buffer_row, buffer_slice, copy),
      host_origin, region, buffer_row, buffer_slice, host_row, host_slice, pointer, waits, wait, event);
}

static cl_int CL_API_CALL copy_buffer(cl_command_queue handle, cl_mem from, cl_mem to, size_t from_offset,
                                      size_t to_offset, size_t size, cl_uint waits, const cl_event *wait,
                                      cl_event *event) {
  return below.clEnqueueCopyBuffer(handle, from, to, place(from, from_offset, size), place(to, to_offset, size), size,
                                   waits, wait, event);
}

static cl_int CL_API_CALL copy_rectangle(cl_command_queue handle, cl_mem from, cl_mem to, const size_t *from_origin,
                                         const size_t *to_origin, const size_t *region, size_t from_row,
                                         size_t from_slice, size_t to_row, size_t to_slice, cl_uint waits,
                                         const cl_event *wait, cl_event *event) {
  size_t copies[2][3];
  return below.clEnqueueCopyBufferRect(handle, from, to,
                                       place_rectangle(from, from_origin, region, from_row, from_slice, copies[0]),
                                       place_rectangle(to, to_origin, region, to_row, to_slice, copies[1]), region,
                                       from_row, from_slice, to_row, to_slice, waits, wait, event);
}

static cl_int CL_API_CALL copy_from_image(cl_command_queue handle, cl_mem from, cl_mem to, const size_t *from_origin,
                                          const size_t *region, size_t to_offset, cl_uint waits, const cl_event *wait,
                                          cl_event *event) {
  return below.clEnqueueCopyImageToBuffer(handle, from, to, from_origin, region,
                                          place(to, to_offset, bytes_of_image(from, region)), waits, wait, event);
}

static cl_int CL_API_CALL copy_to_image(cl_command_queue handle, cl_mem from, cl_mem to, size_t from_offset,
                                        const size_t *to_origin, const size_t *region, cl_uint waits,
                                        const cl_event *wait, cl_event *event) {
  return below.clEnqueueCopyBufferToImage(handle, from, to, place(from, from_offset, bytes_of_image(to, region)),
                                          to_origin, region, waits, wait, event);
}

static cl_int CL_API_CALL fill_buffer(cl_command_queue handle, cl_mem buffer, const void *pattern, size_t pattern_size,
                                      size_t offset, size_t size, cl_uint waits, const cl_event *wait,
                                      cl_event *event) {
  return below.clEnqueueFillBuffer(handle, buffer, pattern, pattern_size, place(buffer, offset, size), size, waits,
                                   wait, event);
}

static void *CL_API_CALL map_buffer(cl_command_queue handle, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                                    size_t offset, size_t size, cl_uint waits, const cl_event *wait, cl_event *event,
                                    cl_int *error) {
  return below.clEnqueueMapBuffer(handle, buffer, blocking, flags, place(buffer, offset, size), size, waits, wait,
                                  event, error);
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

static bool is_one(const char *name) {
  const char *text = getenv(name);
  return text != NULL && strcmp(text, "1") == 0;
}

/* What the driver does not have stays so. */
#define REPLACE(name, own) driver.name = driver.name != NULL ? (own) : NULL

void guard_start(void) {
  on = is_one(ENV_GUARD_ZONES) && !is_one(ENV_GUARDED);
  if (!on) return;
  below = driver;
  make_pattern();
  REPLACE(clGetMemObjectInfo, get_info);
  REPLACE(clEnqueueReadBuffer, read_buffer);
  REPLACE(clEnqueueWriteBuffer, write_buffer);
  REPLACE(clEnqueueReadBufferRect, read_rectangle);
  REPLACE(clEnqueueWriteBufferRect, write_rectangle);
  REPLACE(clEnqueueCopyBuffer, copy_buffer);
  REPLACE(clEnqueueCopyBufferRect, copy_rectangle);
  REPLACE(clEnqueueCopyImageToBuffer, copy_from_image);
  REPLACE(clEnqueueCopyBufferToImage, copy_to_image);
  REPLACE(clEnqueueFillBuffer, fill_buffer);
  REPLACE(clEnqueueMapBuffer, map_buffer);
  REPLACE(clCreateSubBuffer, create_part);
  REPLACE(clCreateImage, create_image);
  REPLACE(clCreateImageWithProperties, create_image_with);
}
