/* Contexts: what is known of each, and reference counts that do not show our hidden objects. */
#include "layer/observe/context.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer/common/bytes.h"
#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "layer/observe/connection.h"
#include "layer/observe/evidence.h"
#include "layer/observe/hooks.h"
#include "layer/observe/observe.h"
#include "layer/observe/queue.h"
#include "wire/protocol.h"

#define PLATFORMS 64
#define DEVICES 256
#define REAL_TYPES (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR)
#define ANY_TYPES (REAL_TYPES | CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CUSTOM)

static struct {
  pthread_once_t once;
  cl_platform_id platform; /* NULL: nothing is presented */
  cl_device_id device;
  cl_device_type type; /* what it really is */
} chosen = {.once = PTHREAD_ONCE_INIT};

static _Atomic cl_device_type presented = CL_DEVICE_TYPE_GPU; /* what the program asked for last */

static void choose(void) {
  const char *text = getenv(ENV_DEVICE);
  unsigned p, d;
  if (text == NULL || !text[0]) return;
  cl_platform_id platforms[PLATFORMS];
  cl_device_id devices[DEVICES];
  cl_uint platform_count = 0, device_count = 0;
  if (sscanf(text, "%u:%u", &p, &d) != 2 ||
      driver.clGetPlatformIDs(PLATFORMS, platforms, &platform_count) != CL_SUCCESS || p >= platform_count ||
      p >= PLATFORMS ||
      driver.clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, DEVICES, devices, &device_count) != CL_SUCCESS ||
      d >= device_count || d >= DEVICES) {
    note("there is no OpenCL device %s (%s); the program sees all devices", text, ENV_DEVICE);
    return;
  }
  driver.clGetDeviceInfo(devices[d], CL_DEVICE_TYPE, sizeof chosen.type, &chosen.type, NULL);
  chosen.platform = platforms[p];
  chosen.device = devices[d];
}

static bool device_chosen(void) {
  pthread_once(&chosen.once, choose);
  return chosen.platform != NULL;
}

static bool type_valid(cl_device_type type) { return type == CL_DEVICE_TYPE_ALL || (type & ANY_TYPES) != 0; }

static void asked_for(cl_device_type type) {
  cl_device_type present = CL_DEVICE_TYPE_GPU;
  if (type != CL_DEVICE_TYPE_ALL && (type & REAL_TYPES)) {
    if (type & chosen.type & REAL_TYPES)
      present = chosen.type & REAL_TYPES;
    else if (!(type & CL_DEVICE_TYPE_GPU))
      present = type & CL_DEVICE_TYPE_CPU ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_ACCELERATOR;
  }
  atomic_store(&presented, present);
}

/* Tells cltestcheck, once a type, that the program found no device of it. */
static void request_denied(cl_device_type type) {
  static atomic_uint told;
  unsigned bit = type == CL_DEVICE_TYPE_ALL ? 1u << 31 : (unsigned)type & 0xffffu;
  if (!bit || (atomic_fetch_or(&told, bit) & bit) == bit) return;
  TELL(MESSAGE_REQUEST_DENIED, U32((uint32_t)type));
}

cl_int CL_API_CALL hook_clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms) {
  connection_ready();
  bool valid = (platforms != NULL || num_platforms != NULL) && (num_entries || platforms == NULL);
  if (!valid || !device_chosen()) return driver.clGetPlatformIDs(num_entries, platforms, num_platforms);
  if (platforms != NULL) platforms[0] = chosen.platform;
  if (num_platforms != NULL) *num_platforms = 1;
  return CL_SUCCESS;
}

cl_int CL_API_CALL hook_clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint num_entries,
                                       cl_device_id *devices, cl_uint *num_devices) {
  bool valid = (devices != NULL || num_devices != NULL) && (num_entries || devices == NULL) && type_valid(type);
  if (!valid || !device_chosen() || (platform != NULL && platform != chosen.platform)) {
    cl_int result = driver.clGetDeviceIDs(platform, type, num_entries, devices, num_devices);
    if (result == CL_DEVICE_NOT_FOUND) request_denied(type);
    return result;
  }
  asked_for(type);
  if (devices != NULL) devices[0] = chosen.device;
  if (num_devices != NULL) *num_devices = 1;
  return CL_SUCCESS;
}

