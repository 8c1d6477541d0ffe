/* The launch of a counterexample as a capture, so that whatever does captures again does it. */
#include "runner/counterexample/replica_capture.h"

#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

typedef struct composing {
  const replica *r;
  capture *to;
  size_t commands, blobs; /* capacities */
  uint32_t *objects;      /* by argument: its memory object, or sampler */
  uint32_t count, samplers;
} composing;

static capture_command *add(composing *c, capture_kind kind) {
  capture_command *next = ARRAY_ADD(c->to->commands, c->to->command_count, c->commands);
  next->kind = kind;
  return next;
}

static void add_program(composing *c, const char *more) {
  const request_source *s = asked_text(c->r->source);
  capture_command *program = add(c, CAPTURE_PROGRAM), *kernel = NULL;
  program->u.program.link_options = mem_strdup("");
  program->u.program.sources = mem_calloc(1, sizeof *program->u.program.sources);
  program->u.program.source_count = 1;
  program->u.program.sources[0].text =
      c->r->text != NULL ? mem_strdup(c->r->text) : mem_strndup(s->input.text, s->input.length);
  const char *own = c->r->options != NULL ? c->r->options : s->options;
  buffer options = {0};
  buffer_printf(&options, "%s%s%s", own == NULL ? "" : own, *more == '\0' ? "" : " ", more);
  program->u.program.sources[0].options = buffer_take(&options);
  kernel = add(c, CAPTURE_KERNEL);
  kernel->u.kernel.name = mem_strdup(c->r->kernel);
}

/* The memory of an argument and of all that share it. */
static void add_memory(composing *c, size_t first) {
  uint64_t size = 0;
  for (size_t i = first; i < c->r->count; i++) {
    const replica_argument *a = &c->r->arguments[i];
    if (a->is->kind == PARAMETER_GLOBAL && a->same_as == first && a->offset + a->size > size) {
      size = a->offset + a->size;
    }
  }
  unsigned char *bytes = mem_calloc(1, (size_t)size + 1);
  for (size_t i = first; i < c->r->count; i++) {
    const replica_argument *a = &c->r->arguments[i];
    if (a->is->kind == PARAMETER_GLOBAL && a->same_as == first) {
      replica_fill(a, bytes + a->offset);
    }
  }
  *ARRAY_ADD(c->to->blobs, c->to->blob_count, c->blobs) = (capture_blob){bytes, (size_t)size};
  capture_command *next = add(c, CAPTURE_BUFFER);
  next->u.buffer.size = size;
  next->u.buffer.blob = (uint32_t)(c->to->blob_count - 1);
  c->objects[first] = c->count++;
}

static void add_part(composing *c, size_t i) {
  const replica_argument *a = &c->r->arguments[i];
  capture_command *next = add(c, CAPTURE_SUB_BUFFER);
  next->u.sub_buffer.parent = c->objects[a->same_as];
  next->u.sub_buffer.origin = a->offset;
  next->u.sub_buffer.size = a->size;
  c->objects[i] = c->count++;
}

static void add_image(composing *c, size_t i) {
  const replica_argument *a = &c->r->arguments[i];
  const replica_picture *p = &a->picture;
  const bool array = p->object == CL_MEM_OBJECT_IMAGE1D_ARRAY || p->object == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  const uint64_t layers = !array ? 0 : p->extent[2] > 0 ? p->extent[2] : p->extent[1];
  unsigned char *bytes = mem_calloc(1, (size_t)a->size + 1);
  replica_fill(a, bytes);
  *ARRAY_ADD(c->to->blobs, c->to->blob_count, c->blobs) = (capture_blob){bytes, (size_t)a->size};
  capture_command *next = add(c, CAPTURE_IMAGE);
  next->u.image.flags = a->is->read_only ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
  next->u.image.order = CL_RGBA;
  next->u.image.data_type = p->data;
  next->u.image.type = p->object;
  next->u.image.width = p->extent[0];
  next->u.image.height = p->object == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 0 : p->extent[1];
  next->u.image.depth = array ? 0 : p->extent[2];
  next->u.image.array_size = layers;
  next->u.image.buffer = CAPTURE_NONE;
  next->u.image.blob = (uint32_t)(c->to->blob_count - 1);
  c->objects[i] = c->count++;
}

