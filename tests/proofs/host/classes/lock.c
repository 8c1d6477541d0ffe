/* How many locks there are. */
#include "../programs/program.h"

#ifdef RACY
enum { LOCKS = 4 };
#else
enum { LOCKS = 1 };
#endif

int main(void) {
  device(NULL);
  cl_kernel kernel = clCreateKernel(program, "locked_sum", NULL);
  cl_mem sum = buffer(sizeof(int)), locks = buffer(LOCKS * sizeof(int));
  unsigned count = LOCKS;
  size_t global = 256, local = 64;
  clSetKernelArg(kernel, 0, sizeof sum, &sum);
  clSetKernelArg(kernel, 1, sizeof locks, &locks);
  clSetKernelArg(kernel, 2, sizeof count, &count);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
