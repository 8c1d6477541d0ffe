#include "device.h"
static int stride(int c) {
  if (int x = c - 1; x > 3)
    return 0;
  return 1;
}
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  launch(kernel, stride(argc));
  return 0;
}
