#include "device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int m[2][2] = {{4, 4}, {4, 4}};
  int *flat = &m[0][0];
  flat[2] = 0;
  launch(kernel, m[1][0]);
  return 0;
}
