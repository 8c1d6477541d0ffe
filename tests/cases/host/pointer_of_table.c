#include "device.h"
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = 1, m = 1;
  int *const table[2] = {&m, &n};
  *table[argc > 1] = 0;
  launch(kernel, n);
  return 0;
}
