/* Fills, copies, writes, whose bytes are taken at the call, and reads, of which we wait for the bytes where that is
 * safe. */
#include <string.h>

#include "layer/capture/layer.h"

static capture_command rectangle(capture_kind kind, const size_t *origin, const size_t *region, size_t row,
                                 size_t slice) {
  capture_command c = {.kind = kind};
  three(c.u.area.at.origin, origin);
  three(c.u.area.at.region, region);
  c.u.area.row = row ? row : region[0];
  c.u.area.slice = slice ? slice : c.u.area.row * region[1];
  return c;
}

capture_command image_command(capture_kind kind, const size_t *origin, const size_t *region) {
  capture_command c = {.kind = kind};
  three(c.u.area.at.origin, origin);
  three(c.u.area.at.region, region);
  return c;
}

/* ---- writes ---- */

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                       size_t size, const void *pointer, cl_uint waits, const cl_event *wait,
                                       cl_event *event) {
  cl_int result = driver.clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, pointer, waits, wait, event);
  if (result == CL_SUCCESS && record_begin_call(&(host_call){FUNCTION_WRITE, queue, blocking, waits, wait, event})) {
    capture_command c = {.kind = CAPTURE_WRITE, .u.bytes = {.offset = offset, .size = size}};
    c.u.bytes.blob = blob_of_bytes(pointer, size);
    memory_command(&c, buffer, NULL);
    record_end_blocking(queue, blocking);
  }
  return result;
}

static cl_int CL_API_CALL write_rectangle(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                          const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
                                          size_t buffer_row, size_t buffer_slice, size_t host_row, size_t host_slice,
                                          const void *pointer, cl_uint waits, const cl_event *wait, cl_event *event) {
  cl_int result =
      driver.clEnqueueWriteBufferRect(queue, buffer, blocking, buffer_origin, host_origin, region, buffer_row,
                                      buffer_slice, host_row, host_slice, pointer, waits, wait, event);
  if (result == CL_SUCCESS &&
      record_begin_call(&(host_call){FUNCTION_WRITE_RECT, queue, blocking, waits, wait, event})) {
    capture_command c = rectangle(CAPTURE_WRITE_RECT, buffer_origin, region, buffer_row, buffer_slice);
    area a = area_of_rectangle(host_origin, region, host_row, host_slice, pointer);
    c.u.area.blob = blob_of(&a);
    memory_command(&c, buffer, NULL);
    record_end_blocking(queue, blocking);
  }
  return result;
}

static cl_int CL_API_CALL write_image(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
                                      const size_t *region, size_t row, size_t slice, const void *pointer,
                                      cl_uint waits, const cl_event *wait, cl_event *event) {
  cl_int result =
      driver.clEnqueueWriteImage(queue, image, blocking, origin, region, row, slice, pointer, waits, wait, event);
  if (result == CL_SUCCESS &&
      record_begin_call(&(host_call){FUNCTION_WRITE_IMAGE, queue, blocking, waits, wait, event})) {
    const memory *m = memory_find(image);
    if (m != NULL) {
      capture_command c = image_command(CAPTURE_WRITE_IMAGE, origin, region);
      area a = memory_area(m, region, row, slice, pointer);
      c.u.area.blob = blob_of(&a);
      memory_command(&c, image, NULL);
    }
    record_end_blocking(queue, blocking);
  }
  return result;
}

/* ---- reads ---- */

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                      size_t size, void *pointer, cl_uint waits, const cl_event *wait,
                                      cl_event *event) {
  waiting w = wait_begin(blocking, event);
  cl_int result =
      driver.clEnqueueReadBuffer(queue, buffer, blocking, offset, size, pointer, waits, wait, wait_event(&w));
  bool arrived = wait_for_command(&w, result == CL_SUCCESS);
  wait_end(&w);
  if (result == CL_SUCCESS && record_begin_call(&(host_call){FUNCTION_READ, queue, blocking, waits, wait, event})) {
    capture_command c = {.kind = CAPTURE_READ, .u.bytes = {.offset = offset, .size = size}};
    area a = area_of_bytes(pointer, size);
    if (arrived) area_digest(&a, &c);
    memory_command(&c, buffer, NULL);
    record_end_blocking(queue, blocking);
  }
  return result;
}

