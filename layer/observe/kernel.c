/* Kernel objects: the user's is the real one; its twins, of the shadow program, get every argument too. */
#include "layer/observe/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "layer/common/guest.h"
#include "layer/observe/connection.h"
#include "layer/observe/hooks.h"
#include "layer/observe/program.h"
#include "layer/observe/queue.h"
#include "layer/observe/refused.h"
#include "wire/protocol.h"

static kernel *find(cl_kernel handle) { return (kernel *)object_find(OBJECT_KERNEL, handle); }

static cl_uint argument_count(cl_kernel handle) {
  cl_uint count = 0;
  driver.clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
  return count;
}

static void kernel_dispose(kernel *k) {
  if (k->stored.kernel != NULL) driver.clReleaseKernel(k->stored.kernel);
  if (k->direct.kernel != NULL) driver.clReleaseKernel(k->direct.kernel);
  for (cl_uint i = 0; k->arguments != NULL && i < k->argument_count; i++) free(k->arguments[i].value);
  free(k->arguments);
  free(k->constant);
  while (k->exec_infos != NULL) {
    exec_info *e = k->exec_infos;
    k->exec_infos = e->next;
    free(e);
  }
  function_release(k->function);
  shadow_release(k->shadow);
  pthread_mutex_destroy(&k->lock);
  if (k->program != NULL && object_unhold(&k->program->source.object)) program_dispose(k->program);
  free(k);
}

/* A record that is not in the map yet; takes over the shadow's reference and the twin, also when it fails. Without a
 * twin all of them are NULL. */
static kernel *kernel_new(cl_kernel handle, program *p, shadow *s, function *f, cl_kernel twin_handle) {
  kernel *k = calloc(1, sizeof *k);
  if (k == NULL) {
    if (twin_handle != NULL) driver.clReleaseKernel(twin_handle);
    shadow_release(s);
    return NULL;
  }
  recursive_mutex(&k->lock);
  k->stored.kernel = twin_handle;
  k->shadow = s;
  k->function = f;
  if (f != NULL) function_retain(f);
  k->program = p;
  if (p != NULL) object_hold(&p->source.object);
  k->argument_count = argument_count(handle);
  k->arguments = calloc((size_t)k->argument_count + 1, sizeof *k->arguments);
  if (k->arguments != NULL) return k;
  kernel_dispose(k);
  return NULL;
}

/* The twin of a new kernel whose program has a shadow, or NULL. */
static cl_kernel make_twin(cl_kernel handle, const shadow *s, const function *f) {
  cl_kernel made = driver.clCreateKernel(s->program, f->schema.kernel != NULL ? f->schema.kernel : f->name, NULL);
  if (made != NULL && argument_count(made) != argument_count(handle) + function_hidden(f)) {
    driver.clReleaseKernel(made);
    made = NULL;
  }
  if (made == NULL)
    note_uninstrumented(f->program, "kernel %s: the device made no instrumented twin; it runs uninstrumented", f->name);
  return made;
}

/* As far as the driver knows. */
static bool is_constant(cl_kernel handle, cl_uint index) {
  cl_kernel_arg_type_qualifier type = 0;
  cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
  return driver.clGetKernelArgInfo != NULL &&
         driver.clGetKernelArgInfo(handle, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof type, &type, NULL) ==
             CL_SUCCESS &&
         driver.clGetKernelArgInfo(handle, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL) ==
             CL_SUCCESS &&
         ((type & CL_KERNEL_ARG_TYPE_CONST) != 0 || access == CL_KERNEL_ARG_ACCESS_READ_ONLY);
}

static void observe_kernel(kernel *k, cl_kernel handle, program *p) {
  if (observe.kernels) k->tally = tally_of(handle, p != NULL ? atomic_load(&p->digest) : 0);
  k->constant = observe.reads ? calloc((size_t)k->argument_count + 1, sizeof *k->constant) : NULL;
  for (cl_uint i = 0; k->constant != NULL && i < k->argument_count; i++) k->constant[i] = is_constant(handle, i);
}

/* Records a new kernel that has a twin or is to be observed. Without a program it is only observed. */
static void kernel_attach(cl_kernel handle, program *p, const char *name) {
  shadow *s = p != NULL ? program_shadow(p) : NULL;
  function *f = s != NULL ? shadow_function(s, name) : NULL;
  cl_kernel twin_handle = f != NULL ? make_twin(handle, s, f) : NULL;
  kernel *k = NULL;
  if (twin_handle != NULL) {
    k = kernel_new(handle, p, s, f, twin_handle);
  } else {
    shadow_release(s);
    if (observe.kernels) k = kernel_new(handle, NULL, NULL, NULL, NULL);
  }
  if (k != NULL) {
    observe_kernel(k, handle, p);
    object_add(&k->object, OBJECT_KERNEL, handle, 1);
  }
}

