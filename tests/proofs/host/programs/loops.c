// Bounds of the loops around a launch.
//+ up: $0 >= 0
//+ up: $0 < $1
//- up: $0 > 0
//+ strided: ($0 % 16) == 0
//+ strided: $0 >= 0
//+ down: $0 <= ($1 - 1)
//+ down: $0 >= 0
//+ twice: ($0 & ($0 - 1)) == 0
//+ twice: $0 >= 1
//+ twice: $0 <= $1
//+ inner: $0 < $1
//+ inner: $0 >= 0
//+ after: $0 >= 0
//- after: $0 < $1
//- odd: ($0 % 16) == 0
//- odd: $0 >= 0
//- wrapped: $0 >= 5
//+ wrapped: $0 < $1
//- broken: $0 >= $1
#include "program.h"

static void run(const char *name, int k, int n) {
  size_t global = 64;
  cl_kernel kernel = clCreateKernel(program, name, NULL);
  clSetKernelArg(kernel, 0, sizeof k, &k);
  clSetKernelArg(kernel, 1, sizeof n, &n);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}

int main(int argc, char **argv) {
  device(NULL);
  int n = argc > 1 ? atoi(argv[1]) : 40;
  int first = argc > 2 ? atoi(argv[2]) : -3;
  int k;
  for (k = 0; k < n; k++) run("up", k, n);
  run("after", k, n);
  for (int i = 0; i < n; i += 16) run("strided", i, n);
  for (int i = n - 1; i >= 0; i--) run("down", i, n);
  int width = 1;
  while (width <= n) {
    for (int j = 0; j < width; ++j) run("inner", j, width);
    run("twice", width, n);
    width *= 2;
  }
  for (int i = 0; i < n; i += 16) {
    if (i == 16) i = first;  // it does not stay a multiple of 16, or positive
    run("odd", i, n);
    if (i < 0) break;
  }
  for (unsigned u = 5; u != 0 && u < (unsigned)n; u += 4000000000u) {
    cl_kernel kernel = clCreateKernel(program, "wrapped", NULL);
    size_t global = 64;
    unsigned limit = (unsigned)n;
    clSetKernelArg(kernel, 0, sizeof u, &u);
    clSetKernelArg(kernel, 1, sizeof limit, &limit);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  }
  for (k = 0; k < n; k++)
    if (k > first) break;
  run("broken", k, n);
  return 0;
}
