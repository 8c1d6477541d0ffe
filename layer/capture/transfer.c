/* Fills, copies, writes, whose bytes are taken at the call, and reads, of which we wait for the bytes where that is
 * safe. */
#include <string.h>

#include "layer/capture/layer.h"
#include "layer/common/calls.h"

/* ---- what the capture has of the parameters ---- */

static void take_image(capture_command *c, const size_t *origin, const size_t *region) {
  three(c->u.transfer.at.origin, origin);
  three(c->u.transfer.region, region);
}

capture_command image_command(capture_kind kind, const size_t *origin, const size_t *region) {
  capture_command c = {.kind = kind};
  take_image(&c, origin, region);
  return c;
}

static void take_bytes(capture_command *c, size_t offset, size_t size) {
  c->u.transfer.at.offset = offset;
  c->u.transfer.size = size;
}

static void take_rectangle(capture_command *c, const size_t *origin, const size_t *region, size_t row, size_t slice) {
  take_image(c, origin, region);
  c->u.transfer.at.row = row ? row : region[0];
  c->u.transfer.at.slice = slice ? slice : c->u.transfer.at.row * region[1];
}

static void take_pattern(capture_command *c, const void *pattern, size_t size) {
  if (size <= sizeof c->u.transfer.pattern) {
    c->u.transfer.pattern_size = (uint32_t)size;
    memcpy(c->u.transfer.pattern, pattern, size);
  }
}

/* The colour is four numbers, but one of an image of depths. */
static void take_color(capture_command *c, cl_mem image, const void *color) {
  cl_image_format format = {0};
  driver.clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, NULL);
  memcpy(c->u.transfer.pattern, color, format.image_channel_order == CL_DEPTH ? sizeof(cl_float) : CAPTURE_COLOR);
}

static void take_copy(capture_command *c, const size_t *from_origin, const size_t *to_origin, const size_t *region) {
  if (from_origin != NULL) three(c->u.transfer.at.origin, from_origin);
  if (to_origin != NULL) three(c->u.transfer.to.origin, to_origin);
  three(c->u.transfer.region, region);
}

static void take_pitches(capture_command *c, const size_t *region, size_t from_row, size_t from_slice, size_t to_row,
                         size_t to_slice) {
  c->u.transfer.at.row = from_row ? from_row : region[0];
  c->u.transfer.at.slice = from_slice ? from_slice : c->u.transfer.at.row * region[1];
  c->u.transfer.to.row = to_row ? to_row : region[0];
  c->u.transfer.to.slice = to_slice ? to_slice : c->u.transfer.to.row * region[1];
}

/* Of each call: its function, what is taken of it, and the host's memory; `m`: the memory object. */
#define TAKE_RECTANGLE take_rectangle(&c, buffer_origin, region, buffer_row, buffer_slice)
#define HOST_RECTANGLE area_of_rectangle(host_origin, region, host_row, host_slice, pointer)
#define AS_clEnqueueWriteBuffer FUNCTION_WRITE
#define TAKE_clEnqueueWriteBuffer take_bytes(&c, offset, size)
#define HOST_clEnqueueWriteBuffer area_of_bytes(pointer, size)
#define AS_clEnqueueWriteBufferRect FUNCTION_WRITE_RECT
#define TAKE_clEnqueueWriteBufferRect TAKE_RECTANGLE
#define HOST_clEnqueueWriteBufferRect HOST_RECTANGLE
#define AS_clEnqueueWriteImage FUNCTION_WRITE_IMAGE
#define TAKE_clEnqueueWriteImage take_image(&c, origin, region)
#define HOST_clEnqueueWriteImage memory_area(m, region, row, slice, pointer)
#define AS_clEnqueueReadBuffer FUNCTION_READ
#define TAKE_clEnqueueReadBuffer take_bytes(&c, offset, size)
#define HOST_clEnqueueReadBuffer area_of_bytes(pointer, size)
#define AS_clEnqueueReadBufferRect FUNCTION_READ_RECT
#define TAKE_clEnqueueReadBufferRect TAKE_RECTANGLE
#define HOST_clEnqueueReadBufferRect HOST_RECTANGLE
#define AS_clEnqueueReadImage FUNCTION_READ_IMAGE
#define TAKE_clEnqueueReadImage take_image(&c, origin, region)
#define HOST_clEnqueueReadImage memory_area(m, region, row, slice, pointer)
#define AS_clEnqueueFillBuffer FUNCTION_FILL
#define TAKE_clEnqueueFillBuffer take_bytes(&c, offset, size), take_pattern(&c, pattern, pattern_size)
#define AS_clEnqueueFillImage FUNCTION_FILL_IMAGE
#define TAKE_clEnqueueFillImage take_image(&c, origin, region), take_color(&c, image, color)
#define AS_clEnqueueCopyBuffer FUNCTION_COPY
#define TAKE_clEnqueueCopyBuffer \
  c.u.transfer.at.offset = from_offset, c.u.transfer.to.offset = to_offset, c.u.transfer.size = size
