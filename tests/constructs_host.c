/* constructs_host FILE.cl…: builds each file and launches its kernels named test… as its comments say, each file in a
 * process of its own (a kernel that takes the device with it costs only itself); prints what they wrote into `out`.
 * constructs_gated does the same with the gate in the programs (constructs_program.h). */
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "constructs_comments.h"
#include "constructs_program.h"

enum { OUT_COUNT = 64, MAX_KERNELS = 16, MAX_ARGUMENTS = 16, DIMENSIONS = 3 };

typedef struct host {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
} host;

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    printf("%s failed with %d\n", what, status);
    fflush(stdout);
    _exit(1);
  }
}

static host open_host(void) {
  host h;
  cl_platform_id platform = NULL;
  cl_int status = CL_SUCCESS;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &h.device, NULL), "clGetDeviceIDs");
  h.context = clCreateContext(NULL, 1, &h.device, NULL, NULL, &status);
  check(status, "clCreateContext");
  h.queue = clCreateCommandQueue(h.context, h.device, 0, &status);
  check(status, "clCreateCommandQueue");
  return h;
}

/* --- arguments, out of `// args: int 5, local 64, ints 1 2 3, image 4 2, sampler, pipe 8` --------------------------
 */

static void set(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  check(clSetKernelArg(kernel, index, size, value), "clSetKernelArg");
}

static void set_memory(cl_kernel kernel, cl_uint index, cl_mem memory, cl_int status) {
  check(status, "making an argument");
  set(kernel, index, sizeof memory, &memory);
}

static void set_image(const host *h, cl_kernel kernel, cl_uint index, const long *numbers) {
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT32};
  cl_image_desc description;
  memset(&description, 0, sizeof description);
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = (size_t)numbers[0];
  description.image_height = (size_t)numbers[1];
  cl_uint texels[256];
  for (cl_uint i = 0; i < 256; i++) {
    texels[i] = i / 4;
  }
  cl_int status = CL_SUCCESS;
  cl_mem image =
      clCreateImage(h->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &description, texels, &status);
  set_memory(kernel, index, image, status);
}

static void set_ints(const host *h, cl_kernel kernel, cl_uint index, const long *numbers, size_t count) {
  cl_int values[MAX_ARGUMENTS];
  for (size_t i = 0; i < count; i++) {
    values[i] = (cl_int)numbers[i];
  }
  cl_int status = CL_SUCCESS;
  cl_mem memory =
      clCreateBuffer(h->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * sizeof *values, values, &status);
  set_memory(kernel, index, memory, status);
}

static void set_scalar(cl_kernel kernel, cl_uint index, const char *kind, long number) {
  const cl_int i = (cl_int)number;
  const cl_int4 i4 = {{i, i, i, i}};
  const cl_long l = number;
  const cl_float f = (cl_float)number;
  const cl_char c = (cl_char)number;
  const struct {
    const char *kind;
    size_t size;
    const void *value;
  } scalars[] = {{"int", sizeof i, &i},   {"int4", sizeof i4, &i4}, {"long", sizeof l, &l},
                 {"float", sizeof f, &f}, {"char", sizeof c, &c},   {"local", (size_t)number, NULL}};
  for (size_t s = 0; s < sizeof scalars / sizeof *scalars; s++) {
    if (strcmp(scalars[s].kind, kind) == 0) {
      set(kernel, index, scalars[s].size, scalars[s].value);
      return;
    }
  }
  printf("an argument of unknown kind: %s\n", kind);
  _exit(2);
}

static void set_argument(const host *h, cl_kernel kernel, cl_uint index, const char *text) {
  char kind[COMMENT_SIZE], word[COMMENT_SIZE];
  long numbers[MAX_ARGUMENTS] = {0};
  size_t count = 0;
  cl_int status = CL_SUCCESS;
  (void)next_part(&text, " ", kind);
  while (count < MAX_ARGUMENTS && next_part(&text, " ", word)) {
    numbers[count++] = strtol(word, NULL, 10);
  }
  if (strcmp(kind, "image") == 0) {
    set_image(h, kernel, index, numbers);
  } else if (strcmp(kind, "ints") == 0) {
    set_ints(h, kernel, index, numbers, count);
  } else if (strcmp(kind, "sampler") == 0) {
    cl_sampler sampler = clCreateSampler(h->context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &status);
    check(status, "clCreateSampler");
    set(kernel, index, sizeof sampler, &sampler);
  } else if (strcmp(kind, "pipe") == 0) {
    cl_mem pipe_memory = clCreatePipe(h->context, 0, sizeof(cl_int), (cl_uint)numbers[0], NULL, &status);
    set_memory(kernel, index, pipe_memory, status);
  } else {
    set_scalar(kernel, index, kind, numbers[0]);
  }
}

