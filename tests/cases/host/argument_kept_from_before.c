#include "device.h"

static void arguments(cl_kernel kernel, int *stride) {
  cl_mem data = clCreateBuffer(context, CL_MEM_READ_WRITE, 1048576, NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof data, &data);
  clSetKernelArg(kernel, 1, sizeof *stride, stride);
}

static void go(cl_kernel kernel) {
  const size_t global = 256, local = 64;
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  clFinish(queue);
}

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "spread", NULL);
  int stride = 4;
  arguments(kernel, &stride);
  go(kernel);
  stride = argc > 5 ? 4 : 0;
  if (stride == 0) clSetKernelArg(kernel, 1, sizeof stride, &stride);
  stride = 4;
  go(kernel);
  return 0;
}
