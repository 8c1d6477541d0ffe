/* The guest's description: the table of its calls, extension pointers that would lead around it, and what the loader
 * and forks make it do. */
#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "detectors/gates/layer.h"
#include "layer/common/command.h"
#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "layer/observe/alive.h"
#include "layer/observe/connection.h"
#include "layer/observe/enqueue.h"
#include "layer/observe/evidence.h"
#include "layer/observe/guard.h"
#include "layer/observe/hooks.h"
#include "layer/observe/kernel.h"
#include "layer/observe/memory.h"
#include "layer/observe/observe.h"
#include "layer/observe/program.h"
#include "layer/observe/queue.h"
#include "layer/observe/reads.h"
#include "layer/observe/refused.h"
#include "layer/observe/shadow.h"
#include "layer/observe/turn.h"
#include "layer/observe/unawaited.h"
#include "layer/observe/vary.h"

/* ---- extension pointers ---- */

void *CL_API_CALL hook_clGetExtensionFunctionAddress(const char *name) {
  return extension_answer(NULL, name, driver.clGetExtensionFunctionAddress(name));
}

void *CL_API_CALL hook_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
  void *own = turn_extension(name);
  return own != NULL
             ? own
             : extension_answer(platform, name, driver.clGetExtensionFunctionAddressForPlatform(platform, name));
}

static cl_program CL_API_CALL create_program_with_il(cl_context handle, const void *il, size_t length, cl_int *error) {
  cl_program made = REAL(create_program_with_il, handle)(handle, il, length, error);
  alive_made(ALIVE_PROGRAM, made, "clCreateProgramWithILKHR");
  if (made != NULL) skipped("IL program", "a program from intermediate language has no source to instrument");
  return made;
}

static cl_command_queue CL_API_CALL create_queue(cl_context handle, cl_device_id device,
                                                 const cl_queue_properties *properties, cl_int *error) {
  cl_command_queue made = REAL(create_queue, handle)(handle, device, properties, error);
  alive_made(ALIVE_QUEUE, made, "clCreateCommandQueueWithPropertiesKHR");
  if (made != NULL) queue_record(made, handle, device);
  return made;
}

static void *CL_API_CALL create_command_buffer(cl_uint count, const cl_command_queue *queues,
                                               const cl_properties *properties, cl_int *error) {
  cl_context c = NULL;
  driver.clGetCommandQueueInfo(count > 0 && queues != NULL ? queues[0] : NULL, CL_QUEUE_CONTEXT, sizeof(cl_context), &c,
                               NULL);
  void *made = REAL(create_command_buffer, c)(count, queues, properties, error);
  if (made != NULL) skipped("command buffer", "what it launches runs as it was written, and is not looked at");
  return made;
}

static cl_context context_of(cl_kernel handle) {
  cl_context c = NULL;
  driver.clGetKernelInfo(handle, CL_KERNEL_CONTEXT, sizeof(cl_context), &c, NULL);
  return c;
}

#define SET_POINTER(name)                                                                \
  static cl_int CL_API_CALL name(cl_kernel handle, cl_uint index, const void *pointer) { \
    const set_pointer_function real = REAL(name, context_of(handle));                    \
    cl_int result = real(handle, index, pointer);                                        \
    if (result == CL_SUCCESS) kernel_set_pointer(handle, index, pointer, real);          \
    return result;                                                                       \
  }
SET_POINTER(set_arg_mem_pointer)
SET_POINTER(set_arg_device_pointer)

/* ---- the description ---- */

#define CALL_ROW(type, name, parameters, arguments) CALL(name, HOOK(name)),
#define CALL_ROW_VOID(name, parameters, arguments) CALL(name, HOOK(name)),
static const guest_call own_calls[] = {CALLS(CALL_ROW) CALLS_VOID(CALL_ROW_VOID){NULL, 0, NULL}};
#undef CALL_ROW_VOID
#undef CALL_ROW

static const guest_extension own_extensions[] = {
    {"clCreateProgramWithILKHR", (any_function)create_program_with_il, NULL},
    {"clCreateCommandQueueWithPropertiesKHR", (any_function)create_queue, NULL},
    {"clCreateCommandBufferKHR", (any_function)create_command_buffer, NULL},
    {"clSetKernelArgMemPointerINTEL", (any_function)set_arg_mem_pointer, NULL},
    {"clSetKernelArgDevicePointerEXT", (any_function)set_arg_device_pointer, NULL},
    {NULL, NULL, NULL},
};

enum { MOST_TABLES = 8 };
static const guest_call *calls[MOST_TABLES + 1] = {command_calls, own_calls}; /* ended by NULL */

static void add_calls(const guest_call *table) {
  size_t i = 0;
  while (calls[i] != NULL) i++;
  assert(i < MOST_TABLES);
  calls[i] = table;
}

/* What lies below the next table. */
static void calls_below(cl_icd_dispatch *below) {
  *below = driver;
  for (const guest_call *const *table = calls; *table != NULL; table++) {
    for (const guest_call *c = *table; c->name != NULL; c++) {
      any_function f;
      memcpy(&f, (const char *)&driver + c->offset, sizeof f);
      if (f != NULL) memcpy((char *)below + c->offset, &c->hook, sizeof(any_function));
    }
  }
}

static const guest_extension *const extensions[] = {own_extensions, NULL};

static void (*const after_fork[])(void) = {
    connection_after_fork, object_after_fork,   shadow_after_fork,   program_after_fork,

    queue_after_fork,      evidence_after_fork, observe_after_fork,  memory_after_fork,    storage_after_fork,
    reads_after_fork,      refused_after_fork,  callback_after_fork, gate_after_fork,      vary_after_fork,

    announced_after_fork,  guard_after_fork,    alive_after_fork,    unawaited_after_fork, NULL,
};

static bool begin(void) {
  guard_start();
  command_over(observe_over, COMMAND_ALL & ~(1U << COMMAND_LAUNCH));
  command_over(launch_over, 1U << COMMAND_LAUNCH);
  observe_start();
  test_case_start();
  if (alive_start()) {
    add_calls(alive_calls);
    add_calls(alive_counts);
  }
  if (unawaited_start()) {
    calls_below(&unawaited_below);
    add_calls(unawaited_calls);
  }
  refused_start();
  calls_below(&refused_below);
  add_calls(refused_calls);
  return true;
}

static void ready(void) { connection_ready(); }

const guest_description guest = {
    .name = "cltestcheck",
    .calls = calls,
    .extensions = extensions,
    .after_fork = after_fork,
    .begin = begin,
    .ready = ready,
    .end = evidence_exit,
};

/* For the preload library: our table over the given functions, or NULL when the loader has called clInitLayer. */
LAYER_EXPORT const cl_icd_dispatch *cltestcheck_preload(const cl_icd_dispatch *below);
LAYER_EXPORT const cl_icd_dispatch *cltestcheck_preload(const cl_icd_dispatch *below) {
  return guest_start((cl_uint)(sizeof *below / sizeof(any_function)), below);
}
