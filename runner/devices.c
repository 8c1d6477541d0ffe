/* Asking the OpenCL loader, in a child process, what devices there are, and whether one builds and runs a kernel. */
#include "runner/devices.h"

#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/subprocess.h"

/* Drivers that were not used for a while take seconds. */
enum { DEVICES_SECONDS = 60 };

enum { MAX_PLATFORMS = 32, MAX_DEVICES = 64, TRY_SECONDS = 60, LOG_MOST = 1000, TRIED = 16 };

/* How a child ends that builds: nothing was tried, the compiler refuses, the launch fails, it gives other values. */
enum { NOT_TRIED = 2, REFUSED, NOT_LAUNCHED, WRONG };

/* What is called of the loader. */
#define FUNCTION(name) \
  { #name, offsetof(cl_icd_dispatch, name) }
static const struct {
  const char *name;
  size_t member;
} functions[] = {FUNCTION(clGetPlatformIDs),       FUNCTION(clGetPlatformInfo),     FUNCTION(clGetDeviceIDs),
                 FUNCTION(clGetDeviceInfo),        FUNCTION(clCreateContext),       FUNCTION(clCreateProgramWithSource),
                 FUNCTION(clBuildProgram),         FUNCTION(clGetProgramBuildInfo), FUNCTION(clCreateCommandQueue),
                 FUNCTION(clCreateBuffer),         FUNCTION(clCreateKernel),        FUNCTION(clSetKernelArg),
                 FUNCTION(clEnqueueNDRangeKernel), FUNCTION(clEnqueueReadBuffer)};

/* --- in the child --- */

static bool open_loader(cl_icd_dispatch *l) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    void *found = library == NULL ? NULL : dlsym(library, functions[i].name);
    if (found == NULL) return false;
    memcpy((char *)l + functions[i].member, &found, sizeof found);
  }
  return true;
}

static const struct {
  cl_device_type type;
  const char *name;
} types[] = {{CL_DEVICE_TYPE_GPU, "GPU"}, {CL_DEVICE_TYPE_CPU, "CPU"}, {CL_DEVICE_TYPE_ACCELERATOR, "accelerator"}};

/* What is kept of a device as it says it. */
#define FACT(info, member) \
  { info, offsetof(device, member), sizeof((device *)NULL)->member }
static const struct {
  cl_device_info info;
  size_t at, size;
} facts[] = {FACT(CL_DEVICE_NAME, name),
             FACT(CL_DEVICE_VERSION, version),
             FACT(CL_DRIVER_VERSION, driver),
             FACT(CL_DEVICE_MAX_COMPUTE_UNITS, compute_units),
             FACT(CL_DEVICE_GLOBAL_MEM_SIZE, memory),
             FACT(CL_DEVICE_MAX_WORK_GROUP_SIZE, largest_group)};

/* 1: it has one of these bits; a device that knows nothing of this has none. `size`: of what it gives. */
static uint32_t has(const cl_icd_dispatch *l, cl_device_id id, cl_device_info info, size_t size, cl_bitfield bits) {
  cl_bitfield value = 0;
  (void)l->clGetDeviceInfo(id, info, size, &value, NULL);
  return (value & bits) != 0 ? 1 : 0;
}

static void describe(const cl_icd_dispatch *l, cl_device_id id, device *d) {
  const cl_bitfield any = ~(cl_bitfield)0;
  const size_t flag = sizeof(cl_bool), set = sizeof(cl_bitfield);
  cl_device_type type = 0;
  for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
    (void)l->clGetDeviceInfo(id, facts[i].info, facts[i].size, (char *)d + facts[i].at, NULL);
  (void)l->clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  d->forward_progress = has(l, id, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, flag, CL_TRUE);
  d->scopes = has(l, id, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, set, CL_DEVICE_ATOMIC_SCOPE_DEVICE);
  d->fp64 = has(l, id, CL_DEVICE_DOUBLE_FP_CONFIG, set, any);
  d->images = has(l, id, CL_DEVICE_IMAGE_SUPPORT, flag, CL_TRUE);
  d->svm = has(l, id, CL_DEVICE_SVM_CAPABILITIES, set, any);
  (void)snprintf(d->type, sizeof d->type, "other");
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if ((type & types[i].type) != 0) (void)snprintf(d->type, sizeof d->type, "%s", types[i].name);
}

