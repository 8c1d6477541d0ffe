// Sizes of memory objects: positive, and so many elements. Nothing is said of malloc, which takes 0.
//+ line: $1 > 0
//+ line: elements($0) == (ulong)$1
//+ square: $1 != 0
//- square: $1 > 0
//+ square: elements($0) == ((ulong)($1 * $1))
//- host: $0 > 0
//+ local: elements($0) == (ulong)$1
#include "program.h"

int main(int argc, char **argv) {
  device(NULL);
  int n = argc > 1 ? atoi(argv[1]) : 8;
  int side = argc > 2 ? atoi(argv[2]) : 8;
  int count = argc > 3 ? atoi(argv[3]) : 8;
  int width = argc > 4 ? atoi(argv[4]) : 8;
  size_t global = 64;
  float *host = malloc((size_t)count * sizeof *host);
  cl_kernel kernel = clCreateKernel(program, "host", NULL);
  clSetKernelArg(kernel, 0, sizeof count, &count);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  free(host);
  cl_mem line = clCreateBuffer(context, CL_MEM_READ_ONLY, n * sizeof(float), NULL, NULL);
  kernel = clCreateKernel(program, "line", NULL);
  clSetKernelArg(kernel, 0, sizeof line, &line);
  clSetKernelArg(kernel, 1, sizeof n, &n);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  cl_mem square = clCreateBuffer(context, CL_MEM_READ_ONLY, (size_t)(side * side), NULL, NULL);
  kernel = clCreateKernel(program, "square", NULL);
  clSetKernelArg(kernel, 0, sizeof square, &square);
  clSetKernelArg(kernel, 1, sizeof side, &side);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  kernel = clCreateKernel(program, "local", NULL);
  clSetKernelArg(kernel, 0, (size_t)width * sizeof(float), NULL);
  clSetKernelArg(kernel, 1, sizeof width, &width);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  return 0;
}
