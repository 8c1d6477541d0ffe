/* Writes, whose bytes are taken at the call, and reads, of which we wait for the bytes where that is safe. */
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

const guest_call transfer_calls[] = {
    CALL(clEnqueueWriteBuffer, write_buffer),
    CALL(clEnqueueWriteBufferRect, write_rectangle),
    CALL(clEnqueueWriteImage, write_image),
    CALL(clEnqueueReadBuffer, read_buffer),
    CALL(clEnqueueReadBufferRect, read_rectangle),
    CALL(clEnqueueReadImage, read_image),
    {NULL, 0, NULL},
};
