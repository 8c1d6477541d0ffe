/* Arguments and sizes that come from one variable. */
#include "../programs/program.h"

int main(int argc, char **argv) {
  if (argc < 3) return 1;
  int width = atoi(argv[1]), height = atoi(argv[2]), channels = 4;
  if (width <= 0 || height <= 0 || width % 16 != 0 || height % 16 != 0) return 1;
  device(NULL);
  cl_kernel kernel = clCreateKernel(program, "tone", NULL);
  cl_mem image = buffer((size_t)width * height * channels * sizeof(float));
  size_t local[2] = {16, 16}, global[2] = {width, height};
  clSetKernelArg(kernel, 0, sizeof image, &image);
#ifdef RACY
  clSetKernelArg(kernel, 1, sizeof height, &height);
#else
  clSetKernelArg(kernel, 1, sizeof width, &width);
#endif
  clSetKernelArg(kernel, 2, sizeof channels, &channels);
  clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
  return 0;
}
