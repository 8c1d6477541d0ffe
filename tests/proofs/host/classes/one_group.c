/* A launch of one work-group only. */
#include "../programs/program.h"

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 64;
  if (n <= 0 || n > 256) return 1;
  device(NULL);
  cl_kernel kernel = clCreateKernel(program, "last_step", NULL);
  cl_mem parts = buffer(sizeof(float) * n * 2), sum = buffer(sizeof(float));
  size_t local = n;
#ifdef RACY
  size_t global = local * 2;
#else
  size_t global = local;
#endif
  clSetKernelArg(kernel, 0, sizeof parts, &parts);
  clSetKernelArg(kernel, 1, sizeof sum, &sum);
  clSetKernelArg(kernel, 2, n * sizeof(float), NULL);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
