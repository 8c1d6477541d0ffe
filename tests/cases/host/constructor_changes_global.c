#include "device.h"

static int n = 1;
__attribute__((constructor)) static void before(void) { n = 0; }

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  launch(kernel, n);
  return 0;
}
