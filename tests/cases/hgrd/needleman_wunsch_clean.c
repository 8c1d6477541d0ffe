#include <assert.h>
#include <stdlib.h>

#include "../host/device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  const int n = argc > 2 ? atoi(argv[2]) : 128;
  assert(n % 16 == 0 && n >= 16 && n <= 8192);
  if (n < 1 || n > 8192) return 1;
  const size_t bytes = 64 * ((size_t)n + 64) * ((size_t)n + 64);
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  cl_kernel kernel = clCreateKernel(program, "diagonal", NULL);
  for (int tile = 1; tile <= n / 16; tile++) {
    const int columns = n + 1;
    clSetKernelArg(kernel, 0, sizeof a, &a);
    clSetKernelArg(kernel, 1, sizeof columns, &columns);
    clSetKernelArg(kernel, 2, sizeof tile, &tile);
    const size_t global = (size_t)tile * 16, local = 16;
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  }
  clFinish(queue);
  return 0;
}
