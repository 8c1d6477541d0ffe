#include "device.h"
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  launch(kernel, argc > 1 ? 2 : 3);
  return 0;
}
