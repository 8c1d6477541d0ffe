// A file without a start: its functions are called by others, with anything.
//+ inner: get_global_size(0) == $0
//- inner: $0 > 100
//- before: $0 == 1
//+ fixed: $0 == 12
//- foreign: $0 == 12
#include "program.h"

int level = 1;
static const int fixed = 12;
int visible = 12;
void elsewhere(void);

static void run(const char *name, int value, size_t global) {
  cl_kernel kernel = clCreateKernel(program, name, NULL);
  clSetKernelArg(kernel, 0, sizeof value, &value);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}

void use(int n) {
  run("inner", n, (size_t)n);
  run("before", level, 64);
  run("fixed", fixed, 64);
  visible = 12;
  elsewhere();
  run("foreign", visible, 64);
}
