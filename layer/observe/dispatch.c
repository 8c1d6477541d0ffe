/* How the loader finds the layer: both families of entry points, the table of our calls, and extension pointers that
 * would otherwise lead around it. */
#include <stdlib.h>
#include <string.h>

#include "layer/observe/layer.h"

#define LAYER_NAME "cltestcheck"

/* Khronos loaders since 2026; our headers are older. */
#ifndef CL_LAYER_PROPERTIES_LIST_END
typedef cl_properties cl_layer_properties;
#endif

cl_icd_dispatch driver;
cl_icd_dispatch hooks;

typedef void (*any_function)(void);

typedef struct call {
  const char *name;
  size_t offset; /* in cl_icd_dispatch */
  any_function hook;
} call;

#define CALL_ROW(type, name, parameters, arguments) {#name, offsetof(cl_icd_dispatch, name), (any_function)HOOK(name)},
#define CALL_ROW_VOID(name, parameters, arguments) CALL_ROW(void, name, parameters, arguments)
static const call calls[] = {CALLS(CALL_ROW) CALLS_VOID(CALL_ROW_VOID)};
#undef CALL_ROW_VOID
#undef CALL_ROW

enum { CALL_COUNT = sizeof calls / sizeof *calls };

static atomic_bool started;

bool layer_started(void) { return atomic_load(&started); }

static any_function table_entry(const cl_icd_dispatch *table, size_t offset) {
  any_function f;
  memcpy(&f, (const char *)table + offset, sizeof f);
  return f;
}

static void after_fork(void) {
  connection_after_fork();
  object_after_fork();
  quiet_after_fork();
  program_after_fork();
  function_after_fork();
  slots_after_fork();
  queue_after_fork();
  evidence_after_fork();
  observe_after_fork();
  memory_after_fork();
  reads_after_fork();
  times_after_fork();
  refused_after_fork();
  event_after_fork();
  test_case_after_fork();
  gate_after_fork();
  watch_after_fork();
}

/* ocl-icd cuts OPENCL_LAYERS at its first colon; children need all of it. */
static void restore_environment(void) {
  const char *layers = getenv(ENV_LAYERS);
  const char *now = getenv("OPENCL_LAYERS");
  if (layers && now && strcmp(layers, now) != 0)
    setenv("OPENCL_LAYERS", layers, 1);
}

static void start(cl_uint entries, const cl_icd_dispatch *below) {
  size_t bytes = (size_t)entries * sizeof(any_function);
  memcpy(&driver, below, bytes < sizeof driver ? bytes : sizeof driver);
  for (size_t i = 0; i < CALL_COUNT; i++)
    if (table_entry(&driver, calls[i].offset))
      memcpy((char *)&hooks + calls[i].offset, &calls[i].hook, sizeof(any_function));
  restore_environment();
  observe_start();
  test_case_start();
  pthread_atfork(NULL, NULL, after_fork);
  connection_ready();
}

LAYER_EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value,
                                                            size_t *size_ret) {
  static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  if (name == CL_LAYER_API_VERSION)
    return info_answer(&version, sizeof version, size, value, size_ret);
  if (name == CL_LAYER_NAME)
    return info_answer(LAYER_NAME, sizeof LAYER_NAME, size, value, size_ret);
  return CL_INVALID_VALUE;
}

LAYER_EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint num_entries, const cl_icd_dispatch *target_dispatch,
                                                         cl_uint *num_entries_ret,
                                                         const cl_icd_dispatch **layer_dispatch_ret) {
  if (!target_dispatch || !num_entries_ret || !layer_dispatch_ret)
    return CL_INVALID_VALUE;
  static const cl_icd_dispatch nothing; /* a second loader, or the preload library, is served already */
  bool first = !atomic_exchange(&started, true);
  if (first)
    start(num_entries, target_dispatch);
  cl_uint own = (cl_uint)(sizeof hooks / sizeof(any_function));
  *num_entries_ret = num_entries < own ? num_entries : own;
  *layer_dispatch_ret = first ? &hooks : &nothing;
  return CL_SUCCESS;
}

