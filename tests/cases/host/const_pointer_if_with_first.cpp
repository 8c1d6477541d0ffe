#include "device.h"
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = 4;
  int *const p = &n;
  if (int m = argc; m > 0) *p = 0;
  launch(kernel, n);
  return 0;
}
