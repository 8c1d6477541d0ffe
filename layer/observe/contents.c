/* What a launch left in the memory among its arguments: read once the launch has ended, and sent. What is memory says
 * the twin, which is built with information about its arguments. */
#include "layer/observe/contents.h"

#include <stdbool.h>
#include <stdlib.h>

#include "layer/common/bytes.h"
#include "layer/common/guest.h"
#include "layer/common/object.h"
#include "layer/observe/connection.h"
#include "layer/observe/evidence.h"
#include "layer/observe/memory.h"
#include "layer/observe/queue.h"
#include "wire/protocol.h"

typedef struct item {
  cl_uint argument;
  cl_mem memory;     /* retained; NULL: shared virtual memory */
  const void *first; /* of that */
  size_t size;
} item;

struct contents {
  uint64_t number;
  cl_event done; /* retained */
  size_t count;
  item items[];
};

/* ---- with the kernel's lock held: which memory ---- */

static bool is_memory(cl_kernel handle, cl_uint index) {
  cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  if (driver.clGetKernelArgInfo == NULL || driver.clGetKernelArgInfo(handle, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                                                                     sizeof space, &space, NULL) != CL_SUCCESS)
    return false;
  return space == CL_KERNEL_ARG_ADDRESS_GLOBAL || space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
}

static bool take_argument(const argument *a, item *i) {
  if (a->kind == ARGUMENT_POINTER) return memory_extent(a->pointer, &i->first, &i->size);
  i->memory = argument_memory(a);
  return i->memory != NULL && driver.clRetainMemObject(i->memory) == CL_SUCCESS;
}

contents *contents_of(const kernel *k, uint64_t number, cl_event done) {
  contents *c = calloc(1, sizeof *c + k->argument_count * sizeof(item));
  if (c == NULL) return NULL;
  c->number = number;
  if (done != NULL && driver.clRetainEvent(done) == CL_SUCCESS) c->done = done;
  for (cl_uint i = 0; i < k->argument_count; i++) {
    item taken = {.argument = i};
    if (is_memory(k->stored.kernel, i) && take_argument(&k->arguments[i], &taken)) c->items[c->count++] = taken;
  }
  return c;
}

/* ---- afterwards, with no lock held: what is in it ---- */

static size_t at_most(size_t a, size_t b) { return a < b ? a : b; }

/* Of up to 64 MiB, and the rest of the row or slice after them. */
typedef struct part {
  size_t whole;  /* bytes of the object */
  size_t length; /* bytes that are read */
  size_t region[3];
  size_t width, height, element; /* of an image, else 0; in pixels; bytes of a pixel */
  cl_image_format format;
} part;

static size_t image_size(cl_mem image, cl_image_info name) {
  size_t size = 0;
  driver.clGetImageInfo(image, name, sizeof size, &size, NULL);
  return size;
}

size_t image_region(cl_mem image, size_t region[3]) {
  cl_mem_object_type type = 0;
  driver.clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, NULL);
  region[0] = image_size(image, CL_IMAGE_WIDTH);
  region[1] = region[2] = 1;
  if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
    region[1] = image_size(image, CL_IMAGE_ARRAY_SIZE);
  else if (type != CL_MEM_OBJECT_IMAGE1D && type != CL_MEM_OBJECT_IMAGE1D_BUFFER)
    region[1] = image_size(image, CL_IMAGE_HEIGHT);
  if (type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
    region[2] = image_size(image, CL_IMAGE_ARRAY_SIZE);
  else if (type == CL_MEM_OBJECT_IMAGE3D)
    region[2] = image_size(image, CL_IMAGE_DEPTH);
  return image_size(image, CL_IMAGE_ELEMENT_SIZE);
}

/* False: not an image whose rows can be read. */
static bool image_part(cl_mem image, part *p) {
  size_t *region = p->region;
  p->element = image_region(image, region);
  driver.clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof p->format, &p->format, NULL);
  size_t row = region[0] * p->element, slice = row * region[1];
  p->width = region[0];
  p->height = region[1];
  p->whole = slice * region[2];
  if (!p->whole) return false;
  region[2] = at_most(region[2], (MEMORY_CAP + slice - 1) / slice);
  if (region[2] == 1) region[1] = at_most(region[1], (MEMORY_CAP + row - 1) / row);
  p->length = row * region[1] * region[2];
  return true;
}

static bool part_of(const item *i, part *p) {
  *p = (part){.whole = i->size};
  if (i->memory != NULL) {
    cl_mem_object_type type = 0;
    if (driver.clGetMemObjectInfo(i->memory, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS ||
        type == CL_MEM_OBJECT_PIPE)
      return false;
    if (type != CL_MEM_OBJECT_BUFFER) return image_part(i->memory, p);
    driver.clGetMemObjectInfo(i->memory, CL_MEM_SIZE, sizeof p->whole, &p->whole, NULL);
  }
  p->length = at_most(p->whole, MEMORY_CAP);
  return p->whole > 0;
}

static bool read_part(cl_command_queue handle, const item *i, const part *p, void *to, cl_event done) {
  static const size_t origin[3];
  cl_uint waits = done != NULL ? 1 : 0;
  const cl_event *wait = done != NULL ? &done : NULL;
  if (p->width > 0) {
    return driver.clEnqueueReadImage(handle, i->memory, CL_TRUE, origin, p->region, 0, 0, to, waits, wait, NULL) ==
           CL_SUCCESS;
  }
  if (i->memory != NULL)
    return driver.clEnqueueReadBuffer(handle, i->memory, CL_TRUE, 0, p->length, to, waits, wait, NULL) == CL_SUCCESS;
  return driver.clEnqueueSVMMemcpy != NULL &&
         driver.clEnqueueSVMMemcpy(handle, CL_TRUE, to, i->first, p->length, waits, wait, NULL) == CL_SUCCESS;
}

/* An object that cannot be read, such as one that the host must not access, is left out. */
static void send_item(cl_command_queue handle, const contents *c, const item *i) {
  part p;
  scoped void *bytes = part_of(i, &p) ? malloc(p.length) : NULL;
  if (bytes != NULL && read_part(handle, i, &p, bytes, c->done)) {
    TELL(MESSAGE_MEMORY, U64(c->number), U32(i->argument), U64(p.whole), COUNTED(bytes, at_most(p.length, MEMORY_CAP)),
         U64(p.width), U64(p.height), U32((uint32_t)p.format.image_channel_data_type), U32((uint32_t)p.element));
  }
}

void contents_send(cl_command_queue handle, contents *c) {
  if (c == NULL) return;
  const queue *q = (queue *)object_find(OBJECT_QUEUE, handle);
  if (q != NULL && may_wait(q)) queues_flush(q->context); /* what is on this queue may wait for another one */
  for (size_t i = 0; i < c->count; i++) {
    if (q != NULL && may_wait(q) && connection_alive()) send_item(handle, c, &c->items[i]);
    if (c->items[i].memory != NULL) driver.clReleaseMemObject(c->items[i].memory);
  }
  if (c->done != NULL) driver.clReleaseEvent(c->done);
  free(c);
  evidence_after();
}
