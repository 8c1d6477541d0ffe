/* An OpenCL layer that makes a device fail, be slow or be another one, as $E2E_FAILURE says:
 *   "exit", "abort", "sleep SECONDS": in replays alone, when a program is created whose source holds $E2E_TEXT. Where
 *     $E2E_TIMES names a file, that happens once for each of its bytes, and takes one away each time.
 *   "refuse": of each process one launch, once the memory that was the first argument set last begins with the integer
 *     $E2E_TEXT.
 *   "crash": the process ends by SIGSEGV in the call that launches.
 *   "ours": the same where the kernel is $E2E_TEXT, and its source has names of cltestcheck.
 *   "vary": reads of $E2E_TEXT bytes, once the process has created a program with gates: from the fifth on, counted in
 *     the file $E2E_TIMES, every other one gets another first integer. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_layer.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static cl_icd_dispatch below, hooks, driver, original; /* of the driver: its functions as they are now, and were */
static cl_mem argument;
static int gated; /* a program with gates was created */

/* Drivers' objects begin with a pointer to the driver's functions: what is changed there is below all layers. */
static void adopt(void *object) {
  if (object != NULL) *(cl_icd_dispatch **)object = &driver;
}

static int is_failure(const char *failure) {
  const char *wanted = getenv("E2E_FAILURE");
  return wanted != NULL && strcmp(wanted, failure) == 0;
}

static int is_due(void) {
  const char *times = getenv("E2E_TIMES");
  struct stat file;
  if (times == NULL) return 1;
  return stat(times, &file) == 0 && file.st_size > 0 && truncate(times, file.st_size - 1) == 0;
}

/* Counted in the size of the file. */
static int varies(void) {
  FILE *times = gated && getenv("E2E_TIMES") != NULL ? fopen(getenv("E2E_TIMES"), "a") : NULL;
  long before = 0;
  if (times != NULL) {
    (void)fseek(times, 0, SEEK_END);
    before = ftell(times);
    (void)fputc('x', times);
    (void)fclose(times);
  }
  return before >= 4 && before % 2 == 0;
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                      size_t size, void *to, cl_uint waits, const cl_event *wait, cl_event *event) {
  const int counts = getenv("E2E_TEXT") != NULL && size == strtoul(getenv("E2E_TEXT"), NULL, 10);
  cl_int status =
      original.clEnqueueReadBuffer(queue, buffer, counts ? CL_TRUE : blocking, offset, size, to, waits, wait, event);
  if (counts && varies()) *(cl_int *)to += 1000;
  return status;
}

static void fail(const char *failure) {
  if (strcmp(failure, "exit") == 0)
    _exit(3);
  else if (strcmp(failure, "abort") == 0)
    abort();
  else if (strncmp(failure, "sleep ", 6) == 0)
    (void)sleep((unsigned)strtoul(failure + 6, NULL, 10));
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char **texts,
                                             const size_t *lengths, cl_int *status) {
  const char *text = getenv("E2E_TEXT");
  const char *failure = getenv("E2E_FAILURE");
  const int memory = is_failure("vary") || is_failure("refuse") || is_failure("crash") || is_failure("ours");
  for (cl_uint i = 0; text != NULL && failure != NULL && i < count; i++) {
    const size_t length = lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(texts[i]);
    gated = gated || memmem(texts[i], length, "CLTC_GATE", 9) != NULL;
    if (!memory && memmem(texts[i], length, text, strlen(text)) != NULL && is_due()) fail(failure);
  }
  cl_program program = original.clCreateProgramWithSource(context, count, texts, lengths, status);
  adopt(program);
  return program;
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int *status) {
  cl_command_queue queue = original.clCreateCommandQueue(context, device, properties, status);
  adopt(queue);
  return queue;
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *status) {
  cl_kernel kernel = original.clCreateKernel(program, name, status);
  adopt(kernel);
  return kernel;
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  if (index == 0 && value != NULL && size == sizeof(cl_mem)) memcpy(&argument, value, size);
  return original.clSetKernelArg(kernel, index, size, value);
}

static int is_ours(cl_kernel kernel) {
  char name[64] = "", text[1 << 16] = "";
  cl_program program = NULL;
  return original.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
         strcmp(name, getenv("E2E_TEXT")) == 0 &&
         original.clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(cl_program), &program, NULL) == CL_SUCCESS &&
         original.clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, NULL) == CL_SUCCESS &&
         (text[0] == '\0' || strstr(text, "cltc_") != NULL); /* a build that is kept has no text */
}

static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                 const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait,
                                 cl_event *event) {
  static int refused;
  cl_int first = 0;
  while (is_failure("crash") ||
         (is_failure("ours") && is_ours(kernel))) /* a handler may return, as what faults does so again */
    (void)raise(SIGSEGV);
  if (is_failure("refuse") && !refused && argument != NULL && getenv("E2E_TEXT") != NULL &&
      original.clEnqueueReadBuffer(queue, argument, CL_TRUE, 0, sizeof first, &first, 0, NULL, NULL) == CL_SUCCESS &&
      first == (cl_int)strtol(getenv("E2E_TEXT"), NULL, 10)) {
    refused = 1;
    return CL_OUT_OF_RESOURCES;
  }
  return original.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, wait, event);
}

static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                             void *user, cl_int *status) {
  cl_context context = below.clCreateContext(properties, count, devices, notify, user, status);
  if (context != NULL && original.clCreateContext == NULL) {
    driver = original = **(cl_icd_dispatch **)(void *)context;
    driver.clCreateProgramWithSource = create_program;
    if (is_failure("vary")) {
      driver.clCreateCommandQueue = create_queue;
      driver.clEnqueueReadBuffer = read_buffer;
    } else if (is_failure("refuse") || is_failure("crash") || is_failure("ours")) {
      driver.clCreateCommandQueue = create_queue;
      driver.clCreateKernel = create_kernel;
      driver.clSetKernelArg = set_argument;
      driver.clEnqueueNDRangeKernel = launch;
    }
    adopt(context);
  }
  return context;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *size_ret) {
  static const char own_name[] = "failing";
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  const void *is = name == CL_LAYER_API_VERSION ? (const void *)&version : own_name;
  const size_t length = name == CL_LAYER_API_VERSION ? sizeof version : sizeof own_name;
  if ((name != CL_LAYER_API_VERSION && name != CL_LAYER_NAME) || (value != NULL && size < length))
    return CL_INVALID_VALUE;
  if (value != NULL) memcpy(value, is, length);
  if (size_ret != NULL) *size_ret = length;
  return CL_SUCCESS;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
                                                   const cl_icd_dispatch **table_ret) {
  const size_t bytes = count * sizeof(void *);
  const cl_uint own = (cl_uint)(sizeof hooks / sizeof(void *));
  if (target == NULL || count_ret == NULL || table_ret == NULL) return CL_INVALID_VALUE;
  memcpy(&below, target, bytes < sizeof below ? bytes : sizeof below);
  const int tool = strcmp(program_invocation_short_name, "cltestcheck") == 0;
  if (strcmp(program_invocation_short_name, "cltestcheck-replay") == 0 ||
      (!tool && (is_failure("refuse") || is_failure("crash") || is_failure("ours") || is_failure("vary"))))
    hooks.clCreateContext = create_context;
  *count_ret = count < own ? count : own;
  *table_ret = &hooks;
  return CL_SUCCESS;
}
