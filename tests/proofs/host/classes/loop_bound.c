/* A tile that the host's loop keeps inside of the matrix. */
#include "../programs/program.h"

int main(void) {
  const int side = 256;
  device(NULL);
  cl_kernel kernel = clCreateKernel(program, "inner", NULL);
  cl_mem m = buffer((size_t)side * side * sizeof(float));
  clSetKernelArg(kernel, 0, sizeof m, &m);
  clSetKernelArg(kernel, 1, sizeof side, &side);
  for (int offset = 0; offset < side - 16; offset += 16) {
    size_t local[2] = {16, 16};
#ifdef RACY
    size_t across = side + 16;
#else
    size_t across = side - 16 - offset;
#endif
    size_t global[2] = {across, across};
    clSetKernelArg(kernel, 2, sizeof offset, &offset);
    clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
  }
  return 0;
}
