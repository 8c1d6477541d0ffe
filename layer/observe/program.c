/* Programs: what they are made of is kept, so that a shadow can be built beside them. The user's own program is
 * always the real one. */
#include "layer/observe/program.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layer/common/bytes.h"
#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "layer/observe/connection.h"
#include "layer/observe/hooks.h"
#include "layer/observe/queue.h"
#include "layer/observe/refused.h"
#include "layer/observe/shadow.h"
#include "wire/protocol.h"

static program *find(cl_program handle) { return (program *)object_find(OBJECT_PROGRAM, handle); }

/* ---- executables ---- */

/* Programs that we hold a reference to, so that their counts can be told without it. */
static pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER;
static cl_program *held;
static size_t held_count;

static bool hold_program(cl_program handle) {
  pthread_mutex_lock(&held_lock);
  cl_program *grown = realloc(held, (held_count + 1) * sizeof(cl_program));
  if (grown != NULL) {
    held = grown;
    held[held_count++] = handle;
  }
  pthread_mutex_unlock(&held_lock);
  return grown != NULL;
}

static void unhold_program(cl_program handle) {
  pthread_mutex_lock(&held_lock);
  for (size_t i = 0; i < held_count; i++) {
    if (held[i] == handle) {
      held[i] = held[--held_count];
      break;
    }
  }
  pthread_mutex_unlock(&held_lock);
}

/* References to it that are ours. */
static cl_uint program_hidden_references(cl_program handle) {
  cl_uint count = 0;
  pthread_mutex_lock(&held_lock);
  for (size_t i = 0; i < held_count; i++) count += held[i] == handle;
  pthread_mutex_unlock(&held_lock);
  return count;
}

void executable_free(executable *r) {
  recipe_free(&r->recipe);
  for (size_t i = 0; i < r->input_count; i++) {
    unhold_program(r->inputs[i]);
    driver.clReleaseProgram(r->inputs[i]);
  }
  free(r->inputs);
  free(r->devices);
  *r = (executable){0};
}

static bool executable_devices(executable *r, cl_uint count, const cl_device_id *devices) {
  if (!count || devices == NULL) return true;
  r->devices = malloc(count * sizeof *devices);
  if (r->devices == NULL) return false;
  memcpy(r->devices, devices, count * sizeof *devices);
  r->device_count = count;
  return true;
}

static bool executable_add_input(executable *r, cl_program input) {
  cl_program *grown = realloc(r->inputs, (r->input_count + 1) * sizeof(cl_program));
  if (grown == NULL) return false;
  r->inputs = grown;
  if (!hold_program(input)) return false;
  if (driver.clRetainProgram(input) != CL_SUCCESS) {
    unhold_program(input);
    return false;
  }
  r->inputs[r->input_count++] = input;
  return true;
}

/* ---- records ---- */

/* A record; NULL without memory. */
static program *program_record(cl_program handle, cl_context context_handle, program_kind kind) {
  program *p = calloc(1, sizeof *p);
  if (p == NULL) return NULL;
  p->context = context_hold(context_handle);
  if (p->context == NULL) {
    free(p);
    return NULL;
  }
  p->kind = kind;
  recursive_mutex(&p->lock);
  object_add(&p->source.object, OBJECT_PROGRAM, handle, 1);
  return p;
}

void program_dispose(program *p) {
  shadow_release(p->shadow);
  executable_free(&p->executable);
  recipe_free(&p->made_of);
  source_free(&p->source);
  context_unhold(p->context);
  pthread_mutex_destroy(&p->lock);
  free(p);
}

cl_program CL_API_CALL hook_clCreateProgramWithSource(cl_context handle, cl_uint count, const char **strings,
                                                      const size_t *lengths, cl_int *error) {
  cl_program made = driver.clCreateProgramWithSource(handle, count, strings, lengths, error);
  if (made == NULL || !connection_ready()) return made;
  size_t length;
  char *text = join_strings(count, strings, lengths, &length);
  program *p = text != NULL ? program_record(made, handle, PROGRAM_SOURCE) : NULL;
  if (p == NULL) {
    free(text);
    return made;
  }
  p->source.text = text;
  p->source.length = length;
  return made;
}

cl_program CL_API_CALL hook_clCreateProgramWithBuiltInKernels(cl_context handle, cl_uint num_devices,
                                                              const cl_device_id *devices, const char *names,
                                                              cl_int *error) {
  cl_program made = driver.clCreateProgramWithBuiltInKernels(handle, num_devices, devices, names, error);
  if (made != NULL) skipped("built-in kernels", "built-in kernels have no source to instrument");
  return made;
}

