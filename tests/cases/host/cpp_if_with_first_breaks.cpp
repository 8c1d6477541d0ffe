#include "device.h"
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = 0;
  for (int i = 0; i < 3; i++) {
    if (int x = argc - 1; x > 3)
      break;
    n = 1;
  }
  launch(kernel, n == 0 ? 0 : 1);
  return 0;
}
