/* A program for dynamic.sh: launches kernel `k` of a file, and looks at its results in one of many ways.
 *     dynamic_host WAY FILE [OPTIONS [N]]
 * `k` gets a buffer of COUNT numbers, zeroed, and N (5). Ways that check end with 1 unless o[i] is 5 * i + 3; the others
 * print what they see. */
#define CL_TARGET_OPENCL_VERSION 220
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 16, BYTES = COUNT * (int)sizeof(int), PAGE = 4096 };

#define CHECK(call)                                                      \
  do {                                                                   \
    const cl_int code_ = (call);                                         \
    if (code_ != CL_SUCCESS) {                                           \
      fprintf(stderr, "line %d: %s gives %d\n", __LINE__, #call, code_); \
      exit(2);                                                           \
    }                                                                    \
  } while (0)

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static const char *text, *options;
static int number = 5;
static _Alignas(4096) int own[PAGE / sizeof(int)];

static void begin(void) {
  cl_platform_id platform;
  cl_int status;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  CHECK(status);
  queue = clCreateCommandQueue(context, device, 0, &status);
  CHECK(status);
}

static void read_text(const char *file) {
  static char all[1 << 16];
  FILE *f = fopen(file, "r");
  if (f == NULL) exit(2);
  all[fread(all, 1, sizeof all - 1, f)] = '\0';
  fclose(f);
  text = all;
}

static cl_kernel kernel_of(const char *with) {
  cl_int status;
  cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &status);
  CHECK(status);
  CHECK(clBuildProgram(p, 1, &device, with, NULL, NULL));
  cl_kernel k = clCreateKernel(p, "k", &status);
  CHECK(status);
  return k;
}

static cl_mem zeros(void) {
  static int none[COUNT];
  cl_int status;
  cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BYTES, none, &status);
  CHECK(status);
  return m;
}

static cl_mem own_buffer(void) {
  cl_int status;
  cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, BYTES, own, &status);
  CHECK(status);
  return m;
}

static void launch(cl_kernel k, cl_mem out, int n, cl_event *event) {
  const size_t global = COUNT;
  CHECK(clSetKernelArg(k, 0, sizeof out, &out));
  CHECK(clSetKernelArg(k, 1, sizeof n, &n));
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, NULL, 0, NULL, event));
}

static int wrong(const int *seen) {
  int result = 0;
  for (int i = 0; i < COUNT; i++) result = result || seen[i] != i * 5 + 3;
  return result;
}

static int show(cl_mem m) {
  int seen[COUNT];
  CHECK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, BYTES, seen, 0, NULL, NULL));
  for (int i = 0; i < COUNT; i++) printf("%d ", seen[i]);
  puts("");
  return 0;
}

static int read_all(void) {
  cl_mem m = zeros();
  launch(kernel_of(options), m, number, NULL);
  return show(m);
}

/* Also with offsets, and of a copy. */
static int mapped(cl_mem m, cl_map_flags flags) {
  cl_int status;
  int *seen = clEnqueueMapBuffer(queue, m, CL_TRUE, flags, 0, BYTES, 0, NULL, NULL, &status);
  CHECK(status);
  const int result = wrong(seen);
  CHECK(clEnqueueUnmapMemObject(queue, m, seen, 0, NULL, NULL));
  CHECK(clFinish(queue));
  return result;
}

static int map_for_writing(void) {
  cl_mem m = zeros();
  launch(kernel_of(options), m, number, NULL);
  return mapped(m, CL_MAP_WRITE);
}

static int map_copy(void) {
  cl_mem m = zeros(), copy = zeros();
  launch(kernel_of(options), m, number, NULL);
  CHECK(clEnqueueCopyBuffer(queue, m, copy, 0, 0, BYTES, 0, NULL, NULL));
  return mapped(copy, CL_MAP_WRITE);
}

/* What is in it is of no interest: it is only written. The kernel adds to nothing. */
static int map_to_fill(void) {
  cl_mem m = zeros();
  cl_int status;
  cl_kernel k = kernel_of(options);
  launch(k, m, number, NULL);
  int *seen = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, BYTES, 0, NULL, NULL, &status);
  CHECK(status);
  memset(seen, 0, BYTES);
  CHECK(clEnqueueUnmapMemObject(queue, m, seen, 0, NULL, NULL));
  return show(m);
}

/* Memory of the program's own, looked at when the queue is finished, */
static int own_finish(void) {
  launch(kernel_of(options), own_buffer(), number, NULL);
  CHECK(clFinish(queue));
  return wrong(own);
}

/* when the launch's event is complete, */
static int own_event(void) {
  cl_event event;
  launch(kernel_of(options), own_buffer(), number, &event);
  CHECK(clWaitForEvents(1, &event));
  return wrong(own);
}

/* after a blocking read of something else, */
static int own_block(void) {
  int nothing = 0;
  cl_mem other = zeros();
  launch(kernel_of(options), own_buffer(), number, NULL);
  CHECK(clEnqueueReadBuffer(queue, other, CL_TRUE, 0, sizeof nothing, &nothing, 0, NULL, NULL));
  return wrong(own);
}

/* as a part of a larger buffer, twice: what the first launch has made is gone when the second one ends, */
static int own_part(void) {
  cl_int status;
  cl_mem whole = own_buffer();
  const cl_buffer_region region = {.origin = 0, .size = BYTES};
  cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  CHECK(status);
  cl_kernel k = kernel_of(options);
  launch(k, part, number, NULL);
  CHECK(clFinish(queue));
  const int first = wrong(own);
  launch(k, part, 1, NULL);
  CHECK(clFinish(queue));
  CHECK(clReleaseMemObject(part));
  CHECK(clReleaseMemObject(whole));
  return first;
}

