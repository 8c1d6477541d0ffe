#include "device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "spread", NULL);
  for (int stride = 1; stride < 100; stride *= 3) launch(kernel, stride);
  return 0;
}
