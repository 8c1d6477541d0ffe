#include "device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  union {
    int n;
    int m;
  };
  n = 4;
  m = 0;
  launch(kernel, n);
  return 0;
}
