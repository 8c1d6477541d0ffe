/* The device on which a capture is done again, and whether it can be. */
#include <string.h>

#include "base/cl_error.h"
#include "replay/replay_internal.h"

#define PLATFORMS 32u
#define DEVICES 64u
#define NO_DEVICE "install an OpenCL driver, or look at `cltestcheck devices`"

/* --- choosing it -------------------------------------------------------------------------------------------------- */

static bool device_of(cl_platform_id platform, unsigned index, device *d) {
  cl_device_id list[DEVICES];
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, list, &count) != CL_SUCCESS || index >= count ||
      index >= DEVICES) {
    return false;
  }
  d->platform = platform;
  d->id = list[index];
  return true;
}

static int choose(device *d, const replay_options *o, error *e) {
  cl_platform_id list[PLATFORMS];
  cl_uint count = 0;
  if (clGetPlatformIDs(PLATFORMS, list, &count) != CL_SUCCESS) {
    count = 0;
  }
  count = count < PLATFORMS ? count : PLATFORMS;
  if (o->chosen) {
    if (o->platform < count && device_of(list[o->platform], o->device, d)) {
      return 0;
    }
    return error_set(e, EXIT_USAGE, "there is no OpenCL device %u:%u; " NO_DEVICE, o->platform, o->device);
  }
  for (cl_uint i = 0; i < count; i++) {
    if (device_of(list[i], 0, d)) {
      return 0;
    }
  }
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
  if (choose(d, o, e) != 0) {
    return -1;
  }
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

/* The most that a capture asks for. */
typedef struct needs {
  uint64_t allocation, local, group, items[3], unaligned;
  bool images, parts;
} needs;

static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void need_launch(needs *n, const capture_command *c) {
  uint64_t group = 1;
  for (uint32_t i = 0; i < c->u.launch.dimensions && i < 3 && c->u.launch.has_local; i++) {
    n->items[i] = most(n->items[i], c->u.launch.local[i]);
    group *= c->u.launch.local[i];
  }
  n->group = most(n->group, group);
}

static needs needs_of(const device *d, const capture *c) {
  needs n = {0};
  for (size_t i = 0; i < c->command_count; i++) {
    const capture_command *command = &c->commands[i];
    if (command->kind == CAPTURE_BUFFER) {
      n.allocation = most(n.allocation, command->u.buffer.size);
    } else if (command->kind == CAPTURE_SUB_BUFFER && command->u.sub_buffer.origin % d->alignment != 0) {
      n.unaligned = most(n.unaligned, command->u.sub_buffer.origin);
    } else if (command->kind == CAPTURE_IMAGE) {
      n.images = true;
      n.parts = n.parts || command->u.image.buffer != CAPTURE_NONE;
    } else if (command->kind == CAPTURE_LAUNCH) {
      need_launch(&n, command);
    } else if (command->kind == CAPTURE_ARGUMENT && command->u.argument.kind == CAPTURE_LOCAL) {
      n.local = most(n.local, command->u.argument.size);
    }
  }
  return n;
}

static int lacks(error *e, const capture *c, const char *what) {
  const size_t length = c->device == NULL ? 0 : strcspn(c->device, "\n");
  return error_set(e, EXIT_USAGE, "the device %s; replay the capture on the one that it was made on%s%.*s", what,
                   length > 0 ? ": " : "", (int)length, length > 0 ? c->device : "");
}

int device_suits(const device *d, const capture *c, error *e) {
  cl_bool images = CL_FALSE;
  cl_ulong local = 0;
  size_t group = 0, items[3] = {0};
  if (c->unsuitable != NULL) {
    return error_set(e, EXIT_USAGE, "the captured program cannot be replayed (%s); run the program itself",
                     c->unsuitable);
  }
  const needs n = needs_of(d, c);
  ask(d, CL_DEVICE_IMAGE_SUPPORT, &images, sizeof images);
  ask(d, CL_DEVICE_LOCAL_MEM_SIZE, &local, sizeof local);
  ask(d, CL_DEVICE_MAX_WORK_GROUP_SIZE, &group, sizeof group);
  ask(d, CL_DEVICE_MAX_WORK_ITEM_SIZES, items, sizeof items);
  const struct {
    bool lacking;
    const char *what;
  } checks[] = {
      {n.images && !images, "has no images"},
      {n.allocation > d->allocation, "makes no buffers as large as one of the program's"},
      {n.unaligned > 0, "makes no sub-buffers where the program has one, for its alignment"},
      {n.local > local, "has less local memory than an argument of the program's kernels"},
      {n.group > group || n.items[0] > items[0] || n.items[1] > items[1] || n.items[2] > items[2],
       "has smaller work-groups than the program's"},
  };
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
    if (checks[i].lacking) {
      return lacks(e, c, checks[i].what);
    }
  }
  return 0;
}

bool device_images_of_parts(const device *d) {
  const cl_image_format format = {.image_channel_order = CL_RGBA, .image_channel_data_type = CL_UNSIGNED_INT8};
  const cl_buffer_region region = {.origin = d->alignment, .size = d->alignment};
  cl_mem image = NULL, part = NULL;
  cl_mem buffer = clCreateBuffer(d->context, CL_MEM_READ_WRITE, 2 * d->alignment, NULL, NULL);
  if (buffer != NULL) {
    part = clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
  }
  if (part != NULL) {
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = d->alignment / 4, .buffer = part};
    image = clCreateImage(d->context, CL_MEM_READ_WRITE, &format, &desc, NULL, NULL);
  }
  const bool made = image != NULL;
  const cl_mem list[] = {image, part, buffer};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    if (list[i] != NULL) {
      clReleaseMemObject(list[i]);
    }
  }
  return made;
}
