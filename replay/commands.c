/* The commands of a capture as calls of OpenCL: a table, and what is done with memory. Nothing here waits. */
#include <stdlib.h>

#include "replay/replay_internal.h"

static const unsigned char *blob(const turn *t, uint32_t number) { return t->replay->capture->blobs[number].bytes; }

static bool changed(turn *t, uint32_t object, cl_int status, const char *call) {
  memory_changed(t->replay, object);
  return succeeded(t, status, call);
}

/* --- writes and fills --------------------------------------------------------------------------------------------- */

static bool do_write(turn *t, const capture_command *c, uint32_t number) {
  (void)number;
  const cl_int status =
      clEnqueueWriteBuffer(t->queue, t->replay->objects[c->u.bytes.memory], CL_FALSE, c->u.bytes.offset,
                           c->u.bytes.size, blob(t, c->u.bytes.blob), 0, NULL, NULL);
  return changed(t, c->u.bytes.memory, status, "clEnqueueWriteBuffer");
}

static bool do_write_rectangle(turn *t, const capture_command *c, uint32_t number) {
  static const size_t host[3];
  (void)number;
  const cl_int status = clEnqueueWriteBufferRect(t->queue, t->replay->objects[c->u.area.memory], CL_FALSE,
                                                 c->u.area.at.origin, host, c->u.area.at.region, c->u.area.row,
                                                 c->u.area.slice, 0, 0, blob(t, c->u.area.blob), 0, NULL, NULL);
  return changed(t, c->u.area.memory, status, "clEnqueueWriteBufferRect");
}

static bool do_write_image(turn *t, const capture_command *c, uint32_t number) {
  (void)number;
  const cl_int status =
      clEnqueueWriteImage(t->queue, t->replay->objects[c->u.area.memory], CL_FALSE, c->u.area.at.origin,
                          c->u.area.at.region, 0, 0, blob(t, c->u.area.blob), 0, NULL, NULL);
  return changed(t, c->u.area.memory, status, "clEnqueueWriteImage");
}

static bool do_fill(turn *t, const capture_command *c, uint32_t number) {
  (void)number;
  const cl_int status = clEnqueueFillBuffer(t->queue, t->replay->objects[c->u.bytes.memory], c->u.bytes.pattern,
                                            c->u.bytes.pattern_size, c->u.bytes.offset, c->u.bytes.size, 0, NULL, NULL);
  return changed(t, c->u.bytes.memory, status, "clEnqueueFillBuffer");
}

