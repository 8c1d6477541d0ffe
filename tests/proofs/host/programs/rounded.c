// Sizes that are rounded up to a multiple of the local size.
//+ quotient: get_global_size(0) == (($0 + 63) / 64) * 64
//+ quotient: get_global_size(0) % 64 == 0
//+ quotient: get_global_size(0) >= (ulong)($0)
//+ rest: get_global_size(0) == ((($0 % 64) == 0) ? $0 : (($0 + 64) - ($0 % 64)))
//+ ceiling: get_global_size(0) % 256 == 0
//+ ceiling: get_global_size(0) >= (ulong)((long)$0)
//+ single: get_global_size(0) % 256 == 0
//- single: get_global_size(0) >= (ulong)((long)$0)
//- down: get_global_size(0) >= (ulong)($0)
//+ down: get_global_size(0) % 64 == 0
#include <math.h>

#include "program.h"

static unsigned round_up(unsigned unit, unsigned items) {
  unsigned rest = items % unit;
  if (rest == 0) return items;
  return items + unit - rest;
}

static void run(const char *name, int n, size_t global) {
  size_t local = 64;
  cl_kernel kernel = clCreateKernel(program, name, NULL);
  clSetKernelArg(kernel, 0, sizeof n, &n);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}

int main(int argc, char **argv) {
  device(NULL);
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  unsigned u = (unsigned)n;
  size_t rest = round_up(64, u);
  size_t local = 64;
  run("quotient", n, (size_t)(((n + 63) / 64) * 64));
  cl_kernel kernel = clCreateKernel(program, "rest", NULL);
  clSetKernelArg(kernel, 0, sizeof u, &u);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &rest, &local, 0, NULL, NULL);
  run("ceiling", n, (size_t)ceil((double)n / 256.0) * 256);
  run("single", n, (size_t)ceil((float)n / 256.0f) * 256);  // a float does not hold every int
  run("down", n, (size_t)(n / 64 * 64));
  return 0;
}
