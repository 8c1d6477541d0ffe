/* Command queues: which device each has, and all of them, to be flushed before we wait for a command. */
#include <stdlib.h>

#include "layer/capture/layer.h"

typedef struct queue {
  object object;
  cl_device_id device;
} queue;

static cl_device_id ask_device(cl_command_queue handle) {
  cl_device_id device = NULL;
  driver.clGetCommandQueueInfo(handle, CL_QUEUE_DEVICE, sizeof(cl_device_id), &device, NULL);
  return device;
}

cl_device_id queue_device(cl_command_queue handle) {
  const queue *q = (queue *)object_find(OBJECT_QUEUE, handle);
  return q ? q->device : ask_device(handle);
}

static void made(cl_command_queue handle, cl_device_id device) {
  if (!handle || !record_begin())
    return;
  queue *q = calloc(1, sizeof *q);
  if (q) {
    q->device = device;
    object_add(&q->object, OBJECT_QUEUE, handle);
  }
  record_end();
}

/* ---- flushing ---- */

typedef struct list {
  cl_command_queue *queues;
  size_t count, capacity;
} list;

/* The reference keeps it while it is flushed without the lock. */
static void add(object *o, void *data) {
  list *l = data;
  if (l->count == l->capacity) {
    size_t capacity = 2 * l->capacity + 8;
    cl_command_queue *grown = realloc(l->queues, capacity * sizeof *grown);
    if (!grown)
      return;
    l->queues = grown;
    l->capacity = capacity;
  }
  if (driver.clRetainCommandQueue(o->handle) == CL_SUCCESS)
    l->queues[l->count++] = o->handle;
}

void queues_flush(void) {
  list l = {0};
  if (!record_begin())
    return;
  object_visit(OBJECT_QUEUE, add, &l);
  record_end();
  for (size_t i = 0; i < l.count; i++) {
    driver.clFlush(l.queues[i]);
    driver.clReleaseCommandQueue(l.queues[i]);
  }
  free(l.queues);
}

/* ---- the calls ---- */

static void check_properties(const cl_queue_properties *properties) {
  for (const cl_queue_properties *p = properties; p && *p; p += 2)
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
  if (q)
    check_properties(properties);
  return q;
}

cl_command_queue CL_API_CALL create_queue_khr(cl_context handle, cl_device_id device,
                                              const cl_queue_properties *properties, cl_int *status) {
  cl_command_queue(CL_API_CALL * real)(cl_context, cl_device_id, const cl_queue_properties *, cl_int *) =
      (cl_command_queue(CL_API_CALL *)(cl_context, cl_device_id, const cl_queue_properties *, cl_int *))extension_real(
          (any_function)create_queue_khr, handle);
  cl_command_queue q = real(handle, device, properties, status);
  made(q, device);
  if (q)
    check_properties(properties);
  return q;
}

static cl_int CL_API_CALL retain_queue(cl_command_queue handle) {
  cl_int result = driver.clRetainCommandQueue(handle);
  if (result == CL_SUCCESS && record_begin()) {
    object *o = object_find(OBJECT_QUEUE, handle);
    if (o)
      o->references++;
    record_end();
  }
  return result;
}

static cl_int CL_API_CALL release_queue(cl_command_queue handle) {
  if (record_begin()) {
    object *o = object_find(OBJECT_QUEUE, handle);
    if (o && object_release(o)) {
      object_remove(o);
      free(o);
    }
    record_end();
  }
  return driver.clReleaseCommandQueue(handle);
}

const call queue_calls[] = {
    CALL(clCreateCommandQueue, create_queue),
    CALL(clCreateCommandQueueWithProperties, create_queue_with_properties),
    CALL(clRetainCommandQueue, retain_queue),
    CALL(clReleaseCommandQueue, release_queue),
    {NULL, 0, NULL},
};
