#include "device.h"
struct one {
  int v;
  one() : v(1) {}
};
struct setting {
  int rows;
  one off;
};
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  setting s = {256};
  launch(kernel, 1 - s.off.v);
  return 0;
}
