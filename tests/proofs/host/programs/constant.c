// Constants: of sizes, of arguments, of enumerations and macros; a task is one work-item.
//+ fill: get_global_size(0) == 1024
//+ fill: get_local_size(0) == 64
//+ fill: get_global_offset(0) == 0
//+ fill: $1 == 7
//+ fill: $2 == 256
//+ fill: elements($0) == 1024
//+ once: get_global_size(0) == 1
//+ once: $0 == 3
//+ plane: get_global_size(1) == 8
//+ plane: get_global_offset(0) == 4
//- plane: get_global_offset(0) == 0
#include "program.h"
#define SIDE 16
enum { WIDTH = 64, MANY = SIDE * WIDTH };
static const int seven = 7;

int main(void) {
  device(NULL);
  const size_t global[1] = {MANY};
  size_t local = WIDTH;
  unsigned int square = SIDE * SIDE;
  int three = 3;
  cl_mem a = buffer(MANY * sizeof(float));
  cl_kernel fill = clCreateKernel(program, "fill", NULL);
  cl_kernel once = clCreateKernel(program, "once", NULL);
  cl_kernel plane = clCreateKernel(program, "plane", NULL);
  clSetKernelArg(fill, 0, sizeof(cl_mem), &a);
  clSetKernelArg(fill, 1, sizeof seven, &seven);
  clSetKernelArg(fill, 2, sizeof(unsigned int), (void *)&square);
  clEnqueueNDRangeKernel(queue, fill, 1, NULL, global, &local, 0, NULL, NULL);
  clSetKernelArg(once, 0, sizeof(int), &three);
  clEnqueueTask(queue, once, 0, NULL, NULL);
  size_t size[2], offset[2] = {4, 0};
  size[0] = 16;
  size[1] = 8;
  clEnqueueNDRangeKernel(queue, plane, 2, offset, size, NULL, 0, NULL, NULL);
  return 0;
}