cl_kernel CL_API_CALL hook_clCreateKernel(cl_program handle, const char *name, cl_int *error) {
  cl_kernel made = driver.clCreateKernel(handle, name, error);
  program *p = made != NULL ? (program *)object_find(OBJECT_PROGRAM, handle) : NULL;
  if (p != NULL || (made != NULL && observe.kernels)) kernel_attach(made, p, name);
  return made;
}

cl_int CL_API_CALL hook_clCreateKernelsInProgram(cl_program handle, cl_uint num_kernels, cl_kernel *kernels,
                                                 cl_uint *num_kernels_ret) {
  cl_uint made = 0;
  cl_int result = driver.clCreateKernelsInProgram(handle, num_kernels, kernels, &made);
  if (result != CL_SUCCESS) return result;
  if (num_kernels_ret != NULL) *num_kernels_ret = made;
  program *p = kernels != NULL ? (program *)object_find(OBJECT_PROGRAM, handle) : NULL;
  bool recorded = kernels != NULL && (p != NULL || observe.kernels);
  for (cl_uint i = 0; recorded && i < made && i < num_kernels; i++) {
    size_t size = 0;
    driver.clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, 0, NULL, &size);
    scoped char *name = calloc(1, size + 1);
    if (name != NULL && driver.clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, size, name, NULL) == CL_SUCCESS)
      kernel_attach(kernels[i], p, name);
  }
  return result;
}

static bool copy_argument(argument *to, const argument *from) {
  *to = *from;
  to->value = NULL;
  if (from->value == NULL) return true;
  to->value = malloc(from->size ? from->size : 1);
  if (to->value == NULL) return false;
  memcpy(to->value, from->value, from->size);
  return true;
}

static bool add_exec_info(kernel *k, cl_kernel_exec_info name, size_t size, const void *value) {
  exec_info **at = &k->exec_infos;
  while (*at != NULL && (*at)->name != name) at = &(*at)->next;
  exec_info *e = malloc(sizeof *e + size);
  if (e == NULL) return false;
  e->name = name;
  e->size = size;
  memcpy(e->value, value, size);
  exec_info *old = *at;
  e->next = old != NULL ? old->next : NULL;
  *at = e;
  free(old);
  return true;
}

/* With the original's lock held. */
static bool copy_state(kernel *to, const kernel *from) {
  bool copied = to->argument_count == from->argument_count;
  for (cl_uint i = 0; copied && i < to->argument_count; i++)
    copied = copy_argument(&to->arguments[i], &from->arguments[i]);
  for (const exec_info *e = from->exec_infos; copied && e != NULL; e = e->next)
    copied = add_exec_info(to, e->name, e->size, e->value);
  return copied;
}

cl_kernel CL_API_CALL hook_clCloneKernel(cl_kernel handle, cl_int *error) {
  cl_kernel made = driver.clCloneKernel(handle, error);
  kernel *from = made != NULL ? find(handle) : NULL;
  if (from == NULL) return made;
  pthread_mutex_lock(&from->lock);
  bool twins = from->stored.kernel != NULL && !from->broken;
  cl_kernel twin_handle = twins ? driver.clCloneKernel(from->stored.kernel, NULL) : NULL;
  kernel *k = NULL;
  if (twin_handle != NULL)
    k = kernel_new(made, from->program, shadow_retain(from->shadow), from->function, twin_handle);
  else if (observe.kernels)
    k = kernel_new(made, NULL, NULL, NULL, NULL);
  bool copied = k != NULL && copy_state(k, from);
  if (copied) {
    observe_kernel(k, made, NULL);
    k->tally = from->tally;
  }
  pthread_mutex_unlock(&from->lock);
  if (copied)
    object_add(&k->object, OBJECT_KERNEL, made, 1);
  else if (k != NULL)
    kernel_dispose(k);
  return made;
}

HOOK_RETAIN(hook_clRetainKernel, cl_kernel, clRetainKernel, OBJECT_KERNEL)

cl_int CL_API_CALL hook_clReleaseKernel(cl_kernel handle) {
  unnoticed_set(handle, CL_UINT_MAX);
  kernel *k = (kernel *)object_release(OBJECT_KERNEL, handle);
  if (k != NULL) kernel_dispose(k);
  return driver.clReleaseKernel(handle);
}

