/* Kernel objects, their arguments and launches; samplers, which are nothing but arguments. What a value of the size of
 * a handle is, the kernel's declaration says where the driver has kept it; else it is an object if it is the handle of
 * one. */
#include <stdlib.h>
#include <string.h>

#include "layer/capture/layer.h"

/* ---- samplers, whose numbers stay: a capture does not release them ---- */

typedef struct sampler_record {
  object object;
  uint32_t number;
} sampler_record;

static uint32_t sampler_count;

/* CAPTURE_NONE: it is none. */
static uint32_t sampler_number(const void *handle) {
  const sampler_record *s = (sampler_record *)object_find(OBJECT_SAMPLER, handle);
  return s != NULL ? s->number : CAPTURE_NONE;
}

static uint32_t sampler_ask(cl_sampler handle, cl_sampler_info name) {
  cl_uint value = 0;
  if (driver.clGetSamplerInfo(handle, name, sizeof value, &value, NULL) != CL_SUCCESS)
    unsuitable("the driver does not say what a sampler does");
  return value;
}

/* With the lock held. */
static void record_sampler(cl_sampler handle) {
  sampler_record *s = calloc(1, sizeof *s);
  if (s == NULL) {
    unsuitable("the capture ran out of memory");
    return;
  }
  s->number = sampler_count++;
  object_add(&s->object, OBJECT_SAMPLER, handle, 1);
  record(&(capture_command){.kind = CAPTURE_SAMPLER,
                            .u.sampler = {.normalized = sampler_ask(handle, CL_SAMPLER_NORMALIZED_COORDS) != 0,
                                          .addressing = sampler_ask(handle, CL_SAMPLER_ADDRESSING_MODE),
                                          .filter = sampler_ask(handle, CL_SAMPLER_FILTER_MODE)}});
}

static void sampler_made(cl_sampler handle, bool plain) {
  if (handle == NULL || !record_begin()) return;
  if (plain)
    record_sampler(handle);
  else
    unsuitable("a sampler has properties of an extension");
  record_end();
}

static cl_sampler CL_API_CALL create_sampler(cl_context handle, cl_bool normalized, cl_addressing_mode addressing,
                                             cl_filter_mode filter, cl_int *status) {
  cl_sampler s = driver.clCreateSampler(handle, normalized, addressing, filter, status);
  sampler_made(s, true);
  return s;
}

static bool known(cl_sampler_properties name) {
  return name == CL_SAMPLER_NORMALIZED_COORDS || name == CL_SAMPLER_ADDRESSING_MODE || name == CL_SAMPLER_FILTER_MODE;
}

static cl_sampler CL_API_CALL create_sampler_with_properties(cl_context handle, const cl_sampler_properties *properties,
                                                             cl_int *status) {
  cl_sampler s = driver.clCreateSamplerWithProperties(handle, properties, status);
  bool plain = true;
  for (const cl_sampler_properties *p = properties; s != NULL && p != NULL && *p; p += 2) plain = plain && known(*p);
  sampler_made(s, plain);
  return s;
}

static HOOK_RETAIN(retain_sampler, cl_sampler, clRetainSampler, OBJECT_SAMPLER)

    static cl_int CL_API_CALL release_sampler(cl_sampler handle) {
  record_release(OBJECT_SAMPLER, handle);
  return driver.clReleaseSampler(handle);
}

/* ---- kernels ---- */

/* What the declaration of an argument says. */
typedef enum declared {
  DECLARED_UNASKED,
  DECLARED_UNKNOWN, /* the driver does not say, or a name of the program's own */
  DECLARED_POINTER, /* to global or constant memory; images, too */
  DECLARED_LOCAL,
  DECLARED_NUMBERS /* a scalar or a vector */
} declared;

typedef struct argument {
  declared declared;
  uint32_t memory; /* CAPTURE_NONE: none */
} argument;

typedef struct kernel {
  object object;
  uint32_t number;
  program *program; /* held */
  cl_uint argument_count;
  argument *arguments;
} kernel;

static uint32_t count;

static kernel *find(cl_kernel handle) { return (kernel *)object_find(OBJECT_KERNEL, handle); }

void kernel_after_fork(void) {
  count = 0;
  sampler_count = 0;
}

