#include "device.h"
struct at { int *const p; int k; };
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = 4, m = 5;
  const at places[] = {{&n, 0}, {&m, 1}};
  for (const at &x : places) *x.p = 0;
  launch(kernel, n);
  return 0;
}
