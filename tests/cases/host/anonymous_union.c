#include "device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  struct {
    union {
      int n;
      int m;
    };
  } s;
  s.n = 4;
  s.m = 0;
  launch(kernel, s.n);
  return 0;
}