static cl_int CL_API_CALL read_rectangle(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                         const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
                                         size_t buffer_row, size_t buffer_slice, size_t host_row, size_t host_slice,
                                         void *pointer, cl_uint waits, const cl_event *wait, cl_event *event) {
  waiting w = wait_begin(blocking, event);
  cl_int result =
      driver.clEnqueueReadBufferRect(queue, buffer, blocking, buffer_origin, host_origin, region, buffer_row,
                                     buffer_slice, host_row, host_slice, pointer, waits, wait, wait_event(&w));
  bool arrived = wait_for_command(&w, result == CL_SUCCESS);
  wait_end(&w);
  if (result == CL_SUCCESS &&
      record_begin_call(&(host_call){FUNCTION_READ_RECT, queue, blocking, waits, wait, event})) {
    capture_command c = rectangle(CAPTURE_READ_RECT, buffer_origin, region, buffer_row, buffer_slice);
    area a = area_of_rectangle(host_origin, region, host_row, host_slice, pointer);
    if (arrived) area_digest(&a, &c);
    memory_command(&c, buffer, NULL);
    record_end_blocking(queue, blocking);
  }
  return result;
}

static cl_int CL_API_CALL read_image(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
                                     const size_t *region, size_t row, size_t slice, void *pointer, cl_uint waits,
                                     const cl_event *wait, cl_event *event) {
  waiting w = wait_begin(blocking, event);
  cl_int result = driver.clEnqueueReadImage(queue, image, blocking, origin, region, row, slice, pointer, waits, wait,
                                            wait_event(&w));
  bool arrived = wait_for_command(&w, result == CL_SUCCESS);
  wait_end(&w);
  if (result == CL_SUCCESS &&
      record_begin_call(&(host_call){FUNCTION_READ_IMAGE, queue, blocking, waits, wait, event})) {
    const memory *m = memory_find(image);
    if (m != NULL) {
      capture_command c = image_command(CAPTURE_READ_IMAGE, origin, region);
      area a = memory_area(m, region, row, slice, pointer);
      if (arrived) area_digest(&a, &c);
      memory_command(&c, image, NULL);
      storage_read(image);
    }
    record_end_blocking(queue, blocking);
  }
  return result;
}

/* ---- fills and copies ---- */

static void area_of(capture_command *c, const size_t *from_origin, const size_t *to_origin, const size_t *region) {
  if (from_origin != NULL) three(c->u.copy.from_origin, from_origin);
  if (to_origin != NULL) three(c->u.copy.to_origin, to_origin);
  three(c->u.copy.region, region);
}

/* The command succeeded. */
static void done(const host_call *call, capture_command *c, cl_mem first, cl_mem second) {
  if (!record_begin_call(call)) return;
  memory_command(c, first, second);
  if (second != NULL) storage_given(second, call->queue, call->event);
  record_end();
}

static cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                                      size_t offset, size_t size, cl_uint waits, const cl_event *wait,
                                      cl_event *event) {
  cl_int result = driver.clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset, size, waits, wait, event);
  capture_command c = {.kind = CAPTURE_FILL, .u.bytes = {.offset = offset, .size = size}};
  if (result != CL_SUCCESS || !recording()) return result;
  if (pattern_size <= sizeof c.u.bytes.pattern) {
    c.u.bytes.pattern_size = (uint32_t)pattern_size;
    memcpy(c.u.bytes.pattern, pattern, pattern_size);
  }
  done(&(host_call){FUNCTION_FILL, queue, false, waits, wait, event}, &c, buffer, NULL);
  return result;
}

/* The colour is four numbers, but one of an image of depths. */
static cl_int CL_API_CALL fill_image(cl_command_queue queue, cl_mem image, const void *color, const size_t *origin,
                                     const size_t *region, cl_uint waits, const cl_event *wait, cl_event *event) {
  cl_int result = driver.clEnqueueFillImage(queue, image, color, origin, region, waits, wait, event);
  cl_image_format format = {0};
  if (result != CL_SUCCESS || !recording()) return result;
  capture_command c = {.kind = CAPTURE_FILL_IMAGE};
  driver.clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, NULL);
  memcpy(c.u.area.color, color, format.image_channel_order == CL_DEPTH ? sizeof(cl_float) : sizeof c.u.area.color);
  three(c.u.area.at.origin, origin);
  three(c.u.area.at.region, region);
  done(&(host_call){FUNCTION_FILL_IMAGE, queue, false, waits, wait, event}, &c, image, NULL);
  return result;
}