static void send_devices(void *context, int fd) {
  (void)context;
  (void)unsetenv("OPENCL_LAYERS");
  cl_icd_dispatch l;
  cl_platform_id platforms[MAX_PLATFORMS];
  cl_uint platform_count = 0;
  if (!open_loader(&l)) _exit(2);
  if (l.clGetPlatformIDs(MAX_PLATFORMS, platforms, &platform_count) != CL_SUCCESS) _exit(0);
  for (cl_uint p = 0; p < platform_count && p < MAX_PLATFORMS; p++) {
    cl_device_id ids[MAX_DEVICES];
    cl_uint count = 0;
    if (l.clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids, &count) != CL_SUCCESS) continue;
    for (cl_uint i = 0; i < count && i < MAX_DEVICES; i++) {
      device d;
      memset(&d, 0, sizeof d);
      d.platform = p;
      d.index = i;
      (void)l.clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, sizeof d.platform_name, d.platform_name, NULL);
      describe(&l, ids[i], &d);
      if (!subprocess_write(fd, &d, sizeof d)) _exit(3);
    }
  }
}

/* --- here --- */

static int nothing_listed(subprocess_end end, int status, error *e) {
  if (end == SUBPROCESS_LATE) {
    return error_set(e, EXIT_USAGE,
                     "an OpenCL driver gave no answer when it was asked for its devices; OCL_ICD_VENDORS=FILE.icd, one "
                     "of /etc/OpenCL/vendors, tries one driver alone");
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
    return error_set(e, EXIT_USAGE, "no OpenCL loader (libOpenCL.so.1) was found; install ocl-icd-libopencl1");
  if (WIFSIGNALED(status)) {
    return error_set(e, EXIT_USAGE,
                     "an OpenCL driver crashed (%s) when it was asked for its devices; OCL_ICD_VENDORS=FILE.icd, one "
                     "of /etc/OpenCL/vendors, tries one driver alone",
                     strsignal(WTERMSIG(status)));
  }
  return error_set(e, EXIT_USAGE,
                   "no OpenCL device was found; install a driver, such as the CPU device of pocl-opencl-icd");
}

int devices_list_within(double seconds, device **out, size_t *count, error *e) {
  const subprocess s = {
      .work = send_devices, .deadline = clock_now() + seconds, .cap = sizeof(device) * MAX_PLATFORMS * MAX_DEVICES};
  scoped_buffer in = {0};
  subprocess_end end;
  int status;
  *out = NULL;
  *count = 0;
  if (subprocess_read(&s, &in, &end, &status, e) != 0) return -1;
  size_t capacity = 0;
  for (size_t at = 0; at + sizeof(device) <= in.length; at += sizeof(device))
    memcpy(ARRAY_ADD(*out, *count, capacity), in.data + at, sizeof(device));
  return *count > 0 ? 0 : nothing_listed(end, status, e);
}

int devices_list(device **out, size_t *count, error *e) { return devices_list_within(DEVICES_SECONDS, out, count, e); }

static int contains(const char *text, const char *part) {
  size_t length = strlen(part);
  for (const char *c = text; *c != '\0'; c++)
    if (strncasecmp(c, part, length) == 0) return 1;
  return length == 0;
}

static int is_number(const char *text) {
  size_t digits = strspn(text, "0123456789");
  return digits > 0 && digits < 6 && text[digits] == '\0';
}

static void list_names(const device *all, size_t count, buffer *out) {
  for (size_t i = 0; i < count; i++)
    buffer_printf(out, "%s%zu (%s, %s)", i == 0 ? "" : ", ", i, all[i].name, all[i].platform_name);
}

int devices_choose(const char *wanted, const char *platform, device *out, error *e) {
  scoped device *all = NULL;
  size_t count = 0;
  if (devices_list(&all, &count, e) != 0) return -1;
  size_t matches = 0;
  for (size_t i = 0; i < count; i++) {
    bool by_platform = platform == NULL || contains(all[i].platform_name, platform);
    bool by_name =
        wanted == NULL || (is_number(wanted) ? strtoul(wanted, NULL, 10) == i : contains(all[i].name, wanted));
    if (by_platform && by_name && matches++ == 0) *out = all[i];
  }
  scoped_buffer names = {0};
  list_names(all, count, &names);
  int result = 0;
  if (matches == 0) {
    result = error_set(e, EXIT_USAGE, "no device matches %s%s%s; there are: %s", wanted == NULL ? "" : wanted,
                       platform == NULL ? "" : " on platform ", platform == NULL ? "" : platform, buffer_text(&names));
  } else if (matches > 1 && wanted != NULL) {
    result =
        error_set(e, EXIT_USAGE, "several devices match %s; give the number of one: %s", wanted, buffer_text(&names));
  }
  return result;
}

/* A list, and not a name with a comma in it? */
static int is_list(const char *text) {
  return text != NULL && strchr(text, ',') != NULL && text[strspn(text, "0123456789,")] == '\0';
}

static int same_kind(const device *a, const device *b, error *e) {
  if (strcmp(a->name, b->name) == 0 && strcmp(a->driver, b->driver) == 0 && strcmp(a->version, b->version) == 0)
    return 0;
  return error_set(
      e, EXIT_USAGE,
      "the devices %s (%s) and %s (%s) are not of one kind, so their results may differ; use one of them a run",
      a->name, a->driver, b->name, b->driver);
}

static int choose_listed(const char *number, const char *platform, bool alike, device *list, size_t *count, error *e) {
  if (devices_choose(number, platform, &list[*count], e) != 0 ||
      (alike && *count > 0 && same_kind(list, &list[*count], e) != 0))
    return -1;
  for (size_t i = 0; i < *count; i++)
    if (list[i].platform == list[*count].platform && list[i].index == list[*count].index)
      return error_set(e, EXIT_USAGE, "--device names device %s twice", number);
  (*count)++;
  return 0;
}

int devices_choose_all(const char *wanted, const char *platform, bool alike, device **out, size_t *count, error *e) {
  char *numbers = mem_strdup(wanted == NULL ? "" : wanted);
  *out = mem_calloc(strlen(numbers) + 1, sizeof **out);
  *count = 0;
  int result = 0;
  if (!is_list(wanted)) {
    result = devices_choose(wanted, platform, *out, e);
    *count = 1;
  } else {
    char *rest = numbers;
    for (char *number = strsep(&rest, ","); number != NULL && result == 0; number = strsep(&rest, ","))
      result = choose_listed(number, platform, alike, *out, count, e);
  }
  free(numbers);
  if (result != 0) {
    free(*out);
    *out = NULL;
    *count = 0;
  }
  return result;
}

/* --- building and launching, in a child --- */

typedef struct work {
  const device *device;
  const char *text, *options, *kernel;
} work;

static bool find(const cl_icd_dispatch *l, const device *d, cl_device_id *out) {
  cl_platform_id platforms[MAX_PLATFORMS];
  cl_device_id ids[MAX_DEVICES];
  cl_uint count = 0;
  if (l->clGetPlatformIDs(MAX_PLATFORMS, platforms, &count) != CL_SUCCESS || d->platform >= count ||
      l->clGetDeviceIDs(platforms[d->platform], CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids, &count) != CL_SUCCESS ||
      d->index >= count)
    return false;
  *out = ids[d->index];
  return true;
}

static cl_int launched(const cl_icd_dispatch *l, cl_context c, cl_device_id id, cl_program program, const char *kernel,
                       cl_int *values) {
  cl_int status[5] = {CL_SUCCESS, CL_SUCCESS, CL_SUCCESS, CL_SUCCESS, CL_SUCCESS};
  const size_t count = TRIED;
  cl_command_queue queue = l->clCreateCommandQueue(c, id, 0, &status[0]);
  cl_mem out = l->clCreateBuffer(c, CL_MEM_READ_WRITE, sizeof(cl_int) * TRIED, NULL, &status[1]);
  cl_kernel k = l->clCreateKernel(program, kernel, &status[2]);
  for (size_t i = 0; i < 3; i++)
    if (status[i] != CL_SUCCESS) return status[i];
  status[3] = l->clSetKernelArg(k, 0, sizeof out, &out);
  status[4] = l->clEnqueueNDRangeKernel(queue, k, 1, NULL, &count, NULL, 0, NULL, NULL);
  return status[3] != CL_SUCCESS ? status[3]
         : status[4] != CL_SUCCESS
             ? status[4]
             : l->clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(cl_int) * TRIED, values, 0, NULL, NULL);
}

