/* The device on which a capture is done again, and whether it can be. */
#include <string.h>

#include "base/buffer.h"
#include "base/cl_error.h"
#include "capture/capture.h"
#include "replay/replay_internal.h"

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
  buffer what = {0};
  int result = 0;
  for (size_t i = 0; i < c->command_count && result == 0; i++) {
    const capture_place *at = capture_place_of(c, i);
    say_lacking(d, &l, &c->commands[i], at == NULL ? 0 : at->element, &what);
    result = what.length > 0 ? lacks(e, c, at, buffer_text(&what)) : 0;
  }
  buffer_free(&what);
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
