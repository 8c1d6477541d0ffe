#include "device.h"
struct guard {
  int &p;
  ~guard() { p = 0; }
};
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = 4;
  guard{n};
  launch(kernel, n);
  return 0;
}
