/* A small host for the kernels of this folder:
 *   cases_host FILE.cl KERNEL [-o OPTIONS] { ARGUMENT… @GLOBAL:LOCAL[:OFFSET] }…     sizes are X or X,Y; LOCAL may be "any"
 * Arguments of a launch, in order:
 *   bN:BYTES[=zero|iota|down|U,U,…]   buffer N (made at its first use, filled with words of 32 bits); later bN
 *   iV fV  an int, a float     n  a null pointer     lBYTES  local memory     pN:W,H  image N (later pN) */
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(cl_int e, const char *what) {
  if (e != CL_SUCCESS) {
    fprintf(stderr, "%s: error %d\n", what, e);
    exit(9);
  }
}

/* X or X,Y: how many dimensions that is. */
static unsigned sizes(const char *text, size_t *to) {
  char *end = NULL;
  to[0] = strtoull(text, &end, 0);
  if (*end != ',') return 1;
  to[1] = strtoull(end + 1, NULL, 0);
  return 2;
}

typedef struct host {
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_kernel kernel;
  cl_mem memory[32];
  cl_uint argument; /* the next one */
} host;

static void open_device(host *h, const char *text, const char *options, const char *name) {
  cl_platform_id platform = NULL;
  cl_device_id device = NULL;
  cl_int e = CL_SUCCESS;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
  h->context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  check(e, "context");
  h->queue = clCreateCommandQueueWithProperties(h->context, device, NULL, &e);
  check(e, "queue");
  h->program = clCreateProgramWithSource(h->context, 1, &text, NULL, &e);
  check(e, "program");
  check(clBuildProgram(h->program, 1, &device, options, NULL, NULL), "build");
  h->kernel = clCreateKernel(h->program, name, &e);
  check(e, "kernel");
}

static void launch(host *h, const char *a) {
  size_t global[2] = {1, 1}, local[2] = {1, 1}, offset[2] = {0, 0};
  const char *second = strchr(a, ':'), *third = strchr(second + 1, ':');
  const unsigned dimensions = sizes(a + 1, global);
  const int any = strncmp(second + 1, "any", 3) == 0;
  if (!any) (void)sizes(second + 1, local);
  if (third != NULL) (void)sizes(third + 1, offset);
  check(clEnqueueNDRangeKernel(h->queue, h->kernel, dimensions, offset, global, any ? NULL : local, 0, NULL, NULL), a);
  check(clFinish(h->queue), "finish");
  h->argument = 0;
}

static void make_buffer(host *h, unsigned n, const char *how) {
  static unsigned words[1 << 20];
  char *more = NULL;
  cl_int e = CL_SUCCESS;
  const size_t bytes = strtoull(how, &more, 0), count = bytes / 4;
  memset(words, 0, sizeof words);
  for (size_t i = 0; i < count; i++) {
    words[i] = strncmp(more, "=iota", 5) == 0   ? (unsigned)i
               : strncmp(more, "=down", 5) == 0 ? (unsigned)(count - 1 - i)
                                                : 0;
  }
  for (size_t i = 0; more[0] != '\0' && more[1] >= '0' && more[1] <= '9'; i++)
    words[i] = (unsigned)strtoull(more + 1, &more, 0);
  h->memory[n] = clCreateBuffer(h->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, words, &e);
  check(e, "buffer");
}

static void make_image(host *h, unsigned n, const char *how) {
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  size_t side[2] = {1, 1};
  cl_int e = CL_SUCCESS;
  (void)sizes(how, side);
  const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = side[0], .image_height = side[1]};
  h->memory[n] = clCreateImage(h->context, CL_MEM_READ_WRITE, &format, &shape, NULL, &e);
  check(e, "image");
}

static void give_memory(host *h, const char *a) {
  const unsigned n = (unsigned)strtoul(a + 1, NULL, 10) % 32;
  const char *how = strchr(a, ':');
  if (how != NULL && a[0] == 'b')
    make_buffer(h, n, how + 1);
  else if (how != NULL)
    make_image(h, n, how + 1);
  check(clSetKernelArg(h->kernel, h->argument++, sizeof(cl_mem), &h->memory[n]), a);
}

static void give(host *h, const char *a) {
  const cl_int number = (cl_int)strtoll(a + 1, NULL, 0);
  const cl_float real = strtof(a + 1, NULL);
  switch (a[0]) {
    case 'b':
    case 'p': give_memory(h, a); break;
    case 'i': check(clSetKernelArg(h->kernel, h->argument++, sizeof number, &number), a); break;
    case 'f': check(clSetKernelArg(h->kernel, h->argument++, sizeof real, &real), a); break;
    case 'l': check(clSetKernelArg(h->kernel, h->argument++, (size_t)number, NULL), a); break;
    default: check(clSetKernelArg(h->kernel, h->argument++, sizeof(cl_mem), NULL), a); break;
  }
}

int main(int argc, char **argv) {
  static char source[1 << 16];
  host h = {0};
  FILE *f = argc < 4 ? NULL : fopen(argv[1], "r");
  if (f == NULL) return 8;
  source[fread(source, 1, sizeof source - 1, f)] = '\0';
  (void)fclose(f);
  const int options = strcmp(argv[3], "-o") == 0 ? 1 : 0;
  open_device(&h, source, options != 0 ? argv[4] : "", argv[2]);
  for (int at = 3 + 2 * options; at < argc; at++)
    if (argv[at][0] == '@')
      launch(&h, argv[at]);
    else
      give(&h, argv[at]);
  return 0;
}