/* ---- making and releasing ---- */

static kernel *add(cl_kernel handle, program *p) {
  cl_uint arguments = 0;
  driver.clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL);
  kernel *k = calloc(1, sizeof *k);
  if (k != NULL) k->arguments = calloc((size_t)arguments + 1, sizeof *k->arguments);
  if (k == NULL || k->arguments == NULL) {
    free(k);
    unsuitable("the capture ran out of memory");
    return NULL;
  }
  k->argument_count = arguments;
  for (cl_uint i = 0; i < arguments; i++) k->arguments[i].memory = CAPTURE_NONE;
  k->program = p;
  object_hold(&p->source.object);
  k->number = count++;
  object_add(&k->object, OBJECT_KERNEL, handle, 1);
  return k;
}

static char *name_of(cl_kernel handle) {
  size_t size = 0;
  driver.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, 0, NULL, &size);
  char *name = calloc(1, size + 1);
  if (name != NULL && size) driver.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, size, name, NULL);
  return name;
}

/* With the lock held. */
static void made(cl_kernel handle, cl_program program_handle) {
  program *p = (program *)object_find(OBJECT_PROGRAM, program_handle);
  uint32_t number = p != NULL ? program_number(p) : CAPTURE_NONE;
  if (p == NULL) unsuitable("a kernel is of a program that is not known");
  scoped char *name = recording() ? name_of(handle) : NULL;
  if (name != NULL && add(handle, p) != NULL)
    record(&(capture_command){.kind = CAPTURE_KERNEL, .u.kernel = {.program = number, .name = name}});
}

static cl_kernel CL_API_CALL create_kernel(cl_program handle, const char *name, cl_int *status) {
  cl_kernel k = driver.clCreateKernel(handle, name, status);
  if (k != NULL && record_begin()) {
    made(k, handle);
    record_end();
  }
  return k;
}

static cl_int CL_API_CALL create_kernels(cl_program handle, cl_uint num_kernels, cl_kernel *kernels,
                                         cl_uint *num_kernels_ret) {
  cl_uint there = 0;
  cl_int result = driver.clCreateKernelsInProgram(handle, num_kernels, kernels, &there);
  if (result != CL_SUCCESS) return result;
  if (num_kernels_ret != NULL) *num_kernels_ret = there;
  if (kernels != NULL && record_begin()) {
    for (cl_uint i = 0; i < there && i < num_kernels; i++) made(kernels[i], handle);
    record_end();
  }
  return result;
}

static cl_kernel CL_API_CALL clone_kernel(cl_kernel handle, cl_int *status) {
  cl_kernel cloned = driver.clCloneKernel(handle, status);
  if (cloned == NULL || !record_begin()) return cloned;
  const kernel *from = find(handle);
  kernel *k = from != NULL ? add(cloned, from->program) : NULL;
  if (from == NULL) unsuitable("a kernel is cloned that is not known");
  if (k != NULL) {
    memcpy(k->arguments, from->arguments, from->argument_count * sizeof *k->arguments);
    record(&(capture_command){.kind = CAPTURE_CLONE, .u.clone.kernel = from->number});
  }
  record_end();
  return cloned;
}

static HOOK_RETAIN(retain_kernel, cl_kernel, clRetainKernel, OBJECT_KERNEL)

    static cl_int CL_API_CALL release_kernel(cl_kernel handle) {
  if (record_begin()) {
    kernel *k = (kernel *)object_release(OBJECT_KERNEL, handle);
    if (k != NULL) {
      record(&(capture_command){.kind = CAPTURE_RELEASE_KERNEL, .u.release.object = k->number});
      program_unhold(k->program);
      free(k->arguments);
      free(k);
    }
    record_end();
  }
  return driver.clReleaseKernel(handle);
}

/* ---- arguments ---- */

/* Types without a name of the program's own, as the compiler spells them; a number may follow for vectors. */
static bool numbers_named(const char *type) {
  static const char *const names[] = {"bool",   "char", "uchar", "unsigned char", "short", "ushort", "unsigned short",
                                      "int",    "uint", "long",  "unsigned int",  "ulong", "float",  "unsigned long",
                                      "double", "half", "size_t"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i]);
    if (strncmp(type, names[i], length) == 0 && type[length + strspn(type + length, "0123456789")] == '\0') return true;
  }
  return false;
}