cl_program CL_API_CALL hook_clCreateProgramWithIL(cl_context handle, const void *il, size_t length, cl_int *error) {
  cl_program made = driver.clCreateProgramWithIL(handle, il, length, error);
  if (made != NULL) skipped("IL program", "a program from intermediate language has no source to instrument");
  return made;
}

HOOK_RETAIN(hook_clRetainProgram, cl_program, clRetainProgram, OBJECT_PROGRAM)

cl_int CL_API_CALL hook_clReleaseProgram(cl_program handle) {
  program *p = (program *)object_release(OBJECT_PROGRAM, handle);
  if (p != NULL) program_dispose(p);
  return driver.clReleaseProgram(handle);
}

/* ---- building ---- */

static uint64_t digest_of_texts(const unit_list *l) {
  uint64_t digest = 0;
  for (size_t i = 0; i < l->count; i++) digest = digest * 31 + digest_short(l->items[i]->text, l->items[i]->length);
  return digest;
}

/* `r` is taken. */
static void set_executable(program *p, executable *r) {
  p->executable = *r;
  atomic_store(&p->digest, digest_of_texts(&r->recipe.units));
  p->asked = false;
  recipe_free(&p->made_of);
  if (!r->input_count) (void)recipe_copy(&p->made_of, &r->recipe);
  *r = (executable){0};
}

/* With the program's lock held: a new executable takes the place of the old one, whose shadow goes. */
static void install(program *p, executable *r) {
  executable_free(&p->executable);
  shadow_release(p->shadow);
  p->shadow = NULL;
  set_executable(p, r);
}

static bool built(const program *p) {
  cl_build_status status = CL_BUILD_NONE;
  cl_device_id device = first_device(p->context, &p->executable);
  return device != NULL &&
         driver.clGetProgramBuildInfo(p->source.object.handle, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                                      NULL) == CL_SUCCESS &&
         status == CL_BUILD_SUCCESS;
}

shadow *program_shadow(program *p) {
  pthread_mutex_lock(&p->lock);
  if (!p->asked && p->executable.recipe.units.count && p->kind != PROGRAM_LIBRARY && built(p)) {
    p->asked = true;
    p->shadow = shadow_make(p->context, &p->executable);
    executable_free(&p->executable);
  }
  shadow *s = shadow_retain(p->shadow);
  pthread_mutex_unlock(&p->lock);
  return s;
}

