#include <stdlib.h>

#include "../host/device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  const int n = argc > 2 ? atoi(argv[2]) : 128;
  if (n < 1 || n > 8192) return 1;
  const size_t bytes = 64 * ((size_t)n + 64) * ((size_t)n + 64);
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  cl_kernel kernel = clCreateKernel(program, "reduce_final", NULL);
  clSetKernelArg(kernel, 0, sizeof a, &a);
  clSetKernelArg(kernel, 1, sizeof b, &b);
  clSetKernelArg(kernel, 2, sizeof n, &n);
  const size_t global = 64, local = 64;
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  clFinish(queue);
  return 0;
}
