/* e2e_host MODE [ARGUMENT…]: a small OpenCL program that does what the end-to-end tests need of the program under test;
 * the table at the end lists the modes. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ITEMS = 8, MAX_BINARY = 1 << 22, MAX_CHILDREN = 16 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    fprintf(stderr, "e2e_host: %s failed with %d\n", what, status);
    exit(9);
  }
}

/* Opens the first device of a type; false: there is none. */
static int open_device(cl_device_type type) {
  cl_platform_id platform = NULL;
  cl_int status = CL_SUCCESS;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  if (clGetDeviceIDs(platform, type, 1, &device, NULL) != CL_SUCCESS) return 0;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "clCreateCommandQueue");
  return 1;
}

static cl_program build_with(const char *source, const char *options) {
  cl_int status = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  check(status, "clCreateProgramWithSource");
  if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
    static char log[1 << 16];
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    printf("%s\n", log);
    fflush(stdout);
    exit(7);
  }
  return program;
}

static cl_program build(const char *source) { return build_with(source, ""); }

/* On `out`, which is then printed. */
static void launch_on(cl_program program, const char *name, cl_int out[ITEMS]) {
  cl_int status = CL_SUCCESS;
  const size_t global = ITEMS, bytes = ITEMS * sizeof *out;
  cl_kernel kernel = clCreateKernel(program, name, &status);
  check(status, "clCreateKernel");
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, out, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes, out, 0, NULL, NULL), "clEnqueueReadBuffer");
  for (int i = 0; i < ITEMS; i++) printf("%d%c", out[i], i == ITEMS - 1 ? '\n' : ' ');
  fflush(stdout);
  clReleaseMemObject(memory);
  clReleaseKernel(kernel);
}

static void launch(cl_program program, const char *name) {
  cl_int out[ITEMS] = {0};
  launch_on(program, name, out);
}

/* Kernel work_NAME: an if of which both outcomes are taken, an if of which one is. */
static cl_program build_work(const char *name) {
  char source[1024];
  (void)snprintf(source, sizeof source,
                 "__kernel void work_%s(__global int *out) {\n  int i = get_global_id(0);\n  if (i > 3)\n"
                 "    out[i] = i;\n  if (i > 99)\n    out[i] = 1;\n}\n",
                 name);
  return build(source);
}

static void launch_work(cl_program program, const char *name) {
  char kernel[256];
  (void)snprintf(kernel, sizeof kernel, "work_%s", name);
  launch(program, kernel);
}

static int mode_run(const char *name) {
  if (!open_device(CL_DEVICE_TYPE_ALL)) return 9;
  launch_work(build_work(name), name);
  fprintf(stderr, "done: %s\xff\n", name); /* a byte that is no text */
  return 0;
}

static int mode_none(const char *unused) {
  printf("no OpenCL%s\n", unused);
  return 0;
}

static int mode_devices(const char *unused) {
  (void)unused;
  return open_device(CL_DEVICE_TYPE_ALL) ? 0 : 9;
}

static int mode_gpu(const char *name) {
  if (!open_device(CL_DEVICE_TYPE_GPU)) {
    printf("no GPU\n");
    return 0;
  }
  launch_work(build_work(name), name);
  return 0;
}

static int mode_broken(const char *unused) {
  (void)unused;
  if (!open_device(CL_DEVICE_TYPE_ALL)) return 9;
  (void)build("__kernel void broken(__global int *out) {\n  int i = get_global_id(0);\n  out[i] = missing_name;\n}\n");
  return 0;
}

static int mode_save(const char *path) {
  static unsigned char bytes[MAX_BINARY];
  unsigned char *binaries[] = {bytes};
  size_t size = 0;
  if (!open_device(CL_DEVICE_TYPE_ALL)) return 9;
  cl_program program = build_work("saved");
  launch_work(program, "saved"); /* some devices compile at the first launch */
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), "clGetProgramInfo");
  check(size <= sizeof bytes ? clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binaries, binaries, NULL) : 1,
        "clGetProgramInfo");
  FILE *f = fopen(path, "wb");
  return f != NULL && fwrite(bytes, 1, size, f) == size && fclose(f) == 0 ? 0 : 8;
}