static void add_sampler(composing *c, size_t i) {
  capture_command *next = add(c, CAPTURE_SAMPLER);
  next->u.sampler.addressing = CL_ADDRESS_CLAMP_TO_EDGE;
  next->u.sampler.filter = CL_FILTER_NEAREST;
  c->objects[i] = c->samplers++;
}

static void add_argument(composing *c, size_t i) {
  const replica_argument *a = &c->r->arguments[i];
  const bool shares = a->is->kind == PARAMETER_GLOBAL && (a->same_as != i || a->offset > 0);
  if (a->is->kind == PARAMETER_GLOBAL && a->same_as == i && !a->null) {
    add_memory(c, i);
  }
  const uint32_t whole = c->objects[a->same_as < c->r->count ? a->same_as : i];
  if (shares && (a->offset > 0 || a->same_as != i)) {
    add_part(c, i);
  }
  if (a->picture.object != 0 && a->same_as != i) {
    c->objects[i] = whole;
  } else if (a->picture.object != 0) {
    add_image(c, i);
  } else if (replica_is_sampler(a->is)) {
    add_sampler(c, i);
  }
  capture_command *next = add(c, CAPTURE_ARGUMENT);
  next->u.argument.index = (uint32_t)i;
  next->u.argument.object = CAPTURE_NONE;
  if (a->is->kind == PARAMETER_GLOBAL) {
    next->u.argument.kind = CAPTURE_MEMORY;
    next->u.argument.object = a->null ? CAPTURE_NONE : shares ? c->objects[i] : whole;
  } else if (a->picture.object != 0 || replica_is_sampler(a->is)) {
    next->u.argument.kind = a->picture.object != 0 ? CAPTURE_MEMORY : CAPTURE_SAMPLE;
    next->u.argument.object = c->objects[i];
  } else if (a->is->kind == PARAMETER_LOCAL) {
    next->u.argument.kind = CAPTURE_LOCAL;
    next->u.argument.size = a->size;
  } else {
    next->u.argument.kind = CAPTURE_VALUE;
    next->u.argument.size = a->size;
    next->u.argument.bytes = mem_calloc(1, (size_t)a->size + 1);
    memcpy(next->u.argument.bytes, a->bytes, (size_t)a->size);
  }
}

/* The host waits for it: what a launch has shown is known even where the next one crashes. */
static void add_wait(composing *c) {
  for (size_t i = 0; i < c->r->count; i++) {
    const replica_argument *a = &c->r->arguments[i];
    if (a->is->kind == PARAMETER_GLOBAL && a->size > 0) {
      capture_command *next = add(c, CAPTURE_READ);
      next->u.bytes.memory = c->objects[a->same_as];
      next->u.bytes.size = 1;
      return;
    }
  }
}

static void add_launch(composing *c) {
  const replica *r = c->r;
  for (size_t i = 0; i < r->count; i++) {
    add_argument(c, i);
  }
  capture_command *launch = add(c, CAPTURE_LAUNCH);
  launch->u.launch.dimensions = r->dimensions;
  launch->u.launch.has_local = true;
  for (uint32_t d = 0; d < r->dimensions; d++) {
    launch->u.launch.has_offset = launch->u.launch.has_offset || r->offset[d] > 0;
  }
  for (uint32_t d = 0; d < r->dimensions; d++) {
    launch->u.launch.global[d] = r->global[d];
    launch->u.launch.local[d] = r->local[d];
    launch->u.launch.offset[d] = launch->u.launch.has_offset ? r->offset[d] : 0;
  }
}

void replicas_capture(const replica *all, size_t count, const char *more, capture *to) {
  composing c = {.r = all, .to = to, .objects = mem_calloc(all->count + 1, sizeof(uint32_t))};
  to->directory = mem_strdup(asked_text(all->source)->input.directory);
  to->device = mem_strdup("");
  to->program = mem_strdup(asked_text(all->source)->name);
  add_program(&c, more);
  for (size_t i = 0; i < count; i++) {
    c.r = &all[i];
    add_launch(&c);
    if (count > 1) {
      add_wait(&c);
    }
  }
  free(c.objects);
}

void replica_capture(const replica *r, capture *to) { replicas_capture(r, 1, "", to); }
