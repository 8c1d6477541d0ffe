/* Bytes that the host writes are kept; what kernels write is not known from then on. */
#include "proofs/sources/contents.h"

#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "wire/capture_shape.h"

#define KEPT_MOST (UINT64_C(1) << 30) /* bytes of all objects */

/* --- facts -------------------------------------------------------------------------------------------------------- */

static uint64_t raw_at(const unsigned char *bytes, uint32_t element) {
  uint64_t n = 0;
  memcpy(&n, bytes, element); /* little-endian, as all devices that we know */
  return n;
}

/* Ordered as the type orders them, in unsigned numbers: the sign is turned. */
static uint64_t order_of(uint64_t raw, uint32_t element, bool is_unsigned) {
  return is_unsigned ? raw : raw ^ (UINT64_C(1) << (8 * element - 1));
}

static int64_t value_of(uint64_t raw, uint32_t element, bool is_unsigned) {
  const unsigned unused = 64 - 8 * element;
  return is_unsigned ? (int64_t)raw : (int64_t)(raw << unused) >> unused;
}

static int compare(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y ? 1 : 0;
}

static bool all_distinct(const unsigned char *bytes, uint64_t count, uint32_t element) {
  if (element < 8 && count > UINT64_C(1) << (8 * element)) return false;
  uint64_t *sorted = mem_calloc(count, sizeof *sorted);
  for (uint64_t i = 0; i < count; i++) sorted[i] = raw_at(bytes + i * element, element);
  qsort(sorted, count, sizeof *sorted, compare);
  bool distinct = true;
  for (uint64_t i = 1; i < count && distinct; i++) distinct = sorted[i] != sorted[i - 1];
  free(sorted);
  return distinct;
}

contents_facts facts_of(const unsigned char *bytes, uint64_t count, uint32_t element, bool is_unsigned) {
  contents_facts f = {0};
  if (count == 0) return f;
  f.ascending = f.identity = true;
  bool strictly = true;
  uint64_t low = 0, high = 0, before = 0;
  uint64_t low_raw = 0, high_raw = 0;
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t raw = raw_at(bytes + i * element, element), n = order_of(raw, element, is_unsigned);
    f.identity = f.identity && raw == i;
    f.ascending = f.ascending && (i == 0 || n >= before);
    strictly = strictly && (i == 0 || n > before);
    if (i == 0 || n < low) {
      low = n;
      low_raw = raw;
    }
    if (i == 0 || n > high) {
      high = n;
      high_raw = raw;
    }
    before = n;
  }
  f.low = value_of(low_raw, element, is_unsigned);
  f.high = value_of(high_raw, element, is_unsigned);
  f.bounded = !is_unsigned || f.high >= 0; /* as signed numbers they are written */
  if (count == 1) {                        /* one number is in order with itself */
    f.ascending = f.identity = false;
    return f;
  }
  f.distinct = strictly || all_distinct(bytes, count, element);
  return f;
}

contents_facts contents_of(contents *m, uint32_t object, uint32_t element, bool is_unsigned) {
  memory_object *o = &m->objects[object];
  memory_object *in = o->parent == CAPTURE_NONE ? o : &m->objects[o->parent];
  const bool same = o->kept.there && o->kept.changes == in->changes && o->kept.element == element &&
                    o->kept.is_unsigned == is_unsigned;
  if (!same) {
    o->kept.there = true;
    o->kept.changes = in->changes;
    o->kept.element = element;
    o->kept.is_unsigned = is_unsigned;
    const unsigned char *bytes = contents_bytes(m, object);
    o->kept.facts =
        bytes != NULL && element <= 8 ? facts_of(bytes, o->size / element, element, is_unsigned) : (contents_facts){0};
  }
  return o->kept.facts;
}

