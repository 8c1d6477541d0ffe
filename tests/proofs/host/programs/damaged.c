// Code that cannot be read, and a header that is missing: what stands there may be anything.
//- lost: $0 == 4
//+ kept: $0 == 4
#include "nowhere_to_be_found.h"
#include "program.h"

static void run(const char *name, int value) {
  size_t global = 64;
  cl_kernel kernel = clCreateKernel(program, name, NULL);
  clSetKernelArg(kernel, 0, sizeof value, &value);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}

int main(void) {
  device(NULL);
  int lost = 4, kept = 4;
  unknown_type *x = unknown_function(lost = 5 unknown_word);
  run("lost", lost);
  run("kept", kept);
  return 0;
}
