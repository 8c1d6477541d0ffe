#include "device.h"
static int s = 4, calls;
static int keep(void) {
  calls++;
  return 0;
}

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "spread", NULL);
  launch(kernel, s + keep());
  return 0;
}