static int mode_binary(const char *path) {
  static unsigned char bytes[MAX_BINARY];
  const unsigned char *binaries[] = {bytes};
  FILE *f = fopen(path, "rb");
  const size_t size = f == NULL ? 0 : fread(bytes, 1, sizeof bytes, f);
  cl_int status = CL_SUCCESS;
  if (f != NULL) fclose(f);
  if (!open_device(CL_DEVICE_TYPE_ALL)) return 9;
  cl_program program = clCreateProgramWithBinary(context, 1, &device, &size, binaries, NULL, &status);
  check(status, "clCreateProgramWithBinary");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  launch_work(program, "saved");
  return 0;
}

static int mode_fail(const char *status) {
  (void)mode_run("fail");
  return (int)strtol(status, NULL, 10);
}

static int mode_leave(const char *status) {
  (void)mode_run("leave");
  (void)fflush(stdout);
  _exit((int)strtol(status, NULL, 10));
}

static int mode_crash(const char *number) {
  (void)mode_run("crash");
  (void)signal(SIGSEGV, SIG_DFL);
  (void)raise((int)strtol(number, NULL, 10));
  return 0;
}

/* What a compiler that crashes when a kernel is launched looks like: death with the launch under way, unless FILE,
 * which it leaves behind, is there. */
static int mode_die_in_launch(const char *path) {
  cl_int status = CL_SUCCESS;
  const size_t global = ITEMS;
  const int first = access(path, F_OK) != 0;
  if (!open_device(CL_DEVICE_TYPE_ALL)) return 9;
  cl_kernel kernel = clCreateKernel(build_work("die"), "work_die", &status);
  check(status, "clCreateKernel");
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, ITEMS * sizeof(cl_int), NULL, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  if (first) {
    FILE *f = strcmp(path, "") == 0 ? NULL : fopen(path, "w");
    if (f != NULL) fclose(f);
    (void)signal(SIGSEGV, SIG_DFL);
    (void)raise(SIGSEGV);
  }
  check(clFinish(queue), "clFinish");
  printf("done\n");
  return 0;
}

/* Starts a process of its own that waits, too, writes its id into the file, and waits for a signal. */
static int mode_wait(const char *path) {
  (void)mode_run("wait");
  const pid_t child = fork();
  if (child == 0) {
    (void)sleep(300);
    _exit(0);
  }
  FILE *f = fopen(path, "w");
  if (f != NULL) {
    fprintf(f, "%d\n", (int)child);
    fclose(f);
  }
  (void)sleep(300);
  return 0;
}

static int mode_children(const char *count) {
  const long children = strtol(count, NULL, 10);
  int failures = 0;
  for (long i = 0; i < children && i < MAX_CHILDREN; i++) {
    if (fork() == 0) {
      char name[32];
      (void)snprintf(name, sizeof name, "child%ld", i);
      exit(mode_run(name));
    }
  }
  for (int status = 0; wait(&status) > 0;) failures += status != 0 ? 1 : 0;
  return failures;
}

/* The text of a file, until the next call. */
static const char *read_source(const char *path) {
  static char source[1 << 16];
  FILE *f = fopen(path, "rb");
  const size_t length = f == NULL ? 0 : fread(source, 1, sizeof source - 1, f);
  if (length == 0) {
    fprintf(stderr, "e2e_host: %s cannot be read\n", path);
    exit(9);
  }
  source[length] = '\0';
  fclose(f);
  return source;
}

/* Launches kernel `work` of a file. */
static void launch_file(const char *path, cl_int out[ITEMS]) {
  const char *source = read_source(path);
  if (!open_device(CL_DEVICE_TYPE_ALL)) exit(9);
  launch_on(build(source), "work", out);
}

