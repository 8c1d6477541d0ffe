#include "device.h"

static int n = 1;
static void zap(int *unused) {
  (void)unused;
  n = 0;
}

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  {
    __attribute__((cleanup(zap))) int guard = 1;
    (void)guard;
  }
  launch(kernel, n);
  return 0;
}
