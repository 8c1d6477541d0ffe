/* The device, whether a capture can be done again on it, and programs and their kernels there, by setup: what the layer
 * below makes of them may differ from setup to setup, so each has its own. Those of the setups used last are kept.
 * Kernels are made anew in each turn. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cl_error.h"
#include "base/memory.h"
#include "capture/capture.h"
#include "cltestcheck.h"
#include "replay/arena.h"
#include "replay/replay_internal.h"

#define LOG_SHOWN 1500 /* bytes of a build log in a sentence */

/* --- setups ------------------------------------------------------------------------------------------------------- */

static void drop(replay *r, setup *s) {
  for (size_t i = 0; s->taken && i < r->outline.program_count; i++)
    if (s->programs[i] != NULL) clReleaseProgram(s->programs[i]);
  free(s->programs);
  *s = (setup){0};
}

static setup *find(replay *r, uint64_t id) {
  for (size_t i = 0; i < SETUPS; i++)
    if (r->setups[i].taken && r->setups[i].id == id) return &r->setups[i];
  return NULL;
}

/* The one that was not used for longest gives way. */
static setup *find_or_add(replay *r, uint64_t id) {
  setup *found = find(r, id);
  if (found != NULL) return found;
  found = &r->setups[0];
  for (size_t i = 1; i < SETUPS; i++)
    if (r->setups[i].used < found->used) found = &r->setups[i];
  drop(r, found);
  *found = (setup){.taken = true, .id = id, .programs = mem_calloc(r->outline.program_count, sizeof(cl_program))};
  return found;
}

void programs_drop(replay *r, uint64_t id) {
  setup *s = find(r, id);
  if (s != NULL) drop(r, s);
}

void programs_close(replay *r) {
  for (size_t i = 0; i < SETUPS; i++) drop(r, &r->setups[i]);
}

/* --- building ----------------------------------------------------------------------------------------------------- */

/* What the compiler said, after the sentence. */
static bool built(turn *t, cl_program program, cl_int status, const char *call) {
  char log[LOG_SHOWN] = "";
  if (status == CL_SUCCESS) return true;
  size_t size = 0;
  if (program != NULL &&
      clGetProgramBuildInfo(program, t->replay->device.id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) == CL_SUCCESS) {
    scoped char *all = mem_calloc(size + 1, 1);
    (void)clGetProgramBuildInfo(program, t->replay->device.id, CL_PROGRAM_BUILD_LOG, size, all, NULL);
    memcpy(log, all, size < sizeof log - 1 ? size : sizeof log - 1);
  }
  (void)error_set(t->error, EXIT_BASELINE, "a program of the capture does not build on this device (%s: %s): %s", call,
                  cl_error_constant(status), log);
  return false;
}

static cl_program from_text(turn *t, const char *text) {
  cl_int status = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(t->replay->device.context, 1, &text, NULL, &status);
  return built(t, NULL, status, "clCreateProgramWithSource") ? program : NULL;
}

static void release(cl_program *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (list[i] != NULL) clReleaseProgram(list[i]);
  free(list);
}

static bool compile(turn *t, cl_program program, const capture_source *s) {
  cl_program *headers = mem_calloc(s->header_count, sizeof *headers);
  scoped const char **names = mem_calloc(s->header_count, sizeof *names);
  bool done = true;
  for (size_t i = 0; i < s->header_count && done; i++) {
    headers[i] = from_text(t, s->headers[i].text);
    names[i] = s->headers[i].name;
    done = headers[i] != NULL;
  }
  const bool any = s->header_count > 0;
  if (done) {
    const cl_int status = clCompileProgram(program, 1, &t->replay->device.id, s->options, (cl_uint)s->header_count,
                                           any ? headers : NULL, any ? names : NULL, NULL, NULL);
    done = built(t, program, status, "clCompileProgram");
  }
  release(headers, s->header_count);
  return done;
}

