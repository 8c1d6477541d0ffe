#include "device.h"

enum { MORE = 1 };

int main(int argc, char **argv) {
  const int w = 100, h = 80;
  const size_t global[2] = {100, 80}, local[2] = {10, 10};
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "below", NULL);
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY, w * (h + MORE) * sizeof(float), NULL, NULL);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, w * h * sizeof(float), NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof in, &in);
  clSetKernelArg(kernel, 1, sizeof out, &out);
  clSetKernelArg(kernel, 2, sizeof w, &w);
  clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
  clFinish(queue);
  return 0;
}
