/* growth-host KERNELS STATEMENTS LAUNCHES BYTES: an OpenCL program of any size, for bench/replay-growth.
 *
 * It builds KERNELS kernels of STATEMENTS statements each (each gives eight mutants of the paper set), and
 * launches one after another, LAUNCHES times in all, over one buffer of BYTES, which it fills before and reads after
 * them. A work-item does four bytes. Prints a checksum. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `*` and `+` give three mutants each, `>>` and `^` one each. */
#define STATEMENT "  v = v * %uu + (v >> %u) ^ %uu;\n"
enum { STATEMENT_BYTES = 64, KERNEL_BYTES = 192, GROUP = 64 };

typedef struct sizes {
  unsigned kernels, statements, launches;
  size_t bytes;
} sizes;

static void check(cl_int status, const char *call) {
  if (status != CL_SUCCESS) {
    (void)fprintf(stderr, "growth-host: %s failed with %d\n", call, status);
    exit(1);
  }
}

static void *allocate(size_t bytes) {
  void *memory = calloc(1, bytes);
  if (memory == NULL) {
    (void)fprintf(stderr, "growth-host: no memory for %zu bytes\n", bytes);
    exit(1);
  }
  return memory;
}

/* A text that grows within the memory that it was given. */
typedef struct text {
  char *at, *end;
} text;

static void add(text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(t->at, (size_t)(t->end - t->at), format, arguments);
  va_end(arguments);
  t->at += length;
}

static char *write_source(const sizes *s) {
  const size_t room = (size_t)s->kernels * (KERNEL_BYTES + (size_t)s->statements * STATEMENT_BYTES) + 1;
  char *source = allocate(room);
  text t = {source, source + room};
  for (unsigned k = 0; k < s->kernels; k++) {
    add(&t, "__kernel void k%u(__global uint *a) {\n  size_t i = get_global_id(0);\n  uint v = a[i];\n", k);
    for (unsigned n = 0; n < s->statements; n++) add(&t, STATEMENT, 3 + 2 * (n % 50), 1 + n % 7, k * 31 + n);
    add(&t, "  a[i] = v;\n}\n");
  }
  return source;
}

typedef struct device {
  cl_context context;
  cl_command_queue queue;
  cl_program program;
} device;

static device open_device(const char *source) {
  device d;
  cl_platform_id platform = NULL;
  cl_device_id id = NULL;
  cl_int status = CL_SUCCESS;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL), "clGetDeviceIDs");
  d.context = clCreateContext(NULL, 1, &id, NULL, NULL, &status);
  check(status, "clCreateContext");
  d.queue = clCreateCommandQueue(d.context, id, 0, &status);
  check(status, "clCreateCommandQueue");
  d.program = clCreateProgramWithSource(d.context, 1, &source, NULL, &status);
  check(status, "clCreateProgramWithSource");
  check(clBuildProgram(d.program, 1, &id, "", NULL, NULL), "clBuildProgram");
  return d;
}

static void launch_all(const device *d, const sizes *s, cl_mem memory) {
  cl_int status = CL_SUCCESS;
  const size_t global = s->bytes / sizeof(cl_uint);
  const size_t local = global < GROUP ? global : GROUP;
  cl_kernel *kernels = allocate(s->kernels * sizeof(cl_kernel));
  for (unsigned i = 0; i < s->launches; i++) {
    cl_kernel *kernel = &kernels[i % s->kernels];
    if (*kernel == NULL) {
      char name[32];
      (void)snprintf(name, sizeof name, "k%u", i % s->kernels);
      *kernel = clCreateKernel(d->program, name, &status);
      check(status, "clCreateKernel");
      check(clSetKernelArg(*kernel, 0, sizeof(cl_mem), &memory), "clSetKernelArg");
    }
    check(clEnqueueNDRangeKernel(d->queue, *kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  }
  check(clFinish(d->queue), "clFinish");
  for (unsigned k = 0; k < s->kernels; k++)
    if (kernels[k] != NULL) check(clReleaseKernel(kernels[k]), "clReleaseKernel");
  free(kernels);
}

/* A number of at least `least`; ends the program when it is none. */
static size_t number(const char *word, size_t least) {
  char *end = NULL;
  const unsigned long long value = strtoull(word, &end, 10);
  if (*end != '\0' || value < least) {
    (void)fprintf(stderr, "growth-host: \"%s\" is no number from %zu on\n", word, least);
    exit(1);
  }
  return (size_t)value;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    (void)fputs("usage: growth-host KERNELS STATEMENTS LAUNCHES BYTES\n", stderr);
    return 1;
  }
  const sizes s = {(unsigned)number(argv[1], 1), (unsigned)number(argv[2], 1), (unsigned)number(argv[3], 1),
                   number(argv[4], GROUP * sizeof(cl_uint)) / (GROUP * sizeof(cl_uint)) * GROUP * sizeof(cl_uint)};
  char *source = write_source(&s);
  const device d = open_device(source);
  cl_uint *data = allocate(s.bytes);
  for (size_t i = 0; i < s.bytes / sizeof *data; i++) data[i] = (cl_uint)(i * 2654435761u);
  cl_int status = CL_SUCCESS;
  cl_mem memory = clCreateBuffer(d.context, CL_MEM_READ_WRITE, s.bytes, NULL, &status);
  check(status, "clCreateBuffer");
  check(clEnqueueWriteBuffer(d.queue, memory, CL_TRUE, 0, s.bytes, data, 0, NULL, NULL), "clEnqueueWriteBuffer");
  launch_all(&d, &s, memory);
  check(clEnqueueReadBuffer(d.queue, memory, CL_TRUE, 0, s.bytes, data, 0, NULL, NULL), "clEnqueueReadBuffer");
  uint64_t sum = 0;
  for (size_t i = 0; i < s.bytes / sizeof *data; i++) sum = sum * 31 + data[i];
  (void)printf("%016" PRIx64 "\n", sum);
  check(clReleaseMemObject(memory), "clReleaseMemObject");
  check(clReleaseProgram(d.program), "clReleaseProgram");
  check(clReleaseCommandQueue(d.queue), "clReleaseCommandQueue");
  check(clReleaseContext(d.context), "clReleaseContext");
  free(source);
  free(data);
  return 0;
}
