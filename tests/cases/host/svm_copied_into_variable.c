#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>
#undef CL_TARGET_OPENCL_VERSION
#include "device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "spread", NULL);
  void *shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
  int stride = 8;
  clEnqueueSVMMemcpy(queue, CL_FALSE, &stride, shared, sizeof stride, 0, NULL, NULL);
  stride = 4;
  launch(kernel, stride);
  return 0;
}
