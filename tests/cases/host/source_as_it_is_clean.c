#include "device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "spread", NULL);
  const char *text = argv[1];
  cl_program mine = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  clBuildProgram(mine, 0, NULL, "", NULL, NULL);
  kernel = clCreateKernel(mine, "spread", NULL);
  launch(kernel, 4);
  return 0;
}
