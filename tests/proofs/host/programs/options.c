// Options of clBuildProgram: what is printed into them is known as far as its values are.
//+ tile: get_local_size(0) == $0
//o tile: -DSIDE=… -D WIDTH=64 -DFLAG -DNAME=… -cl-std=CL1.2
#include "program.h"

int main(int argc, char **argv) {
  char options[200];
  int side = argc > 1 ? atoi(argv[1]) : 8;
  sprintf(options, "-DSIDE=%d -D WIDTH=%d -DFLAG -DNAME=%s -cl-std=CL1.2", side, 64, argc > 2 ? argv[2] : "x");
  device(options);
  size_t global = 64, local = (size_t)side;
  cl_kernel kernel = clCreateKernel(program, "tile", NULL);
  clSetKernelArg(kernel, 0, sizeof side, &side);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
