/* Platforms and devices. With $CLTESTCHECK_PRESENT="P:D" that device is the only one, and of any type the program asks
 * for; without it nothing is altered. */
#include "layer/observe/device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer/common/guest.h"
#include "layer/common/message.h"
#include "layer/observe/connection.h"
#include "layer/observe/hooks.h"
#include "layer/observe/observe.h"
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
  if (text == NULL || !text[0]) {
    return;
  }
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
    if (type & chosen.type & REAL_TYPES) {
      present = chosen.type & REAL_TYPES;
    } else if (!(type & CL_DEVICE_TYPE_GPU)) {
      present = type & CL_DEVICE_TYPE_CPU ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_ACCELERATOR;
    }
  }
  atomic_store(&presented, present);
}

/* Tells cltestcheck, once a type, that the program found no device of it. */
static void request_denied(cl_device_type type) {
  static atomic_uint told;
  unsigned bit = type == CL_DEVICE_TYPE_ALL ? 1u << 31 : (unsigned)type & 0xffffu;
  if (!bit || (atomic_fetch_or(&told, bit) & bit) == bit) {
    return;
  }
  message m;
  message_start(&m, MESSAGE_REQUEST_DENIED);
  message_u32(&m, (uint32_t)type);
  connection_send(&m);
}

cl_int CL_API_CALL hook_clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms) {
  connection_ready();
  bool valid = (platforms != NULL || num_platforms != NULL) && (num_entries || platforms == NULL);
  if (!valid || !device_chosen()) {
    return driver.clGetPlatformIDs(num_entries, platforms, num_platforms);
  }
  if (platforms != NULL) {
    platforms[0] = chosen.platform;
  }
  if (num_platforms != NULL) {
    *num_platforms = 1;
  }
  return CL_SUCCESS;
}

cl_int CL_API_CALL hook_clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint num_entries,
                                       cl_device_id *devices, cl_uint *num_devices) {
  bool valid = (devices != NULL || num_devices != NULL) && (num_entries || devices == NULL) && type_valid(type);
  if (!valid || !device_chosen() || (platform != NULL && platform != chosen.platform)) {
    cl_int result = driver.clGetDeviceIDs(platform, type, num_entries, devices, num_devices);
    if (result == CL_DEVICE_NOT_FOUND) {
      request_denied(type);
    }
    return result;
  }
  asked_for(type);
  if (devices != NULL) {
    devices[0] = chosen.device;
  }
  if (num_devices != NULL) {
    *num_devices = 1;
  }
  return CL_SUCCESS;
}

cl_int CL_API_CALL hook_clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void *value,
                                        size_t *size_ret) {
  if (name != CL_DEVICE_TYPE || observe.worker || !device_chosen() || device != chosen.device) {
    return driver.clGetDeviceInfo(device, name, size, value, size_ret);
  }
  cl_device_type type = atomic_load(&presented);
  return info_answer(&type, sizeof type, size, value, size_ret);
}

/* The platform that the properties name; NULL if none. */
static cl_platform_id platform_property(const cl_context_properties *properties) {
  for (size_t i = 0; properties != NULL && properties[i]; i += 2) {
    if (properties[i] == CL_CONTEXT_PLATFORM) {
      return (cl_platform_id)properties[i + 1];
    }
  }
  return NULL;
}

cl_context device_create_context(const cl_context_properties *properties, cl_device_type type, context_notify notify,
                                 void *user_data, cl_int *error) {
  cl_platform_id platform = platform_property(properties);
  if (type_valid(type) && device_chosen() && (platform == NULL || platform == chosen.platform)) {
    asked_for(type);
    return driver.clCreateContext(properties, 1, &chosen.device, notify, user_data, error);
  }
  cl_int result = CL_SUCCESS;
  cl_context c = driver.clCreateContextFromType(properties, type, notify, user_data, &result);
  if (result == CL_DEVICE_NOT_FOUND) { /* PoCL returns a dummy context beside the error */
    request_denied(type);
  }
  if (error != NULL) {
    *error = result;
  }
  return c;
}
