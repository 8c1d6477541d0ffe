#include "device.h"
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  const char *source = argv[1];
  cl_program part = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  clCompileProgram(part, 0, NULL, "-DSTRIDE=0", 0, NULL, NULL, NULL, NULL);
  cl_program linked = clLinkProgram(context, 0, NULL, "", 1, &part, NULL, NULL, NULL);
  cl_kernel kernel = clCreateKernel(linked, "k", NULL);
  launch(kernel, 1);
  return 0;
}
