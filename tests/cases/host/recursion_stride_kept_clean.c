#include "device.h"

static void again(cl_kernel kernel, int left) {
  launch(kernel, 4);
  if (left > 0) again(kernel, left - 1);
}

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  again(clCreateKernel(program, "spread", NULL), 3);
  return 0;
}