const unsigned char *contents_bytes(const contents *m, uint32_t object) {
  const memory_object *o = &m->objects[object];
  const memory_object *in = o->parent == CAPTURE_NONE ? o : &m->objects[o->parent];
  const bool known = in->bytes != NULL && o->size > 0 && memchr(in->known + o->origin, 0, o->size) == NULL;
  return known ? in->bytes + o->origin : NULL;
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

typedef struct piece {
  memory_object *in;
  uint64_t offset; /* in it */
} piece;

static piece piece_of(contents *m, uint32_t object, uint64_t offset) {
  memory_object *o = &m->objects[object];
  return o->parent == CAPTURE_NONE ? (piece){o, offset} : (piece){&m->objects[o->parent], o->origin + offset};
}

static void forget(piece p, uint64_t size) {
  p.in->changes++;
  if (p.in->bytes != NULL) memset(p.in->known + p.offset, 0, size);
}

static void put(piece p, const unsigned char *bytes, uint64_t size) {
  p.in->changes++;
  if (p.in->bytes != NULL) {
    memcpy(p.in->bytes + p.offset, bytes, size);
    memset(p.in->known + p.offset, 1, size);
  }
}

void contents_forget(contents *m, uint32_t object) { forget(piece_of(m, object, 0), m->objects[object].size); }

static void make_buffer(contents *m, const capture *c, const capture_command *from) {
  memory_object *o = ARRAY_ADD(m->objects, m->count, m->capacity);
  o->size = from->u.buffer.size;
  o->parent = CAPTURE_NONE;
  o->constant = (from->u.buffer.flags & CL_MEM_READ_ONLY) != 0;
  if (o->size > 0 && o->size <= KEPT_MOST - m->bytes) {
    o->bytes = mem_calloc(o->size, 1);
    o->known = mem_calloc(o->size, 1);
    m->bytes += o->size;
  }
  if (from->u.buffer.blob != CAPTURE_NONE) put((piece){o, 0}, c->blobs[from->u.buffer.blob].bytes, o->size);
}

static void make_part(contents *m, const capture_command *from) {
  memory_object *o = ARRAY_ADD(m->objects, m->count, m->capacity);
  o->parent = from->u.sub_buffer.parent;
  o->origin = from->u.sub_buffer.origin;
  o->size = from->u.sub_buffer.size;
  o->constant = m->objects[o->parent].constant || (from->u.sub_buffer.flags & CL_MEM_READ_ONLY) != 0;
}

static void make_image(contents *m, const capture_command *from) {
  memory_object *o = ARRAY_ADD(m->objects, m->count, m->capacity);
  uint64_t extent[3] = {0};
  o->image = true;
  o->parent = CAPTURE_NONE;
  (void)capture_extent(from, extent);
  o->size = capture_region_bytes(extent, capture_element(from->u.image.order, from->u.image.data_type));
  if (from->u.image.buffer != CAPTURE_NONE) {
    o->parent = from->u.image.buffer;
    const memory_object *in = &m->objects[o->parent];
    o->size = o->size < in->size ? o->size : in->size;
  }
  o->constant = (from->u.image.flags & CL_MEM_READ_ONLY) != 0;
}

static void fill(contents *m, const capture_command *c) {
  const piece p = piece_of(m, c->u.bytes.memory, c->u.bytes.offset);
  for (uint64_t at = 0; at < c->u.bytes.size; at += c->u.bytes.pattern_size)
    put((piece){p.in, p.offset + at}, c->u.bytes.pattern, c->u.bytes.pattern_size);
}

static void write_rectangle(contents *m, const capture *c, const capture_command *from) {
  const capture_region *at = &from->u.area.at;
  const unsigned char *bytes = c->blobs[from->u.area.blob].bytes;
  for (uint64_t slice = 0; slice < at->region[2]; slice++) {
    for (uint64_t row = 0; row < at->region[1]; row++) {
      const uint64_t offset =
          (at->origin[2] + slice) * from->u.area.slice + (at->origin[1] + row) * from->u.area.row + at->origin[0];
      put(piece_of(m, from->u.area.memory, offset), bytes, at->region[0]);
      bytes += at->region[0];
    }
  }
}

static void copy(contents *m, const capture_command *c) {
  const piece from = piece_of(m, c->u.copy.from, c->u.copy.from_offset);
  const piece to = piece_of(m, c->u.copy.to, c->u.copy.to_offset);
  if (from.in->bytes == NULL || to.in->bytes == NULL) {
    forget(to, c->u.copy.size);
    return;
  }
  to.in->changes++;
  memmove(to.in->bytes + to.offset, from.in->bytes + from.offset, c->u.copy.size);
  memmove(to.in->known + to.offset, from.in->known + from.offset, c->u.copy.size);
}

void contents_take(contents *m, const capture *c, const capture_command *command) {
  capture_effect effects[2];
  switch (command->kind) {
    case CAPTURE_BUFFER: make_buffer(m, c, command); break;
    case CAPTURE_SUB_BUFFER: make_part(m, command); break;
    case CAPTURE_IMAGE: make_image(m, command); break;
    case CAPTURE_WRITE:
      put(piece_of(m, command->u.bytes.memory, command->u.bytes.offset), c->blobs[command->u.bytes.blob].bytes,
          command->u.bytes.size);
      break;
    case CAPTURE_WRITE_RECT: write_rectangle(m, c, command); break;
    case CAPTURE_FILL: fill(m, command); break;
    case CAPTURE_COPY: copy(m, command); break;
    default: /* an image may be made of a buffer */
      for (size_t i = 0, count = capture_effects(command, effects); i < count; i++)
        if (effects[i].writes) contents_forget(m, effects[i].object);
  }
}

void contents_free(contents *m) {
  for (size_t i = 0; i < m->count; i++) {
    free(m->objects[i].bytes);
    free(m->objects[i].known);
  }
  free(m->objects);
  *m = (contents){0};
}