static void build(void *context, int out) {
  const work *w = context;
  (void)unsetenv("OPENCL_LAYERS");
  const int nothing = open("/dev/null", O_WRONLY); /* drivers write to standard error, too */
  if (nothing >= 0) (void)dup2(nothing, STDERR_FILENO);
  cl_icd_dispatch l;
  cl_device_id id;
  if (!open_loader(&l) || !find(&l, w->device, &id)) _exit(NOT_TRIED);
  cl_int status = CL_SUCCESS;
  cl_context c = l.clCreateContext(NULL, 1, &id, NULL, NULL, &status);
  const char *text = w->text;
  cl_program program = status == CL_SUCCESS ? l.clCreateProgramWithSource(c, 1, &text, NULL, &status) : NULL;
  if (program == NULL || status != CL_SUCCESS) _exit(NOT_TRIED);
  if (l.clBuildProgram(program, 1, &id, w->options, NULL, NULL) != CL_SUCCESS) {
    static char log[1 << 16];
    if (l.clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL) == CL_SUCCESS)
      (void)subprocess_write(out, log, strnlen(log, LOG_MOST));
    _exit(REFUSED);
  }
  cl_int values[TRIED] = {0};
  if (w->kernel != NULL && launched(&l, c, id, program, w->kernel, values) != CL_SUCCESS) _exit(NOT_LAUNCHED);
  for (cl_int i = 0; w->kernel != NULL && i < TRIED; i++)
    if (values[i] != i) _exit(WRONG);
  _exit(0);
}

