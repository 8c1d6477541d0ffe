#include <new>
#include "device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "spread", NULL);
  int stride = 4;
  new (&stride) int(0);
  launch(kernel, stride);
  return 0;
}
