#include "device.h"
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  cl_mem data = clCreateBuffer(context, CL_MEM_READ_WRITE, 1048576, NULL, NULL);
  const cl_image_format format = {CL_R, CL_SIGNED_INT32};
  cl_image_desc desc = {0};
  desc.image_type = CL_MEM_OBJECT_IMAGE1D;
  desc.image_width = 256;
  cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof data, &data);
  clSetKernelArg(kernel, 1, sizeof image, &image);
  const size_t global = 256, local = 64;
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
