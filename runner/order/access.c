#include "runner/order/access.h"

#include <CL/cl.h>

#include "base/memory.h"
#include "wire/capture_format.h"
#include "wire/capture_shape.h"

/* Rows and slices of bytes. */
typedef struct rows {
  uint64_t first;      /* where the first row begins */
  uint64_t row, pitch; /* bytes of a row, and from one to the next */
  uint64_t rows;
  uint64_t slice_pitch, slices;
} rows;

/* --- transfers ----------------------------------------------------------------------------------------------------- */

static const made_object *object_of(const access_reader *r, uint32_t number) { return &r->made->objects[number]; }

/* A command of a captured program lies in its object. */
static void add_bytes(const access_reader *r, accesses *to, size_t call, uint32_t object, touch_kind kind,
                      uint64_t offset, uint64_t size) {
  const uint64_t low = object_of(r, object)->origin + offset;
  if (size > 0) {
    *ARRAY_ADD(to->items, to->count, to->capacity) = (command_access){.call = call,
                                                                      .object = object,
                                                                      .kind = kind,
                                                                      .low = low,
                                                                      .high = low + size,
                                                                      .sure = true,
                                                                      .sure_low = low,
                                                                      .sure_high = low + size};
  }
}

/* Between rows there may be bytes that are left alone: only the first run of bytes is certain. */
static void add_rows(const access_reader *r, accesses *to, size_t call, uint32_t object, touch_kind kind,
                     const rows *w) {
  if (w->row == 0 || w->rows == 0 || w->slices == 0) {
    return;
  }
  add_bytes(r, to, call, object, kind, w->first, w->row);
  command_access *a = &to->items[to->count - 1];
  const bool one_slice = w->rows == 1 || w->pitch == w->row;
  const bool all = one_slice && (w->slices == 1 || w->slice_pitch == w->rows * w->row);
  a->high = a->low + (w->slices - 1) * w->slice_pitch + (w->rows - 1) * w->pitch + w->row;
  a->sure_high = all ? a->high : one_slice ? a->low + w->rows * w->row : a->sure_high;
}

static void add_rectangle(const access_reader *r, accesses *to, size_t call, uint32_t object, touch_kind kind,
                          const uint64_t origin[3], const uint64_t region[3], uint64_t row, uint64_t slice) {
  add_rows(r, to, call, object, kind,
           &(rows){origin[2] * slice + origin[1] * row + origin[0], region[0], row, region[1], slice, region[2]});
}

static void add_whole(const access_reader *r, accesses *to, size_t call, uint32_t object, touch_kind kind) {
  const made_object *o = object_of(r, object);
  *ARRAY_ADD(to->items, to->count, to->capacity) = (command_access){
      .call = call, .object = object, .kind = kind, .low = o->origin, .high = o->origin + o->size, .sure = true};
}

/* An image's elements one after the other. Where those of one made of a buffer lie, its driver knows. */
static void add_image(const access_reader *r, accesses *to, size_t call, uint32_t object, touch_kind kind,
                      const uint64_t origin[3], const uint64_t region[3]) {
  const made_object *o = object_of(r, object);
  const uint64_t row = o->extent[0] * o->element, slice = row * o->extent[1];
  if (o->element == 0) {
    add_whole(r, to, call, object, kind);
    return;
  }
  add_rows(r, to, call, object, kind,
           &(rows){origin[2] * slice + origin[1] * row + origin[0] * o->element, region[0] * o->element, row, region[1],
                   slice, region[2]});
}

/* `c` is a copy where there is an `other` effect. */
static void add_effect(const access_reader *r, accesses *to, size_t call, const capture_command *c,
                       const capture_effect *e, const capture_effect *other) {
  const touch_kind kind = e->writes ? TOUCH_WRITE : TOUCH_READ;
  const bool of_image = other != NULL && other->part == PART_IMAGE;
  const uint64_t size =
      of_image ? c->u.copy.region[0] * c->u.copy.region[1] * c->u.copy.region[2] * object_of(r, other->object)->element
               : e->size;
  if (e->part == PART_IMAGE) {
    add_image(r, to, call, e->object, kind, e->origin, e->region);
  } else if (e->part == PART_ROWS) {
    add_rectangle(r, to, call, e->object, kind, e->origin, e->region, e->row, e->slice);
  } else if (of_image && size == 0) {
    add_whole(r, to, call, e->object, kind);
  } else {
    add_bytes(r, to, call, e->object, kind, e->offset, size);
  }
}

