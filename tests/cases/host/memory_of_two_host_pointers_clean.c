#include "device.h"
static int numbers[1024], others[1024];
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "spread", NULL);
  kernel = clCreateKernel(program, "shift", NULL);
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, 4096, numbers, NULL);
  cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, 4096, others, NULL);
  const size_t global = 256, local = 64;
  clSetKernelArg(kernel, 0, sizeof a, &a);
  clSetKernelArg(kernel, 1, sizeof b, &b);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  clFinish(queue);
  return 0;
}
