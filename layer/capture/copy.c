/* Fills and copies: nothing of the host's memory but a pattern. */
#include <string.h>

#include "layer/capture/layer.h"

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

const guest_call copy_calls[] = {
    CALL(clEnqueueFillBuffer, fill_buffer),
    CALL(clEnqueueFillImage, fill_image),
    CALL(clEnqueueCopyBuffer, copy_buffer),
    CALL(clEnqueueCopyBufferRect, copy_rectangle),
    CALL(clEnqueueCopyImage, copy_image),
    CALL(clEnqueueCopyImageToBuffer, copy_image_to_buffer),
    CALL(clEnqueueCopyBufferToImage, copy_buffer_to_image),
    {NULL, 0, NULL},
};
