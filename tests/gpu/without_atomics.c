/* An OpenCL layer that hides an extension of the device: cl_khr_int64_base_atomics, which some GPUs do not have. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_layer.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static cl_icd_dispatch below, hooks;

static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                      size_t *size_ret) {
  static const char hidden[] = "cl_khr_int64_base_atomics";
  const cl_int status = below.clGetDeviceInfo(device, name, size, value, size_ret);
  char *at = status == CL_SUCCESS && name == CL_DEVICE_EXTENSIONS && value != NULL ? strstr(value, hidden) : NULL;
  if (at != NULL) memset(at, ' ', sizeof hidden - 1);
  return status;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *size_ret) {
  static const char own_name[] = "without atomics";
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  const void *is = name == CL_LAYER_API_VERSION ? (const void *)&version : own_name;
  const size_t length = name == CL_LAYER_API_VERSION ? sizeof version : sizeof own_name;
  if ((name != CL_LAYER_API_VERSION && name != CL_LAYER_NAME) || (value != NULL && size < length))
    return CL_INVALID_VALUE;
  if (value != NULL) memcpy(value, is, length);
  if (size_ret != NULL) *size_ret = length;
  return CL_SUCCESS;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
                                                   const cl_icd_dispatch **table_ret) {
  const size_t bytes = count * sizeof(void *);
  const cl_uint own = (cl_uint)(sizeof hooks / sizeof(void *));
  if (target == NULL || count_ret == NULL || table_ret == NULL) return CL_INVALID_VALUE;
  memcpy(&below, target, bytes < sizeof below ? bytes : sizeof below);
  hooks.clGetDeviceInfo = device_info;
  *count_ret = count < own ? count : own;
  *table_ret = &hooks;
  return CL_SUCCESS;
}
