/* How a guest stands between the loader and the drivers: what lies below it, which calls it intercepts, and when the
 * loader wants it. Each guest defines `guest`; the entry points that loaders look for are made here.
 *
 * Also what guests ask of their surroundings: which device this is, whether this is a callback, where the program makes
 * its call.
 *
 * A guest never exits, prints or changes an answer of the OpenCL API; whatever fails in it, the user's own call still
 * happens. */
#ifndef CLTC_LAYER_COMMON_GUEST_H
#define CLTC_LAYER_COMMON_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layer/common/opencl.h"

/* A pointer whose block frees what it points to. */
#define scoped __attribute__((cleanup(free_at)))
void free_at(void *pointer);

typedef void (*any_function)(void);

/* A call that the guest intercepts. Tables end with a row without a name. */
typedef struct guest_call {
  const char *name;
  size_t offset; /* in cl_icd_dispatch */
  any_function hook;
} guest_call;

/* A row; `hook` has the type of the call: that of the table's member, as names of these types differ by version. */
#define CALL_TYPE(name) __typeof__(((cl_icd_dispatch *)0)->name)
#define CALL(name, hook) \
  { #name, offsetof(cl_icd_dispatch, name), (any_function)(1 ? (hook) : (CALL_TYPE(name))NULL) }

/* A function that programs get by asking for the address of an extension's function. The last row has no name. */
typedef struct guest_extension {
  const char *name;
  any_function hook;
  bool (*is_wanted)(cl_platform_id platform); /* NULL: always; else the driver's is handed out where it is not */
} guest_extension;

typedef struct guest_description {
  const char *name;                         /* as the loader is told */
  const guest_call *const *calls;           /* tables, ended by NULL */
  const guest_extension *const *extensions; /* the same */
  void (*const *after_fork)(void);          /* called one after another in a child process, ended by NULL */
  bool (*begin)(void);                      /* before anything is intercepted; false: nothing is to be */
  void (*ready)(void);                      /* everything is in place; may be NULL */
  void (*end)(void);                        /* the loader lets go of the guest */
} guest_description;

extern const guest_description guest;

/* What lies below: the loader's (or the preloaded program's) own functions. */
extern cl_icd_dispatch driver;

/* Whether a variable of the environment has this value. */
bool environment_is(const char *name, const char *value);
/* Whether an OpenCL call was made. */
bool guest_started(void);
/* Sets the guest up over the functions below, once: its table, or NULL when that has happened before. */
const cl_icd_dispatch *guest_start(cl_uint entries, const cl_icd_dispatch *below);

/* What to hand out where the driver has given `address` for this name; `platform` NULL: for all. */
void *extension_answer(cl_platform_id platform, const char *name, void *address);
/* The driver's own function of the extension, for the hook that was handed out in its place. */
any_function extension_real(any_function hook, cl_context handle);
#define REAL(hook, handle) ((__typeof__(&(hook)))extension_real((any_function)(hook), handle))

/* Answers of the clGet…Info kind. */
cl_int info_answer(const void *value, size_t size, size_t param_value_size, void *param_value, size_t *size_ret);

/* Text that identifies the device and its compiler to cltestcheck, in lines; free it. NULL without memory. */
char *device_key(cl_device_id device);

/* Callbacks of events: who waits for a command in one may wait for ever. */
typedef void(CL_CALLBACK *event_notify)(cl_event, cl_int, void *);
/* Whether this thread is in a callback that callback_set has set. */
bool callback_running(void);
/* clSetEventCallback, with a callback that callback_running tells of. */
cl_int callback_set(cl_event event, cl_int status, event_notify notify, void *user_data);
void callback_after_fork(void);

/* Where the program makes a call: an address in it, counted from where the file was loaded, as debug information has
 * it. */
typedef struct call_site {
  const char *module; /* path of the file; stays as long as it is loaded */
  uint64_t offset;
} call_site;

/* Of the OpenCL call that is under way. False: the stack does not tell. Costs some microseconds. */
bool site_of_call(call_site *out);

#endif