static cl_program link_sources(turn *t, const capture_command *c) {
  const size_t count = c->u.program.source_count;
  cl_program *parts = mem_calloc(count, sizeof *parts), linked = NULL;
  bool done = true;
  for (size_t i = 0; i < count && done; i++) {
    parts[i] = from_text(t, c->u.program.sources[i].text);
    done = parts[i] != NULL && compile(t, parts[i], &c->u.program.sources[i]);
  }
  if (done) {
    cl_int status = CL_SUCCESS;
    linked = clLinkProgram(t->replay->device.context, 1, &t->replay->device.id, c->u.program.link_options,
                           (cl_uint)count, parts, NULL, NULL, &status);
    done = built(t, linked, status, "clLinkProgram");
  }
  release(parts, count);
  if (!done && linked != NULL) clReleaseProgram(linked);
  return done ? linked : NULL;
}

static cl_program build(turn *t, const capture_command *c) {
  if (c->u.program.linked) return link_sources(t, c);
  const capture_source *s = &c->u.program.sources[0];
  cl_program program = from_text(t, s->text);
  if (program == NULL) return NULL;
  const cl_int status = clBuildProgram(program, 1, &t->replay->device.id, s->options, NULL, NULL);
  if (!built(t, program, status, "clBuildProgram")) {
    clReleaseProgram(program);
    return NULL;
  }
  return program;
}

/* By number: programs with a kernel that the turn changes; all where it names none. */
static bool *programs_changed(const replay *r, const replay_turn *what) {
  bool *changed = mem_calloc(r->outline.program_count, sizeof *changed);
  for (size_t i = 0; i < r->outline.kernel_count; i++) {
    const outline_kernel *k = &r->outline.kernels[i];
    changed[k->program] = changed[k->program] || what->kernel_count == 0 || turn_changes(what, k->name);
  }
  return changed;
}

static cl_program get(turn *t, setup *s, uint32_t number) {
  cl_program *p = &s->programs[number];
  return *p != NULL ? *p : (*p = build(t, &t->replay->capture->commands[t->replay->outline.programs[number]]));
}

bool programs_begin(turn *t, const replay_turn *what, const start *from) {
  replay *r = t->replay;
  setup *plain = what->setup == 0 || what->kernel_count == 0 ? NULL : find_or_add(r, 0);
  if (plain != NULL) plain->used = r->turns;
  setup *s = r->setup = find_or_add(r, what->setup);
  s->used = r->turns;
  bool *changed = programs_changed(r, what), done = true;
  for (size_t i = 0; i < r->outline.in_order_count && done; i++) {
    const uint32_t number = r->outline.in_order[i];
    if (!from->programs[number] || s->programs[number] != NULL) continue;
    if (plain != NULL && !changed[number]) {
      done = get(t, plain, number) != NULL && clRetainProgram(plain->programs[number]) == CL_SUCCESS;
      s->programs[number] = done ? plain->programs[number] : NULL;
    } else {
      done = get(t, s, number) != NULL;
    }
  }
  free(changed);
  return done;
}

/* Kernels: made anew in each turn, with their arguments. */

/* --- arguments ---------------------------------------------------------------------------------------------------- */

static cl_int set(const replay *r, cl_kernel kernel, const capture_command *c) {
  const cl_uint index = c->u.argument.index;
  const uint32_t object = c->u.argument.object;
  const cl_mem nothing = NULL;
  switch (c->u.argument.kind) {
    case CAPTURE_VALUE: return clSetKernelArg(kernel, index, c->u.argument.size, c->u.argument.bytes);
    case CAPTURE_LOCAL: return clSetKernelArg(kernel, index, c->u.argument.size, NULL);
    case CAPTURE_MEMORY:
      return clSetKernelArg(kernel, index, sizeof(cl_mem), object == CAPTURE_NONE ? &nothing : &r->objects[object]);
    case CAPTURE_SAMPLE: return clSetKernelArg(kernel, index, sizeof(cl_sampler), &r->samplers[object]);
  }
  return CL_INVALID_VALUE;
}

