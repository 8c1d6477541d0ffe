/* Recording: each call goes to the driver first, and what it took is kept. */
#include "layer/common/command_buffer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef cl_uint sync_point;

enum { VERSIONS = 512 };
#define LAST_VERSION CL_MAKE_VERSION(0, 9, 4) /* from 0.9.5 on, calls have other parameters */

static const char *const several_queues = "a command buffer is for several queues";
static const char *const mutable_commands = "commands of a command buffer may be changed after they were recorded";
static const char *const other_commands = "a command buffer has commands that are not known";
static const char *const no_clone = "the driver does not clone the kernel of a launch that a command buffer records";
static const char *const other_version = "command buffers of this driver are newer than those that are known";
static const char *const late_argument =
    "an argument of a kernel was set after a command buffer had recorded its launch";
static const char *const no_memory = "there was no memory to follow a command buffer";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static command_buffer *buffers;

void command_buffer_after_fork(void) {
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  lock = fresh;
  buffers = NULL;
}

static command_buffer *find(const void *handle) {
  pthread_mutex_lock(&lock);
  command_buffer *b = buffers;
  while (b != NULL && b->handle != handle) {
    b = b->next;
  }
  pthread_mutex_unlock(&lock);
  return b;
}

static void overlook(command_buffer *b, const char *reason) {
  if (b->overlooked == NULL) {
    b->overlooked = reason;
  }
}

void command_buffer_argument_set(cl_kernel kernel) {
  pthread_mutex_lock(&lock);
  for (command_buffer *b = buffers; b != NULL; b = b->next) {
    for (const buffer_command *c = b->first; c != NULL; c = c->next) {
      if (c->original == kernel && c->kernel != NULL) {
        overlook(b, late_argument);
      }
    }
  }
  pthread_mutex_unlock(&lock);
}

/* ---- which command buffers are known ---- */

static bool device_is_known(cl_device_id device) {
  static cl_name_version versions[VERSIONS];
  size_t size = 0;
  bool known = false;
  pthread_mutex_lock(&lock);
  if (driver.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof versions, versions, &size) ==
      CL_SUCCESS) {
    for (size_t i = 0; i < size / sizeof *versions; i++) {
      known = known || (strcmp(versions[i].name, "cl_khr_command_buffer") == 0 && versions[i].version <= LAST_VERSION);
    }
  }
  pthread_mutex_unlock(&lock);
  return known;
}

/* Calls of all devices of a platform have the same address: one that is not known speaks against it. */
static bool platform_is_known(cl_platform_id platform) {
  cl_device_id devices[64];
  cl_uint count = 0;
  if (platform == NULL || driver.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 64, devices, &count) != CL_SUCCESS ||
      !count) {
    return false;
  }
  bool known = true;
  for (cl_uint i = 0; i < count && i < 64; i++) {
    known = known && device_is_known(devices[i]);
  }
  return known;
}

/* ---- making and releasing ---- */

typedef void *(CL_API_CALL *create_function)(cl_uint, const cl_command_queue *, const cl_properties *, cl_int *);
typedef cl_int(CL_API_CALL *one_function)(void *);

#define REAL(type, hook, context)                                   \
  type real;                                                        \
  any_function below = extension_real((any_function)hook, context); \
  memcpy(&real, &below, sizeof real)

static bool is_simultaneous(const cl_properties *p) {
  bool is = false;
  for (; p != NULL && p[0] != 0; p += 2) {
    is = is || (p[0] == CL_COMMAND_BUFFER_FLAGS_KHR && (p[1] & CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR) != 0);
  }
  return is;
}

