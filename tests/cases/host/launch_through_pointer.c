#include "device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  launch(kernel, 1);
  int n = 0;
  const size_t global = 256;
  clSetKernelArg(kernel, 1, sizeof n, &n);
  __typeof__(&clEnqueueNDRangeKernel) enqueue = clEnqueueNDRangeKernel;
  enqueue(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  return 0;
}
