#define _GNU_SOURCE
#include "device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  void *memory = NULL;
  posix_memalign(&memory, 4096, 65536);
  cl_mem a = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, memory, NULL);
  cl_mem b = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, memory, NULL);
  const size_t global = 256, local = 64;
  clSetKernelArg(kernel, 0, sizeof a, &a);
  clSetKernelArg(kernel, 1, sizeof b, &b);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  clFinish(queue);
  return 0;
}
