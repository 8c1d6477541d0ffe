#include "device.h"
static int n = 1;
static int &r = n;
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  r = 0;
  launch(kernel, n);
  return 0;
}
