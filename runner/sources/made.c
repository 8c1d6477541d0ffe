#include "runner/sources/made.h"

#include <CL/cl.h>
#include <stdlib.h>

#include "base/memory.h"
#include "wire/capture_shape.h"

static void add_image(const run_made *m, made_object *o, const capture_command *c) {
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
  }
}

void made_add_object(run_made *m, const capture_command *c) {
  const stored_object *stored = stored_take(&m->stored, c);
  const bool inherited = stored->part_of != CAPTURE_NONE && m->objects[stored->part_of].constant;
  made_object o = {.root = stored->owner,
                   .origin = stored->origin,
                   .size = stored->size,
                   .constant = inherited || (stored->flags & CL_MEM_READ_ONLY) != 0};
  if (c->kind == CAPTURE_IMAGE) {
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
  stored_free(&m->stored);
  *m = (run_made){0};
}