static void *CL_API_CALL create(cl_uint count, const cl_command_queue *queues, const cl_properties *properties,
                                cl_int *status) {
  cl_context context = NULL;
  cl_device_id device = NULL;
  if (count && queues != NULL) {
    driver.clGetCommandQueueInfo(queues[0], CL_QUEUE_CONTEXT, sizeof(cl_context), &context, NULL);
    driver.clGetCommandQueueInfo(queues[0], CL_QUEUE_DEVICE, sizeof(cl_device_id), &device, NULL);
  }
  REAL(create_function, create, context);
  void *made = real(count, queues, properties, status);
  command_buffer *b = made != NULL ? calloc(1, sizeof *b) : NULL;
  if (b == NULL) {
    return made;
  }
  *b = (command_buffer){.handle = made,
                        .context = context,
                        .queue = queues[0],
                        .references = 1,
                        .simultaneous = is_simultaneous(properties)};
  if (count > 1) {
    overlook(b, several_queues);
  } else if (!device_is_known(device)) {
    overlook(b, other_version);
  }
  pthread_mutex_lock(&lock);
  b->next = buffers;
  buffers = b;
  pthread_mutex_unlock(&lock);
  return made;
}

static void free_commands(command_buffer *b) {
  while (b->first != NULL) {
    buffer_command *c = b->first;
    b->first = c->next;
    if (c->kernel != NULL) {
      guest_calls.clReleaseKernel(c->kernel);
    }
    free(c->points);
    free(c->pattern);
    free(c);
  }
  if (b->running != NULL) {
    driver.clReleaseEvent(b->running);
  }
}

static cl_context context_of(const void *handle) {
  const command_buffer *b = find(handle);
  return b != NULL ? b->context : NULL;
}

static cl_int CL_API_CALL retain(void *handle) {
  REAL(one_function, retain, context_of(handle));
  cl_int result = real(handle);
  command_buffer *b = result == CL_SUCCESS ? find(handle) : NULL;
  if (b != NULL) {
    b->references++;
  }
  return result;
}

static cl_int CL_API_CALL release(void *handle) {
  command_buffer *b = find(handle);
  REAL(one_function, release, b != NULL ? b->context : NULL);
  if (b != NULL && --b->references == 0) { /* before the driver may give its address to another */
    pthread_mutex_lock(&lock);
    command_buffer **at = &buffers;
    while (*at != b) {
      at = &(*at)->next;
    }
    *at = b->next;
    pthread_mutex_unlock(&lock);
    free_commands(b);
    free(b);
  }
  return real(handle);
}

static cl_int CL_API_CALL finalize(void *handle) {
  REAL(one_function, finalize, context_of(handle));
  cl_int result = real(handle);
  command_buffer *b = result == CL_SUCCESS ? find(handle) : NULL;
  if (b != NULL) {
    b->finalized = true;
  }
  return result;
}

/* ---- recording ---- */

static void add(void *handle, buffer_command command, cl_uint points, const sync_point *awaited, const void *pattern) {
  command_buffer *b = find(handle);
  buffer_command *c = b != NULL ? malloc(sizeof *c) : NULL;
  if (c == NULL) {
    if (b != NULL) {
      overlook(b, no_memory);
    }
    return;
  }
  *c = command;
  c->point_count = points;
  c->points = malloc((points + 1) * sizeof *c->points);
  c->pattern = pattern != NULL ? malloc(c->pattern_size) : NULL;
  if (c->points == NULL || (pattern != NULL && c->pattern == NULL)) {
    overlook(b, no_memory);
    c->point_count = 0;
  } else {
    memcpy(c->points, awaited != NULL ? awaited : c->points, points * sizeof *c->points);
    if (pattern != NULL) {
      memcpy(c->pattern, pattern, c->pattern_size);
    }
  }
  pthread_mutex_lock(&lock);
  *(b->first == NULL ? &b->first : &b->last->next) = c;
  b->last = c;
  pthread_mutex_unlock(&lock);
}

/* The last parameters of all calls that record, and how they are handed on: we always ask for the sync point. */
#define ENDING cl_uint points, const sync_point *awaited, sync_point *point, void **mutable_handle
#define ENDING_TYPES cl_uint, const sync_point *, sync_point *, void **
#define ENDING_VALUES points, awaited, point != NULL ? point : &own, mutable_handle

#define COPY_3(at, from) c.numbers[at] = (from)[0], c.numbers[(at) + 1] = (from)[1], c.numbers[(at) + 2] = (from)[2]

