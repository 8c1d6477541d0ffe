/* A user's program: 64 work-items copy what fits into 32 elements, 64 fill as many; both results are looked at. */
#include <stdio.h>
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

static const char *source =
    "__kernel void copy(__global const int *from, __global int *to, int n) {\n"
    "  size_t i = get_global_id(0);\n"
    "  if (i < n) { to[i] = from[i]; }\n"
    "}\n"
    "__kernel void fill(__global int *to) { to[get_global_id(0)] = (int)get_global_id(0); }\n";

int main(void) {
  enum { ITEMS = 64, FEW = 32 };
  static int read[ITEMS];
  const size_t items = ITEMS;
  const cl_int few = FEW;
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
    return 2;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  clBuildProgram(program, 0, NULL, "", NULL, NULL);
  cl_mem many = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof read, NULL, NULL);
  cl_mem less = clCreateBuffer(context, CL_MEM_READ_WRITE, FEW * sizeof read[0], NULL, NULL);
  cl_kernel fill = clCreateKernel(program, "fill", NULL);
  clSetKernelArg(fill, 0, sizeof many, &many);
  clEnqueueNDRangeKernel(queue, fill, 1, NULL, &items, NULL, 0, NULL, NULL);
  cl_kernel copy = clCreateKernel(program, "copy", NULL);
  clSetKernelArg(copy, 0, sizeof many, &many);
  clSetKernelArg(copy, 1, sizeof less, &less);
  clSetKernelArg(copy, 2, sizeof few, &few);
  clEnqueueNDRangeKernel(queue, copy, 1, NULL, &items, NULL, 0, NULL, NULL);
  clEnqueueReadBuffer(queue, less, CL_TRUE, 0, FEW * sizeof read[0], read, 0, NULL, NULL);
  int wrong = 0;
  for (int i = 0; i < FEW; i++) wrong += read[i] != i;
  clReleaseKernel(copy);
  clReleaseKernel(fill);
  clReleaseMemObject(less);
  clReleaseMemObject(many);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return wrong != 0;
}
