#include "device.h"
static int s = 4;
static int bump(void) {
  s = 0;
  return 0;
}
static void launch_two(cl_kernel k, int stride, int more) { launch(k, stride + more); }

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "spread", NULL);
  launch_two(kernel, s, bump());
  return 0;
}