static cl_int CL_API_CALL copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                      size_t to_offset, size_t size, cl_uint waits, const cl_event *wait,
                                      cl_event *event) {
  cl_int result = driver.clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size, waits, wait, event);
  capture_command c = {.kind = CAPTURE_COPY,
                       .u.copy = {.from_offset = from_offset, .to_offset = to_offset, .size = size}};
  if (result == CL_SUCCESS) done(&(host_call){FUNCTION_COPY, queue, false, waits, wait, event}, &c, from, to);
  return result;
}

static cl_int CL_API_CALL copy_rectangle(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                                         const size_t *to_origin, const size_t *region, size_t from_row,
                                         size_t from_slice, size_t to_row, size_t to_slice, cl_uint waits,
                                         const cl_event *wait, cl_event *event) {
  cl_int result = driver.clEnqueueCopyBufferRect(queue, from, to, from_origin, to_origin, region, from_row, from_slice,
                                                 to_row, to_slice, waits, wait, event);
  if (result != CL_SUCCESS || !recording()) return result;
  capture_command c = {.kind = CAPTURE_COPY_RECT};
  area_of(&c, from_origin, to_origin, region);
  c.u.copy.from_row = from_row ? from_row : region[0];
  c.u.copy.from_slice = from_slice ? from_slice : c.u.copy.from_row * region[1];
  c.u.copy.to_row = to_row ? to_row : region[0];
  c.u.copy.to_slice = to_slice ? to_slice : c.u.copy.to_row * region[1];
  done(&(host_call){FUNCTION_COPY_RECT, queue, false, waits, wait, event}, &c, from, to);
  return result;
}

static cl_int CL_API_CALL copy_image(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                                     const size_t *to_origin, const size_t *region, cl_uint waits, const cl_event *wait,
                                     cl_event *event) {
  cl_int result = driver.clEnqueueCopyImage(queue, from, to, from_origin, to_origin, region, waits, wait, event);
  if (result == CL_SUCCESS && recording()) {
    capture_command c = {.kind = CAPTURE_COPY_IMAGE};
    area_of(&c, from_origin, to_origin, region);
    done(&(host_call){FUNCTION_COPY_IMAGE, queue, false, waits, wait, event}, &c, from, to);
  }
  return result;
}

static cl_int CL_API_CALL copy_image_to_buffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                               const size_t *from_origin, const size_t *region, size_t to_offset,
                                               cl_uint waits, const cl_event *wait, cl_event *event) {
  cl_int result =
      driver.clEnqueueCopyImageToBuffer(queue, from, to, from_origin, region, to_offset, waits, wait, event);
  if (result == CL_SUCCESS && recording()) {
    capture_command c = {.kind = CAPTURE_COPY_IMAGE_TO_BUFFER, .u.copy.to_offset = to_offset};
    area_of(&c, from_origin, NULL, region);
    done(&(host_call){FUNCTION_COPY_IMAGE_TO_BUFFER, queue, false, waits, wait, event}, &c, from, to);
  }
  return result;
}

static cl_int CL_API_CALL copy_buffer_to_image(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                               const size_t *to_origin, const size_t *region, cl_uint waits,
                                               const cl_event *wait, cl_event *event) {
  cl_int result =
      driver.clEnqueueCopyBufferToImage(queue, from, to, from_offset, to_origin, region, waits, wait, event);
  if (result == CL_SUCCESS && recording()) {
    capture_command c = {.kind = CAPTURE_COPY_BUFFER_TO_IMAGE, .u.copy.from_offset = from_offset};
    area_of(&c, NULL, to_origin, region);
    done(&(host_call){FUNCTION_COPY_BUFFER_TO_IMAGE, queue, false, waits, wait, event}, &c, from, to);
  }
  return result;
}

const guest_call transfer_calls[] = {
    CALL(clEnqueueWriteBuffer, write_buffer),
    CALL(clEnqueueWriteBufferRect, write_rectangle),
    CALL(clEnqueueWriteImage, write_image),
    CALL(clEnqueueReadBuffer, read_buffer),
    CALL(clEnqueueReadBufferRect, read_rectangle),
    CALL(clEnqueueReadImage, read_image),
    CALL(clEnqueueFillBuffer, fill_buffer),
    CALL(clEnqueueFillImage, fill_image),
    CALL(clEnqueueCopyBuffer, copy_buffer),
    CALL(clEnqueueCopyBufferRect, copy_rectangle),
    CALL(clEnqueueCopyImage, copy_image),
    CALL(clEnqueueCopyImageToBuffer, copy_image_to_buffer),
    CALL(clEnqueueCopyBufferToImage, copy_buffer_to_image),
    {NULL, 0, NULL},
};
