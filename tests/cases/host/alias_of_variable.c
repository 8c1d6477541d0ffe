#include "device.h"

int n = 1;
extern int m __attribute__((alias("n")));

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  m = 0;
  launch(kernel, n);
  return 0;
}
