#include <tuple>

#include "device.h"
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = 1, m = 1;
  std::tie(n, m) = std::make_tuple(0, 1);
  launch(kernel, n);
  return 0;
}
