/* Command queues: which device each has, whether it is in order, and all of them, to be flushed before we wait for a command. */
#include <stdlib.h>

#include "layer/capture/layer.h"

typedef struct queue {
  object object;
  cl_device_id device;
  bool in_order;
  uint32_t number; /* CAPTURE_NONE: it was not used yet */
} queue;

static uint32_t used; /* queues */

void queue_after_fork(void) { used = 0; }

static cl_device_id ask_device(cl_command_queue handle) {
  cl_device_id device = NULL;
  driver.clGetCommandQueueInfo(handle, CL_QUEUE_DEVICE, sizeof(cl_device_id), &device, NULL);
  return device;
}

cl_device_id queue_device(cl_command_queue handle) {
  const queue *q = (queue *)object_find(OBJECT_QUEUE, handle);
  return q != NULL ? q->device : ask_device(handle);
}

bool queue_in_order(cl_command_queue handle) {
  const queue *q = (queue *)object_find(OBJECT_QUEUE, handle);
  return q != NULL && q->in_order;
}

uint32_t queue_number(cl_command_queue handle) {
  queue *q = (queue *)object_find(OBJECT_QUEUE, handle);
  if (q == NULL) return CAPTURE_NONE;
  if (q->number == CAPTURE_NONE) {
    const unsigned char flag[4] = {q->in_order ? 1 : 0};
    file_record(RECORD_QUEUE, flag, sizeof flag);
    q->number = used++;
  }
  return q->number;
}

static bool ask_order(cl_command_queue handle) {
  cl_command_queue_properties properties = 0;
  driver.clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
}

static void made(cl_command_queue handle, cl_device_id device) {
  if (handle == NULL || !record_begin()) return;
  queue *q = calloc(1, sizeof *q);
  if (q != NULL) {
    q->device = device;
    q->in_order = ask_order(handle);
    q->number = CAPTURE_NONE;
    object_add(&q->object, OBJECT_QUEUE, handle, 1);
  }
  record_end();
}

/* ---- flushing ---- */

/* All queues, each with a reference that keeps it while it is flushed without the lock. To be freed. */
static cl_command_queue *keep_queues(size_t *kept) {
  size_t capacity = object_count(OBJECT_QUEUE);
  object **list = malloc((capacity + 1) * sizeof *list);
  cl_command_queue *queues = malloc((capacity + 1) * sizeof(cl_command_queue));
  size_t count = list != NULL && queues != NULL ? object_list(OBJECT_QUEUE, list, capacity) : 0;
  *kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (driver.clRetainCommandQueue(list[i]->handle) == CL_SUCCESS) queues[(*kept)++] = list[i]->handle;
    object_unhold(list[i]);
  }
  free(list);
  return queues;
}

void queues_flush(void) {
  if (!record_begin()) return;
  size_t count;
  cl_command_queue *queues = keep_queues(&count);
  record_end();
  for (size_t i = 0; i < count; i++) {
    driver.clFlush(queues[i]);
    driver.clReleaseCommandQueue(queues[i]);
  }
  free(queues);
}

/* ---- the calls ---- */

static void check_properties(const cl_queue_properties *properties) {
  for (const cl_queue_properties *p = properties; p != NULL && *p; p += 2)
    if (p[0] == CL_QUEUE_PROPERTIES && (p[1] & CL_QUEUE_ON_DEVICE))
      refuse("kernels may enqueue kernels (a queue on the device)");
}

static cl_command_queue CL_API_CALL create_queue(cl_context handle, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int *status) {
  cl_command_queue q = driver.clCreateCommandQueue(handle, device, properties, status);
  made(q, device);
  return q;
}

static cl_command_queue CL_API_CALL create_queue_with_properties(cl_context handle, cl_device_id device,
                                                                 const cl_queue_properties *properties,
                                                                 cl_int *status) {
  cl_command_queue q = driver.clCreateCommandQueueWithProperties(handle, device, properties, status);
  made(q, device);
  if (q != NULL) check_properties(properties);
  return q;
}

cl_command_queue CL_API_CALL create_queue_khr(cl_context handle, cl_device_id device,
                                              const cl_queue_properties *properties, cl_int *status) {
  cl_command_queue(CL_API_CALL * real)(cl_context, cl_device_id, const cl_queue_properties *, cl_int *) =
      (cl_command_queue(CL_API_CALL *)(cl_context, cl_device_id, const cl_queue_properties *, cl_int *))extension_real(
          (any_function)create_queue_khr, handle);
  cl_command_queue q = real(handle, device, properties, status);
  made(q, device);
  if (q != NULL) check_properties(properties);
  return q;
}

static HOOK_RETAIN(retain_queue, cl_command_queue, clRetainCommandQueue, OBJECT_QUEUE)

    static cl_int CL_API_CALL release_queue(cl_command_queue handle) {
  record_release(OBJECT_QUEUE, handle);
  return driver.clReleaseCommandQueue(handle);
}

const guest_call queue_calls[] = {
    CALL(clCreateCommandQueue, create_queue),
    CALL(clCreateCommandQueueWithProperties, create_queue_with_properties),
    CALL(clRetainCommandQueue, retain_queue),
    CALL(clReleaseCommandQueue, release_queue),
    {NULL, 0, NULL},
};
