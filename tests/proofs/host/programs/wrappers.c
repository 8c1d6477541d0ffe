// The usual wrappers: error-checking macros, structs, global variables, tables of kernels, several callers.
//+ add: get_global_size(0) == $1
//+ add: get_local_size(0) == 32
//+ multiply: get_global_size(0) == $1
//+ first: $0 == 1
//- first: $0 == 2
//+ second: $0 == 2
//+ member: get_global_size(0) == $1
//+ member: get_global_size(1) == $2
//- member: $1 == $2
//+ global: get_global_size(0) == $0
#include "program.h"
#define CHECK(call)                                       \
  do {                                                    \
    cl_int status_ = (call);                              \
    if (status_ != CL_SUCCESS) {                          \
      fprintf(stderr, "%s failed: %d\n", #call, status_); \
      exit(EXIT_FAILURE);                                 \
    }                                                     \
  } while (0)
#define CREATE(result, call)     \
  do {                           \
    cl_int status_;              \
    result = call;               \
    if (status_ != CL_SUCCESS) { \
      exit(1);                   \
    }                            \
  } while (0)

typedef struct image {
  cl_mem memory;
  int width, height;
  size_t global[2];
} image;

static cl_kernel kernels[2];
static int total;
static cl_kernel shared;

static int prepare(void) {
  cl_int status;
  kernels[0] = clCreateKernel(program, "add", &status);
  if (status != CL_SUCCESS) return 0;
  kernels[1] = clCreateKernel(program, "multiply", &status);
  if (status != CL_SUCCESS) return 0;
  shared = clCreateKernel(program, "global", &status);
  return 1;
}

static void launch(cl_kernel kernel, cl_mem memory, int n) {
  const size_t local[] = {32};
  const size_t global[] = {(size_t)n};
  CHECK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
  CHECK(clSetKernelArg(kernel, 1, sizeof n, &n));
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, global, local, 0, NULL, NULL));
}

static void one(const char *name, int value) {
  size_t global = 1;
  cl_kernel kernel;
  CREATE(kernel, clCreateKernel(program, name, &status_));
  CHECK(clSetKernelArg(kernel, 0, sizeof value, &value));
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

static void filter(image *im) {
  cl_kernel kernel = clCreateKernel(program, "member", NULL);
  im->global[0] = (size_t)im->width;
  im->global[1] = (size_t)im->height;
  clSetKernelArg(kernel, 0, sizeof im->memory, &im->memory);
  clSetKernelArg(kernel, 1, sizeof(int), &im->width);
  clSetKernelArg(kernel, 2, sizeof(int), &im->height);
  clEnqueueNDRangeKernel(queue, kernel, 2, NULL, im->global, NULL, 0, NULL, NULL);
}

static void set_total(void) { clSetKernelArg(shared, 0, sizeof total, &total); }

static void launch_total(void) {
  size_t global = (size_t)total;
  clEnqueueNDRangeKernel(queue, shared, 1, NULL, &global, NULL, 0, NULL, NULL);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 64;
  image im = {0};
  device(NULL);
  if (!prepare()) return 1;
  cl_mem a = buffer(4096);
  launch(kernels[0], a, n);
  launch(kernels[1], a, n);
  one("first", 1);
  one("second", 2);
  im.memory = a;
  im.width = n;
  im.height = argc > 2 ? atoi(argv[2]) : 3;
  filter(&im);
  total = n;
  set_total();
  launch_total();
  return 0;
}
