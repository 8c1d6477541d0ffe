/* What cannot be captured, and the file's limits. The program goes on in any case.
 * run: svm : shared virtual memory
 * run: svm-argument : shared virtual memory
 * run: native : a function of the program as a command (clEnqueueNativeKernel)
 * run: binary : a program was made from a binary
 * run: mapped : a kernel was launched with a memory object that was mapped for writing
 * run: two-devices : commands went to more than one device
 * run: fork : more than one process of the program used OpenCL
 * run: fork-first : more than one process of the program used OpenCL
 * run: large CLTESTCHECK_CAPTURE_CAP=100000 : the capture would be larger than 100000 bytes
 * run: large-records CLTESTCHECK_CAPTURE_CAP=100000 : the capture would be larger than 100000 bytes
 * run: limit : the capture would be larger than 61440 bytes
 * run: full : the capture could not be written: File too large */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

#define SOURCE "kernel void add(global int *a, int n) { a[get_global_id(0)] += n; }"

static cl_program program(const host *h) { return host_program(h, SOURCE, NULL); }

/* Does what can be captured; it must go on working. */
static void usual(const host *h, const char *when) {
  cl_mem m = host_buffer(h, 64);
  cl_kernel k = host_kernel(program(h), "add");
  host_arguments(k, m, 3);
  host_launch(h, k, 16);
  printf("%s: %ld\n", when, host_sum(h, m, 16));
  CHECK(clReleaseKernel(k));
  CHECK(clReleaseMemObject(m));
}

static void svm(const host *h) {
  void *p = clSVMAlloc(h->context, CL_MEM_READ_WRITE, 64, 0);
  TRUE_(p);
  clSVMFree(h->context, p);
}

static void svm_argument(const host *h) {
  static int memory[16];
  cl_kernel k = host_kernel(program(h), "add");
  CHECK(clSetKernelArgSVMPointer(k, 0, memory));
  CHECK(clReleaseKernel(k));
}

static void CL_CALLBACK function(void *data) { (void)data; }

static void native(const host *h) {
  CHECK(clEnqueueNativeKernel(h->queue, function, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
  CHECK(clFinish(h->queue));
}

/* Making the program is nothing yet, its kernel is. */
static void binary(const host *h) {
  cl_program p = program(h);
  size_t size;
  cl_int error, status;
  CHECK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char *bytes = malloc(size);
  CHECK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
  cl_program again =
      clCreateProgramWithBinary(h->context, 1, &h->device, &size, (const unsigned char **)&bytes, &status, &error);
  CHECK(error);
  CHECK(clBuildProgram(again, 1, &h->device, "", NULL, NULL));
  cl_kernel k = host_kernel(again, "add");
  CHECK(clReleaseKernel(k));
  free(bytes);
}

static void mapped(const host *h) {
  cl_int error;
  cl_mem m = host_buffer(h, 64);
  cl_kernel k = host_kernel(program(h), "add");
  void *p = clEnqueueMapBuffer(h->queue, m, CL_TRUE, CL_MAP_WRITE, 0, 4, 0, NULL, NULL, &error);
  CHECK(error);
  host_arguments(k, m, 1);
  host_launch(h, k, 16);
  CHECK(clEnqueueUnmapMemObject(h->queue, m, p, 0, NULL, NULL));
  CHECK(clFinish(h->queue));
  CHECK(clReleaseKernel(k));
}

/* The device and a part of it. */
static void two_devices(const host *h) {
  const cl_device_partition_property by[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[64], both[2] = {h->device, NULL};
  cl_int error;
  CHECK(clCreateSubDevices(h->device, by, 64, parts, NULL));
  both[1] = parts[0];
  cl_context c = clCreateContext(NULL, 2, both, NULL, NULL, &error);
  CHECK(error);
  cl_mem m = clCreateBuffer(c, CL_MEM_READ_WRITE, 64, NULL, &error);
  CHECK(error);
  for (int i = 0; i < 2; i++) {
    int value = 1;
    cl_command_queue q = clCreateCommandQueue(c, both[i], 0, &error);
    CHECK(error);
    CHECK(clEnqueueWriteBuffer(q, m, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    CHECK(clReleaseCommandQueue(q));
  }
}

static void child(void) {
  host h = host_open(0);
  usual(&h, "child");
  fflush(stdout);
}

/* Buffers of bytes of their own. */
static void large(const host *h, size_t size) {
  unsigned char *bytes = malloc(size);
  cl_int error;
  for (size_t at = 0; at < 300000; at += size) {
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)((at + i) * 2654435761u >> 13);
    cl_mem m = clCreateBuffer(h->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, bytes, &error);
    CHECK(error);
    CHECK(clReleaseMemObject(m));
  }
  free(bytes);
}

static void limit_files(rlim_t most) {
  struct rlimit now;
  TRUE_(getrlimit(RLIMIT_FSIZE, &now) == 0);
  now.rlim_cur = most < now.rlim_max ? most : now.rlim_max;
  TRUE_(setrlimit(RLIMIT_FSIZE, &now) == 0);
}

/* The largest file that the process may write: a write beyond it would end the process. */
static void limit(void) {
  limit_files(65536);
  host h = host_open(0);
  large(&h, 4096);
  limit_files(RLIM_INFINITY);
}

/* A disk without room, as far as the layer can tell. */
static void full(void) {
  TRUE_(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
  host h = host_open(0);
  limit_files(65536);
  large(&h, 4096);
  limit_files(RLIM_INFINITY);
}

static const struct {
  const char *name;
  void (*run)(const host *h);
} modes[] = {{"svm", svm},       {"svm-argument", svm_argument}, {"native", native}, {"binary", binary},
             {"mapped", mapped}, {"two-devices", two_devices}};

/* Two processes: `first`: the child before the parent. */
static int processes(int first) {
  pid_t pid;
  int status;
  fflush(stdout);
  if (first) {
    pid = fork();
    if (pid == 0) {
      child();
      return 0;
    }
    TRUE_(waitpid(pid, &status, 0) == pid && status == 0);
  }
  host h = host_open(0);
  usual(&h, "parent");
  fflush(stdout);
  if (first) return 0;
  /* the driver's threads are not there in the child: a program of its own */
  pid = fork();
  if (pid == 0) {
    execl("/proc/self/exe", "capture_refused", "plain", NULL);
    _exit(1);
  }
  TRUE_(waitpid(pid, &status, 0) == pid && status == 0);
  return 0;
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  if (strncmp(mode, "fork", 4) == 0) return processes(strcmp(mode, "fork-first") == 0);
  if (strcmp(mode, "limit") == 0) limit();
  if (strcmp(mode, "full") == 0) full();
  host h = host_open(0);
  if (strcmp(mode, "large") == 0) large(&h, 65536);
  if (strcmp(mode, "large-records") == 0) large(&h, 64);
  usual(&h, "before");
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (strcmp(modes[i].name, mode) == 0) modes[i].run(&h);
  usual(&h, "after");
  fflush(stdout);
  return 0;
}
