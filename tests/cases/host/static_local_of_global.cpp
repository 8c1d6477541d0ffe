#include "device.h"
static int g = 1;
static void go(cl_kernel kernel) {
  static int n = g;
  launch(kernel, n);
}
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  g = 0;
  go(kernel);
  return 0;
}
