// Arguments and sizes that come from one variable, through parameters, helper functions and arithmetic.
//+ scale: get_global_size(0) == $1
//+ scale: get_global_size(1) == $1 / 16
//+ scale: $2 == $1 * 2
//+ scale: $3 == $1
//- scale: $1 > 100
//- scale: $1 == $4
#include "program.h"

static size_t groups_of(int items) { return (size_t)(items / 16); }

static void launch(cl_kernel kernel, cl_mem a, int width, int other) {
  int twice = width * 2;
  size_t global[2] = {(size_t)width, 0};
  int same = twice - width;
  same = width;
  global[1] = groups_of(width);
  clSetKernelArg(kernel, 0, sizeof a, &a);
  clSetKernelArg(kernel, 1, sizeof width, &width);
  clSetKernelArg(kernel, 2, sizeof twice, &twice);
  clSetKernelArg(kernel, 3, sizeof same, &same);
  clSetKernelArg(kernel, 4, sizeof other, &other);
  clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL);
}

int main(int argc, char **argv) {
  device(NULL);
  int n = argc > 1 ? atoi(argv[1]) : 128;
  int m = argc > 2 ? atoi(argv[2]) : 64;
  launch(clCreateKernel(program, "scale", NULL), buffer(4096), n, m);
  return 0;
}
