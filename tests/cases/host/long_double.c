#include "device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  long double x = 1.0L;
  for (int i = 0; i < 1; i++) x = 1.0L / 41 * 41;
  launch(kernel, (int)x);
  return 0;
}