/* ---- arguments ---- */

cl_mem argument_memory(const argument *a) {
  cl_mem handle = NULL;
  if (a->kind == ARGUMENT_VALUE && a->value != NULL && a->size == sizeof handle)
    memcpy(&handle, a->value, sizeof handle);
  return handle;
}

static cl_int give_argument(cl_kernel handle, cl_uint index, const argument *a) {
  if (a->kind == ARGUMENT_POINTER) return a->set(handle, index, a->pointer);
  return driver.clSetKernelArg(handle, index, a->size, a->value);
}

/* Hands an argument that the original took to the twins, and remembers it. Takes over the argument's bytes. */
static void mirror(kernel *k, cl_uint index, const argument *a) {
  pthread_mutex_lock(&k->lock);
  if (index < k->argument_count) {
    free(k->arguments[index].value);
    k->arguments[index] = *a;
    if (k->stored.kernel != NULL && give_argument(k->stored.kernel, index, a) != CL_SUCCESS) k->broken = true;
    if (k->direct.kernel != NULL && give_argument(k->direct.kernel, index, a) != CL_SUCCESS) k->broken = true;
  } else {
    free(a->value);
  }
  pthread_mutex_unlock(&k->lock);
}

cl_int CL_API_CALL hook_clSetKernelArg(cl_kernel handle, cl_uint index, size_t size, const void *value) {
  cl_int result = driver.clSetKernelArg(handle, index, size, value);
  if (result == CL_SUCCESS) unnoticed_set(handle, index);
  kernel *k = result == CL_SUCCESS ? find(handle) : NULL;
  if (k == NULL) return result;
  argument a = {.kind = ARGUMENT_VALUE, .size = size};
  if (value != NULL) {
    a.value = malloc(size ? size : 1);
    if (a.value == NULL) {
      k->broken = true;
      return result;
    }
    memcpy(a.value, value, size);
  }
  mirror(k, index, &a);
  return result;
}

void kernel_set_pointer(cl_kernel handle, cl_uint index, const void *pointer, set_pointer_function set) {
  unnoticed_set(handle, index);
  kernel *k = find(handle);
  if (k != NULL) mirror(k, index, &(argument){.kind = ARGUMENT_POINTER, .pointer = pointer, .set = set});
}

cl_int CL_API_CALL hook_clSetKernelArgSVMPointer(cl_kernel handle, cl_uint index, const void *value) {
  cl_int result = driver.clSetKernelArgSVMPointer(handle, index, value);
  if (result == CL_SUCCESS) kernel_set_pointer(handle, index, value, driver.clSetKernelArgSVMPointer);
  return result;
}

cl_int CL_API_CALL hook_clSetKernelExecInfo(cl_kernel handle, cl_kernel_exec_info name, size_t size,
                                            const void *value) {
  cl_int result = driver.clSetKernelExecInfo(handle, name, size, value);
  kernel *k = result == CL_SUCCESS ? find(handle) : NULL;
  if (k == NULL || k->stored.kernel == NULL) return result;
  pthread_mutex_lock(&k->lock);
  bool taken =
      add_exec_info(k, name, size, value) &&
      driver.clSetKernelExecInfo(k->stored.kernel, name, size, value) == CL_SUCCESS &&
      (k->direct.kernel == NULL || driver.clSetKernelExecInfo(k->direct.kernel, name, size, value) == CL_SUCCESS);
  if (!taken) k->broken = true;
  pthread_mutex_unlock(&k->lock);
  return result;
}

twin *kernel_direct(kernel *k) {
  if (k->direct_tried) return k->direct.kernel != NULL ? &k->direct : NULL;
  k->direct_tried = true;
  cl_program p = shadow_direct(k->shadow);
  cl_kernel made = p != NULL ? driver.clCreateKernel(p, k->function->name, NULL) : NULL;
  bool complete = made != NULL;
  for (cl_uint i = 0; complete && i < k->argument_count; i++)
    if (k->arguments[i].kind != ARGUMENT_UNSET) complete = give_argument(made, i, &k->arguments[i]) == CL_SUCCESS;
  for (const exec_info *e = k->exec_infos; complete && e != NULL; e = e->next)
    complete = driver.clSetKernelExecInfo(made, e->name, e->size, e->value) == CL_SUCCESS;
  if (made != NULL && !complete) {
    driver.clReleaseKernel(made);
    made = NULL;
  }
  k->direct.kernel = made;
  return made != NULL ? &k->direct : NULL;
}
