/* repair_host FILE.cl [OPTIONS]…: builds it, runs its kernel "test" with 2 groups of 64 work-items on the first device, with
 * in[i] = 7 * i % 101 and n = 5, and prints out[0] to out[127], a number a line; with build options once with each. What
 * REPAIR_HEAD of the environment is stands in front of the text that is built. With REPAIR_LAUNCHES there are so many
 * launches, n being larger by one in each; with REPAIR_GROUPS=1 there is one work-group. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 128, LOCAL = 64 };

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    fprintf(stderr, "%s: %d\n", what, (int)status);
    exit(1);
  }
}

static char *read_file(const char *path) {
  FILE *f = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  if (f == NULL || text == NULL || fread(text, 1, (1 << 20) - 1, f) == 0) {
    fprintf(stderr, "%s cannot be read\n", path);
    exit(1);
  }
  fclose(f);
  return text;
}

static char *read_source(const char *path) {
  const char *head = getenv("REPAIR_HEAD");
  char *text = read_file(path);
  if (head != NULL) {
    memmove(text + strlen(head), text, strlen(text) + 1);
    memcpy(text, head, strlen(head));
  }
  return text;
}

static void run(cl_context context, cl_device_id device, cl_command_queue queue, const char *text,
                const char *options) {
  cl_int status;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
  check(status, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, options, NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "test", &status);
  check(status, "clCreateKernel");
  cl_int in[COUNT], out[COUNT], n = 5;
  for (int i = 0; i < COUNT; i++) {
    in[i] = 7 * i % 101;
    out[i] = -1;
  }
  cl_mem given = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof in, in, &status);
  check(status, "clCreateBuffer");
  cl_mem made = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof out, out, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof given, &given), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof made, &made), "clSetKernelArg");
  const char *groups = getenv("REPAIR_GROUPS");
  const size_t global = groups == NULL ? COUNT : LOCAL * (size_t)atoi(groups), local = LOCAL;
  const char *launches = getenv("REPAIR_LAUNCHES");
  for (int end = n + (launches == NULL ? 1 : atoi(launches)); n < end; n++) {
    check(clSetKernelArg(kernel, 2, sizeof n, &n), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  }
  check(clEnqueueReadBuffer(queue, made, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "clEnqueueReadBuffer");
  for (int i = 0; i < COUNT; i++) printf("%d\n", (int)out[i]);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
  check(status, "clCreateCommandQueueWithProperties");
  const char *text = read_source(argv[1]);
  for (int i = 2; i < argc || i == 2; i++) run(context, device, queue, text, i < argc ? argv[i] : "");
  return 0;
}
