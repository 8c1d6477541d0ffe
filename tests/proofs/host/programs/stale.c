// Arguments that may be of an earlier turn, or of another way: nothing relates them to the size.
//- skipped: get_global_size(0) == $0
//- skipped: get_global_size(0) == $0 + 1
//- earlier: get_global_size(0) == $0
//- changed: get_global_size(0) == $0
//+ changed: get_global_size(0) == $0 + 1
//- either: $0 == 1
//- either: $0 == 2
//+ either: $0 == 2 || $0 == 1
//- shared: $0 == 1
//- shared: $0 == 3
#include "program.h"

static cl_kernel table[2];

int main(int argc, char **argv) {
  device(NULL);
  int n = argc > 1 ? atoi(argv[1]) : 6;
  cl_kernel skipped = clCreateKernel(program, "skipped", NULL);
  for (int k = 0; k < n; k++) {
    if (k % 2 == 0) clSetKernelArg(skipped, 0, sizeof k, &k);
    size_t global = (size_t)k + 1;
    clEnqueueNDRangeKernel(queue, skipped, 1, NULL, &global, NULL, 0, NULL, NULL);
  }
  cl_kernel earlier = clCreateKernel(program, "earlier", NULL);
  int k = 1;
  clSetKernelArg(earlier, 0, sizeof k, &k);
  for (k = 1; k < n; k++) {
    size_t global = (size_t)k;
    clEnqueueNDRangeKernel(queue, earlier, 1, NULL, &global, NULL, 0, NULL, NULL);
    clSetKernelArg(earlier, 0, sizeof k, &k);  // for the next turn
  }
  cl_kernel changed = clCreateKernel(program, "changed", NULL);
  int m = n;
  clSetKernelArg(changed, 0, sizeof m, &m);
  m++;
  size_t global = (size_t)m;
  clEnqueueNDRangeKernel(queue, changed, 1, NULL, &global, NULL, 0, NULL, NULL);
  cl_kernel either = clCreateKernel(program, "either", NULL);
  int one = 1, two = 2, three = 3;
  clSetKernelArg(either, 0, sizeof one, &one);
  if (n > 3) clSetKernelArg(either, 0, sizeof two, &two);
  clEnqueueNDRangeKernel(queue, either, 1, NULL, &global, NULL, 0, NULL, NULL);
  table[0] = clCreateKernel(program, "shared", NULL);
  table[1] = clCreateKernel(program, "unused", NULL);
  clSetKernelArg(table[0], 0, sizeof one, &one);
  clSetKernelArg(table[n % 2], 0, sizeof three, &three);  // of either kernel
  clEnqueueNDRangeKernel(queue, table[0], 1, NULL, &global, NULL, 0, NULL, NULL);
  return 0;
}
