/* Building and launching on the first OpenCL device. */
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "schema_device.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IMAGE_SIDE = 8, IMAGE_DEPTH = 4 };

struct device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
};

struct build {
  device *device;
  cl_program program;
};

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    fprintf(stderr, "%s failed with %d\n", what, status);
    exit(1);
  }
}

device *device_open(void) {
  device *d = calloc(1, sizeof *d);
  cl_platform_id platform = NULL;
  cl_int status = CL_SUCCESS;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &d->id, NULL), "clGetDeviceIDs");
  d->context = clCreateContext(NULL, 1, &d->id, NULL, NULL, &status);
  check(status, "clCreateContext");
  d->queue = clCreateCommandQueue(d->context, d->id, 0, &status);
  check(status, "clCreateCommandQueue");
  return d;
}

static void show_log(const build *b) {
  static char text[1 << 14];
  (void)clGetProgramBuildInfo(b->program, b->device->id, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL);
  fprintf(stderr, "%s\n", text);
}

build *device_build(device *d, const char *text, const char *options, bool quiet) {
  build *b = calloc(1, sizeof *b);
  cl_int status = CL_SUCCESS;
  size_t length = strlen(text);
  b->device = d;
  b->program = clCreateProgramWithSource(d->context, 1, &text, &length, &status);
  check(status, "clCreateProgramWithSource");
  if (clBuildProgram(b->program, 1, &d->id, options, NULL, NULL) != CL_SUCCESS) {
    if (!quiet) {
      show_log(b);
    }
    build_free(b);
    return NULL;
  }
  return b;
}

void build_free(build *b) {
  if (b != NULL) {
    clReleaseProgram(b->program);
    free(b);
  }
}

static cl_mem new_buffer(const device *d, size_t size, const void *contents) {
  cl_int status = CL_SUCCESS;
  cl_mem memory =
      clCreateBuffer(d->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, (void *)(uintptr_t)contents, &status);
  check(status, "clCreateBuffer");
  return memory;
}

/* Texel (x, y, z) is x + 10 y + 100 z. */
static cl_mem new_image(const device *d, bool solid) {
  static cl_int texels[IMAGE_DEPTH][IMAGE_SIDE][IMAGE_SIDE][4];
  for (int z = 0; z < IMAGE_DEPTH; z++) {
    for (int y = 0; y < IMAGE_SIDE; y++) {
      for (int x = 0; x < IMAGE_SIDE; x++) {
        texels[z][y][x][0] = x + 10 * y + 100 * z;
      }
    }
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
  check(status, "clCreateImage");
  return image;
}

static void set(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  check(clSetKernelArg(kernel, index, size, value), "clSetKernelArg");
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
  check(clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clFinish(d->queue), "clFinish");
}

outcome build_run(build *b, const char *name, const int32_t *in, bool single, uint32_t number, uint32_t fuel) {
  outcome result;
  memset(&result, 0, sizeof result);
  cl_int status = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(b->program, name, &status);
  if (status != CL_SUCCESS) {
    return result;
  }
  cl_uint arguments = 0;
  check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL), "clGetKernelInfo");
  cl_mem out = new_buffer(b->device, sizeof result.out, result.out);
  cl_mem input = new_buffer(b->device, VALUES * sizeof *in, in);
  cl_mem flags = new_buffer(b->device, sizeof result.flags, result.flags);
  const cl_uint own = arguments > HIDDEN ? arguments - HIDDEN : arguments;
  cl_mem image = own > 2 ? new_image(b->device, strstr(name, "solid") != NULL) : NULL;
  set(kernel, 0, sizeof out, &out);
  set(kernel, 1, sizeof input, &input);
  if (own > 2) {
    set(kernel, 2, sizeof image, &image);
  }
  if (arguments > HIDDEN) {
    set_hidden(kernel, own, flags, number, fuel);
  }
  launch(b->device, kernel, single);
  check(clEnqueueReadBuffer(b->device->queue, out, CL_TRUE, 0, sizeof result.out, result.out, 0, NULL, NULL), "read");
  check(clEnqueueReadBuffer(b->device->queue, flags, CL_TRUE, 0, sizeof result.flags, result.flags, 0, NULL, NULL),
        "read");
  clReleaseMemObject(out);
  clReleaseMemObject(input);
  clReleaseMemObject(flags);
  if (image != NULL) {
    clReleaseMemObject(image);
  }
  clReleaseKernel(kernel);
  result.ran = true;
  return result;
}
