/* Launches. */
#include "layer/capture/layer.h"

static void record_launch(const host_call *call, cl_kernel kernel, capture_command *c) {
  if (!record_begin_call(call)) {
    return;
  }
  if (kernel_launched(kernel, call, &c->u.launch.kernel)) {
    record(c);
  }
  record_end();
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                         const size_t *offset, const size_t *global, const size_t *local, cl_uint waits,
                                         const cl_event *wait, cl_event *event) {
  cl_int result = driver.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, wait, event);
  if (result != CL_SUCCESS || !recording()) {
    return result;
  }
  capture_command c = {
      .kind = CAPTURE_LAUNCH,
      .u.launch = {.dimensions = dimensions, .has_offset = offset != NULL, .has_local = local != NULL}};
  for (cl_uint i = 0; i < dimensions && i < 3; i++) {
    c.u.launch.offset[i] = offset != NULL ? offset[i] : 0;
    c.u.launch.global[i] = global != NULL ? global[i] : 0; /* OpenCL 2.1: a launch of nothing */
    c.u.launch.local[i] = local != NULL ? local[i] : 0;
  }
  record_launch(&(host_call){FUNCTION_LAUNCH, queue, false, waits, wait, event}, kernel, &c);
  return result;
}

static cl_int CL_API_CALL enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint waits, const cl_event *wait,
                                       cl_event *event) {
  cl_int result = driver.clEnqueueTask(queue, kernel, waits, wait, event);
  capture_command c = {.kind = CAPTURE_LAUNCH,
                       .u.launch = {.dimensions = 1, .has_local = true, .task = true, .global = {1}, .local = {1}}};
  if (result == CL_SUCCESS) {
    record_launch(&(host_call){FUNCTION_TASK, queue, false, waits, wait, event}, kernel, &c);
  }
  return result;
}

const guest_call enqueue_calls[] = {
    CALL(clEnqueueNDRangeKernel, enqueue_kernel),
    CALL(clEnqueueTask, enqueue_task),
    {NULL, 0, NULL},
};
