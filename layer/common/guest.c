/* How the loader finds a guest: both families of entry points, and the table of the calls that it intercepts; and what
 * guests ask of their surroundings. */
#include "layer/common/guest.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wire/protocol.h"

/* Khronos loaders since 2026; our headers are older. */
#ifndef CL_LAYER_PROPERTIES_LIST_END
typedef cl_properties cl_layer_properties;
#endif

cl_icd_dispatch driver;
static cl_icd_dispatch hooks;
static atomic_bool started;

void free_at(void *pointer) {
  void *allocated;
  memcpy(&allocated, pointer, sizeof allocated);
  free(allocated);
}

bool environment_is(const char *name, const char *value) {
  const char *text = getenv(name);
  return text != NULL && strcmp(text, value) == 0;
}

bool guest_started(void) { return atomic_load(&started); }

static any_function table_entry(const cl_icd_dispatch *table, size_t offset) {
  any_function f;
  memcpy(&f, (const char *)table + offset, sizeof f);
  return f;
}

static void fill_hooks(void) {
  for (const guest_call *const *table = guest.calls; *table != NULL; table++) {
    for (const guest_call *c = *table; c->name != NULL; c++)
      if (table_entry(&driver, c->offset) != NULL) memcpy((char *)&hooks + c->offset, &c->hook, sizeof(any_function));
  }
}

static void after_fork(void) {
  for (void (*const *f)(void) = guest.after_fork; *f != NULL; f++) (*f)();
}

/* ocl-icd cuts OPENCL_LAYERS at its first colon; children need all of it. */
static void restore_environment(void) {
  const char *layers = getenv(ENV_LAYERS);
  const char *now = getenv("OPENCL_LAYERS");
  if (layers != NULL && now != NULL && strcmp(layers, now) != 0) setenv("OPENCL_LAYERS", layers, 1);
}

const cl_icd_dispatch *guest_start(cl_uint entries, const cl_icd_dispatch *below) {
  if (atomic_exchange(&started, true)) return NULL;
  size_t bytes = (size_t)entries * sizeof(any_function);
  memcpy(&driver, below, bytes < sizeof driver ? bytes : sizeof driver);
  restore_environment();
  if (!guest.begin()) return &hooks;
  fill_hooks();
  pthread_atfork(NULL, NULL, after_fork);
  if (guest.ready != NULL) guest.ready();
  return &hooks;
}

cl_int info_answer(const void *value, size_t size, size_t param_value_size, void *param_value, size_t *size_ret) {
  if (param_value != NULL && param_value_size < size) return CL_INVALID_VALUE;
  if (param_value != NULL) memcpy(param_value, value, size);
  if (size_ret != NULL) *size_ret = size;
  return CL_SUCCESS;
}

/* ---- entry points ---- */

LAYER_EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value,
                                                            size_t *size_ret) {
  static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  if (name == CL_LAYER_API_VERSION) return info_answer(&version, sizeof version, size, value, size_ret);
  if (name == CL_LAYER_NAME) return info_answer(guest.name, strlen(guest.name) + 1, size, value, size_ret);
  return CL_INVALID_VALUE;
}

LAYER_EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint num_entries, const cl_icd_dispatch *target_dispatch,
                                                         cl_uint *num_entries_ret,
                                                         const cl_icd_dispatch **layer_dispatch_ret) {
  static const cl_icd_dispatch nothing; /* a second loader, or the preload library, is served already */
  if (target_dispatch == NULL || num_entries_ret == NULL || layer_dispatch_ret == NULL) return CL_INVALID_VALUE;
  const cl_icd_dispatch *table = guest_start(num_entries, target_dispatch);
  cl_uint own = (cl_uint)(sizeof hooks / sizeof(any_function));
  *num_entries_ret = num_entries < own ? num_entries : own;
  *layer_dispatch_ret = table != NULL ? table : &nothing;
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
  guest.end();
  return CL_SUCCESS;
}

/* ---- extension pointers, which would otherwise lead around the guest ---- */

enum { EXTENSIONS_MOST = 256 };

/* The drivers' functions behind the hooks that were handed out, one a platform. */
static struct {
  any_function hook, real;
  cl_platform_id platform;
} handed_out[EXTENSIONS_MOST];
static size_t handed_out_count;
static pthread_mutex_t extension_lock = PTHREAD_MUTEX_INITIALIZER;

/* The platform of a context's first device; NULL if it cannot be told. */
static cl_platform_id platform_of(cl_context handle) {
  cl_device_id devices[64];
  cl_platform_id platform = NULL;
  size_t size = 0;
  if (handle != NULL &&
      driver.clGetContextInfo(handle, CL_CONTEXT_DEVICES, sizeof devices, devices, &size) == CL_SUCCESS && size)
    driver.clGetDeviceInfo(devices[0], CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platform, NULL);
  return platform;
}

any_function extension_real(any_function hook, cl_context handle) {
  any_function real = NULL;
  cl_platform_id platform = platform_of(handle);
  pthread_mutex_lock(&extension_lock);
  for (size_t i = 0; i < handed_out_count; i++)
    if (handed_out[i].hook == hook && (real == NULL || handed_out[i].platform == platform)) real = handed_out[i].real;
  pthread_mutex_unlock(&extension_lock);
  return real;
}