/* `parameters` and `values` without the ending; `kept`: statements that fill `c`. */
#define RECORDS(name, parameters, types, values, kept, pattern)                              \
  static cl_int CL_API_CALL name parameters {                                                \
    typedef cl_int(CL_API_CALL *its_function) types;                                         \
    sync_point own = 0;                                                                      \
    REAL(its_function, name, context_of(handle));                                            \
    cl_int result = real values;                                                             \
    if (result == CL_SUCCESS) {                                                              \
      buffer_command c = {.point = point != NULL ? *point : own};                            \
      kept;                                                                                  \
      add(handle, c, points, awaited, pattern);                                              \
      if (mutable_handle != NULL || (queue != NULL && !is_queue(handle, queue)))             \
        overlook_handle(handle, mutable_handle != NULL ? mutable_commands : several_queues); \
    }                                                                                        \
    return result;                                                                           \
  }

static bool is_queue(const void *handle, cl_command_queue queue) {
  const command_buffer *b = find(handle);
  return b == NULL || b->queue == queue;
}

static void overlook_handle(const void *handle, const char *reason) {
  command_buffer *b = find(handle);
  if (b != NULL) {
    overlook(b, reason);
  }
}

RECORDS(copy,
        (void *handle, cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
         size_t size, ENDING),
        (void *, cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, ENDING_TYPES),
        (handle, queue, from, to, from_offset, to_offset, size, ENDING_VALUES),
        (c.run = run_copy, c.from = from, c.to = to, c.numbers[0] = from_offset, c.numbers[1] = to_offset,
         c.numbers[2] = size),
        NULL)
RECORDS(copy_rectangle,
        (void *handle, cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
         const size_t *to_origin, const size_t *region, size_t row, size_t slice, size_t to_row, size_t to_slice,
         ENDING),
        (void *, cl_command_queue, cl_mem, cl_mem, const size_t *, const size_t *, const size_t *, size_t, size_t,
         size_t, size_t, ENDING_TYPES),
        (handle, queue, from, to, from_origin, to_origin, region, row, slice, to_row, to_slice, ENDING_VALUES),
        (c.run = run_copy_rectangle, c.from = from, c.to = to, COPY_3(0, from_origin), COPY_3(3, to_origin),
         COPY_3(6, region), c.numbers[9] = row, c.numbers[10] = slice, c.numbers[11] = to_row,
         c.numbers[12] = to_slice),
        NULL)
RECORDS(copy_to_image,
        (void *handle, cl_command_queue queue, cl_mem from, cl_mem to, size_t offset, const size_t *origin,
         const size_t *region, ENDING),
        (void *, cl_command_queue, cl_mem, cl_mem, size_t, const size_t *, const size_t *, ENDING_TYPES),
        (handle, queue, from, to, offset, origin, region, ENDING_VALUES),
        (c.run = run_copy_to_image, c.from = from, c.to = to, c.numbers[0] = offset, COPY_3(1, origin),
         COPY_3(4, region)),
        NULL)
RECORDS(copy_image,
        (void *handle, cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
         const size_t *to_origin, const size_t *region, ENDING),
        (void *, cl_command_queue, cl_mem, cl_mem, const size_t *, const size_t *, const size_t *, ENDING_TYPES),
        (handle, queue, from, to, from_origin, to_origin, region, ENDING_VALUES),
        (c.run = run_copy_image, c.from = from, c.to = to, COPY_3(0, from_origin), COPY_3(3, to_origin),
         COPY_3(6, region)),
        NULL)
RECORDS(copy_from_image,
        (void *handle, cl_command_queue queue, cl_mem from, cl_mem to, const size_t *origin, const size_t *region,
         size_t offset, ENDING),
        (void *, cl_command_queue, cl_mem, cl_mem, const size_t *, const size_t *, size_t, ENDING_TYPES),
        (handle, queue, from, to, origin, region, offset, ENDING_VALUES),
        (c.run = run_copy_from_image, c.from = from, c.to = to, COPY_3(0, origin), COPY_3(3, region),
         c.numbers[6] = offset),
        NULL)
