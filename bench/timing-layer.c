/* An OpenCL layer that sums the device time of all kernel launches of a process, by kernel name.
 *
 * Loaded through OPENCL_LAYERS, nearer to the driver than cltestcheck's own layer, so that it sees what cltestcheck
 * launches too. Every queue gets CL_QUEUE_PROFILING_ENABLE and every launch an event; at exit the layer appends one
 * line to the file in $BENCH_TIMING_FILE: "nanoseconds launches peak", the peak of its memory in KiB, then "name
 * nanoseconds launches" for each kernel name, all separated by tabs. */
#include <CL/cl.h>
#include <CL/cl_layer.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define LAYER_NAME "kernel times"

enum {
  NAMES_CAP = 1024,
  PROPERTIES_CAP = 64,
  DRAIN_AT = 4096 /* events waiting, at which finished ones are counted */
};

typedef struct total {
  char name[64];
  uint64_t ns, launches;
} total;

typedef struct waiting {
  cl_event event;
  total *of;
} waiting;

static cl_icd_dispatch below, hooks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static total totals[NAMES_CAP]; /* the last one takes the names that find no place */
static size_t total_count;
static waiting *events;
static size_t event_count, event_capacity;

static total *total_of(cl_kernel kernel) {
  char name[64] = "(long name)";
  (void)below.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
  size_t i = 0;
  while (i < total_count && i < NAMES_CAP - 1 && strcmp(totals[i].name, name) != 0) i++;
  if (i == total_count) {
    memcpy(totals[i].name, name, sizeof name);
    total_count++;
  }
  return &totals[i];
}

