/* What the host programs here share: a device, and a launch of 256 work-items. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>

static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void open_device(const char *source) {
  cl_platform_id platform;
  cl_device_id device;
  clGetPlatformIDs(1, &platform, NULL);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueue(context, device, 0, NULL);
  program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  clBuildProgram(program, 1, &device, "", NULL, NULL);
}

static void launch(cl_kernel kernel, int stride) {
  cl_mem data = clCreateBuffer(context, CL_MEM_READ_WRITE, 1048576, NULL, NULL);
  const size_t global = 256, local = 64;
  clSetKernelArg(kernel, 0, sizeof data, &data);
  clSetKernelArg(kernel, 1, sizeof stride, &stride);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  clFinish(queue);
}
