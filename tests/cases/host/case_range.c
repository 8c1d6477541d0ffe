#include "device.h"
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = 1;
  switch (argc) {
    case 1 ... 5: n = argc - 2; break;
    default: n = 1;
  }
  launch(kernel, n);
  return 0;
}
