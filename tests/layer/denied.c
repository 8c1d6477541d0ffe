/* Without a presented device nothing is altered; what was not there is reported, once a type. (PoCL has no GPU.)
 * expect: hello layer_denied
 * expect: denied 4
 * expect: denied 8 */
#include "host.h"

int main(void) {
  cl_platform_id platform;
  cl_uint count = 77;
  cl_int error;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  printf("%d\n", clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, NULL, &count));
  printf("%d\n", clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, NULL, &count));
  printf("%d\n", clGetDeviceIDs(platform, 0, 0, NULL, &count));
  cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
  clCreateContextFromType(properties, CL_DEVICE_TYPE_ACCELERATOR, NULL, NULL, &error);
  printf("%d\n", error);
  return 0;
}
