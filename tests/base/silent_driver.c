/* An OpenCL driver that never answers when the loader asks it for its platforms. */
#include <CL/cl.h>
#include <string.h>
#include <unistd.h>

cl_int clIcdGetPlatformIDsKHR(cl_uint entries, cl_platform_id *platforms, cl_uint *count);
cl_int clIcdGetPlatformIDsKHR(cl_uint entries, cl_platform_id *platforms, cl_uint *count) {
  (void)entries;
  (void)platforms;
  (void)count;
  for (;;) (void)pause();
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size, void *value, size_t *size_ret) {
  (void)platform;
  (void)name;
  (void)size;
  (void)value;
  (void)size_ret;
  return CL_INVALID_VALUE;
}

void *clGetExtensionFunctionAddress(const char *name) {
  void *address = NULL;
  cl_int (*const platforms)(cl_uint, cl_platform_id *, cl_uint *) = clIcdGetPlatformIDsKHR;
  if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0) memcpy(&address, &platforms, sizeof address);
  return address;
}