static bool give(turn *t, uint32_t number, const capture_command *c) {
  replay *r = t->replay;
  uint32_t *given = &r->given[r->outline.kernels[number].first_slot + c->u.argument.index];
  *given = CAPTURE_NONE;
  /* An object that is gone can be no argument of a launch any more. */
  if (c->u.argument.kind == CAPTURE_MEMORY && c->u.argument.object != CAPTURE_NONE &&
      r->objects[c->u.argument.object] == NULL)
    return true;
  if (c->u.argument.kind == CAPTURE_MEMORY) *given = c->u.argument.object;
  return succeeded(t, set(r, r->kernels[number], c), "clSetKernelArg");
}

/* A kernel that was made before the turn's first command and is not launched in it is not there. */
bool kernels_argument(turn *t, const capture_command *c, uint32_t number) {
  (void)number;
  return t->replay->kernels[c->u.argument.kernel] == NULL || give(t, c->u.argument.kernel, c);
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

/* `set_by`: for each argument the command that set it, or NEVER; NULL: none is set. */
static bool make(turn *t, uint32_t number, const size_t *set_by) {
  replay *r = t->replay;
  const outline_kernel *k = &r->outline.kernels[number];
  cl_int status = CL_SUCCESS;
  r->kernels[number] = clCreateKernel(r->setup->programs[k->program], k->name, &status);
  if (!succeeded(t, status, "clCreateKernel")) return false;
  for (uint32_t i = 0; i < k->arguments; i++) {
    r->given[k->first_slot + i] = CAPTURE_NONE;
    if (set_by != NULL && set_by[i] != NEVER && !give(t, number, &r->capture->commands[set_by[i]])) return false;
  }
  return true;
}

/* A clone is a kernel that is given the original's arguments: not every device clones. */
bool kernels_make(turn *t, const capture_command *c, uint32_t number) {
  (void)c;
  return make(t, number, t->replay->outline.kernels[number].inherited);
}

bool kernels_begin(turn *t, const start *from) {
  const outline *o = &t->replay->outline;
  t->replay->launches = 0;
  for (size_t i = 0; from->command > 0 && i < o->kernel_count; i++) {
    const outline_kernel *k = &o->kernels[i];
    const bool wanted = k->made < from->command && k->launched != NEVER && k->launched >= from->command;
    if (wanted && !make(t, (uint32_t)i, from->arguments + k->first_slot)) return false;
  }
  return true;
}

bool kernels_release(turn *t, const capture_command *c, uint32_t number) {
  cl_kernel *kernel = &t->replay->kernels[c->u.release.object];
  (void)number;
  if (*kernel != NULL) {
    clReleaseKernel(*kernel);
    *kernel = NULL;
  }
  return true;
}

void kernels_end(replay *r) {
  for (size_t i = 0; i < r->outline.kernel_count; i++) {
    if (r->kernels[i] != NULL) {
      clReleaseKernel(r->kernels[i]);
      r->kernels[i] = NULL;
    }
  }
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static void name_launch(replay *r) {
  char name[16];
  (void)snprintf(name, sizeof name, "%u", r->launches++);
  cltestcheck_begin(name);
}

bool kernels_launch(turn *t, const capture_command *c, uint32_t number) {
  static const size_t one[1] = {1};
  replay *r = t->replay;
  const outline_kernel *k = &r->outline.kernels[c->u.launch.kernel];
  const bool task = c->u.launch.task, offset = !task && c->u.launch.has_offset, local = task || c->u.launch.has_local;
  (void)number;
  for (uint32_t i = 0; i < k->arguments; i++) {
    const uint32_t object = r->given[k->first_slot + i];
    if (object != CAPTURE_NONE && !memory_launched(t, object)) return false;
  }
  crash_launch(k->name);
  if (r->named) name_launch(r);
  const cl_int status = clEnqueueNDRangeKernel(
      t->queue, r->kernels[c->u.launch.kernel], task ? 1 : c->u.launch.dimensions, offset ? c->u.launch.offset : NULL,
      task ? one : c->u.launch.global, !local ? NULL : (task ? one : c->u.launch.local), 0, NULL, NULL);
  if (status != CL_SUCCESS) {
    char what[256];
    (void)snprintf(what, sizeof what, "launch of kernel %s", k->name);
    return succeeded(t, status, what);
  }
  return true;
}

/* ---- devices ---- */

#define PLATFORMS 32u
#define DEVICES 64u
#define NO_DEVICE "install an OpenCL driver, or look at `cltestcheck devices`"

/* --- choosing it -------------------------------------------------------------------------------------------------- */

static bool device_of(cl_platform_id platform, unsigned index, device *d) {
  cl_device_id list[DEVICES];
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, list, &count) != CL_SUCCESS || index >= count ||
      index >= DEVICES)
    return false;
  d->platform = platform;
  d->id = list[index];
  return true;
}

