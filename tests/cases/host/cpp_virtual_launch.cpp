#include "device.h"
struct base {
  virtual int stride() { return 1; }
};
struct zero : base {
  int stride() override { return 0; }
};
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  zero z;
  base &b = z;
  launch(kernel, b.stride());
  return 0;
}
