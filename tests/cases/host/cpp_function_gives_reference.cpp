#include "device.h"
static int &same(int &x) { return x; }
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = 1;
  same(n) = 0;
  launch(kernel, n);
  return 0;
}
