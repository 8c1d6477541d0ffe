/* Contexts: what is known of each, and reference counts that do not show our hidden objects. */
#include "layer/observe/context.h"

#include <stdlib.h>
#include <string.h>

#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "layer/observe/connection.h"
#include "layer/observe/device.h"
#include "layer/observe/evidence.h"
#include "layer/observe/hooks.h"
#include "layer/observe/queue.h"

static context *context_new(cl_context handle, long references, long holds) {
  context *c = calloc(1, sizeof *c);
  if (c == NULL) {
    return NULL;
  }
  recursive_mutex(&c->lock);
  c->object.holds = holds;
  object_add(&c->object, OBJECT_CONTEXT, handle, references);
  return c;
}

/* Releases what we made in the context; its record is out of the map. */
static void context_dispose(context *c) {
  if (c->reduction != NULL) {
    atomic_fetch_sub(&c->programs, 1);
    driver.clReleaseProgram(c->reduction);
  }
  pthread_mutex_destroy(&c->lock);
  free(c);
}

context *context_hold(cl_context handle) {
  if (handle == NULL) {
    return NULL;
  }
  context *c = (context *)object_find(OBJECT_CONTEXT, handle);
  if (c == NULL) {
    return context_new(handle, 0, 1);
  }
  object_hold(&c->object);
  return c;
}

void context_unhold(context *c) {
  if (c != NULL && object_unhold(&c->object)) {
    context_dispose(c);
  }
}

cl_context CL_API_CALL hook_clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                                            const cl_device_id *devices, context_notify notify, void *user_data,
                                            cl_int *error) {
  connection_ready();
  cl_context made = driver.clCreateContext(properties, num_devices, devices, notify, user_data, error);
  if (made != NULL) {
    context_new(made, 1, 0);
  }
  return made;
}

cl_context CL_API_CALL hook_clCreateContextFromType(const cl_context_properties *properties, cl_device_type type,
                                                    context_notify notify, void *user_data, cl_int *error) {
  connection_ready();
  cl_context made = device_create_context(properties, type, notify, user_data, error);
  if (made != NULL) {
    context_new(made, 1, 0);
  }
  return made;
}

HOOK_RETAIN(hook_clRetainContext, cl_context, clRetainContext, OBJECT_CONTEXT)

cl_int CL_API_CALL hook_clReleaseContext(cl_context handle) {
  evidence_after(); /* queues that are still there send when they go, or at exit */
  context *c = (context *)object_release(OBJECT_CONTEXT, handle);
  if (c != NULL) {
    context_dispose(c);
  }
  return driver.clReleaseContext(handle);
}

static cl_uint reference_count(cl_context handle) {
  cl_uint count = 0;
  driver.clGetContextInfo(handle, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL);
  return count;
}

/* By how much a hidden buffer and a hidden program raise the driver's count: an implementation's own matter, so
 * that it is tried out. */
static void hidden_weights(cl_context handle, cl_uint *per_buffer, cl_uint *per_program) {
  static const char *source = "";
  cl_uint before = reference_count(handle);
  cl_mem b = driver.clCreateBuffer(handle, CL_MEM_READ_WRITE, 64, NULL, NULL);
  *per_buffer = b != NULL ? reference_count(handle) - before : 0;
  if (b != NULL) {
    driver.clReleaseMemObject(b);
  }
  before = reference_count(handle);
  cl_program p = driver.clCreateProgramWithSource(handle, 1, &source, NULL, NULL);
  *per_program = p != NULL ? reference_count(handle) - before : 0;
  if (p != NULL) {
    driver.clReleaseProgram(p);
  }
}

cl_int CL_API_CALL hook_clGetContextInfo(cl_context handle, cl_context_info name, size_t size, void *value,
                                         size_t *size_ret) {
  const context *c =
      name == CL_CONTEXT_REFERENCE_COUNT && value != NULL ? (context *)object_find(OBJECT_CONTEXT, handle) : NULL;
  cl_int result = driver.clGetContextInfo(handle, name, size, value, size_ret);
  if (c == NULL || result != CL_SUCCESS) {
    return result;
  }
  cl_uint buffers = (cl_uint)atomic_load(&c->buffers), programs = (cl_uint)atomic_load(&c->programs);
  cl_uint per_buffer, per_program, count;
  if (!buffers && !programs) {
    return result;
  }
  hidden_weights(handle, &per_buffer, &per_program);
  memcpy(&count, value, sizeof count);
  cl_uint hidden = buffers * per_buffer + programs * per_program;
  if (hidden < count) {
    count -= hidden;
  }
  memcpy(value, &count, sizeof count);
  return result;
}
