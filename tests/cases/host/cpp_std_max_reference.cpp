#include <algorithm>

#include "device.h"
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = 1, m = 0;
  const_cast<int &>(std::max(n, m)) = 0;
  launch(kernel, n);
  return 0;
}