/* The user's source does not compile: its compiler's log, for a program that does not show it. */
static void tell_failed(const program *p, cl_uint num_devices, const cl_device_id *devices) {
  executable none = {0};
  cl_device_id device = num_devices && devices != NULL ? devices[0] : first_device(p->context, &none);
  size_t size = 0;
  if (device == NULL ||
      driver.clGetProgramBuildInfo(p->source.object.handle, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS)
    return;
  scoped char *log = calloc(1, size + 1);
  if (log == NULL) return;
  driver.clGetProgramBuildInfo(p->source.object.handle, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  char directory[4096];
  TELL(MESSAGE_FAILED, COUNTED(p->source.text, p->source.length),
       TEXT(getcwd(directory, sizeof directory) != NULL ? directory : ""), TEXT(log));
}

cl_int CL_API_CALL hook_clBuildProgram(cl_program handle, cl_uint num_devices, const cl_device_id *devices,
                                       const char *options, program_notify notify, void *user_data) {
  program *p = find(handle);
  if (p == NULL || p->kind != PROGRAM_SOURCE)
    return driver.clBuildProgram(handle, num_devices, devices, options, notify, user_data);
  executable r = {0};
  unit *u = unit_make(&p->source, options, 0, NULL, NULL);
  bool known = u != NULL && units_add(&r.recipe.units, &u, 1) && executable_devices(&r, num_devices, devices);
  unit_release(u);
  object_hold(&p->source.object); /* a callback may release the program */
  pthread_mutex_lock(&p->lock);
  if (known && notify != NULL)
    install(p, &r); /* before the callback makes kernels; the shadow then comes with the first of them */
  pthread_mutex_unlock(&p->lock);
  cl_int result = driver.clBuildProgram(handle, num_devices, devices, options, notify, user_data);
  pthread_mutex_lock(&p->lock);
  if (result == CL_SUCCESS && notify == NULL) {
    install(p, &r);
    shadow_release(program_shadow(p));
  } else if (result != CL_SUCCESS && notify != NULL) {
    install(p, &(executable){0});
  }
  if (result == CL_BUILD_PROGRAM_FAILURE) tell_failed(p, num_devices, devices);
  if (result != CL_SUCCESS) refused("clBuildProgram", "", result, options != NULL ? options : "");
  pthread_mutex_unlock(&p->lock);
  executable_free(&r);
  if (object_unhold(&p->source.object)) program_dispose(p);
  return result;
}

cl_int CL_API_CALL hook_clCompileProgram(cl_program handle, cl_uint num_devices, const cl_device_id *devices,
                                         const char *options, cl_uint num_headers, const cl_program *headers,
                                         const char **header_names, program_notify notify, void *user_data) {
  program *p = find(handle);
  bool valid = p != NULL && p->kind == PROGRAM_SOURCE && (!num_headers || (headers != NULL && header_names != NULL));
  unit *u = valid ? unit_make(&p->source, options, num_headers, headers, header_names) : NULL;
  if (valid) { /* before the callback links it; a failed compilation cannot be linked */
    pthread_mutex_lock(&p->lock);
    unit_release(p->source.compiled);
    p->source.compiled = u;
    pthread_mutex_unlock(&p->lock);
  }
  cl_int result = driver.clCompileProgram(handle, num_devices, devices, options, num_headers, headers, header_names,
                                          notify, user_data);
  if (result == CL_COMPILE_PROGRAM_FAILURE && valid) tell_failed(p, num_devices, devices);
  if (result != CL_SUCCESS) refused("clCompileProgram", "", result, options != NULL ? options : "");
  return result;
}

/* Adds what one input of a link is made of: its units, or itself as it is. */
static bool executable_add_linked(executable *r, cl_program input) {
  program *p = find(input);
  if (p == NULL) return executable_add_input(r, input);
  pthread_mutex_lock(&p->lock);
  bool added;
  if (p->source.compiled != NULL && p->kind != PROGRAM_LIBRARY)
    added = units_add(&r->recipe.units, &p->source.compiled, 1);
  else if (p->kind == PROGRAM_LIBRARY && p->executable.recipe.units.count && !p->executable.input_count)
    added = units_add(&r->recipe.units, p->executable.recipe.units.items, p->executable.recipe.units.count);
  else
    added = executable_add_input(r, input);
  pthread_mutex_unlock(&p->lock);
  return added;
}

static bool executable_link(executable *r, cl_uint num_devices, const cl_device_id *devices, const char *options,
                            cl_uint num_inputs, const cl_program *inputs) {
  r->recipe.linked = true;
  r->recipe.link_options = copy_text(options, options != NULL ? strlen(options) : 0);
  bool complete = r->recipe.link_options != NULL && executable_devices(r, num_devices, devices);
  for (cl_uint i = 0; complete && i < num_inputs; i++) complete = executable_add_linked(r, inputs[i]);
  return complete;
}

/* A clLinkProgram with a callback: whoever is first, the callback or the call's return, makes the record. */
typedef struct link_request {
  atomic_int references;
  atomic_bool recorded;
  program_notify notify;
  void *user_data;
  cl_context context;
  executable executable;
} link_request;

static void link_request_release(link_request *l) {
  if (atomic_fetch_sub(&l->references, 1) != 1) return;
  executable_free(&l->executable);
  free(l);
}

static void link_record(link_request *l, cl_program made) {
  if (made == NULL || atomic_exchange(&l->recorded, true)) return;
  const char *options = l->executable.recipe.link_options;
  bool library = options != NULL && strstr(options, "-create-library") != NULL;
  if (!l->executable.recipe.units.count) {
    skipped("program linked from binaries", "none of the linked programs has a source to instrument");
    return;
  }
  program *p = program_record(made, l->context, library ? PROGRAM_LIBRARY : PROGRAM_LINKED);
  if (p == NULL) return;
  set_executable(p, &l->executable);
}

static void CL_CALLBACK link_done(cl_program made, void *data) {
  link_request *l = data;
  link_record(l, made);
  l->notify(made, l->user_data);
  link_request_release(l);
}

/* Links; cltestcheck hears of what the driver refuses. */
static cl_program link_told(cl_context handle, cl_uint num_devices, const cl_device_id *devices, const char *options,
                            cl_uint num_inputs, const cl_program *inputs, program_notify notify, void *user_data,
                            cl_int *error) {
  cl_int result = CL_SUCCESS;
  cl_program made =
      driver.clLinkProgram(handle, num_devices, devices, options, num_inputs, inputs, notify, user_data, &result);
  if (error != NULL) *error = result;
  if (result != CL_SUCCESS) refused("clLinkProgram", "", result, options != NULL ? options : "");
  return made;
}

cl_program CL_API_CALL hook_clLinkProgram(cl_context handle, cl_uint num_devices, const cl_device_id *devices,
                                          const char *options, cl_uint num_inputs, const cl_program *inputs,
                                          program_notify notify, void *user_data, cl_int *error) {
  link_request *l = num_inputs && inputs != NULL && connection_ready() ? calloc(1, sizeof *l) : NULL;
  if (l == NULL || !executable_link(&l->executable, num_devices, devices, options, num_inputs, inputs)) {
    if (l != NULL) executable_free(&l->executable);
    free(l);
    return link_told(handle, num_devices, devices, options, num_inputs, inputs, notify, user_data, error);
  }
  atomic_init(&l->references, notify != NULL ? 2 : 1);
  l->notify = notify;
  l->user_data = user_data;
  l->context = handle;
  cl_program made = link_told(handle, num_devices, devices, options, num_inputs, inputs,
                              notify != NULL ? link_done : NULL, notify != NULL ? l : user_data, error);
  link_record(l, made);
  program *p = made != NULL && notify == NULL ? find(made) : NULL;
  if (p != NULL) shadow_release(program_shadow(p));
  link_request_release(l);
  return made;
}

void program_after_fork(void) {
  held_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  held_count = 0;
}

/* ---- programs from binaries ---- */

/* False: nobody knows what it was made of. */
static bool record_known(cl_program made, cl_context handle, cl_uint count, const size_t *lengths,
                         const unsigned char *const *binaries) {
  recipe r;
  const binary_kind kind = connection_ready() ? binaries_find(count, lengths, binaries, &r) : BINARY_UNKNOWN;
  if (kind == BINARY_UNKNOWN) return false;
  program *p = program_record(made, handle, kind == BINARY_LIBRARY ? PROGRAM_LIBRARY : PROGRAM_LINKED);
  if (p != NULL && kind == BINARY_OBJECT) {
    p->source.compiled = r.units.items[0];
    r.units.count = 0; /* the reference is the program's */
  } else if (p != NULL) {
    set_executable(p, &(executable){.recipe = r});
    r = (recipe){0};
  }
  recipe_free(&r);
  return p != NULL;
}

cl_program CL_API_CALL hook_clCreateProgramWithBinary(cl_context handle, cl_uint num_devices,
                                                      const cl_device_id *devices, const size_t *lengths,
                                                      const unsigned char **binaries, cl_int *status, cl_int *error) {
  cl_program made = driver.clCreateProgramWithBinary(handle, num_devices, devices, lengths, binaries, status, error);
  if (made != NULL && !record_known(made, handle, num_devices, lengths, binaries)) {
    skipped("program from binary",
            "a program from a binary has no source to instrument, and that was not seen while it was built: if the "
            "program keeps binaries from run to run, let it build from source");
  }
  return made;
}

static void keep_binaries(cl_program handle, size_t size, unsigned char *const *binaries) {
  program *p = (program *)object_find(OBJECT_PROGRAM, handle);
  if (p != NULL && size > 0 && connection_alive()) {
    pthread_mutex_lock(&p->lock);
    binaries_keep(handle, &p->made_of, p->source.compiled, binaries);
    pthread_mutex_unlock(&p->lock);
  }
}

cl_int CL_API_CALL hook_clGetProgramInfo(cl_program handle, cl_program_info name, size_t size, void *value,
                                         size_t *size_ret) {
  cl_int result = driver.clGetProgramInfo(handle, name, size, value, size_ret);
  if (result != CL_SUCCESS || value == NULL) return result;
  if (name == CL_PROGRAM_BINARIES) {
    keep_binaries(handle, size, value);
  } else if (name == CL_PROGRAM_REFERENCE_COUNT) {
    cl_uint count;
    memcpy(&count, value, sizeof count);
    count -= program_hidden_references(handle);
    memcpy(value, &count, sizeof count);
  }
  return result;
}