LAYER_EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries,
                                                                       const cl_icd_dispatch *target_dispatch,
                                                                       cl_uint *num_entries_ret,
                                                                       const cl_icd_dispatch **layer_dispatch_ret,
                                                                       const cl_layer_properties *properties);
LAYER_EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries,
                                                                       const cl_icd_dispatch *target_dispatch,
                                                                       cl_uint *num_entries_ret,
                                                                       const cl_icd_dispatch **layer_dispatch_ret,
                                                                       const cl_layer_properties *properties) {
  (void)properties;
  return clInitLayer(num_entries, target_dispatch, num_entries_ret, layer_dispatch_ret);
}

LAYER_EXPORT CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer(void);
LAYER_EXPORT CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer(void) {
  evidence_exit();
  return CL_SUCCESS;
}

/* For the preload library: our table over the given functions, or NULL when the loader has called clInitLayer. */
LAYER_EXPORT const cl_icd_dispatch *cltestcheck_preload(const cl_icd_dispatch *below);
LAYER_EXPORT const cl_icd_dispatch *cltestcheck_preload(const cl_icd_dispatch *below) {
  if (atomic_exchange(&started, true))
    return NULL;
  start((cl_uint)(sizeof *below / sizeof(any_function)), below);
  return &hooks;
}

cl_int info_answer(const void *value, size_t size, size_t param_value_size, void *param_value, size_t *size_ret) {
  if (param_value && param_value_size < size)
    return CL_INVALID_VALUE;
  if (param_value)
    memcpy(param_value, value, size);
  if (size_ret)
    *size_ret = size;
  return CL_SUCCESS;
}

/* ---- extension pointers ---- */

#define PLATFORMS 16

/* The drivers' functions behind our extension hooks, one a platform. */
typedef struct extension {
  const char *name;
  any_function hook;
  struct {
    cl_platform_id platform;
    void *address;
  } real[PLATFORMS];
} extension;

static cl_program CL_API_CALL create_program_with_il(cl_context handle, const void *il, size_t length, cl_int *error);
static cl_command_queue CL_API_CALL create_queue(cl_context handle, cl_device_id device,
                                                 const cl_queue_properties *properties, cl_int *error);
static cl_int CL_API_CALL set_arg_mem_pointer(cl_kernel handle, cl_uint index, const void *pointer);
static cl_int CL_API_CALL set_arg_device_pointer(cl_kernel handle, cl_uint index, const void *pointer);

enum { IL_KHR, QUEUE_KHR, POINTER_INTEL, POINTER_EXT, EXTENSIONS };

static extension extensions[EXTENSIONS] = {
    [IL_KHR] = {.name = "clCreateProgramWithILKHR", .hook = (any_function)create_program_with_il},
    [QUEUE_KHR] = {.name = "clCreateCommandQueueWithPropertiesKHR", .hook = (any_function)create_queue},
    [POINTER_INTEL] = {.name = "clSetKernelArgMemPointerINTEL", .hook = (any_function)set_arg_mem_pointer},
    [POINTER_EXT] = {.name = "clSetKernelArgDevicePointerEXT", .hook = (any_function)set_arg_device_pointer},
};
static pthread_mutex_t extension_lock = PTHREAD_MUTEX_INITIALIZER;

/* The platform of a context's first device; NULL if it cannot be told. */
static cl_platform_id platform_of(cl_context handle) {
  cl_device_id devices[64];
  cl_platform_id platform = NULL;
  size_t size = 0;
  if (driver.clGetContextInfo(handle, CL_CONTEXT_DEVICES, sizeof devices, devices, &size) == CL_SUCCESS && size)
    driver.clGetDeviceInfo(devices[0], CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platform, NULL);
  return platform;
}

