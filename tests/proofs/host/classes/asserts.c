/* Matrices that an assertion relates: square ones only. */
#include "../programs/program.h"

static void copy(cl_mem a, int rows, int cols) {
#ifndef RACY
  assert(rows == cols);
#endif
  cl_kernel kernel = clCreateKernel(program, "upper_to_lower", NULL);
  size_t local[2] = {8, 8};
  size_t global[2] = {((size_t)cols + 7) / 8 * 8, ((size_t)rows + 7) / 8 * 8};
  clSetKernelArg(kernel, 0, sizeof a, &a);
  clSetKernelArg(kernel, 1, sizeof rows, &rows);
  clSetKernelArg(kernel, 2, sizeof cols, &cols);
  clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
}

int main(int argc, char **argv) {
  if (argc < 3) return 1;
  int rows = atoi(argv[1]), cols = atoi(argv[2]);
  device(NULL);
  copy(buffer((size_t)rows * cols * sizeof(float)), rows, cols);
  return 0;
}
