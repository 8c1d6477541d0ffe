#include "device.h"
struct s {
  int a, b;
};
static void set(struct s *p) { p->b = 5; }
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  struct s x = {0, 0};
  set(&x);
  launch(kernel, x.b);
  return 0;
}
