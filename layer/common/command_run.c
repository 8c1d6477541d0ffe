/* A command buffer, command by command. On a queue that keeps no order, sync points become events. */
#include <stdlib.h>

#include "layer/common/command_buffer.h"

/* ---- one command ---- */

cl_int run_launch(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                  cl_event *event) {
  return guest_calls.clEnqueueNDRangeKernel(queue, c->kernel, c->dimensions, c->has_offset ? c->numbers : NULL,
                                            c->numbers + 3, c->has_local ? c->numbers + 6 : NULL, waits, wait, event);
}

cl_int run_copy(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait, cl_event *event) {
  return guest_calls.clEnqueueCopyBuffer(queue, c->from, c->to, c->numbers[0], c->numbers[1], c->numbers[2], waits,
                                         wait, event);
}

cl_int run_copy_rectangle(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                          cl_event *event) {
  const size_t *n = c->numbers;
  return guest_calls.clEnqueueCopyBufferRect(queue, c->from, c->to, n, n + 3, n + 6, n[9], n[10], n[11], n[12], waits,
                                             wait, event);
}

cl_int run_copy_to_image(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                         cl_event *event) {
  return guest_calls.clEnqueueCopyBufferToImage(queue, c->from, c->to, c->numbers[0], c->numbers + 1, c->numbers + 4,
                                                waits, wait, event);
}

cl_int run_copy_image(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                      cl_event *event) {
  return guest_calls.clEnqueueCopyImage(queue, c->from, c->to, c->numbers, c->numbers + 3, c->numbers + 6, waits, wait,
                                        event);
}

cl_int run_copy_from_image(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                           cl_event *event) {
  return guest_calls.clEnqueueCopyImageToBuffer(queue, c->from, c->to, c->numbers, c->numbers + 3, c->numbers[6], waits,
                                                wait, event);
}

cl_int run_fill(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait, cl_event *event) {
  return guest_calls.clEnqueueFillBuffer(queue, c->to, c->pattern, c->pattern_size, c->numbers[0], c->numbers[1], waits,
                                         wait, event);
}

cl_int run_fill_image(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                      cl_event *event) {
  return guest_calls.clEnqueueFillImage(queue, c->to, c->pattern, c->numbers, c->numbers + 3, waits, wait, event);
}

cl_int run_barrier(const buffer_command *c, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                   cl_event *event) {
  (void)c;
  return guest_calls.clEnqueueBarrierWithWaitList(queue, waits, wait, event);
}

/* ---- all of them ---- */

static cl_int run_in_order(const command_buffer *b, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                           cl_event *event) {
  cl_int result = waits ? guest_calls.clEnqueueBarrierWithWaitList(queue, waits, wait, NULL) : CL_SUCCESS;
  for (const buffer_command *c = b->first; c != NULL && result == CL_SUCCESS; c = c->next) {
    result = c->run(c, queue, 0, NULL, NULL);
  }
  return result == CL_SUCCESS ? guest_calls.clEnqueueMarkerWithWaitList(queue, 0, NULL, event) : result;
}

typedef struct unordered {
  cl_event *events; /* of the commands so far */
  cl_event *list;   /* what a command waits for */
  cl_uint count;
} unordered;

/* What the program's call waits for, and the commands whose sync points the command waits for. */
static cl_uint list_of(const command_buffer *b, const buffer_command *c, const unordered *u, cl_uint waits,
                       const cl_event *wait) {
  cl_uint count = 0;
  for (cl_uint i = 0; i < waits; i++) {
    u->list[count++] = wait[i];
  }
  cl_uint at = 0;
  for (const buffer_command *other = b->first; other != c && at < u->count; other = other->next, at++) {
    bool awaited = c->run == run_barrier && c->point_count == 0;
    for (cl_uint i = 0; i < c->point_count; i++) {
      awaited = awaited || c->points[i] == other->point;
    }
    if (awaited) {
      u->list[count++] = u->events[at];
    }
  }
  return count;
}

static cl_int run_unordered(const command_buffer *b, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                            cl_event *event) {
  size_t commands = 1;
  for (const buffer_command *c = b->first; c != NULL; c = c->next) {
    commands++;
  }
  unordered u = {.events = calloc(commands, sizeof(cl_event)), .list = calloc(commands + waits, sizeof(cl_event))};
  cl_int result = u.events != NULL && u.list != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  for (const buffer_command *c = b->first; c != NULL && result == CL_SUCCESS; c = c->next) {
    const cl_uint count = list_of(b, c, &u, waits, wait);
    result = c->run(c, queue, count, count ? u.list : NULL, &u.events[u.count]);
    u.count += result == CL_SUCCESS;
  }
  if (result == CL_SUCCESS) {
    const cl_uint count = u.count ? u.count : waits;
    result = guest_calls.clEnqueueMarkerWithWaitList(queue, count, u.count ? u.events : wait, event);
  }
  for (cl_uint i = 0; i < u.count; i++) {
    guest_calls.clReleaseEvent(u.events[i]);
  }
  free(u.events);
  free(u.list);
  return result;
}

cl_int command_buffer_run(command_buffer *b, cl_command_queue queue, cl_uint waits, const cl_event *wait,
                          cl_event *event) {
  cl_command_queue_properties properties = 0;
  cl_event done = NULL;
  driver.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  const bool any = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
  const cl_int result = (any ? run_unordered : run_in_order)(b, queue, waits, wait, &done);
  if (result != CL_SUCCESS) {
    return result;
  }
  if (b->running != NULL) {
    driver.clReleaseEvent(b->running);
  }
  b->running = driver.clRetainEvent(done) == CL_SUCCESS ? done : NULL;
  if (event != NULL) {
    *event = done;
  } else {
    guest_calls.clReleaseEvent(done);
  }
  return CL_SUCCESS;
}
