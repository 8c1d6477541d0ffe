// Which arguments are one memory object.
//a same: 0 0 1
//a different: 0 1 -1
//a swapped: -1 -1
//a either: -1 0
#include "program.h"

int main(int argc, char **argv) {
  device(NULL);
  size_t global = 64;
  cl_mem a = buffer(4096), b = buffer(4096);
  cl_mem c = a;
  cl_buffer_region region = {0, 1024};
  cl_mem part = clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
  cl_kernel same = clCreateKernel(program, "same", NULL);
  clSetKernelArg(same, 0, sizeof a, &a);
  clSetKernelArg(same, 1, sizeof c, &c);
  clSetKernelArg(same, 2, sizeof b, &b);
  clEnqueueNDRangeKernel(queue, same, 1, NULL, &global, NULL, 0, NULL, NULL);
  cl_kernel different = clCreateKernel(program, "different", NULL);
  clSetKernelArg(different, 0, sizeof a, &a);
  clSetKernelArg(different, 1, sizeof b, &b);
  clSetKernelArg(different, 2, sizeof part, &part);
  clEnqueueNDRangeKernel(queue, different, 1, NULL, &global, NULL, 0, NULL, NULL);
  cl_kernel swapped = clCreateKernel(program, "swapped", NULL);
  for (int i = 0; i < argc; i++) {
    clSetKernelArg(swapped, 0, sizeof a, &a);
    clSetKernelArg(swapped, 1, sizeof b, &b);
    clEnqueueNDRangeKernel(queue, swapped, 1, NULL, &global, NULL, 0, NULL, NULL);
    cl_mem other = a;
    a = b;
    b = other;
  }
  cl_mem d = buffer(4096), e = buffer(4096), f = d;
  if (argc > 1) f = e;
  cl_kernel either = clCreateKernel(program, "either", NULL);
  clSetKernelArg(either, 0, sizeof f, &f);
  clSetKernelArg(either, 1, sizeof d, &d);
  clEnqueueNDRangeKernel(queue, either, 1, NULL, &global, NULL, 0, NULL, NULL);
  (void)argv;
  return 0;
}