/* --- mappings ------------------------------------------------------------------------------------------------------ */

static void add_mapping(const access_reader *r, accesses *to, size_t call, const capture_call *c) {
  const bool writes = (c->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
  const touch_kind kind = writes ? TOUCH_WRITE : TOUCH_READ;
  const size_t before = to->count;
  if (c->function == FUNCTION_UNMAP && !writes) {
    return;
  }
  if (object_of(r, c->memory)->image) {
    add_whole(r, to, call, c->memory, kind);
    command_access *a = &to->items[to->count - 1];
    a->sure_low = a->low;
    a->sure_high = c->size > 0 ? a->high : a->low;
  } else {
    add_bytes(r, to, call, c->memory, kind, c->offset, c->size);
  }
  for (size_t i = before; i < to->count; i++) {
    to->items[i].host = true;
  }
}

/* --- launches ------------------------------------------------------------------------------------------------------ */

static uint64_t within(const made_object *o, int64_t at) {
  const uint64_t inside = at <= 0 ? 0 : (uint64_t)at < o->size ? (uint64_t)at : o->size;
  return o->origin + inside;
}

static void add_touch(const access_reader *r, accesses *to, size_t call, uint32_t object, touch_kind kind,
                      const touch *t) {
  const made_object *o = object_of(r, object);
  if (!t->may || (kind != TOUCH_READ && o->constant)) {
    return;
  }
  command_access a = {.call = call, .object = object, .kind = kind, .low = o->origin, .high = o->origin + o->size};
  if (t->bounded) {
    a.low = within(o, t->low);
    a.high = within(o, t->high);
  }
  a.sure = t->sure;
  if (t->sure && t->sure_high > t->sure_low) {
    a.sure_low = within(o, t->sure_low);
    a.sure_high = within(o, t->sure_high);
  }
  if (a.low < a.high) {
    *ARRAY_ADD(to->items, to->count, to->capacity) = a;
  }
}

/* Of a kernel that could not be read: anything. */
static void add_unknown(const access_reader *r, accesses *to, size_t call, uint32_t object) {
  const touch anything = {.may = true};
  add_touch(r, to, call, object, TOUCH_READ, &anything);
  add_touch(r, to, call, object, TOUCH_WRITE, &anything);
}

static void add_launch(const access_reader *r, accesses *to, size_t call, size_t number) {
  const made_launch *l = &r->made->launches[number];
  const size_t which = r->footprints->of[number];
  const footprint *f = which == SIZE_MAX ? NULL : &r->footprints->items[which];
  for (uint32_t i = 0; i < l->argument_count; i++) {
    const uint32_t object = l->arguments[i].object;
    const parameter_footprint *p = f != NULL && i < f->count ? &f->parameters[i] : NULL;
    const size_t before = to->count;
    if (object == CAPTURE_NONE) {
      continue;
    }
    if (p == NULL) {
      add_unknown(r, to, call, object);
    }
    for (int k = 0; p != NULL && k < TOUCH_KINDS; k++) {
      add_touch(r, to, call, object, (touch_kind)k, &p->by[k]);
    }
    for (size_t k = before; k < to->count; k++) {
      to->items[k].parameter = p;
      to->items[k].index = i;
    }
  }
}

/* --- calls --------------------------------------------------------------------------------------------------------- */

void accesses_of(const access_reader *r, size_t call, accesses *to) {
  const capture_call *f = &r->capture->calls[call];
  const bool command = capture_function_kind(f->function) != 0;
  if (command && f->command >= r->capture->command_count) { /* the capture ends with this call */
    return;
  }
  const capture_command *c = command ? &r->capture->commands[f->command] : NULL;
  capture_effect effects[2];
  const size_t count = c != NULL ? capture_effects(c, effects) : 0;
  switch (f->function) {
    case FUNCTION_LAUNCH:
    case FUNCTION_TASK:
      if (r->launch_of[f->command] != SIZE_MAX) {
        add_launch(r, to, call, r->launch_of[f->command]);
      }
      break;
    case FUNCTION_MAP:
    case FUNCTION_MAP_IMAGE:
    case FUNCTION_UNMAP:
      add_mapping(r, to, call, f);
      break;
    default:
      for (size_t i = 0; i < count; i++) {
        add_effect(r, to, call, c, &effects[i], count == 2 ? &effects[1 - i] : NULL);
      }
  }
}
