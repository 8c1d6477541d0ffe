/* A launch whose size is an argument; rounded up, it is larger. */
#include "../programs/program.h"

int main(int argc, char **argv) {
  unsigned n = argc > 1 ? atoi(argv[1]) : 64, first = 0;
  if (n == 0 || n > 100000) return 1;
  device(NULL);
  cl_kernel kernel = clCreateKernel(program, "ring", NULL);
  cl_mem out = buffer(n * sizeof(int));
#ifdef RACY
  size_t global = ((size_t)n + 63) / 64 * 64;
#else
  size_t global = n;
#endif
  clSetKernelArg(kernel, 0, sizeof out, &out);
  clSetKernelArg(kernel, 1, sizeof n, &n);
  clSetKernelArg(kernel, 2, sizeof first, &first);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  return 0;
}
