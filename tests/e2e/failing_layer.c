/* An OpenCL layer that makes a device fail, or be slow, in replays alone: when a replaying process creates a program
 * whose source holds $E2E_TEXT, it does what $E2E_FAILURE says: "exit", "abort", or "sleep SECONDS". Where $E2E_TIMES
 * names a file, that happens once for each of its bytes, and takes one away each time. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_layer.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static cl_icd_dispatch below, hooks, driver;
static __typeof__(driver.clCreateProgramWithSource) create_any;

static int is_due(void) {
  const char *times = getenv("E2E_TIMES");
  struct stat file;
  if (times == NULL) {
    return 1;
  }
  return stat(times, &file) == 0 && file.st_size > 0 && truncate(times, file.st_size - 1) == 0;
}

static void fail(const char *failure) {
  if (strcmp(failure, "exit") == 0) {
    _exit(3);
  } else if (strcmp(failure, "abort") == 0) {
    abort();
  } else if (strncmp(failure, "sleep ", 6) == 0) {
    (void)sleep((unsigned)strtoul(failure + 6, NULL, 10));
  }
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char **texts,
                                             const size_t *lengths, cl_int *status) {
  const char *text = getenv("E2E_TEXT");
  const char *failure = getenv("E2E_FAILURE");
  for (cl_uint i = 0; text != NULL && failure != NULL && i < count; i++) {
    const size_t length = lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(texts[i]);
    if (memmem(texts[i], length, text, strlen(text)) != NULL && is_due()) {
      fail(failure);
    }
  }
  return create_any(context, count, texts, lengths, status);
}

/* Drivers' objects begin with a pointer to the driver's functions: what is changed there is below all layers. */
static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                             void *user, cl_int *status) {
  cl_context context = below.clCreateContext(properties, count, devices, notify, user, status);
  if (context != NULL && create_any == NULL) {
    cl_icd_dispatch **table = (cl_icd_dispatch **)(void *)context;
    driver = **table;
    create_any = driver.clCreateProgramWithSource;
    driver.clCreateProgramWithSource = create_program;
    *table = &driver;
  }
  return context;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *size_ret) {
  static const char own_name[] = "failing";
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  const void *is = name == CL_LAYER_API_VERSION ? (const void *)&version : own_name;
  const size_t length = name == CL_LAYER_API_VERSION ? sizeof version : sizeof own_name;
  if ((name != CL_LAYER_API_VERSION && name != CL_LAYER_NAME) || (value != NULL && size < length)) {
    return CL_INVALID_VALUE;
  }
  if (value != NULL) {
    memcpy(value, is, length);
  }
  if (size_ret != NULL) {
    *size_ret = length;
  }
  return CL_SUCCESS;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
                                                   const cl_icd_dispatch **table_ret) {
  const size_t bytes = count * sizeof(void *);
  const cl_uint own = (cl_uint)(sizeof hooks / sizeof(void *));
  if (target == NULL || count_ret == NULL || table_ret == NULL) {
    return CL_INVALID_VALUE;
  }
  memcpy(&below, target, bytes < sizeof below ? bytes : sizeof below);
  if (strcmp(program_invocation_short_name, "cltestcheck-replay") == 0) {
    hooks.clCreateContext = create_context;
  }
  *count_ret = count < own ? count : own;
  *table_ret = &hooks;
  return CL_SUCCESS;
}
