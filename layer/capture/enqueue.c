/* Launches. */
#include "layer/capture/layer.h"

static void record_launch(const host_call *call, cl_kernel kernel, capture_command *c) {
  if (!record_begin_call(call)) return;
  if (kernel_launched(kernel, call, &c->u.launch.kernel)) {
    record(c);
    if (kernel_has_mapped(kernel) &&
        !file_is_for_order()) /* what the host writes meanwhile is not seen; the launch itself says what is wrong */
      unsuitable("a kernel was launched with a memory object that was mapped for writing");
  }
  record_end();
}

/* A kernel may end the process while its launch is made. */
static void expect_launch(cl_command_queue queue, cl_kernel kernel, capture_command *c) {
  if (!record_begin_ahead(queue)) return;
  if (kernel_number(kernel, &c->u.launch.kernel)) record_ahead(c);
  record_end();
}

static void launch_made(cl_int result, const host_call *call, cl_kernel kernel, capture_command *c) {
  if (result == CL_SUCCESS) {
    record_launch(call, kernel, c);
  } else if (record_begin()) {
    file_not_ahead();
    record_end();
  }
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                         const size_t *offset, const size_t *global, const size_t *local, cl_uint waits,
                                         const cl_event *wait, cl_event *event) {
  capture_command c = {
      .kind = CAPTURE_LAUNCH,
      .u.launch = {.dimensions = dimensions, .has_offset = offset != NULL, .has_local = local != NULL}};
  for (cl_uint i = 0; dimensions <= 3 && i < dimensions; i++) {
    c.u.launch.offset[i] = offset != NULL ? offset[i] : 0;
    c.u.launch.global[i] = global != NULL ? global[i] : 0; /* OpenCL 2.1: a launch of nothing */
    c.u.launch.local[i] = local != NULL ? local[i] : 0;
  }
  expect_launch(queue, kernel, &c);
  cl_int result = driver.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, wait, event);
  launch_made(result, &(host_call){FUNCTION_LAUNCH, queue, false, waits, wait, event}, kernel, &c);
  return result;
}

static cl_int CL_API_CALL enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint waits, const cl_event *wait,
                                       cl_event *event) {
  capture_command c = {.kind = CAPTURE_LAUNCH,
                       .u.launch = {.dimensions = 1, .has_local = true, .task = true, .global = {1}, .local = {1}}};
  expect_launch(queue, kernel, &c);
  cl_int result = driver.clEnqueueTask(queue, kernel, waits, wait, event);
  launch_made(result, &(host_call){FUNCTION_TASK, queue, false, waits, wait, event}, kernel, &c);
  return result;
}

const guest_call enqueue_calls[] = {
    CALL(clEnqueueNDRangeKernel, enqueue_kernel),
    CALL(clEnqueueTask, enqueue_task),
    {NULL, 0, NULL},
};