int device_build(const device *d, const char *text, const char *options, const char *kernel, error *e) {
  work w = {d, text, options, kernel};
  const subprocess s = {.work = build, .context = &w, .deadline = clock_now() + TRY_SECONDS, .cap = 1 << 16};
  const char *what = kernel == NULL ? "the compiler of " : "a small kernel on ";
  scoped_buffer log = {0};
  subprocess_end end;
  int status = 0;
  if (subprocess_read(&s, &log, &end, &status, e) != 0) return -1;
  int result = 0;
  if (end != SUBPROCESS_ENDED) {
    result = error_set(e, EXIT_USAGE, "%s%s does not end within %d seconds", what, d->name, TRY_SECONDS);
  } else if (WIFSIGNALED(status)) {
    result = error_set(e, EXIT_USAGE, "%s%s crashes (%s)", what, d->name, strsignal(WTERMSIG(status)));
  } else if (WEXITSTATUS(status) == NOT_LAUNCHED || WEXITSTATUS(status) == WRONG) {
    result = error_set(e, EXIT_USAGE, "%s%s %s", what, d->name,
                       WEXITSTATUS(status) == WRONG ? "gives wrong values" : "cannot be launched");
  } else if (WEXITSTATUS(status) != 0) {
    result = error_set(e, EXIT_USAGE, "the compiler of %s refuses the source: %s", d->name, buffer_text(&log));
  }
  return result;
}

/* Loading the loader, in a child process, with our layer in OPENCL_LAYERS. */

enum { INFO_VERSION = 2, INFO_NAME = 3 }; /* of clGetICDLoaderInfoOCLICD, which ocl-icd and Khronos' loader have */

typedef cl_int (*platforms_function)(cl_uint, cl_platform_id *, cl_uint *);
typedef cl_int (*info_function)(cl_uint, size_t, void *, size_t *);
typedef void *(*address_function)(const char *);

static void ask(const char *layer, loader_facts *f) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
  f->found = library != NULL;
  if (library == NULL) return;
  platforms_function platforms = NULL;
  *(void **)&platforms = dlsym(library, "clGetPlatformIDs");
  cl_uint count = 0;
  if (platforms != NULL) (void)platforms(0, NULL, &count); /* loaders load layers at the first call */
  f->platforms = count;
  f->layers = dlopen(layer, RTLD_NOW | RTLD_NOLOAD) != NULL;
  info_function info = NULL;
  address_function address = NULL;
  *(void **)&address = dlsym(library, "clGetExtensionFunctionAddress");
  *(void **)&info = address == NULL ? NULL : address("clGetICDLoaderInfoOCLICD");
  if (info != NULL) {
    (void)info(INFO_NAME, sizeof f->name - 1, f->name, NULL);
    (void)info(INFO_VERSION, sizeof f->version - 1, f->version, NULL);
  }
  if (!f->layers && dlopen(layer, RTLD_NOW) == NULL) (void)snprintf(f->problem, sizeof f->problem, "%s", dlerror());
}

static void ask_and_send(void *layer, int out) {
  loader_facts f = {0};
  (void)setenv("OPENCL_LAYERS", layer, 1);
  ask(layer, &f);
  (void)subprocess_write(out, &f, sizeof f);
}

void loader_ask(char *layer, loader_facts *out) {
  const subprocess s = {
      .work = ask_and_send, .context = layer, .deadline = clock_now() + DEVICES_SECONDS, .cap = sizeof *out};
  scoped_buffer in = {0};
  subprocess_end end = SUBPROCESS_ENDED;
  int status;
  error ignored;
  *out = (loader_facts){.crashed = true};
  if (subprocess_read(&s, &in, &end, &status, &ignored) == 0 && in.length == sizeof *out)
    memcpy(out, in.data, sizeof *out);
  out->silent = end == SUBPROCESS_LATE;
}