RECORDS(fill,
        (void *handle, cl_command_queue queue, cl_mem to, const void *pattern, size_t pattern_size, size_t offset,
         size_t size, ENDING),
        (void *, cl_command_queue, cl_mem, const void *, size_t, size_t, size_t, ENDING_TYPES),
        (handle, queue, to, pattern, pattern_size, offset, size, ENDING_VALUES),
        (c.run = run_fill, c.to = to, c.pattern_size = pattern_size, c.numbers[0] = offset, c.numbers[1] = size),
        pattern)
RECORDS(fill_image,
        (void *handle, cl_command_queue queue, cl_mem to, const void *color, const size_t *origin, const size_t *region,
         ENDING),
        (void *, cl_command_queue, cl_mem, const void *, const size_t *, const size_t *, ENDING_TYPES),
        (handle, queue, to, color, origin, region, ENDING_VALUES),
        (c.run = run_fill_image, c.to = to, c.pattern_size = 16, COPY_3(0, origin), COPY_3(3, region)), color)
RECORDS(wait_for_commands, (void *handle, cl_command_queue queue, ENDING), (void *, cl_command_queue, ENDING_TYPES),
        (handle, queue, ENDING_VALUES), c.run = run_barrier, NULL)

/* Shared virtual memory. */
RECORDS(copy_pointer, (void *handle, cl_command_queue queue, void *to, const void *from, size_t size, ENDING),
        (void *, cl_command_queue, void *, const void *, size_t, ENDING_TYPES),
        (handle, queue, to, from, size, ENDING_VALUES), overlook_handle(handle, other_commands), NULL)
RECORDS(fill_pointer,
        (void *handle, cl_command_queue queue, void *to, const void *pattern, size_t pattern_size, size_t size, ENDING),
        (void *, cl_command_queue, void *, const void *, size_t, size_t, ENDING_TYPES),
        (handle, queue, to, pattern, pattern_size, size, ENDING_VALUES), overlook_handle(handle, other_commands), NULL)

/* ---- launches ---- */

typedef cl_int(CL_API_CALL *launch_function)(void *, cl_command_queue, const void *, cl_kernel, cl_uint, const size_t *,
                                             const size_t *, const size_t *, ENDING_TYPES);

static void add_launch(void *handle, buffer_command *c, cl_kernel kernel, const size_t *offset, const size_t *global,
                       const size_t *local) {
  c->run = run_launch;
  c->original = kernel;
  c->has_offset = offset != NULL;
  c->has_local = local != NULL;
  for (cl_uint d = 0; d < c->dimensions && d < 3; d++) {
    c->numbers[d] = offset != NULL ? offset[d] : 0;
    c->numbers[3 + d] = global[d];
    c->numbers[6 + d] = local != NULL ? local[d] : 0;
  }
  const command_buffer *b = find(handle);
  const bool wanted = b != NULL && b->overlooked == NULL;
  c->kernel = wanted && guest_calls.clCloneKernel != NULL ? guest_calls.clCloneKernel(kernel, NULL) : NULL;
  if (wanted && c->kernel == NULL) {
    overlook_handle(handle, no_clone);
  }
}

static cl_int CL_API_CALL launch(void *handle, cl_command_queue queue, const void *properties, cl_kernel kernel,
                                 cl_uint dimensions, const size_t *offset, const size_t *global, const size_t *local,
                                 ENDING) {
  sync_point own = 0;
  REAL(launch_function, launch, context_of(handle));
  cl_int result = real(handle, queue, properties, kernel, dimensions, offset, global, local, ENDING_VALUES);
  if (result != CL_SUCCESS) {
    return result;
  }
  buffer_command c = {.point = point != NULL ? *point : own, .dimensions = dimensions};
  if (mutable_handle != NULL || properties != NULL) {
    overlook_handle(handle, mutable_commands);
  } else if (queue != NULL && !is_queue(handle, queue)) {
    overlook_handle(handle, several_queues);
  }
  add_launch(handle, &c, kernel, offset, global, local);
  add(handle, c, points, awaited, NULL);
  return result;
}

/* ---- running ---- */

typedef cl_int(CL_API_CALL *run_function)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *, cl_event *);

