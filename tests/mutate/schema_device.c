/* Building and launching on the first OpenCL device. */
#include "schema_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IMAGE_SIDE = 8, IMAGE_DEPTH = 4 };

static cl_mem new_buffer(const device *d, size_t size, const void *contents) {
  cl_int status = CL_SUCCESS;
  cl_mem memory =
      clCreateBuffer(d->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, (void *)(uintptr_t)contents, &status);
  device_check(status, "clCreateBuffer");
  return memory;
}

/* Texel (x, y, z) is x + 10 y + 100 z. */
static cl_mem new_image(const device *d, bool solid) {
  static cl_int texels[IMAGE_DEPTH][IMAGE_SIDE][IMAGE_SIDE][4];
  for (int z = 0; z < IMAGE_DEPTH; z++) {
    for (int y = 0; y < IMAGE_SIDE; y++)
      for (int x = 0; x < IMAGE_SIDE; x++) texels[z][y][x][0] = x + 10 * y + 100 * z;
  }
  const cl_image_format format = {CL_RGBA, CL_SIGNED_INT32};
  cl_image_desc description;
  memset(&description, 0, sizeof description);
  description.image_type = solid ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = IMAGE_SIDE;
  description.image_depth = solid ? IMAGE_DEPTH : 0;
  cl_int status = CL_SUCCESS;
  cl_mem image =
      clCreateImage(d->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &description, texels, &status);
  device_check(status, "clCreateImage");
  return image;
}

static void set(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  device_check(clSetKernelArg(kernel, index, size, value), "clSetKernelArg");
}

static void set_hidden(cl_kernel kernel, cl_uint index, cl_mem flags, uint32_t number, uint32_t fuel) {
  const cl_ulong first = (cl_ulong)fuel << 32 | number;
  const cl_uint capacity = 0;
  set(kernel, index, sizeof flags, &flags);
  set(kernel, index + 1, sizeof flags, &flags);
  set(kernel, index + 2, sizeof first, &first);
  set(kernel, index + 3, sizeof flags, &flags);
  set(kernel, index + 4, sizeof capacity, &capacity);
}

static void launch(const device *d, cl_kernel kernel, bool single) {
  const size_t global = single ? 1 : 8;
  const size_t local = single ? 1 : 4;
  device_check(clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
               "clEnqueueNDRangeKernel");
  device_check(clFinish(d->queue), "clFinish");
}

outcome build_run(build *b, const char *name, const int32_t *in, bool single, uint32_t number, uint32_t fuel) {
  outcome result;
  memset(&result, 0, sizeof result);
  cl_int status = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(b->program, name, &status);
  if (status != CL_SUCCESS) return result;
  cl_uint arguments = 0;
  device_check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL), "clGetKernelInfo");
  cl_mem out = new_buffer(b->device, sizeof result.out, result.out);
  int32_t given[VALUES + 1];
  memcpy(given, in, VALUES * sizeof *in);
  given[VALUES] = (int32_t)number;
  cl_mem input = new_buffer(b->device, sizeof given, given);
  cl_mem flags = new_buffer(b->device, sizeof result.flags, result.flags);
  const cl_uint own = arguments > HIDDEN ? arguments - HIDDEN : arguments;
  cl_mem image = own > 2 ? new_image(b->device, strstr(name, "solid") != NULL) : NULL;
  set(kernel, 0, sizeof out, &out);
  set(kernel, 1, sizeof input, &input);
  if (own > 2) set(kernel, 2, sizeof image, &image);
  if (arguments > HIDDEN) set_hidden(kernel, own, flags, number, fuel);
  launch(b->device, kernel, single);
  device_check(clEnqueueReadBuffer(b->device->queue, out, CL_TRUE, 0, sizeof result.out, result.out, 0, NULL, NULL),
               "read");
  device_check(
      clEnqueueReadBuffer(b->device->queue, flags, CL_TRUE, 0, sizeof result.flags, result.flags, 0, NULL, NULL),
      "read");
  clReleaseMemObject(out);
  clReleaseMemObject(input);
  clReleaseMemObject(flags);
  if (image != NULL) clReleaseMemObject(image);
  clReleaseKernel(kernel);
  result.ran = true;
  return result;
}
