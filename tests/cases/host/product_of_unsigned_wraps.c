#include "device.h"
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = atoi(argv[2]);
  const size_t global = (unsigned)n * 48u, local = 16;
  cl_mem data = clCreateBuffer(context, CL_MEM_READ_WRITE, 1048576, NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof data, &data);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
