#include "device.h"
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = 4;
  int *const p = &n;
  switch (argc) {
    case 0 ... 9: *p = 0; break;
    default: break;
  }
  launch(kernel, n);
  return 0;
}