static bool is_running(const command_buffer *b) {
  cl_int status = CL_COMPLETE;
  return b->running != NULL &&
         driver.clGetEventInfo(b->running, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) ==
             CL_SUCCESS &&
         status > CL_COMPLETE;
}

static cl_int CL_API_CALL run(cl_uint count, cl_command_queue *queues, void *handle, cl_uint waits,
                              const cl_event *wait, cl_event *event) {
  command_buffer *b = find(handle);
  REAL(run_function, run, b != NULL ? b->context : NULL);
  if (b != NULL && count > 1) {
    overlook(b, several_queues);
  }
  if (b != NULL && b->overlooked == NULL && b->finalized) {
    return !b->simultaneous && is_running(b)
               ? CL_INVALID_OPERATION
               : command_buffer_run(b, count && queues != NULL ? queues[0] : b->queue, waits, wait, event);
  }
  if (b != NULL && b->overlooked != NULL && !b->told && guest.overlooked != NULL) {
    b->told = true;
    guest.overlooked("command buffer", b->overlooked);
  }
  return real(count, queues, handle, waits, wait, event);
}

typedef cl_int(CL_API_CALL *info_function)(void *, cl_uint, size_t, void *, size_t *);

static cl_int CL_API_CALL info(void *handle, cl_uint name, size_t size, void *value, size_t *size_ret) {
  const command_buffer *b = find(handle);
  REAL(info_function, info, b != NULL ? b->context : NULL);
  const cl_int result = real(handle, name, size, value, size_ret);
  if (result == CL_SUCCESS && name == CL_COMMAND_BUFFER_STATE_KHR && value != NULL && b != NULL && is_running(b)) {
    const cl_uint state = CL_COMMAND_BUFFER_STATE_PENDING_KHR;
    memcpy(value, &state, sizeof state);
  }
  return result;
}

typedef void *(CL_API_CALL *remap_function)(void *, cl_bool, cl_uint, const cl_command_queue *, cl_uint,
                                            const void *const *, void **, cl_int *);

static void *CL_API_CALL remap(void *handle, cl_bool automatic, cl_uint count, const cl_command_queue *queues,
                               cl_uint handles, const void *const *from, void **to, cl_int *status) {
  REAL(remap_function, remap, context_of(handle));
  if (guest.overlooked != NULL) {
    guest.overlooked("command buffer", "a command buffer is made of another");
  }
  return real(handle, automatic, count, queues, handles, from, to, status);
}

#define ROW(name, hook) \
  { name, (any_function)(hook), NULL }
#define ROW_OF_VERSION(name, hook) \
  { name, (any_function)(hook), platform_is_known }
const guest_extension command_buffer_extensions[] = {
    ROW("clCreateCommandBufferKHR", create),
    ROW("clRetainCommandBufferKHR", retain),
    ROW("clReleaseCommandBufferKHR", release),
    ROW("clFinalizeCommandBufferKHR", finalize),
    ROW("clEnqueueCommandBufferKHR", run),
    ROW("clGetCommandBufferInfoKHR", info),
    ROW("clCommandNDRangeKernelKHR", launch),
    ROW_OF_VERSION("clCommandCopyBufferKHR", copy),
    ROW_OF_VERSION("clCommandCopyBufferRectKHR", copy_rectangle),
    ROW_OF_VERSION("clCommandCopyBufferToImageKHR", copy_to_image),
    ROW_OF_VERSION("clCommandCopyImageKHR", copy_image),
    ROW_OF_VERSION("clCommandCopyImageToBufferKHR", copy_from_image),
    ROW_OF_VERSION("clCommandFillBufferKHR", fill),
    ROW_OF_VERSION("clCommandFillImageKHR", fill_image),
    ROW_OF_VERSION("clCommandBarrierWithWaitListKHR", wait_for_commands),
    ROW_OF_VERSION("clCommandSVMMemcpyKHR", copy_pointer),
    ROW_OF_VERSION("clCommandSVMMemFillKHR", fill_pointer),
    ROW("clRemapCommandBufferKHR", remap),
    {NULL, NULL, NULL},
};