/* Counts the finished events; with `wait`, all of them. */
static void drain(int wait) {
  size_t kept = 0;
  for (size_t i = 0; i < event_count; i++) {
    cl_int status = CL_QUEUED;
    if (wait) (void)below.clWaitForEvents(1, &events[i].event);
    (void)below.clGetEventInfo(events[i].event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    if (status > CL_COMPLETE && !wait) {
      events[kept++] = events[i];
      continue;
    }
    cl_ulong start = 0;
    cl_ulong end = 0;
    (void)below.clGetEventProfilingInfo(events[i].event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    (void)below.clGetEventProfilingInfo(events[i].event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    events[i].of->ns += end > start ? end - start : 0;
    events[i].of->launches++;
    (void)below.clReleaseEvent(events[i].event);
  }
  event_count = kept;
}

static void remember(cl_kernel kernel, cl_event event) {
  pthread_mutex_lock(&lock);
  if (event_count >= DRAIN_AT && event_count % DRAIN_AT == 0) drain(0);
  if (event_count == event_capacity) {
    event_capacity = event_capacity ? 2 * event_capacity : DRAIN_AT;
    events = realloc(events, event_capacity * sizeof *events);
    if (!events) abort();
  }
  events[event_count++] = (waiting){.event = event, .of = total_of(kernel)};
  pthread_mutex_unlock(&lock);
}

/* Peak resident memory in KiB; getrusage() would count what the process was before it executed this program. */
static unsigned long peak_memory(void) {
  char line[256];
  unsigned long peak = 0;
  FILE *status = fopen("/proc/self/status", "re");
  while (status && fgets(line, sizeof line, status))
    if (strncmp(line, "VmHWM:", 6) == 0) peak = strtoul(line + 6, NULL, 10);
  if (status) (void)fclose(status);
  return peak;
}

static void print_totals(FILE *text) {
  uint64_t ns = 0;
  uint64_t launches = 0;
  for (size_t i = 0; i < total_count; i++) {
    ns += totals[i].ns;
    launches += totals[i].launches;
  }
  (void)fprintf(text, "%llu\t%llu\t%lu", (unsigned long long)ns, (unsigned long long)launches, peak_memory());
  for (size_t i = 0; i < total_count; i++)
    (void)fprintf(text, "\t%s\t%llu\t%llu", totals[i].name, (unsigned long long)totals[i].ns,
                  (unsigned long long)totals[i].launches);
  (void)fputc('\n', text);
}

/* The line is written at once, because several processes may share the file. */
static void write_totals(void) {
  const char *path = getenv("BENCH_TIMING_FILE");
  char *line = NULL;
  size_t length = 0;
  FILE *text = path ? open_memstream(&line, &length) : NULL;
  if (!text) return;
  pthread_mutex_lock(&lock);
  drain(1);
  print_totals(text);
  pthread_mutex_unlock(&lock);
  (void)fclose(text);
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0 || write(file, line, length) != (ssize_t)length)
    (void)fprintf(stderr, "timing layer: %s cannot be written\n", path);
  if (file >= 0) (void)close(file);
  free(line);
}

static cl_int CL_API_CALL launch_range(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                       const size_t *offset, const size_t *global, const size_t *local, cl_uint waits,
                                       const cl_event *wait, cl_event *event) {
  cl_event own = NULL;
  cl_int result = below.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, wait, &own);
  if (result != CL_SUCCESS) return result;
  if (event) {
    (void)below.clRetainEvent(own);
    *event = own;
  }
  remember(kernel, own);
  return result;
}

static cl_int CL_API_CALL launch_task(cl_command_queue queue, cl_kernel kernel, cl_uint waits, const cl_event *wait,
                                      cl_event *event) {
  size_t one = 1;
  return launch_range(queue, kernel, 1, NULL, &one, &one, waits, wait, event);
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int *error) {
  return below.clCreateCommandQueue(context, device, properties | CL_QUEUE_PROFILING_ENABLE, error);
}

static cl_command_queue CL_API_CALL create_queue_with_properties(cl_context context, cl_device_id device,
                                                                 const cl_queue_properties *properties, cl_int *error) {
  cl_queue_properties list[PROPERTIES_CAP];
  size_t n = 0;
  cl_queue_properties flags = CL_QUEUE_PROFILING_ENABLE;
  for (const cl_queue_properties *p = properties; p && p[0] && n + 4 < PROPERTIES_CAP; p += 2) {
    if (p[0] == CL_QUEUE_PROPERTIES) {
      flags |= p[1];
    } else {
      list[n++] = p[0];
      list[n++] = p[1];
    }
  }
  list[n++] = CL_QUEUE_PROPERTIES;
  list[n++] = flags;
  list[n] = 0;
  return below.clCreateCommandQueueWithProperties(context, device, list, error);
}

static cl_int answer(const void *value, size_t size, size_t room, void *to, size_t *size_ret) {
  if (to && room < size) return CL_INVALID_VALUE;
  if (to) memcpy(to, value, size);
  if (size_ret) *size_ret = size;
  return CL_SUCCESS;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *size_ret) {
  static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  if (name == CL_LAYER_API_VERSION) return answer(&version, sizeof version, size, value, size_ret);
  if (name == CL_LAYER_NAME) return answer(LAYER_NAME, sizeof LAYER_NAME, size, value, size_ret);
  return CL_INVALID_VALUE;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
                                                   const cl_icd_dispatch **table_ret) {
  size_t bytes = count * sizeof(void *);
  if (!target || !count_ret || !table_ret) return CL_INVALID_VALUE;
  memcpy(&below, target, bytes < sizeof below ? bytes : sizeof below);
  hooks.clEnqueueNDRangeKernel = launch_range;
  hooks.clEnqueueTask = launch_task;
  hooks.clCreateCommandQueue = create_queue;
  hooks.clCreateCommandQueueWithProperties =
      below.clCreateCommandQueueWithProperties ? create_queue_with_properties : NULL;
  cl_uint own = (cl_uint)(sizeof hooks / sizeof(void *));
  *count_ret = count < own ? count : own;
  *table_ret = &hooks;
  return atexit(write_totals) == 0 ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}