/* Only where there is an answer: some drivers show calls that fail to the program, or to its user. */
static declared ask(cl_kernel handle, const program *p, cl_uint index) {
  cl_kernel_arg_address_qualifier address = 0;
  char type[64] = "";
  if (!program_described(p) || driver.clGetKernelArgInfo == NULL ||
      driver.clGetKernelArgInfo(handle, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL) !=
          CL_SUCCESS)
    return DECLARED_UNKNOWN;
  if (address == CL_KERNEL_ARG_ADDRESS_GLOBAL || address == CL_KERNEL_ARG_ADDRESS_CONSTANT) return DECLARED_POINTER;
  if (address == CL_KERNEL_ARG_ADDRESS_LOCAL) return DECLARED_LOCAL;
  if (driver.clGetKernelArgInfo(handle, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL) != CL_SUCCESS)
    return DECLARED_UNKNOWN;
  return numbers_named(type) ? DECLARED_NUMBERS : DECLARED_UNKNOWN;
}

/* An argument of which the declaration does not say more than that it may be an object. */
static void set_by_handle(capture_command *c, void *handle) {
  const memory *m = memory_look_up(handle);
  uint32_t sampler = sampler_number(handle);
  if (object_find(OBJECT_QUEUE, handle) != NULL) unsuitable("kernels may enqueue kernels (a queue as an argument)");
  if (m == NULL && sampler == CAPTURE_NONE) return;
  c->u.argument.kind = m != NULL ? CAPTURE_MEMORY : CAPTURE_SAMPLE;
  c->u.argument.object = m != NULL ? m->number : sampler;
}

static void set_pointer(capture_command *c, void *handle) {
  const memory *m = handle != NULL ? memory_find(handle) : NULL;
  c->u.argument.kind = CAPTURE_MEMORY;
  c->u.argument.object = m != NULL ? m->number : CAPTURE_NONE;
}

/* What the value is, as far as it is not bytes. A null pointer without a declaration sets a null object, too, where it
 * is given as local memory. */
static void classify(capture_command *c, declared how, size_t size, const void *value) {
  void *handle = NULL;
  if (value != NULL && size == sizeof handle) memcpy(&handle, value, sizeof handle);
  if (how == DECLARED_POINTER && size == sizeof handle) {
    set_pointer(c, handle);
  } else if (value == NULL) {
    c->u.argument.kind = CAPTURE_LOCAL;
    c->u.argument.size = size;
  } else {
    c->u.argument.bytes = (unsigned char *)(uintptr_t)value;
    c->u.argument.size = size;
    if (handle != NULL && how == DECLARED_UNKNOWN) set_by_handle(c, handle);
  }
  if (c->u.argument.kind == CAPTURE_MEMORY || c->u.argument.kind == CAPTURE_SAMPLE) c->u.argument.size = 0;
}

/* With the lock held. */
static void record_argument(cl_kernel handle, cl_uint index, size_t size, const void *value) {
  kernel *k = find(handle);
  if (k == NULL || index >= k->argument_count || index >= CAPTURE_ARGUMENTS_MOST) {
    unsuitable("a kernel is not known, or it has too many arguments");
    return;
  }
  argument *a = &k->arguments[index];
  if (a->declared == DECLARED_UNASKED) a->declared = ask(handle, k->program, index);
  capture_command c = {.kind = CAPTURE_ARGUMENT,
                       .u.argument = {.kernel = k->number, .index = index, .object = CAPTURE_NONE}};
  classify(&c, a->declared, size, value);
  a->memory = c.u.argument.kind == CAPTURE_MEMORY ? c.u.argument.object : CAPTURE_NONE;
  record(&c);
}

static cl_int CL_API_CALL set_argument(cl_kernel handle, cl_uint index, size_t size, const void *value) {
  cl_int result = driver.clSetKernelArg(handle, index, size, value);
  if (result == CL_SUCCESS && record_begin()) {
    record_argument(handle, index, size, value);
    record_end();
  }
  return result;
}

/* ---- launches ---- */

