#include "device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "spread", NULL);
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
  cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
  const size_t global = 512, local = 64;
  for (int i = 0; i < 2; i++) {
    clSetKernelArg(kernel, 0, sizeof a, &a);
    clSetKernelArg(kernel, 1, sizeof b, &b);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    cl_mem other = b;
    a = b;
    b = other;
  }
  clFinish(queue);
  return 0;
}
