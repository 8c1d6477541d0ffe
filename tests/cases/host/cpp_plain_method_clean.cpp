#include "device.h"
struct setting {
  int n;
  int stride() const { return n; }
};
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  setting s = {3};
  launch(kernel, s.stride());
  return 0;
}