static bool do_fill_image(turn *t, const capture_command *c, uint32_t number) {
  (void)number;
  const cl_int status = clEnqueueFillImage(t->queue, t->replay->objects[c->u.area.memory], c->u.area.color,
                                           c->u.area.at.origin, c->u.area.at.region, 0, NULL, NULL);
  return changed(t, c->u.area.memory, status, "clEnqueueFillImage");
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

static bool do_copy(turn *t, const capture_command *c, uint32_t number) {
  const cl_mem *objects = t->replay->objects;
  (void)number;
  const cl_int status = clEnqueueCopyBuffer(t->queue, objects[c->u.copy.from], objects[c->u.copy.to],
                                            c->u.copy.from_offset, c->u.copy.to_offset, c->u.copy.size, 0, NULL, NULL);
  return changed(t, c->u.copy.to, status, "clEnqueueCopyBuffer");
}

/* Two buffers that become one would have to have the same pitches. */
static bool separable(const replay *r, const capture_command *c) {
  const outline_object *objects = r->outline.objects;
  const bool apart = objects[c->u.copy.from].storage != objects[c->u.copy.to].storage;
  return apart || (c->u.copy.from_row == c->u.copy.to_row && c->u.copy.from_slice == c->u.copy.to_slice);
}

static bool do_copy_rectangle(turn *t, const capture_command *c, uint32_t number) {
  const replay *r = t->replay;
  size_t from_offset = 0, to_offset = 0;
  const bool roots = separable(r, c);
  (void)number;
  cl_mem from = roots ? memory_root(r, c->u.copy.from, &from_offset) : r->objects[c->u.copy.from];
  cl_mem to = roots ? memory_root(r, c->u.copy.to, &to_offset) : r->objects[c->u.copy.to];
  const size_t from_origin[3] = {c->u.copy.from_origin[0] + from_offset, c->u.copy.from_origin[1],
                                 c->u.copy.from_origin[2]};
  const size_t to_origin[3] = {c->u.copy.to_origin[0] + to_offset, c->u.copy.to_origin[1], c->u.copy.to_origin[2]};
  const cl_int status =
      clEnqueueCopyBufferRect(t->queue, from, to, from_origin, to_origin, c->u.copy.region, c->u.copy.from_row,
                              c->u.copy.from_slice, c->u.copy.to_row, c->u.copy.to_slice, 0, NULL, NULL);
  return changed(t, c->u.copy.to, status, "clEnqueueCopyBufferRect");
}

static bool do_copy_image(turn *t, const capture_command *c, uint32_t number) {
  const cl_mem *objects = t->replay->objects;
  (void)number;
  const cl_int status = clEnqueueCopyImage(t->queue, objects[c->u.copy.from], objects[c->u.copy.to],
                                           c->u.copy.from_origin, c->u.copy.to_origin, c->u.copy.region, 0, NULL, NULL);
  return changed(t, c->u.copy.to, status, "clEnqueueCopyImage");
}

static bool do_copy_to_buffer(turn *t, const capture_command *c, uint32_t number) {
  size_t offset = 0;
  (void)number;
  cl_mem to = memory_root(t->replay, c->u.copy.to, &offset);
  const cl_int status =
      clEnqueueCopyImageToBuffer(t->queue, t->replay->objects[c->u.copy.from], to, c->u.copy.from_origin,
                                 c->u.copy.region, offset + c->u.copy.to_offset, 0, NULL, NULL);
  return changed(t, c->u.copy.to, status, "clEnqueueCopyImageToBuffer");
}

static bool do_copy_to_image(turn *t, const capture_command *c, uint32_t number) {
  size_t offset = 0;
  (void)number;
  cl_mem from = memory_root(t->replay, c->u.copy.from, &offset);
  const cl_int status =
      clEnqueueCopyBufferToImage(t->queue, from, t->replay->objects[c->u.copy.to], offset + c->u.copy.from_offset,
                                 c->u.copy.to_origin, c->u.copy.region, 0, NULL, NULL);
  return changed(t, c->u.copy.to, status, "clEnqueueCopyBufferToImage");
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

/* What is there already: samplers from the beginning, programs since the turn began. */
static bool nothing(turn *t, const capture_command *c, uint32_t number) {
  (void)t;
  (void)c;
  (void)number;
  return true;
}

static bool (*const commands[CAPTURE_KINDS])(turn *t, const capture_command *c, uint32_t number) = {
    [CAPTURE_BUFFER] = memory_make,
    [CAPTURE_SUB_BUFFER] = memory_make,
    [CAPTURE_IMAGE] = memory_make,
    [CAPTURE_SAMPLER] = nothing,
    [CAPTURE_PROGRAM] = nothing,
    [CAPTURE_KERNEL] = kernels_make,
    [CAPTURE_CLONE] = kernels_make,
    [CAPTURE_ARGUMENT] = kernels_argument,
    [CAPTURE_LAUNCH] = kernels_launch,
    [CAPTURE_WRITE] = do_write,
    [CAPTURE_WRITE_RECT] = do_write_rectangle,
    [CAPTURE_WRITE_IMAGE] = do_write_image,
    [CAPTURE_FILL] = do_fill,
    [CAPTURE_FILL_IMAGE] = do_fill_image,
    [CAPTURE_COPY] = do_copy,
    [CAPTURE_COPY_RECT] = do_copy_rectangle,
    [CAPTURE_COPY_IMAGE] = do_copy_image,
    [CAPTURE_COPY_IMAGE_TO_BUFFER] = do_copy_to_buffer,
    [CAPTURE_COPY_BUFFER_TO_IMAGE] = do_copy_to_image,
    [CAPTURE_READ] = read_bytes,
    [CAPTURE_READ_RECT] = read_rectangle,
    [CAPTURE_READ_IMAGE] = read_image,
    [CAPTURE_RELEASE_MEMORY] = memory_release,
    [CAPTURE_RELEASE_KERNEL] = kernels_release,
};

bool command_do(turn *t, size_t index) {
  const capture_command *c = &t->replay->capture->commands[index];
  t->command = index;
  return commands[c->kind](t, c, t->replay->outline.numbers[index]);
}

/* What the program read from the device: it is read again, into memory of our own, and shown. */

/* Room for so many bytes; NULL: the machine has not that much memory. */
static unsigned char *room(turn *t, size_t size) {
  replay *r = t->replay;
  if (size > r->scratch_size || r->scratch == NULL) {
    free(r->scratch);
    r->scratch = malloc(size > 0 ? size : 1);
    r->scratch_size = r->scratch == NULL ? 0 : size;
  }
  if (r->scratch == NULL) {
    (void)error_set(t->error, EXIT_INTERNAL, "there are no %zu bytes of memory for what the program reads; free some",
                    size);
  }
  return r->scratch;
}

static bool shown(turn *t, const capture_command *c, uint32_t number, size_t size) {
  replay *r = t->replay;
  t->reads++;
  if (r->reader != NULL) r->reader(r->reader_data, number, c, r->scratch, size);
  t->over = t->functions != NULL && t->functions->over();
  return true;
}

bool read_bytes(turn *t, const capture_command *c, uint32_t number) {
  const size_t size = c->u.bytes.size;
  unsigned char *to = room(t, size);
  return to != NULL &&
         succeeded(t,
                   clEnqueueReadBuffer(t->queue, t->replay->objects[c->u.bytes.memory], CL_TRUE, c->u.bytes.offset,
                                       size, to, 0, NULL, NULL),
                   "clEnqueueReadBuffer") &&
         shown(t, c, number, size);
}

bool read_rectangle(turn *t, const capture_command *c, uint32_t number) {
  static const size_t host[3];
  const size_t size = capture_region_bytes(c->u.area.at.region, 1);
  unsigned char *to = room(t, size);
  return to != NULL &&
         succeeded(
             t,
             clEnqueueReadBufferRect(t->queue, t->replay->objects[c->u.area.memory], CL_TRUE, c->u.area.at.origin, host,
                                     c->u.area.at.region, c->u.area.row, c->u.area.slice, 0, 0, to, 0, NULL, NULL),
             "clEnqueueReadBufferRect") &&
         shown(t, c, number, size);
}

bool read_image(turn *t, const capture_command *c, uint32_t number) {
  const replay *r = t->replay;
  const capture_command *image = &r->capture->commands[r->outline.objects[c->u.area.memory].made];
  const size_t element = capture_element(image->u.image.order, image->u.image.data_type);
  const size_t size = capture_region_bytes(c->u.area.at.region, element);
  unsigned char *to = room(t, size);
  return to != NULL &&
         succeeded(t,
                   clEnqueueReadImage(t->queue, r->objects[c->u.area.memory], CL_TRUE, c->u.area.at.origin,
                                      c->u.area.at.region, 0, 0, to, 0, NULL, NULL),
                   "clEnqueueReadImage") &&
         shown(t, c, number, size);
}