/* Launches one kernel of a file on ITEMS times the same value. */
static int mode_fill(const char *argument) {
  char path[256] = "", name[64] = "", options[256] = "";
  cl_int value = 0, out[ITEMS];
  if (sscanf(argument, "%255[^:]:%63[^:]:%d:%255[^\n]", path, name, &value, options) < 3 ||
      !open_device(CL_DEVICE_TYPE_ALL))
    return 9;
  for (int i = 0; i < ITEMS; i++) out[i] = value;
  launch_on(build_with(read_source(path), options), name, out);
  return 0;
}

/* Launches kernels `one` and `two` of a file, on the same memory or each on its own, and reads it once they are done.
 */
static int launch_two(const char *path, int together) {
  static const char *const names[] = {"one", "two"};
  const size_t global = ITEMS;
  cl_int status = CL_SUCCESS, out[ITEMS] = {0};
  cl_mem memory[2];
  if (!open_device(CL_DEVICE_TYPE_ALL)) return 9;
  const cl_program program = build(read_source(path));
  for (int k = 0; k < 2; k++) {
    memory[k] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof out, out, &status);
    check(status, "clCreateBuffer");
  }
  for (int k = 0; k < 2; k++) {
    cl_kernel kernel = clCreateKernel(program, names[k], &status);
    check(status, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof memory[0], &memory[together ? 0 : k]), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  }
  for (int k = 0; k < 2; k++)
    check(clEnqueueReadBuffer(queue, memory[k], CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "clEnqueueReadBuffer");
  return 0;
}

static int mode_apart(const char *path) { return launch_two(path, 0); }

static int mode_together(const char *path) { return launch_two(path, 1); }

static cl_program compile(const char *directory, const char *name) {
  char path[4096], options[4096];
  cl_int status = CL_SUCCESS;
  (void)snprintf(path, sizeof path, "%s/%s", directory, name);
  (void)snprintf(options, sizeof options, "-I %s", directory);
  const char *source = read_source(path);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  check(status, "clCreateProgramWithSource");
  check(clCompileProgram(program, 1, &device, options, 0, NULL, NULL, NULL, NULL), "clCompileProgram");
  return program;
}

static int mode_linked(const char *directory) {
  cl_int status = CL_SUCCESS;
  if (!open_device(CL_DEVICE_TYPE_ALL)) return 9;
  const cl_program parts[] = {compile(directory, "work.cl"), compile(directory, "helper.cl")};
  const cl_program program = clLinkProgram(context, 1, &device, "", 2, parts, NULL, NULL, &status);
  check(status, "clLinkProgram");
  launch(program, "work");
  return 0;
}

/* --- a device that refuses launches of a kernel with more arguments than the user's
 * ------------------------------------
 */

static cl_icd_dispatch dispatch;
static __typeof__(dispatch.clEnqueueNDRangeKernel) launch_any;
static int clones_run; /* with more arguments than one */

static cl_int CL_API_CALL launch_few(cl_command_queue q, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                     const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait,
                                     cl_event *event) {
  char name[256] = "";
  cl_uint arguments = 0;
  (void)clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
  (void)clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL);
  return (clones_run ? strcmp(name, "work_few") : strncmp(name, "work_few", 8)) == 0 && arguments > 1
             ? CL_OUT_OF_RESOURCES
             : launch_any(q, kernel, dimensions, offset, global, local, waits, wait, event);
}

/* Drivers' objects begin with a pointer to the driver's functions. */
static void refuse_many_arguments(void) {
  cl_icd_dispatch **table = (cl_icd_dispatch **)(void *)queue;
  dispatch = **table;
  launch_any = dispatch.clEnqueueNDRangeKernel;
  dispatch.clEnqueueNDRangeKernel = launch_few;
  *table = &dispatch;
}

static int mode_few(const char *name) {
  if (!open_device(CL_DEVICE_TYPE_ALL)) return 9;
  refuse_many_arguments();
  launch_work(build_work(name), name);
  launch_work(build_work("few"), "few");
  return 0;
}

static int mode_few_clones(const char *name) {
  clones_run = 1;
  return mode_few(name);
}

static int mode_file(const char *path) {
  cl_int out[ITEMS] = {0};
  launch_file(path, out);
  return 0;
}