cl_int CL_API_CALL hook_clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void *value,
                                        size_t *size_ret) {
  if (name != CL_DEVICE_TYPE || observe.worker || !device_chosen() || device != chosen.device)
    return driver.clGetDeviceInfo(device, name, size, value, size_ret);
  cl_device_type type = atomic_load(&presented);
  return info_answer(&type, sizeof type, size, value, size_ret);
}

/* The platform that the properties name; NULL if none. */
static cl_platform_id platform_property(const cl_context_properties *properties) {
  for (size_t i = 0; properties != NULL && properties[i]; i += 2)
    if (properties[i] == CL_CONTEXT_PLATFORM) return (cl_platform_id)properties[i + 1];
  return NULL;
}

/* For clCreateContextFromType, with the presented device where there is one. */
static cl_context device_create_context(const cl_context_properties *properties, cl_device_type type,
                                        context_notify notify, void *user_data, cl_int *error) {
  cl_platform_id platform = platform_property(properties);
  if (type_valid(type) && device_chosen() && (platform == NULL || platform == chosen.platform)) {
    asked_for(type);
    return driver.clCreateContext(properties, 1, &chosen.device, notify, user_data, error);
  }
  cl_int result = CL_SUCCESS;
  cl_context c = driver.clCreateContextFromType(properties, type, notify, user_data, &result);
  if (result == CL_DEVICE_NOT_FOUND) /* PoCL returns a dummy context beside the error */
    request_denied(type);
  if (error != NULL) *error = result;
  return c;
}

static context *context_new(cl_context handle, long references, long holds) {
  context *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
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
  if (handle == NULL) return NULL;
  context *c = (context *)object_find(OBJECT_CONTEXT, handle);
  if (c == NULL) return context_new(handle, 0, 1);
  object_hold(&c->object);
  return c;
}

void context_unhold(context *c) {
  if (c != NULL && object_unhold(&c->object)) context_dispose(c);
}

cl_context CL_API_CALL hook_clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                                            const cl_device_id *devices, context_notify notify, void *user_data,
                                            cl_int *error) {
  connection_ready();
  cl_context made = driver.clCreateContext(properties, num_devices, devices, notify, user_data, error);
  if (made != NULL) context_new(made, 1, 0);
  return made;
}

cl_context CL_API_CALL hook_clCreateContextFromType(const cl_context_properties *properties, cl_device_type type,
                                                    context_notify notify, void *user_data, cl_int *error) {
  connection_ready();
  cl_context made = device_create_context(properties, type, notify, user_data, error);
  if (made != NULL) context_new(made, 1, 0);
  return made;
}

HOOK_RETAIN(hook_clRetainContext, cl_context, clRetainContext, OBJECT_CONTEXT)

cl_int CL_API_CALL hook_clReleaseContext(cl_context handle) {
  evidence_after(); /* queues that are still there send when they go, or at exit */
  context *c = (context *)object_release(OBJECT_CONTEXT, handle);
  if (c != NULL) context_dispose(c);
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
  if (b != NULL) driver.clReleaseMemObject(b);
  before = reference_count(handle);
  cl_program p = driver.clCreateProgramWithSource(handle, 1, &source, NULL, NULL);
  *per_program = p != NULL ? reference_count(handle) - before : 0;
  if (p != NULL) driver.clReleaseProgram(p);
}

cl_int CL_API_CALL hook_clGetContextInfo(cl_context handle, cl_context_info name, size_t size, void *value,
                                         size_t *size_ret) {
  const context *c =
      name == CL_CONTEXT_REFERENCE_COUNT && value != NULL ? (context *)object_find(OBJECT_CONTEXT, handle) : NULL;
  cl_int result = driver.clGetContextInfo(handle, name, size, value, size_ret);
  if (c == NULL || result != CL_SUCCESS) return result;
  cl_uint buffers = (cl_uint)atomic_load(&c->buffers), programs = (cl_uint)atomic_load(&c->programs);
  cl_uint per_buffer, per_program, count;
  if (!buffers && !programs) return result;
  hidden_weights(handle, &per_buffer, &per_program);
  memcpy(&count, value, sizeof count);
  cl_uint hidden = buffers * per_buffer + programs * per_program;
  if (hidden < count) count -= hidden;
  memcpy(value, &count, sizeof count);
  return result;
}
