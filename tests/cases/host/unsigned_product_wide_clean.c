#include "device.h"
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = atoi(argv[2]);
  if (n <= 0) return 1;
  const size_t global = (size_t)n * 48, local = 16;
  cl_mem data = clCreateBuffer(context, CL_MEM_READ_WRITE, 1048576, NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof data, &data);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