static int choose(device *d, const replay_options *o, error *e) {
  cl_platform_id list[PLATFORMS];
  cl_uint count = 0;
  if (clGetPlatformIDs(PLATFORMS, list, &count) != CL_SUCCESS) count = 0;
  count = count < PLATFORMS ? count : PLATFORMS;
  if (o->chosen) {
    if (o->platform < count && device_of(list[o->platform], o->device, d)) return 0;
    return error_set(e, EXIT_USAGE, "there is no OpenCL device %u:%u; " NO_DEVICE, o->platform, o->device);
  }
  for (cl_uint i = 0; i < count; i++)
    if (device_of(list[i], 0, d)) return 0;
  return error_set(e, EXIT_USAGE, "there is no OpenCL device on this machine; " NO_DEVICE);
}

static void ask(const device *d, cl_device_info what, void *out, size_t size) {
  (void)clGetDeviceInfo(d->id, what, size, out, NULL);
}

int device_open(device *d, const replay_options *o, error *e) {
  cl_device_type type = 0;
  cl_bool unified = CL_FALSE;
  cl_uint bits = 0;
  cl_ulong memory = 0, allocation = 0;
  cl_int status = CL_SUCCESS;
  if (choose(d, o, e) != 0) return -1;
  ask(d, CL_DEVICE_HOST_UNIFIED_MEMORY, &unified, sizeof unified);
  ask(d, CL_DEVICE_MEM_BASE_ADDR_ALIGN, &bits, sizeof bits);
  ask(d, CL_DEVICE_GLOBAL_MEM_SIZE, &memory, sizeof memory);
  ask(d, CL_DEVICE_MAX_MEM_ALLOC_SIZE, &allocation, sizeof allocation);
  ask(d, CL_DEVICE_TYPE, &type, sizeof type);
  d->unified = unified && !o->discrete;
  d->cpu = d->unified && (type & CL_DEVICE_TYPE_CPU) != 0;
  d->alignment = bits > 1024 ? bits / 8 : 128;
  d->memory = memory;
  d->allocation = allocation;
  d->context = clCreateContext(NULL, 1, &d->id, NULL, NULL, &status);
  if (status != CL_SUCCESS) {
    return error_set(e, EXIT_USAGE, "the OpenCL device makes no context (%s); is its driver installed completely?",
                     cl_error_constant(status));
  }
  return 0;
}

void device_close(device *d) {
  if (d->context != NULL) {
    clReleaseContext(d->context);
    d->context = NULL;
  }
}

/* --- what it must have -------------------------------------------------------------------------------------------- */

/* What a device has. */
typedef struct limits {
  cl_bool images;
  cl_ulong local;
  size_t group, items[3];
} limits;

static limits limits_of(const device *d) {
  limits l = {0};
  ask(d, CL_DEVICE_IMAGE_SUPPORT, &l.images, sizeof l.images);
  ask(d, CL_DEVICE_LOCAL_MEM_SIZE, &l.local, sizeof l.local);
  ask(d, CL_DEVICE_MAX_WORK_GROUP_SIZE, &l.group, sizeof l.group);
  ask(d, CL_DEVICE_MAX_WORK_ITEM_SIZES, l.items, sizeof l.items);
  return l;
}