/* and after a marker, where a replay cannot know that it is looked at. */
static int own_marker(void) {
  cl_event event;
  show(zeros());
  launch(kernel_of(options), own_buffer(), number, NULL);
  CHECK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
  CHECK(clWaitForEvents(1, &event));
  return wrong(own);
}

/* A part of the results, of which other parts are never seen: some in the middle, */
static int read_part(void) {
  int seen[4];
  cl_mem m = zeros();
  launch(kernel_of(options), m, number, NULL);
  CHECK(clEnqueueReadBuffer(queue, m, CL_TRUE, 8, sizeof seen, seen, 0, NULL, NULL));
  return seen[0] != 13 || seen[3] != 28;
}

/* two columns of two rows of a square, */
static int read_rectangle(void) {
  int seen[4];
  const size_t from[3] = {4, 1, 0}, to[3] = {0}, region[3] = {8, 2, 1};
  cl_mem m = zeros();
  launch(kernel_of(options), m, number, NULL);
  CHECK(clEnqueueReadBufferRect(queue, m, CL_TRUE, from, to, region, 16, 0, 8, 0, seen, 0, NULL, NULL));
  return seen[0] != 28 || seen[1] != 33 || seen[2] != 48 || seen[3] != 53;
}

/* and the end, by a mapping that is changed and goes into a second launch. */
static int map_part(void) {
  cl_int status;
  cl_mem m = zeros();
  cl_kernel k = kernel_of(options);
  launch(k, m, number, NULL);
  int *seen = clEnqueueMapBuffer(queue, m, CL_FALSE, CL_MAP_WRITE, 32, 32, 0, NULL, NULL, &status);
  CHECK(status);
  CHECK(clFinish(queue));
  const int result = seen[0] != 43 || seen[7] != 78;
  seen[0] = 77;
  CHECK(clEnqueueUnmapMemObject(queue, m, seen, 0, NULL, NULL));
  launch(k, m, 1, NULL);
  CHECK(clFinish(queue));
  return result;
}

/* A copy into the program's own memory. */
static int own_copy(void) {
  cl_mem m = zeros();
  launch(kernel_of(options), m, number, NULL);
  CHECK(clEnqueueCopyBuffer(queue, m, own_buffer(), 0, 0, BYTES, 0, NULL, NULL));
  CHECK(clFinish(queue));
  return wrong(own);
}

static int print_only(void) {
  launch(kernel_of(options), zeros(), number, NULL);
  CHECK(clFinish(queue));
  return 0;
}

/* Two builds of one text; with the first one n is 0. */
static int two_builds(void) {
  cl_mem one = zeros(), two = zeros();
  launch(kernel_of("-DS=1"), one, 0, NULL);
  launch(kernel_of("-DS=2"), two, number, NULL);
  return show(one) + show(two);
}

/* The second build is not launched. */
static int one_of_two(void) {
  cl_mem m = zeros();
  launch(kernel_of("-DS=1"), m, number, NULL);
  (void)kernel_of("-DS=2");
  return show(m);
}

/* Expected values are in a file that the command does not name. */
static int golden(void) {
  int seen[COUNT], expected = 0, result = 0;
  cl_mem m = zeros();
  launch(kernel_of(options), m, number, NULL);
  CHECK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, BYTES, seen, 0, NULL, NULL));
  FILE *f = fopen("golden.txt", "r");
  for (int i = 0; f != NULL && i < COUNT && fscanf(f, "%d", &expected) == 1; i++)
    result = result || expected != seen[i];
  return result;
}

/* Eight work-groups of eight, with COUNT zeros more: a lock, flags. */
static int groups(void) {
  const size_t global = 64, local = 8;
  int seen[COUNT];
  cl_mem out = zeros(), more = zeros();
  cl_kernel k = kernel_of(options);
  FILE *starts = fopen("starts", "a");
  if (starts != NULL) {
    fputs("once\n", starts);
    fclose(starts);
  }
  CHECK(clSetKernelArg(k, 0, sizeof out, &out));
  CHECK(clSetKernelArg(k, 1, sizeof more, &more));
  CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, more, CL_TRUE, 0, BYTES, seen, 0, NULL, NULL));
  return show(out);
}

static const struct {
  const char *name;
  int (*run)(void);
} ways[] = {
    {"read", read_all},         {"map-for-writing", map_for_writing},
    {"map-copy", map_copy},     {"map-to-fill", map_to_fill},
    {"own-finish", own_finish}, {"own-event", own_event},
    {"own-block", own_block},   {"own-part", own_part},
    {"own-marker", own_marker}, {"print-only", print_only},
    {"two-builds", two_builds}, {"one-of-two", one_of_two},
    {"golden", golden},         {"groups", groups},
    {"read-part", read_part},   {"read-rectangle", read_rectangle},
    {"map-part", map_part},     {"own-copy", own_copy},
};

int main(int count, char **words) {
  if (count < 3) return 2;
  setvbuf(stdout, NULL, _IOLBF, 0);
  read_text(words[2]);
  options = count > 3 ? words[3] : NULL;
  number = count > 4 ? atoi(words[4]) : number;
  begin();
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
    if (strcmp(ways[i].name, words[1]) == 0) return ways[i].run();
  return 2;
}
