/* The OpenCL boilerplate of the benchmarks; see host.h. */
#include "common/host.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* For messages; set by host_open. */
static const char *program_name = "benchmark";

void host_fail(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(stderr, "%s: ", program_name);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
  exit(1);
}

void host_check(cl_int status, const char *call) {
  if (status != CL_SUCCESS) host_fail("%s gave OpenCL error %d", call, (int)status);
}

void *host_calloc(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) host_fail("out of memory");
  return memory;
}

const char *host_folder(void) {
  static char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length < 0) host_fail("cannot read /proc/self/exe: %s", strerror(errno));
  path[length] = '\0';
  char *slash = strrchr(path, '/');
  if (slash) *slash = '\0';
  return path;
}

/* The text of NAME.cl beside the executable; free() it. */
static char *read_source(const char *name) {
  char path[PATH_MAX + 64];
  snprintf(path, sizeof path, "%s/%s.cl", host_folder(), name);
  FILE *file = fopen(path, "rb");
  if (!file) host_fail("cannot open %s: %s", path, strerror(errno));
  size_t capacity = 1 << 16;
  char *text = host_calloc(capacity, 1);
  size_t length = fread(text, 1, capacity - 1, file);
  if (ferror(file) || !feof(file)) host_fail("cannot read %s, or it is longer than 64 KiB", path);
  text[length] = '\0';
  fclose(file);
  return text;
}

static void show_build_log(const host *h) {
  size_t size = 0;
  clGetProgramBuildInfo(h->program, h->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char *log = host_calloc(size + 1, 1);
  clGetProgramBuildInfo(h->program, h->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  fprintf(stderr, "%s\n", log);
  free(log);
}

static void build_program(host *h, const char *options) {
  char *source = read_source(h->name);
  const char *text = source;
  cl_int status = CL_SUCCESS;
  h->program = clCreateProgramWithSource(h->context, 1, &text, NULL, &status);
  host_check(status, "clCreateProgramWithSource");
  free(source);
  status = clBuildProgram(h->program, 1, &h->device, options, NULL, NULL);
  if (status != CL_SUCCESS) show_build_log(h);
  host_check(status, "clBuildProgram");
}

host host_open(const char *name, const char *options) {
  host h = {.name = name};
  program_name = name;
  cl_platform_id platform = NULL;
  cl_int status = clGetPlatformIDs(1, &platform, NULL);
  host_check(status, "clGetPlatformIDs");
  host_check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &h.device, NULL), "clGetDeviceIDs");
  h.context = clCreateContext(NULL, 1, &h.device, NULL, NULL, &status);
  host_check(status, "clCreateContext");
  h.queue = clCreateCommandQueue(h.context, h.device, 0, &status);
  host_check(status, "clCreateCommandQueue");
  build_program(&h, options);
  return h;
}

int host_finish(host *h, bool ok, const char *format, ...) {
  va_list list;
  va_start(list, format);
  printf("%s %s: ", ok ? "ok" : "FAILED", h->name);
  vprintf(format, list);
  putchar('\n');
  va_end(list);
  host_check(clFinish(h->queue), "clFinish");
  clReleaseProgram(h->program);
  clReleaseCommandQueue(h->queue);
  clReleaseContext(h->context);
  return ok ? 0 : 1;
}

int host_number(int argc, char **argv, int index, int fallback, int low, int high) {
  if (index >= argc) return fallback;
  char *end = NULL;
  errno = 0;
  long value = strtol(argv[index], &end, 10);
  if (errno || end == argv[index] || *end || value < low || value > high) {
    fprintf(stderr, "%s: argument %d must be a number from %d to %d, not \"%s\"\n", argv[0], index, low, high,
            argv[index]);
    exit(1);
  }
  return (int)value;
}

bool host_word(int argc, char **argv, int index, const char *fallback, const char *word) {
  return strcmp(index < argc ? argv[index] : fallback, word) == 0;
}

cl_kernel host_kernel(const host *h, const char *name) {
  cl_int status = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(h->program, name, &status);
  host_check(status, "clCreateKernel");
  return kernel;
}

cl_mem host_buffer(const host *h, size_t bytes, const void *data) {
  cl_int status = CL_SUCCESS;
  cl_mem buffer = clCreateBuffer(h->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  host_check(status, "clCreateBuffer");
  if (data) {
    host_write(h, buffer, bytes, data);
  } else {
    void *zeros = host_calloc(bytes, 1);
    host_write(h, buffer, bytes, zeros);
    free(zeros);
  }
  return buffer;
}

/* What was read goes after what is in the file SUITE_DUMP, where there is such a variable: tests/reference. */
static void dump(const void *data, size_t bytes) {
  const char *path = getenv("SUITE_DUMP");
  if (!path) return;
  FILE *file = fopen(path, "ab");
  if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0)
    host_fail("cannot write %s: %s", path, strerror(errno));
}

void host_read(const host *h, cl_mem buffer, size_t bytes, void *data) {
  host_check(clEnqueueReadBuffer(h->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL), "clEnqueueReadBuffer");
  dump(data, bytes);
}

void host_write(const host *h, cl_mem buffer, size_t bytes, const void *data) {
  host_check(clEnqueueWriteBuffer(h->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL), "clEnqueueWriteBuffer");
}

void host_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  host_check(clSetKernelArg(kernel, index, size, value), "clSetKernelArg");
}

void host_launch(const host *h, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
                 const size_t *local) {
  host_check(clEnqueueNDRangeKernel(h->queue, kernel, dimensions, offset, global, local, 0, NULL, NULL),
             "clEnqueueNDRangeKernel");
  host_check(clFinish(h->queue), "clFinish");
}

size_t host_round_up(size_t n, size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

bool host_close(float a, float b, float tolerance) {
  float difference = a > b ? a - b : b - a;
  float magnitude = b > 0 ? b : -b;
  return difference <= tolerance * (magnitude > 1 ? magnitude : 1);
}