/* False: there is no room, and the hook would not find its function. */
static bool hand_out(any_function hook, cl_platform_id platform, any_function real) {
  size_t at = 0;
  pthread_mutex_lock(&extension_lock);
  while (at < handed_out_count && (handed_out[at].hook != hook || handed_out[at].platform != platform)) at++;
  bool room = at < EXTENSIONS_MOST;
  if (room) {
    handed_out[at].hook = hook;
    handed_out[at].platform = platform;
    handed_out[at].real = real;
    handed_out_count += at == handed_out_count;
  }
  pthread_mutex_unlock(&extension_lock);
  return room;
}

static any_function hook_of(cl_platform_id platform, const char *name) {
  for (const guest_extension *const *table = guest.extensions; *table != NULL; table++) {
    for (const guest_extension *e = *table; e->name != NULL; e++)
      if (strcmp(e->name, name) == 0) return e->is_wanted == NULL || e->is_wanted(platform) ? e->hook : NULL;
  }
  return NULL;
}

/* A call of the API itself: the table's. */
static any_function hook_of_call(const char *name) {
  for (const guest_call *const *table = guest.calls; *table != NULL; table++) {
    for (const guest_call *c = *table; c->name != NULL; c++)
      if (strcmp(c->name, name) == 0) return table_entry(&hooks, c->offset);
  }
  return NULL;
}

void *extension_answer(cl_platform_id platform, const char *name, void *address) {
  if (address == NULL || name == NULL) return address;
  any_function real, hook = hook_of(platform, name);
  memcpy(&real, &address, sizeof real);
  if (hook != NULL && !hand_out(hook, platform, real)) hook = NULL;
  if (hook == NULL) hook = hook_of_call(name);
  if (hook != NULL) memcpy(&address, &hook, sizeof address);
  return address;
}

char *device_key(cl_device_id device) {
  static const cl_device_info parts[] = {CL_DEVICE_NAME,    CL_DEVICE_VENDOR,
                                         CL_DRIVER_VERSION, CL_DEVICE_OPENCL_C_VERSION,
                                         CL_DEVICE_VERSION, CL_DEVICE_EXTENSIONS};
  static const char last[] = "\nimages";
  enum { PARTS = sizeof parts / sizeof *parts };
  size_t sizes[PARTS], total = 0;
  for (size_t i = 0; i < PARTS; i++) {
    sizes[i] = 0;
    driver.clGetDeviceInfo(device, parts[i], 0, NULL, &sizes[i]);
    total += sizes[i] + 1;
  }
  char *key = malloc(total + sizeof last);
  if (key == NULL) return NULL;
  size_t length = 0;
  for (size_t i = 0; i < PARTS; i++) {
    key[length] = '\0';
    if (sizes[i]) driver.clGetDeviceInfo(device, parts[i], sizes[i], key + length, NULL);
    length += strnlen(key + length, sizes[i]);
    if (i + 1 < PARTS) key[length++] = '\n';
  }
  cl_bool images = CL_FALSE;
  driver.clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL);
  strcpy(key + length, images ? last : "\n");
  return key;
}

/* ---- callbacks: the user's inside one of ours ---- */

typedef struct callback {
  event_notify notify;
  void *user_data;
} callback;

static __thread bool running;

bool callback_running(void) { return running; }

static void CL_CALLBACK called(cl_event event, cl_int status, void *data) {
  callback c = *(callback *)data;
  bool outer = running;
  free(data);
  running = true;
  c.notify(event, status, c.user_data);
  running = outer;
}

cl_int callback_set(cl_event event, cl_int status, event_notify notify, void *user_data) {
  callback *c = notify != NULL ? malloc(sizeof *c) : NULL;
  if (c == NULL) return driver.clSetEventCallback(event, status, notify, user_data);
  *c = (callback){notify, user_data};
  cl_int result = driver.clSetEventCallback(event, status, called, c);
  if (result != CL_SUCCESS) free(c);
  return result;
}

void callback_after_fork(void) { running = false; }

/* ---- where the program makes the call: the innermost frame of the stack that is neither ours nor the loader's ---- */

enum { FRAMES_MOST = 32 };

static char program[4096]; /* what is run, whose name loaders leave empty */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_program(void) {
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length < 0 ? 0 : length] = '\0';
}

/* Libraries between the program and us: the loader, and our other guests. */
static bool is_between(const char *path) {
  static const char *const names[] = {"libOpenCL.so", "libcltestcheck-"};
  const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
  bool between = false;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    between = between || strncmp(name, names[i], strlen(names[i])) == 0;
  return between;
}

bool site_of_call(call_site *out) {
  static const char here = 0;
  void *frames[FRAMES_MOST];
  Dl_info own, at;
  (void)pthread_once(&once, find_program);
  const int count = backtrace(frames, FRAMES_MOST);
  if (dladdr(&here, &own) == 0) return false;
  for (int i = 0; i < count; i++) {
    struct link_map *map = NULL;
    void *extra = NULL;
    if (dladdr1(frames[i], &at, &extra, RTLD_DL_LINKMAP) == 0) continue;
    memcpy(&map, &extra, sizeof map);
    if (at.dli_fbase == own.dli_fbase || map == NULL || is_between(map->l_name)) continue;
    *out = (call_site){.module = map->l_name[0] != '\0' ? map->l_name : program,
                       .offset = (uint64_t)(uintptr_t)frames[i] - map->l_addr - 1}; /* in the call, not after it */
    return true;
  }
  return false;
}