static void *extension_real(const extension *e, cl_platform_id platform) {
  void *found = NULL;
  pthread_mutex_lock(&extension_lock);
  for (size_t i = 0; i < PLATFORMS && e->real[i].address; i++)
    if (!found || e->real[i].platform == platform)
      found = e->real[i].address;
  pthread_mutex_unlock(&extension_lock);
  return found;
}

static void *extension_remember(extension *e, cl_platform_id platform, void *address) {
  void *answer = address;
  pthread_mutex_lock(&extension_lock);
  for (size_t i = 0; i < PLATFORMS; i++)
    if (!e->real[i].address || e->real[i].platform == platform) {
      e->real[i].platform = platform;
      e->real[i].address = address;
      memcpy(&answer, &e->hook, sizeof answer);
      break;
    }
  pthread_mutex_unlock(&extension_lock);
  return answer;
}

/* What to hand out for the driver's pointer. */
static void *extension_answer(cl_platform_id platform, const char *name, void *address) {
  if (!address || !name)
    return address;
  for (size_t i = 0; i < EXTENSIONS; i++)
    if (strcmp(extensions[i].name, name) == 0)
      return extension_remember(&extensions[i], platform, address);
  for (size_t i = 0; i < CALL_COUNT; i++)
    if (strcmp(calls[i].name, name) == 0 && table_entry(&hooks, calls[i].offset))
      memcpy(&address, &calls[i].hook, sizeof address);
  return address;
}

void *CL_API_CALL hook_clGetExtensionFunctionAddress(const char *name) {
  return extension_answer(NULL, name, driver.clGetExtensionFunctionAddress(name));
}

void *CL_API_CALL hook_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
  void *own = turn_extension(name);
  return own ? own : extension_answer(platform, name, driver.clGetExtensionFunctionAddressForPlatform(platform, name));
}

static cl_program CL_API_CALL create_program_with_il(cl_context handle, const void *il, size_t length, cl_int *error) {
  cl_program(CL_API_CALL * real)(cl_context, const void *, size_t, cl_int *);
  void *address = extension_real(&extensions[IL_KHR], platform_of(handle));
  memcpy(&real, &address, sizeof real);
  cl_program made = real(handle, il, length, error);
  if (made)
    skipped("IL program", "a program from intermediate language has no source to instrument");
  return made;
}

static cl_command_queue CL_API_CALL create_queue(cl_context handle, cl_device_id device,
                                                 const cl_queue_properties *properties, cl_int *error) {
  cl_command_queue(CL_API_CALL * real)(cl_context, cl_device_id, const cl_queue_properties *, cl_int *);
  void *address = extension_real(&extensions[QUEUE_KHR], platform_of(handle));
  memcpy(&real, &address, sizeof real);
  cl_command_queue made = real(handle, device, properties, error);
  if (made)
    queue_record(made, handle, device);
  return made;
}

static set_pointer_function pointer_setter(const extension *e, cl_kernel handle) {
  set_pointer_function real;
  cl_context c = NULL;
  driver.clGetKernelInfo(handle, CL_KERNEL_CONTEXT, sizeof(cl_context), &c, NULL);
  void *address = extension_real(e, c ? platform_of(c) : NULL);
  memcpy(&real, &address, sizeof real);
  return real;
}

static cl_int CL_API_CALL set_arg_mem_pointer(cl_kernel handle, cl_uint index, const void *pointer) {
  set_pointer_function real = pointer_setter(&extensions[POINTER_INTEL], handle);
  cl_int result = real(handle, index, pointer);
  if (result == CL_SUCCESS)
    kernel_set_pointer(handle, index, pointer, real);
  return result;
}

static cl_int CL_API_CALL set_arg_device_pointer(cl_kernel handle, cl_uint index, const void *pointer) {
  set_pointer_function real = pointer_setter(&extensions[POINTER_EXT], handle);
  cl_int result = real(handle, index, pointer);
  if (result == CL_SUCCESS)
    kernel_set_pointer(handle, index, pointer, real);
  return result;
}
