#include "device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "spread", NULL);
  cl_mem whole = clCreateBuffer(context, CL_MEM_READ_WRITE, 8192, NULL, NULL);
  const cl_buffer_region low = {0, 4096}, high = {1024, 4096};
  cl_mem a = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &low, NULL);
  cl_mem b = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &high, NULL);
  const size_t global = 512, local = 64;
  clSetKernelArg(kernel, 0, sizeof a, &a);
  clSetKernelArg(kernel, 1, sizeof b, &b);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  clFinish(queue);
  return 0;
}
