#include <utility>

#include "device.h"
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = 1, m = 0;
  std::swap(n, m);
  launch(kernel, n);
  return 0;
}