static void say_groups(const limits *l, buffer *out) {
  buffer_printf(out, "has work-groups of at most %zu work-items (%zu, %zu, %zu)", l->group, l->items[0], l->items[1],
                l->items[2]);
}

void device_say_groups(const device *d, buffer *out) {
  const limits l = limits_of(d);
  buffer_puts(out, "; it ");
  say_groups(&l, out);
  buffer_puts(out, ", and their sizes divide the global sizes");
}

static bool group_fits(const limits *l, const capture_command *c) {
  uint64_t group = 1;
  bool fits = true;
  for (uint32_t i = 0; i < c->u.launch.dimensions && i < 3 && c->u.launch.has_local && fits; i++) {
    group *= c->u.launch.local[i];
    fits = c->u.launch.local[i] <= l->items[i] && group <= l->group;
  }
  return fits;
}

/* Appends what the device has, where a command asks for more. */
static void say_lacking(const device *d, const limits *l, const capture_command *c, uint64_t element, buffer *out) {
  if (c->kind == CAPTURE_IMAGE && !l->images) {
    buffer_puts(out, "has no images");
  } else if (c->kind == CAPTURE_BUFFER && c->u.buffer.size > d->allocation) {
    buffer_printf(out, "makes buffers of at most %llu bytes", (unsigned long long)d->allocation);
  } else if (c->kind == CAPTURE_SUB_BUFFER && c->u.sub_buffer.origin % d->alignment != 0) {
    buffer_printf(out, "begins parts of buffers at multiples of %llu bytes", (unsigned long long)d->alignment);
    if (element > 0 && d->alignment % element == 0)
      buffer_printf(out, ", here %llu elements", (unsigned long long)(d->alignment / element));
  } else if (c->kind == CAPTURE_ARGUMENT && c->u.argument.kind == CAPTURE_LOCAL && c->u.argument.size > l->local) {
    buffer_printf(out, "has %llu bytes of local memory", (unsigned long long)l->local);
  } else if (c->kind == CAPTURE_LAUNCH && !group_fits(l, c)) {
    say_groups(l, out);
  }
}

static int lacks(error *e, const capture *c, const capture_place *at, const char *what) {
  const size_t length = c->device == NULL ? 0 : strcspn(c->device, "\n");
  return at != NULL ? error_set(e, EXIT_USAGE, "%s: the device %s", at->text, what)
                    : error_set(e, EXIT_USAGE, "the device %s; replay the capture on the one that it was made on%s%.*s",
                                what, length > 0 ? ": " : "", (int)length, length > 0 ? c->device : "");
}

int device_suits(const device *d, const capture *c, error *e) {
  if (c->unsuitable != NULL) {
    return error_set(e, EXIT_USAGE, "the captured program cannot be replayed (%s); run the program itself",
                     c->unsuitable);
  }
  const limits l = limits_of(d);
  scoped_buffer what = {0};
  int result = 0;
  for (size_t i = 0; i < c->command_count && result == 0; i++) {
    const capture_place *at = capture_place_of(c, i);
    say_lacking(d, &l, &c->commands[i], at == NULL ? 0 : at->element, &what);
    result = what.length > 0 ? lacks(e, c, at, buffer_text(&what)) : 0;
  }
  return result;
}

bool device_images_of_parts(const device *d) {
  const cl_image_format format = {.image_channel_order = CL_RGBA, .image_channel_data_type = CL_UNSIGNED_INT8};
  const cl_buffer_region region = {.origin = d->alignment, .size = d->alignment};
  cl_mem image = NULL, part = NULL;
  cl_mem memory = clCreateBuffer(d->context, CL_MEM_READ_WRITE, 2 * d->alignment, NULL, NULL);
  if (memory != NULL) part = clCreateSubBuffer(memory, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
  if (part != NULL) {
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = d->alignment / 4, .mem_object = part};
    image = clCreateImage(d->context, CL_MEM_READ_WRITE, &format, &desc, NULL, NULL);
  }
  const bool made = image != NULL;
  const cl_mem list[] = {image, part, memory};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (list[i] != NULL) clReleaseMemObject(list[i]);
  return made;
}
