#include "device.h"
struct guard {
  int &n;
  ~guard() { n = 0; }
};
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = 1;
  {
    guard g{n};
    n = 2;
  }
  launch(kernel, n);
  return 0;
}
