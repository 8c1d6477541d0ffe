// C's types: what wraps, what is cut off, what is passed in part.
//+ cut: $0 == (uchar)$1
//- cut: $0 == $1
//+ wide: get_global_size(0) == $0
//- unsigned: get_global_size(0) >= (ulong)($0)
//- rounded: get_global_size(0) >= (ulong)($0)
//- hundreds: get_global_size(0) % 100 == 0
//+ sixteens: get_global_size(0) % 16 == 0
//+ low: $0 == 3
//- part: $0 == 3
//- real: $0 == 3
#include "program.h"

int main(int argc, char **argv) {
  device(NULL);
  int n = argc > 1 ? atoi(argv[1]) : 300;
  unsigned char small = (unsigned char)n;
  int cut = small;
  size_t global = 64;
  cl_kernel kernel = clCreateKernel(program, "cut", NULL);
  clSetKernelArg(kernel, 0, sizeof cut, &cut);
  clSetKernelArg(kernel, 1, sizeof n, &n);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  unsigned u = (unsigned)n;
  global = u;
  kernel = clCreateKernel(program, "wide", NULL);
  clSetKernelArg(kernel, 0, sizeof u, &u);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  global = u * 16u;  // it wraps
  kernel = clCreateKernel(program, "unsigned", NULL);
  clSetKernelArg(kernel, 0, sizeof u, &u);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  unsigned hundreds = (unsigned)(n * 100);
  global = hundreds;
  kernel = clCreateKernel(program, "hundreds", NULL);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  unsigned sixteens = (unsigned)(n * 16);
  global = sixteens;
  kernel = clCreateKernel(program, "sixteens", NULL);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  global = (unsigned)(((n + 63) / 64) * 64);
  kernel = clCreateKernel(program, "rounded", NULL);
  clSetKernelArg(kernel, 0, sizeof n, &n);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  size_t three = 3;
  global = 64;
  kernel = clCreateKernel(program, "low", NULL);
  clSetKernelArg(kernel, 0, sizeof(cl_int), &three);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  int two[2] = {3, 4};
  kernel = clCreateKernel(program, "part", NULL);
  clSetKernelArg(kernel, 0, sizeof two, two);  // an int2
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  float real = 3;
  kernel = clCreateKernel(program, "real", NULL);
  clSetKernelArg(kernel, 0, sizeof real, &real);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  return 0;
}