#define AS_clEnqueueCopyBufferRect FUNCTION_COPY_RECT
#define TAKE_clEnqueueCopyBufferRect \
  take_copy(&c, from_origin, to_origin, region), take_pitches(&c, region, from_row, from_slice, to_row, to_slice)
#define AS_clEnqueueCopyImage FUNCTION_COPY_IMAGE
#define TAKE_clEnqueueCopyImage take_copy(&c, from_origin, to_origin, region)
#define AS_clEnqueueCopyImageToBuffer FUNCTION_COPY_IMAGE_TO_BUFFER
#define TAKE_clEnqueueCopyImageToBuffer take_copy(&c, from_origin, NULL, region), c.u.transfer.to.offset = to_offset
#define AS_clEnqueueCopyBufferToImage FUNCTION_COPY_BUFFER_TO_IMAGE
#define TAKE_clEnqueueCopyBufferToImage take_copy(&c, NULL, to_origin, region), c.u.transfer.at.offset = from_offset

/* ---- the calls ---- */

static void wrote(capture_command *c, cl_mem handle, area from) {
  c->u.transfer.blob = blob_of(&from);
  memory_command(c, handle, NULL);
}

static void have_read(capture_command *c, cl_mem handle, area to, bool arrived) {
  if (arrived) area_digest(&to, c);
  memory_command(c, handle, NULL);
  storage_read(handle);
}

static void copied(const host_call *call, capture_command *c, cl_mem first, cl_mem second) {
  if (!record_begin_call(call)) return;
  memory_command(c, first, second);
  if (second != NULL) storage_given(second, call->queue, call->event);
  record_end();
}

/* Those that have a parameter of this name hide it. */
static const cl_mem buffer = NULL, image = NULL, from = NULL, to = NULL;
#pragma GCC diagnostic ignored "-Wshadow"
#define MEMORY (buffer != NULL ? buffer : image != NULL ? image : from)

#define WRITE(type, name, parameters, arguments)                              \
  static type CL_API_CALL captured_##name parameters {                        \
    const type result = driver.name arguments;                                \
    const host_call call = {AS_##name, handle, blocking, waits, wait, event}; \
    if (result == CL_SUCCESS && record_begin_call(&call)) {                   \
      capture_command c = {.kind = capture_function_kind(call.function)};     \
      const memory *m = memory_find(MEMORY);                                  \
      TAKE_##name;                                                            \
      if (m != NULL) wrote(&c, MEMORY, HOST_##name);                          \
      record_end_blocking(handle, blocking);                                  \
    }                                                                         \
    return result;                                                            \
  }
CALLS_WRITE(WRITE)

#define READ(type, name, parameters, arguments)                               \
  static type CL_API_CALL captured_##name parameters {                        \
    const host_call call = {AS_##name, handle, blocking, waits, wait, event}; \
    waiting w = wait_begin(blocking, event);                                  \
    event = wait_event(&w);                                                   \
    const type result = driver.name arguments;                                \
    const bool arrived = wait_for_command(&w, result == CL_SUCCESS);          \
    wait_end(&w);                                                             \
    if (result == CL_SUCCESS && record_begin_call(&call)) {                   \
      capture_command c = {.kind = capture_function_kind(call.function)};     \
      const memory *m = memory_find(MEMORY);                                  \
      TAKE_##name;                                                            \
      if (m != NULL) have_read(&c, MEMORY, HOST_##name, arrived);             \
      record_end_blocking(handle, blocking);                                  \
    }                                                                         \
    return result;                                                            \
  }
#define CALLS_READ_ONLY(X) CALLS_READ_BUFFER(X) CALLS_READ_IMAGE(X)
CALLS_READ_ONLY(READ)

#define COPY(type, name, parameters, arguments)                            \
  static type CL_API_CALL captured_##name parameters {                     \
    const type result = driver.name arguments;                             \
    const host_call call = {AS_##name, handle, false, waits, wait, event}; \
    if (result == CL_SUCCESS && recording()) {                             \
      capture_command c = {.kind = capture_function_kind(call.function)};  \
      TAKE_##name;                                                         \
      copied(&call, &c, MEMORY, to);                                       \
    }                                                                      \
    return result;                                                         \
  }
#define CALLS_ON_DEVICE(X) CALLS_FILL(X) CALLS_COPY(X)
CALLS_ON_DEVICE(COPY)

#define ROW(type, name, parameters, arguments) CALL(name, captured_##name),
const guest_call transfer_calls[] = {CALLS_WRITE(ROW) CALLS_READ_ONLY(ROW) CALLS_ON_DEVICE(ROW){NULL, 0, NULL}};
