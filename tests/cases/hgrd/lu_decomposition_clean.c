#include <assert.h>
#include <stdlib.h>

#include "../host/device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  const int n = argc > 2 ? atoi(argv[2]) : 128;
  assert(n % 16 == 0 && n >= 32 && n <= 8192);
  if (n < 1 || n > 8192) return 1;
  const size_t bytes = 64 * ((size_t)n + 64) * ((size_t)n + 64);
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  cl_kernel kernel = clCreateKernel(program, "lud_internal", NULL);
  for (int offset = 0; offset < n - 16; offset += 16) {
    const size_t left = (size_t)(n - offset - 16);
    clSetKernelArg(kernel, 0, sizeof a, &a);
    clSetKernelArg(kernel, 1, sizeof n, &n);
    clSetKernelArg(kernel, 2, sizeof offset, &offset);
    const size_t global[2] = {left, left}, local[2] = {16, 16};
    clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
  }
  clFinish(queue);
  return 0;
}
