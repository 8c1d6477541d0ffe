#include "runner/verify/made.h"

#include <CL/cl.h>
#include <stdlib.h>

#include "base/memory.h"
#include "wire/capture_shape.h"

static void add_part(run_made *m, made_object *o, uint32_t parent, uint64_t origin) {
  const made_object *in = &m->objects[parent];
  o->root = in->root;
  o->origin = in->origin + origin;
  o->constant = o->constant || in->constant;
}

static void add_image(run_made *m, made_object *o, const capture_command *c) {
  uint64_t extent[3] = {0};
  o->image = true;
  o->element = capture_element(c->u.image.order, c->u.image.data_type);
  (void)capture_extent(c, extent);
  for (int i = 0; i < 3; i++) {
    o->extent[i] = extent[i];
  }
  o->size = capture_region_bytes(extent, (uint32_t)o->element);
  if (c->u.image.buffer != CAPTURE_NONE) {
    o->size = m->objects[c->u.image.buffer].size; /* rows may lie apart */
    o->element = 0;
    add_part(m, o, c->u.image.buffer, 0);
  }
}

void made_add_object(run_made *m, const capture_command *c) {
  const uint64_t flags = c->kind == CAPTURE_BUFFER       ? c->u.buffer.flags
                         : c->kind == CAPTURE_SUB_BUFFER ? c->u.sub_buffer.flags
                                                         : c->u.image.flags;
  made_object o = {.root = (uint32_t)m->object_count, .constant = (flags & CL_MEM_READ_ONLY) != 0};
  if (c->kind == CAPTURE_BUFFER) {
    o.size = c->u.buffer.size;
  } else if (c->kind == CAPTURE_SUB_BUFFER) {
    o.size = c->u.sub_buffer.size;
    add_part(m, &o, c->u.sub_buffer.parent, c->u.sub_buffer.origin);
  } else {
    add_image(m, &o, c);
  }
  *ARRAY_ADD(m->objects, m->object_count, m->object_capacity) = o;
}

void made_free(run_made *m) {
  for (size_t i = 0; i < m->launch_count; i++) {
    free(m->launches[i].kernel);
    free(m->launches[i].arguments);
  }
  free(m->launches);
  free(m->objects);
  *m = (run_made){0};
}
