#include "runner/order/access.h"

#include <CL/cl.h>

#include "base/memory.h"
#include "wire/capture_format.h"

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

static void add_area(const access_reader *r, accesses *to, size_t call, const capture_command *c, touch_kind kind) {
  const capture_region *at = &c->u.area.at;
  if (object_of(r, c->u.area.memory)->image) {
    add_image(r, to, call, c->u.area.memory, kind, at->origin, at->region);
  } else {
    add_rectangle(r, to, call, c->u.area.memory, kind, at->origin, at->region, c->u.area.row, c->u.area.slice);
  }
}

static void add_copy(const access_reader *r, accesses *to, size_t call, const capture_command *c) {
  const uint32_t from = c->u.copy.from, target = c->u.copy.to;
  const uint64_t *region = c->u.copy.region;
  const made_object *image = object_of(r, object_of(r, from)->image ? from : target);
  const uint64_t bytes = region[0] * region[1] * region[2] * image->element;
  switch (c->kind) {
    case CAPTURE_COPY:
      add_bytes(r, to, call, from, TOUCH_READ, c->u.copy.from_offset, c->u.copy.size);
      add_bytes(r, to, call, target, TOUCH_WRITE, c->u.copy.to_offset, c->u.copy.size);
      break;
    case CAPTURE_COPY_RECT:
      add_rectangle(r, to, call, from, TOUCH_READ, c->u.copy.from_origin, region, c->u.copy.from_row,
                    c->u.copy.from_slice);
      add_rectangle(r, to, call, target, TOUCH_WRITE, c->u.copy.to_origin, region, c->u.copy.to_row,
                    c->u.copy.to_slice);
      break;
    case CAPTURE_COPY_IMAGE:
      add_image(r, to, call, from, TOUCH_READ, c->u.copy.from_origin, region);
      add_image(r, to, call, target, TOUCH_WRITE, c->u.copy.to_origin, region);
      break;
    case CAPTURE_COPY_IMAGE_TO_BUFFER:
      add_image(r, to, call, from, TOUCH_READ, c->u.copy.from_origin, region);
      if (bytes > 0) {
        add_bytes(r, to, call, target, TOUCH_WRITE, c->u.copy.to_offset, bytes);
      } else {
        add_whole(r, to, call, target, TOUCH_WRITE);
      }
      break;
    default:
      if (bytes > 0) {
        add_bytes(r, to, call, from, TOUCH_READ, c->u.copy.from_offset, bytes);
      } else {
        add_whole(r, to, call, from, TOUCH_READ);
      }
      add_image(r, to, call, target, TOUCH_WRITE, c->u.copy.to_origin, region);
      break;
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
  switch (f->function) {
    case FUNCTION_LAUNCH:
    case FUNCTION_TASK:
      if (r->launch_of[f->command] != SIZE_MAX) {
        add_launch(r, to, call, r->launch_of[f->command]);
      }
      break;
    case FUNCTION_WRITE:
    case FUNCTION_FILL:
      add_bytes(r, to, call, c->u.bytes.memory, TOUCH_WRITE, c->u.bytes.offset, c->u.bytes.size);
      break;
    case FUNCTION_READ:
      add_bytes(r, to, call, c->u.bytes.memory, TOUCH_READ, c->u.bytes.offset, c->u.bytes.size);
      break;
    case FUNCTION_WRITE_RECT:
    case FUNCTION_WRITE_IMAGE:
    case FUNCTION_FILL_IMAGE:
      add_area(r, to, call, c, TOUCH_WRITE);
      break;
    case FUNCTION_READ_RECT:
    case FUNCTION_READ_IMAGE:
      add_area(r, to, call, c, TOUCH_READ);
      break;
    case FUNCTION_COPY:
    case FUNCTION_COPY_RECT:
    case FUNCTION_COPY_IMAGE:
    case FUNCTION_COPY_IMAGE_TO_BUFFER:
    case FUNCTION_COPY_BUFFER_TO_IMAGE:
      add_copy(r, to, call, c);
      break;
    case FUNCTION_MAP:
    case FUNCTION_MAP_IMAGE:
    case FUNCTION_UNMAP:
      add_mapping(r, to, call, f);
      break;
    default:
      break;
  }
}