static int mode_timed(const char *path) {
  cl_int out[ITEMS] = {0};
  struct timespec now;
  launch_file(path, out);
  (void)clock_gettime(CLOCK_REALTIME, &now);
  printf("time: %ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
  return 0;
}

static int mode_verify(const char *path) {
  cl_int out[ITEMS] = {0};
  launch_file(path, out);
  return out[ITEMS - 1] == ITEMS - 1 ? 0 : 1;
}

/* The second launch begins with values that no other run has. */
static int mode_noise(const char *name) {
  if (!open_device(CL_DEVICE_TYPE_ALL)) return 9;
  const cl_program program = build_work(name);
  cl_int out[ITEMS];
  char kernel[256];
  struct timespec now;
  launch_work(program, name);
  (void)clock_gettime(CLOCK_REALTIME, &now);
  for (int i = 0; i < ITEMS; i++) out[i] = (cl_int)(now.tv_nsec ^ now.tv_sec * 7919) + i;
  (void)snprintf(kernel, sizeof kernel, "work_%s", name);
  launch_on(program, kernel, out);
  return 0;
}

/* Leaves a process behind, whose id goes to the end of the file, and takes its time. */
static int mode_slow(const char *path) {
  const struct timespec time = {.tv_nsec = 200000000};
  const pid_t child = fork();
  if (child == 0) {
    (void)sleep(300);
    _exit(0);
  }
  FILE *f = fopen(path, "a");
  if (f != NULL) {
    fprintf(f, "%d\n", (int)child);
    fclose(f);
  }
  (void)nanosleep(&time, NULL);
  return mode_run("slow");
}

/* Launches kernel work of the file three times over the same ITEMS values, in groups of two work-items, the last time
 * in one group of all. */
static int launch_groups(const char *path, cl_int value) {
  const size_t global = ITEMS, pair = 2;
  cl_int status = CL_SUCCESS;
  cl_int out[ITEMS];
  const char *source = read_source(path);
  if (!open_device(CL_DEVICE_TYPE_ALL)) return 9;
  for (int i = 0; i < ITEMS; i++) out[i] = value;
  cl_kernel kernel = clCreateKernel(build(source), "work", &status);
  check(status, "clCreateKernel");
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof out, out, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
  for (int i = 0; i < 3; i++) {
    const size_t *local = i < 2 ? &pair : &global;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  }
  check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "clEnqueueReadBuffer");
  printf("%d\n", out[0]);
  return 0;
}

static int mode_groups(const char *path) { return launch_groups(path, 0); }

static int mode_seeded(const char *path) { return launch_groups(path, (cl_int)time(NULL)); }

/* Launches kernel work over 4096 items on a buffer of 16384 integers that nobody writes, and reads all of it. */
static int mode_part(const char *path) {
  enum { WHOLE = 16384 };
  static cl_int out[WHOLE];
  const char *source = read_source(path);
  const size_t global = WHOLE / 4;
  cl_int status = CL_SUCCESS;
  if (!open_device(CL_DEVICE_TYPE_ALL)) return 9;
  cl_kernel kernel = clCreateKernel(build(source), "work", &status);
  check(status, "clCreateKernel");
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof out, NULL, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "clEnqueueReadBuffer");
  return 0;
}

/* Launches kernels `one` and `two` of the file over many groups of four, each on memory of its own, and reads that. */
static int mode_mixed(const char *path) {
  enum { MANY = 256 };
  static const char *const names[] = {"one", "two"};
  static cl_int out[MANY];
  const char *source = read_source(path);
  const size_t global = MANY, local = 4;
  cl_int status = CL_SUCCESS;
  if (!open_device(CL_DEVICE_TYPE_ALL)) return 9;
  const cl_program program = build(source);
  for (int k = 0; k < 2; k++) {
    cl_kernel kernel = clCreateKernel(program, names[k], &status);
    check(status, "clCreateKernel");
    memset(out, 0, sizeof out);
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof out, out, &status);
    check(status, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "clEnqueueReadBuffer");
  }
  return 0;
}

