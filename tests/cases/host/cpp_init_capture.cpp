#include "device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = 4;
  [&m = n] { m = 0; }();
  launch(kernel, n);
  return 0;
}
