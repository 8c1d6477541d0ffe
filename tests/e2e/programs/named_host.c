/* named_host MODE: one program with several test cases, which it names (cltestcheck.h); the table at the end lists the
 * modes. Work-items 0 to 7 run; those below `limit` take the first way, the others the second. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cltestcheck.h"

enum { ITEMS = 8 };

static const char source[] =
    "__kernel void work(__global int *out, int limit) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < limit)\n"
    "    out[i] = i;\n"
    "  else\n"
    "    out[i] = -i;\n"
    "}\n";

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem memory;

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    fprintf(stderr, "named_host: %s failed with %d\n", what, status);
    exit(9);
  }
}

static void open_with(cl_command_queue_properties properties) {
  cl_platform_id platform = NULL;
  cl_int status = CL_SUCCESS;
  const char *text = source;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  queue = clCreateCommandQueue(context, device, properties, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  kernel = clCreateKernel(program, "work", &status);
  check(status, "clCreateKernel");
  memory = clCreateBuffer(context, CL_MEM_READ_WRITE, ITEMS * sizeof(cl_int), NULL, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
}

static void launch_behind(cl_int limit, cl_event before) {
  const size_t items = ITEMS;
  check(clSetKernelArg(kernel, 1, sizeof limit, &limit), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, before ? 1 : 0, before ? &before : NULL, NULL),
        "clEnqueueNDRangeKernel");
}

static void launch(cl_int limit) { launch_behind(limit, NULL); }

/* A test case that waits for its work, one that leaves it to the next, and one that launches nothing. */
static int several(cl_command_queue_properties properties) {
  cltestcheck_begin("before all");
  cltestcheck_end(0);
  open_with(properties);
  cltestcheck_begin("all");
  launch(ITEMS);
  check(clFinish(queue), "clFinish");
  cltestcheck_end(0);
  cltestcheck_begin_with("none", "./named none");
  launch(0);
  cltestcheck_begin("half"); /* ends the one before */
  launch(4);
  launch(4);
  cltestcheck_end(1);
  cltestcheck_begin("nothing");
  cltestcheck_end(0);
  check(clFinish(queue), "clFinish");
  return 0;
}

static int in_order(void) { return several(0); }
static int out_of_order(void) { return several(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }

/* What is launched between test cases is the program's own. */
static int outside(void) {
  open_with(0);
  launch(ITEMS);
  cltestcheck_begin("none");
  launch(0);
  cltestcheck_end(0);
  check(clFinish(queue), "clFinish");
  return 0;
}

/* The launch of one test case runs in the next. */
static int late(void) {
  cl_int status = CL_SUCCESS;
  open_with(0);
  cl_event gate = clCreateUserEvent(context, &status);
  check(status, "clCreateUserEvent");
  cltestcheck_begin("first");
  launch_behind(ITEMS, gate);
  cltestcheck_end(0);
  cltestcheck_begin("second");
  launch(0);
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  check(clFinish(queue), "clFinish");
  cltestcheck_end(0);
  return 0;
}

static int once(void) {
  open_with(0);
  launch(ITEMS);
  check(clFinish(queue), "clFinish");
  return 0;
}

/* A process that a test case starts belongs to it. */
static int child(void) {
  open_with(0);
  cltestcheck_begin("starts a process");
  setenv("CLTESTCHECK_TEST_CASE", "starts a process", 1);
  if (fork() == 0) {
    execl("/proc/self/exe", "named_host", "once", (char *)NULL);
    _exit(9);
  }
  int status = 0;
  (void)wait(&status);
  unsetenv("CLTESTCHECK_TEST_CASE");
  cltestcheck_end(status);
  cltestcheck_begin("none");
  launch(0);
  check(clFinish(queue), "clFinish");
  cltestcheck_end(0);
  return 0;
}

/* The second test case ends the program. */
static int crash(void) {
  open_with(0);
  cltestcheck_begin("ends well");
  launch(ITEMS);
  check(clFinish(queue), "clFinish");
  cltestcheck_end(0);
  cltestcheck_begin("crashes");
  launch(0);
  check(clFinish(queue), "clFinish");
  abort();
}

static const struct {
  const char *name;
  int (*run)(void);
} modes[] = {{"in-order", in_order}, {"out-of-order", out_of_order},
             {"outside", outside},   {"late", late},
             {"once", once},         {"child", child},
             {"crash", crash}};

int main(int argc, char **argv) {
  for (size_t i = 0; argc == 2 && i < sizeof modes / sizeof *modes; i++)
    if (strcmp(modes[i].name, argv[1]) == 0) return modes[i].run();
  fprintf(stderr, "named_host: no such mode\n");
  return 2;
}
