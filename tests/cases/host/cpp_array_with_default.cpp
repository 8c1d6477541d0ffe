#include "device.h"
struct setting {
  int rows;
  int off[2] = {1, 2};
};
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  setting s = {256};
  launch(kernel, 1 - s.off[0]);
  return 0;
}
