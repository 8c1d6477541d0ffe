/* A test of one kernel: numbers up to a limit are doubled. */
#include <CL/cl.h>
#include <stdio.h>

enum { ITEMS = 64, LIMIT = 50 };

static const char *source =
    "__kernel void twice(__global int *values, int limit) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < limit)\n"
    "    values[i] = values[i] + values[i];\n"
    "}\n";

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
    puts("no OpenCL device");
    return 0;
  }
  int values[ITEMS];
  for (int i = 0; i < ITEMS; i++) values[i] = 3 * i;
  int limit = LIMIT;
  size_t size = ITEMS;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_mem memory = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  clBuildProgram(program, 1, &device, "", NULL, NULL);
  cl_kernel kernel = clCreateKernel(program, "twice", NULL);
  clSetKernelArg(kernel, 0, sizeof memory, &memory);
  clSetKernelArg(kernel, 1, sizeof limit, &limit);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
  clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL);
  int wrong = 0;
  for (int i = 0; i < ITEMS; i++) wrong += values[i] != (i < LIMIT ? 6 : 3) * i;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
