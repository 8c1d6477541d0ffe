/* Programs with an error of memory, and trouble besides: trouble_host MODE.
 *   two: one kernel reads an image that is a buffer, which not every device can tell the size of; another one writes past its
 *     buffer. two_right: it does not.
 *   beyond: the first kernel writes past the end of such an image.
 *   sentinel N: a loop that ends at a value which is in no memory of its own; N: how it is written. sentinel_right: it is there.
 *   sleep: a write past a buffer, and then the program waits for long.
 *   scale N, scale_right N: one kernel of N accesses, and one more, past the end. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    printf("%s: %d\n", what, (int)status);
    exit(2);
  }
}

static void begin(void) {
  cl_int status;
  cl_platform_id platform;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "context");
  queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "queue");
}

static char options[40];

static cl_program build(const char *text) {
  cl_int status;
  cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &status);
  check(status, "program");
  check(clBuildProgram(p, 1, &device, options, NULL, NULL), "build");
  return p;
}

/* Of `count` words, each `word`. */
static cl_mem words(size_t count, cl_int word) {
  cl_int status, *data = malloc(count * sizeof *data);
  for (size_t i = 0; i < count; i++) data[i] = word;
  cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * sizeof *data, data, &status);
  check(status, "buffer");
  free(data);
  return m;
}

static void launch(cl_program p, const char *name, cl_mem first, cl_mem second, cl_int n, size_t items) {
  cl_int status;
  const size_t local = 16;
  cl_kernel k = clCreateKernel(p, name, &status);
  check(status, name);
  check(clSetKernelArg(k, 0, sizeof(cl_mem), &first), "argument");
  check(clSetKernelArg(k, 1, sizeof(cl_mem), &second), "argument");
  check(clSetKernelArg(k, 2, sizeof n, &n), "argument");
  check(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, &local, 0, NULL, NULL), "launch");
  check(clReleaseKernel(k), "kernel");
}

static void show(cl_mem m, size_t count) {
  cl_int *data = calloc(count, sizeof *data), sum = 0;
  check(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, count * sizeof *data, data, 0, NULL, NULL), "read");
  for (size_t i = 0; i < count; i++) sum = (cl_int)((unsigned)sum * 31U + (unsigned)data[i]);
  printf("sum: %d\n", (int)sum);
  (void)fflush(stdout);
  free(data);
}

static const char put[] =
    "kernel void put(global int *a, global int *b, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) a[i] = b[i % 16];\n" /* line 3 */
    "}\n";
static const char image[] =
    "kernel void im(read_only image1d_buffer_t im, global int *o, int n) {\n"
    "  o[get_global_id(0)] = read_imagei(im, (int)get_global_id(0)).x;\n"
    "}\n";
static const char paint[] =
    "kernel void im(write_only image1d_buffer_t im, global int *o, int n) {\n"
    "  write_imagei(im, (int)get_global_id(0) + n, (int4)(o[0]));\n" /* line 2 */
    "}\n";
static const char find[] =
    "int at(global const int *a, int i) { return a[i]; }\n" /* line 1 */
    "kernel void find(global const int *a, global int *o, int n) {\n"
    "  int i = get_global_id(0), found = 0;\n"
    "  if (n > 20) barrier(CLK_LOCAL_MEM_FENCE);\n"
    "#if LOOP == 0\n"
    "  while (a[i] != n) { i++; for (int k = 0; k < 3; k++) found += k; }\n" /* line 6 */
    "#elif LOOP == 1\n"
    "  for (;;) { if (a[i] == n) break; i++; }\n" /* line 8 */
    "#elif LOOP == 2\n"
    "  do { i++; } while (at(a, i - 1) != n);\n"
    "#elif LOOP == 3\n"
    "  for (; a[i] != n; i++) found++;\n" /* line 12 */
    "#else\n"
    "  for (int k = 0; k < 9; k++) while (1) { i = a[i] * 0 + i + 1; if (a[i - 1] == n) break; }\n" /* line 14 */
    "#endif\n"
    "  o[get_global_id(0)] = found + i;\n"
    "}\n";

static cl_mem image_of(cl_mem m, size_t width) {
  cl_int status;
  const cl_image_format format = {CL_RGBA, CL_SIGNED_INT32};
  cl_image_desc d = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = width};
  d.buffer = m;
  cl_mem made = clCreateImage(context, CL_MEM_READ_WRITE, &format, &d, NULL, &status);
  check(status, "image");
  return made;
}

static void two(int n) {
  char text[sizeof put + sizeof image];
  (void)snprintf(text, sizeof text, "%s%s", put, image);
  cl_program p = build(text);
  cl_mem a = words(100, 1), b = words(256, 3), o = words(64, 0);
  launch(p, "put", a, b, n, 128);
  show(a, 100);
  launch(p, "im", image_of(b, 64), o, 0, 64);
  show(o, 64);
}

static void scale(int count, int wrong) {
  char *text = malloc(200 + (size_t)count * 80), *at = text;
  at +=
      sprintf(at, "kernel void big(global const int *a, global int *o, int n) {\n int i = get_global_id(0), s = 0;\n");
  for (int k = 0; k < count; k++) at += sprintf(at, "  s = s * 3 + a[(i + %d) %% n] * %d;\n", k % 64, k % 9);
  (void)sprintf(at, "  s += a[i + n * %d];\n  o[i] = s;\n}\n", wrong);
  cl_mem o = words(64, 0);
  launch(build(text), "big", words(64, 5), o, 64 - 63 * !wrong, 64);
  show(o, 64);
  free(text);
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  const int count = argc > 2 ? atoi(argv[2]) : 0;
  begin();
  if (strncmp(mode, "two", 3) == 0) {
    two(mode[3] == '_' ? 100 : 101);
  } else if (strncmp(mode, "beyond", 6) == 0) {
    cl_mem b = words(256, 3), o = words(64, 7);
    launch(build(paint), "im", image_of(b, 64), o, mode[6] == '_' ? 0 : 1, 64);
    show(b, 256);
  } else if (strncmp(mode, "sentinel", 8) == 0) {
    cl_mem o = words(16, 0);
    (void)snprintf(options, sizeof options, "-DLOOP=%d", count);
    launch(build(find), "find", words(256, 1), o, mode[8] == '_' ? 1 : 9, 16);
    show(o, 16);
  } else if (strncmp(mode, "sleep", 5) == 0) {
    cl_mem a = words(100, 1);
    launch(build(put), "put", a, words(16, 2), mode[5] == '_' ? 100 : 101, 128);
    check(clFinish(queue), "finish");
    puts("waits");
    (void)fflush(stdout);
    (void)sleep(count > 0 ? (unsigned)count : 60);
  } else if (strncmp(mode, "scale", 5) == 0) {
    scale(count, mode[5] != '_');
  } else {
    return 2;
  }
  return 0;
}