/* --- launching ------------------------------------------------------------------------------------------------------
 */

/* "4x2" into sizes; gives the number of dimensions, 0 for "-". */
static cl_uint read_sizes(const char *text, size_t sizes[DIMENSIONS]) {
  char part[COMMENT_SIZE];
  cl_uint count = 0;
  while (strcmp(text, "-") != 0 && count < DIMENSIONS && next_part(&text, "x", part)) {
    sizes[count++] = strtoul(part, NULL, 10);
  }
  return count;
}

static void launch(const host *h, cl_kernel kernel, const char *text) {
  char value[COMMENT_SIZE] = "8 4", part[COMMENT_SIZE];
  size_t global[DIMENSIONS], local[DIMENSIONS], offset[DIMENSIONS];
  (void)comment_value(text, "range", 0, value);
  const char *list = value;
  (void)next_part(&list, " ", part);
  const cl_uint dimensions = read_sizes(part, global);
  const bool has_local = next_part(&list, " ", part) && read_sizes(part, local) == dimensions;
  const bool has_offset = comment_value(text, "offset", 0, value) && read_sizes(value, offset) == dimensions;
  check(clEnqueueNDRangeKernel(h->queue, kernel, dimensions, has_offset ? offset : NULL, global,
                               has_local ? local : NULL, 0, NULL, NULL),
        "clEnqueueNDRangeKernel");
}

static void run_kernel(const host *h, cl_kernel kernel, const char *name, const char *text, cl_uint hidden) {
  char value[COMMENT_SIZE], part[COMMENT_SIZE];
  cl_int out[OUT_COUNT] = {0}, status = CL_SUCCESS;
  cl_mem memory = clCreateBuffer(h->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof out, out, &status);
  cl_uint arguments = 0;
  check(status, "clCreateBuffer");
  check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL), "clGetKernelInfo");
  arguments -= hidden;
  if (arguments > 0) {
    set(kernel, 0, sizeof memory, &memory);
  }
  if (hidden > 0) {
    set_hidden(h->context, kernel, arguments);
  }
  const char *list = value;
  for (cl_uint i = 1; comment_value(text, "args", 0, value) && next_part(&list, ",", part); i++) {
    set_argument(h, kernel, i, part);
  }
  launch(h, kernel, text);
  check(clEnqueueReadBuffer(h->queue, memory, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "clEnqueueReadBuffer");
  printf("%s, %u arguments:", name, arguments);
  for (size_t i = 0; i < OUT_COUNT; i++) {
    printf(" %d", out[i]);
  }
  printf("\n");
  clReleaseMemObject(memory);
}

static void run_program(const host *h, const char *path, const char *text, const char *options) {
  printf("%s %s\n", path, options);
  cl_uint hidden = 0;
  cl_program program = build_program(h->context, h->device, path, text, options, &hidden);
  if (program == NULL) {
    printf("does not build\n");
    return;
  }
  cl_kernel kernels[MAX_KERNELS];
  cl_uint count = 0;
  check(clCreateKernelsInProgram(program, MAX_KERNELS, kernels, &count), "clCreateKernelsInProgram");
  for (cl_uint k = 0; k < count; k++) {
    char name[COMMENT_SIZE];
    check(clGetKernelInfo(kernels[k], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL), "clGetKernelInfo");
    if (strncmp(name, "test", 4) == 0) {
      run_kernel(h, kernels[k], name, text, hidden);
    }
    clReleaseKernel(kernels[k]);
  }
  clReleaseProgram(program);
}

static int run_file(const char *path) {
  char options[COMMENT_SIZE] = "";
  size_t length = 0, builds = 0;
  char *text = read_whole(path, &length);
  host h = open_host();
  while (comment_value(text, "options", builds, options)) {
    run_program(&h, path, text, options);
    builds++;
  }
  if (builds == 0) {
    run_program(&h, path, text, "");
  }
  clReleaseCommandQueue(h.queue);
  clReleaseContext(h.context);
  free(text);
  return 0;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      exit(run_file(argv[i]));
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) {
      printf("%s ended with status %d\n", argv[i], status);
    }
  }
  return 0;
}
