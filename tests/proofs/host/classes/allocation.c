/* The size of an allocation, which is positive, is an argument. */
#include "../programs/program.h"

int main(int argc, char **argv) {
  int row_size = argc > 1 ? atoi(argv[1]) : 16;
  device(NULL);
  cl_kernel kernel = clCreateKernel(program, "first_of_row", NULL);
#ifdef RACY
  cl_mem matrix = buffer(64 * sizeof(float));
#else
  cl_mem matrix = buffer(64 * (size_t)row_size * sizeof(float));
#endif
  size_t global = 64, local = 16;
  clSetKernelArg(kernel, 0, sizeof matrix, &matrix);
  clSetKernelArg(kernel, 1, sizeof row_size, &row_size);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