static bool argument_ready(const argument *a, const host_call *call) {
  memory *m = a->memory == CAPTURE_NONE ? NULL : memory_numbered(a->memory);
  if (a->memory == CAPTURE_NONE) return true;
  if (m == NULL)
    unsuitable("a kernel was launched with a memory object that had been released");
  else
    storage_given(m->object.handle, call->queue, call->event);
  return recording();
}

/* False: it is not known. */
static bool kernel_number(cl_kernel handle, uint32_t *number) {
  const kernel *k = find(handle);
  *number = k == NULL ? 0 : k->number;
  return k != NULL;
}

/* The kernel is launched: its arguments. False: the capture is unsuitable. */
static bool kernel_launched(cl_kernel handle, const host_call *call, uint32_t *number) {
  const kernel *k = find(handle);
  if (k == NULL) {
    unsuitable("a kernel was launched that is not known");
    return false;
  }
  *number = k->number;
  for (cl_uint i = 0; i < k->argument_count; i++)
    if (!argument_ready(&k->arguments[i], call)) return false;
  return true;
}

/* Whether an argument of it is mapped for writing. */
static bool kernel_has_mapped(cl_kernel handle) {
  const kernel *k = find(handle);
  bool mapped = false;
  for (cl_uint i = 0; k != NULL && i < k->argument_count; i++) {
    const uint32_t number = k->arguments[i].memory;
    const memory *m = number == CAPTURE_NONE ? NULL : memory_numbered(number);
    mapped = mapped || (m != NULL && memory_is_mapped(m));
  }
  return mapped;
}

static void record_launch(const host_call *call, cl_kernel handle, capture_command *c) {
  if (!record_begin_call(call)) return;
  if (kernel_launched(handle, call, &c->u.launch.kernel)) {
    record(c);
    if (kernel_has_mapped(handle) &&
        !file_is_for_order()) /* what the host writes meanwhile is not seen; the launch itself says what is wrong */
      unsuitable("a kernel was launched with a memory object that was mapped for writing");
  }
  record_end();
}

/* A kernel may end the process while its launch is made. */
static void expect_launch(cl_command_queue queue, cl_kernel handle, capture_command *c) {
  if (!record_begin_ahead(queue)) return;
  if (kernel_number(handle, &c->u.launch.kernel)) record_ahead(c);
  record_end();
}

static void launch_made(cl_int result, const host_call *call, cl_kernel handle, capture_command *c) {
  if (result == CL_SUCCESS) {
    record_launch(call, handle, c);
  } else if (record_begin()) {
    file_not_ahead();
    record_end();
  }
}

void launch_over(command *c) {
  const host_call call = call_of(c);
  capture_command made = {
      .kind = CAPTURE_LAUNCH,
      .u.launch = {.dimensions = c->dimensions, .has_offset = c->start != NULL, .has_local = c->local != NULL}};
  for (cl_uint i = 0; c->dimensions <= 3 && i < c->dimensions; i++) {
    made.u.launch.offset[i] = c->start != NULL ? c->start[i] : 0;
    made.u.launch.global[i] = c->global != NULL ? c->global[i] : 0; /* OpenCL 2.1: a launch of nothing */
    made.u.launch.local[i] = c->local != NULL ? c->local[i] : 0;
  }
  if (c->call == CALL_clEnqueueTask)
    made =
        (capture_command){.kind = CAPTURE_LAUNCH,
                          .u.launch = {.dimensions = 1, .has_local = true, .task = true, .global = {1}, .local = {1}}};
  expect_launch(c->on, c->kernel_handle, &made);
  command_below(c);
  launch_made(c->result, &call, c->kernel_handle, &made);
}

const guest_call kernel_calls[] = {
    CALL(clCreateSampler, create_sampler),
    CALL(clCreateSamplerWithProperties, create_sampler_with_properties),
    CALL(clRetainSampler, retain_sampler),
    CALL(clReleaseSampler, release_sampler),
    CALL(clCreateKernel, create_kernel),
    CALL(clCreateKernelsInProgram, create_kernels),
    CALL(clCloneKernel, clone_kernel),
    CALL(clRetainKernel, retain_kernel),
    CALL(clReleaseKernel, release_kernel),
    CALL(clSetKernelArg, set_argument),
    {NULL, 0, NULL},
};