/* Launches kernel work over four groups of one work-item on an image of 5 x 3 pixels, and reads that. */
static int mode_picture(const char *path) {
  enum { WIDTH = 5, HEIGHT = 3 };
  static const size_t origin[3], region[3] = {WIDTH, HEIGHT, 1};
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  const cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
  const size_t global = 4, local = 1;
  static cl_uchar out[WIDTH * HEIGHT * 4];
  const char *source = read_source(path);
  cl_int status = CL_SUCCESS;
  if (!open_device(CL_DEVICE_TYPE_ALL)) return 9;
  cl_kernel kernel = clCreateKernel(build(source), "work", &status);
  check(status, "clCreateKernel");
  cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &description, out, &status);
  check(status, "clCreateImage");
  check(clSetKernelArg(kernel, 0, sizeof image, &image), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL), "clEnqueueReadImage");
  return 0;
}

static const struct {
  const char *name;
  int (*run)(const char *argument);
} modes[] = {
    {"run", mode_run},         /* NAME: builds and launches kernel work_NAME */
    {"none", mode_none},       /* "": makes no OpenCL call */
    {"devices", mode_devices}, /* "": opens a device and builds nothing */
    {"gpu", mode_gpu},         /* NAME: like run, on a GPU or not at all */
    {"broken", mode_broken},   /* "": builds a kernel with an error on line 3, prints the log, exits with 7 */
    {"save", mode_save},       /* FILE: saves the binary of work_saved */
    {"binary", mode_binary},   /* FILE: launches work_saved out of that binary */
    {"fail", mode_fail},       /* STATUS: launches, then exits with that */
    {"leave", mode_leave},     /* STATUS: the same, by _exit */
    {"crash", mode_crash},     /* SIGNAL: launches, then gets that signal */
    {"die-in-launch", mode_die_in_launch}, /* FILE: dies in its first launch unless FILE is there; "" always dies */
    {"wait", mode_wait},                   /* FILE: launches, then waits with a child process */
    {"children", mode_children},           /* N: N child processes, each like run */
    {"file", mode_file},                   /* FILE: builds a file and launches its kernel work */
    {"timed", mode_timed},                 /* FILE: like file, and prints the time of day */
    {"verify", mode_verify},               /* FILE: like file, and fails when the last value is not 7 */
    {"fill", mode_fill},   /* FILE:KERNEL:VALUE[:OPTIONS]: launches it on memory that holds the value everywhere */
    {"apart", mode_apart}, /* FILE: launches kernels one and two, each on memory of its own */
    {"together", mode_together}, /* FILE: the same, both on the same memory */
    {"groups", mode_groups},     /* FILE: launches its kernel work over four groups of two, twice, and over one group */
    {"mixed", mode_mixed},       /* FILE: launches kernels one and two over many groups, each on memory of its own */
    {"picture", mode_picture},   /* FILE: launches its kernel work over four groups on an image of 5 x 3 pixels */
    {"seeded", mode_seeded},     /* FILE: the same over values that are the time in seconds */
    {"part", mode_part},         /* FILE: launches its kernel work on memory of which it writes a part, and reads all */
    {"linked", mode_linked},     /* FOLDER: links its work.cl and helper.cl and launches their kernel work */
    {"few", mode_few},           /* NAME: like run, then work_few, which the device runs only with its one argument */
    {"few-clones", mode_few_clones}, /* NAME: the same, but clones of work_few run */
    {"noise", mode_noise},           /* NAME: like run, then once more with another result in each run */
    {"slow", mode_slow},             /* FILE: leaves a process, its id in the file, and is like run after 0.2 seconds */
};

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[1], "foreground") == 0) { /* COMMAND: undoes what a shell's & does to SIGINT */
    (void)signal(SIGINT, SIG_DFL);
    execvp(argv[2], argv + 2);
    return 127;
  }
  for (size_t i = 0; argc == 3 && i < sizeof modes / sizeof *modes; i++)
    if (strcmp(modes[i].name, argv[1]) == 0) return modes[i].run(argv[2]);
  fprintf(stderr, "e2e_host: wants a mode and its argument\n");
  return 2;
}
