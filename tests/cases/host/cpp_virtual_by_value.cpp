#include "device.h"
struct base {
  virtual ~base() {}
  virtual void go(cl_kernel k) { launch(k, 1); }
};
struct zero : base {
  void go(cl_kernel k) override { launch(k, 0); }
};
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  base *b = argc > 1 ? new base : new zero;
  b->go(kernel);
  return 0;
}
