/* Commands of the program as a capture has them: fills, copies, writes, whose bytes are taken at the call, and reads, of
 * which we wait for the bytes where that is safe. */
#include <string.h>

#include "layer/capture/layer.h"

/* ---- what the capture has of the parameters ---- */

static const capture_function functions[COMMAND_CALLS] = {
    [CALL_clEnqueueNDRangeKernel] = FUNCTION_LAUNCH,
    [CALL_clEnqueueTask] = FUNCTION_TASK,
    [CALL_clEnqueueWriteBuffer] = FUNCTION_WRITE,
    [CALL_clEnqueueWriteBufferRect] = FUNCTION_WRITE_RECT,
    [CALL_clEnqueueWriteImage] = FUNCTION_WRITE_IMAGE,
    [CALL_clEnqueueReadBuffer] = FUNCTION_READ,
    [CALL_clEnqueueReadBufferRect] = FUNCTION_READ_RECT,
    [CALL_clEnqueueReadImage] = FUNCTION_READ_IMAGE,
    [CALL_clEnqueueMapBuffer] = FUNCTION_MAP,
    [CALL_clEnqueueMapImage] = FUNCTION_MAP_IMAGE,
    [CALL_clEnqueueUnmapMemObject] = FUNCTION_UNMAP,
    [CALL_clEnqueueFillBuffer] = FUNCTION_FILL,
    [CALL_clEnqueueFillImage] = FUNCTION_FILL_IMAGE,
    [CALL_clEnqueueCopyBuffer] = FUNCTION_COPY,
    [CALL_clEnqueueCopyBufferRect] = FUNCTION_COPY_RECT,
    [CALL_clEnqueueCopyImage] = FUNCTION_COPY_IMAGE,
    [CALL_clEnqueueCopyImageToBuffer] = FUNCTION_COPY_IMAGE_TO_BUFFER,
    [CALL_clEnqueueCopyBufferToImage] = FUNCTION_COPY_BUFFER_TO_IMAGE,
    [CALL_clEnqueueMarkerWithWaitList] = FUNCTION_MARKER,
    [CALL_clEnqueueMarker] = FUNCTION_MARKER,
    [CALL_clEnqueueBarrierWithWaitList] = FUNCTION_BARRIER,
    [CALL_clEnqueueBarrier] = FUNCTION_BARRIER,
    [CALL_clEnqueueWaitForEvents] = FUNCTION_BARRIER,
    [CALL_clEnqueueMigrateMemObjects] = FUNCTION_MIGRATE,
};

host_call call_of(const command *c) {
  return (host_call){functions[c->call], c->on, c->blocking != CL_FALSE, c->waits, c->wait, c->event};
}

/* Pitches that the program does not name are the least ones. */
static void take_span(capture_span *s, size_t offset, const size_t *origin) {
  s->offset = offset;
  if (origin != NULL) memcpy(s->origin, origin, sizeof s->origin);
}

static void take_pitches(capture_span *s, const size_t *region, size_t row, size_t slice) {
  s->row = row ? row : region[0];
  s->slice = slice ? slice : s->row * region[1];
}

/* The colour is four numbers, but one of an image of depths. */
static void take_color(capture_command *c, cl_mem image, const void *color) {
  cl_image_format format = {0};
  driver.clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, NULL);
  memcpy(c->u.transfer.pattern, color, format.image_channel_order == CL_DEPTH ? sizeof(cl_float) : CAPTURE_COLOR);
}

capture_command transfer_of(const command *c, capture_kind kind) {
  capture_command t = {.kind = kind, .u.transfer.size = c->size};
  take_span(&t.u.transfer.at, c->offset, c->origin);
  if (c->region != NULL) memcpy(t.u.transfer.region, c->region, sizeof t.u.transfer.region);
  if (c->kind == COMMAND_COPY) take_span(&t.u.transfer.to, c->to_offset, c->to_origin);
  if (kind == CAPTURE_WRITE_RECT || kind == CAPTURE_READ_RECT || kind == CAPTURE_COPY_RECT)
    take_pitches(&t.u.transfer.at, c->region, c->row, c->slice);
  if (kind == CAPTURE_COPY_RECT) take_pitches(&t.u.transfer.to, c->region, c->to_row, c->to_slice);
  if (kind == CAPTURE_FILL_IMAGE) take_color(&t, c->memory, c->color);
  if (kind == CAPTURE_FILL && c->pattern_size <= sizeof t.u.transfer.pattern) {
    t.u.transfer.pattern_size = (uint32_t)c->pattern_size;
    memcpy(t.u.transfer.pattern, c->pattern, c->pattern_size);
  }
  return t;
}

/* ---- commands ---- */

static void record_write(command *c) {
  command_below(c);
  const host_call call = call_of(c);
  if (!command_worked(c) || !record_begin_call(&call)) return;
  if (memory_find(c->memory) != NULL) {
    capture_command t = transfer_of(c, capture_function_kind(call.function));
    const area from = command_area(c);
    t.u.transfer.blob = blob_of(&from);
    memory_command(&t, c->memory, NULL);
  }
  record_end_blocking(c->on, c->blocking);
}

static void record_read(command *c) {
  const host_call call = call_of(c);
  waiting w = wait_begin(c->blocking, c->event);
  const bool arrived = wait_for_command(&w, c);
  wait_end(&w);
  if (!command_worked(c) || !record_begin_call(&call)) return;
  if (memory_find(c->memory) != NULL) {
    capture_command t = transfer_of(c, capture_function_kind(call.function));
    const area to = command_area(c);
    if (arrived) area_digest(&to, &t);
    memory_command(&t, c->memory, NULL);
    storage_read(c->memory);
  }
  record_end_blocking(c->on, c->blocking);
}

static void record_copy(command *c) {
  command_below(c);
  if (!command_worked(c) || !recording()) return;
  const host_call call = call_of(c);
  capture_command t = transfer_of(c, capture_function_kind(call.function));
  if (!record_begin_call(&call)) return;
  memory_command(&t, c->memory, c->to);
  if (c->to != NULL) storage_given(c->to, c->on, c->event);
  record_end();
}

/* Markers, barriers, and what cannot be done again. */
static void record_other(command *c) {
  static const char *const refused[COMMAND_CALLS] = {
      [CALL_clEnqueueSVMMemcpy] = SVM,
      [CALL_clEnqueueSVMMap] = SVM,
      [CALL_clEnqueueSVMMemFill] = SVM,
      [CALL_clEnqueueNativeKernel] = "a function of the program as a command (clEnqueueNativeKernel)",
  };
  command_below(c);
  const host_call call = call_of(c);
  if (!command_worked(c)) return;
  if (refused[c->call] != NULL) refuse(refused[c->call]);
  const bool waits = c->call != CALL_clEnqueueWaitForEvents || c->waits > 0;
  if (call.function != 0 && waits && record_begin()) {
    order_record(&call);
    record_end();
  }
}

void capture_over(command *c) {
  switch (c->kind) {
    case COMMAND_LAUNCH: launch_over(c); break;
    case COMMAND_WRITE: record_write(c); break;
    case COMMAND_COPY:
    case COMMAND_FILL: record_copy(c); break;
    case COMMAND_UNMAP: unmap_over(c); break;
    default:
      if (command_maps(c))
        map_over(c);
      else if (c->kind == COMMAND_READ && functions[c->call] != 0)
        record_read(c);
      else
        record_other(c);
  }
}
