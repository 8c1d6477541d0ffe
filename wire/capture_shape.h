/* Sizes of memory objects and whether what a command names lies in them: the layer records no command, and capture_read
 * takes none, that does not fit. */
#ifndef CLTC_WIRE_CAPTURE_SHAPE_H
#define CLTC_WIRE_CAPTURE_SHAPE_H

#include <CL/cl.h>

#include "wire/capture.h"

typedef struct capture_shape {
  bool image;
  uint64_t size;      /* of a buffer */
  uint64_t element;   /* of an image: bytes of an element */
  uint64_t extent[3]; /* of an image: as regions count it; the layers of an array are its last number but 1 */
} capture_shape;

#define CAPTURE_SIZE_MOST (UINT64_C(1) << 62)

/* The product, or CAPTURE_SIZE_MOST if it is more than that. */
static inline uint64_t capture_product(uint64_t a, uint64_t b) {
  return b && a > CAPTURE_SIZE_MOST / b ? CAPTURE_SIZE_MOST : a * b;
}

typedef struct capture_count {
  uint32_t name, count;
} capture_count;

/* Channels of an order; 0: images of such an order are not captured. */
static inline uint32_t capture_channels(uint32_t order) {
  static const capture_count orders[] = {
      {CL_R, 1},    {CL_A, 1},    {CL_INTENSITY, 1}, {CL_LUMINANCE, 1}, {CL_DEPTH, 1},
      {CL_RG, 2},   {CL_RA, 2},   {CL_RGB, 3},       {CL_RGBx, 3},      {CL_RGBA, 4},
      {CL_BGRA, 4}, {CL_ARGB, 4}, {CL_ABGR, 4},      {CL_sRGBA, 4},     {CL_sBGRA, 4},
  };
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    if (orders[i].name == order) return orders[i].count;
  return 0;
}

/* Bytes of a channel; 0: not a type of single channels. */
static inline uint32_t capture_channel_bytes(uint32_t type) {
  static const capture_count types[] = {
      {CL_SNORM_INT8, 1},  {CL_UNORM_INT8, 1},   {CL_SIGNED_INT8, 1},    {CL_UNSIGNED_INT8, 1},
      {CL_SNORM_INT16, 2}, {CL_UNORM_INT16, 2},  {CL_SIGNED_INT16, 2},   {CL_UNSIGNED_INT16, 2},
      {CL_HALF_FLOAT, 2},  {CL_SIGNED_INT32, 4}, {CL_UNSIGNED_INT32, 4}, {CL_FLOAT, 4},
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].name == type) return types[i].count;
  return 0;
}

/* Bytes of an element of an image; 0: images of such a format are not captured. */
static inline uint64_t capture_element(uint32_t order, uint32_t type) {
  uint32_t channels = capture_channels(order);
  bool three = order == CL_RGB || order == CL_RGBx;
  if (three && (type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555)) return 2;
  if ((three && type == CL_UNORM_INT_101010) || (order == CL_RGBA && type == CL_UNORM_INT_101010_2)) return 4;
  return three ? 0 : (uint64_t)channels * capture_channel_bytes(type);
}

/* The extent of an image in elements; false when the type is unknown, a size that it has is 0 or one that it has not is
 * not 0. */
static inline bool capture_extent(const capture_command *c, uint64_t extent[3]) {
  uint32_t type = c->u.image.type;
  uint64_t width = c->u.image.width, height = c->u.image.height, depth = c->u.image.depth;
  uint64_t layers = c->u.image.array_size;
  bool flat = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  bool line =
      type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_BUFFER || type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  bool array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  bool solid = type == CL_MEM_OBJECT_IMAGE3D;
  if ((!flat && !line && !solid) || !width || (height == 0) != line || (depth == 0) == solid || (layers == 0) == array)
    return false;
  extent[0] = width;
  extent[1] = line ? (array ? layers : 1) : height;
  extent[2] = solid ? depth : flat && array ? layers : 1;
  return true;
}

/* Bytes of a region without padding. */
static inline uint64_t capture_region_bytes(const uint64_t region[3], uint64_t element) {
  return capture_product(capture_product(capture_product(region[0], region[1]), region[2]), element);
}

static inline bool capture_bytes_fit(const capture_shape *s, uint64_t offset, uint64_t size) {
  return !s->image && offset <= s->size && size <= s->size - offset;
}

static inline bool capture_region_fits(const capture_shape *s, const uint64_t origin[3], const uint64_t region[3]) {
  for (int i = 0; i < 3; i++)
    if (!region[i] || origin[i] >= s->extent[i] || region[i] > s->extent[i] - origin[i]) return false;
  return s->image;
}

/* A rectangle of bytes and rows in a buffer, with its pitches. */
static inline bool capture_rectangle_fits(const capture_shape *s, const uint64_t origin[3], const uint64_t region[3],
                                          uint64_t row, uint64_t slice) {
  if (s->image || !region[0] || !region[1] || !region[2] || row < region[0] || slice < capture_product(row, region[1]))
    return false;
  for (int i = 0; i < 3; i++)
    if (origin[i] > s->size || region[i] > s->size) return false;
  uint64_t slices = capture_product(origin[2] + region[2] - 1, slice);
  uint64_t rows = capture_product(origin[1] + region[1] - 1, row), bytes = origin[0] + region[0];
  return slices <= s->size && rows <= s->size - slices && bytes <= s->size - slices - rows;
}

static inline bool capture_pattern_fits(const capture_command *c) {
  uint32_t size = c->u.transfer.pattern_size;
  return size && size <= 128 && (size & (size - 1)) == 0 && c->u.transfer.at.offset % size == 0 &&
         c->u.transfer.size % size == 0;
}

/* Whether a buffer holds an image made of it. */
static inline bool capture_image_fits(const capture_command *c, const capture_shape *image,
                                      const capture_shape *holder) {
  uint64_t row = capture_product(image->extent[0], image->element);
  uint64_t pitch = c->u.image.row_pitch ? c->u.image.row_pitch : row;
  bool type = c->u.image.type == CL_MEM_OBJECT_IMAGE1D_BUFFER || c->u.image.type == CL_MEM_OBJECT_IMAGE2D;
  uint64_t before = capture_product(image->extent[1] - 1, pitch);
  return type && pitch >= row && before <= holder->size && capture_bytes_fit(holder, before, row);
}

/* How a command says which part of a memory object it is about. */
typedef enum capture_part {
  PART_NONE,
  PART_BYTES, /* `size` of them from `offset` on; of a copy from or to an image: those of the image's `region` */
  PART_ROWS,  /* of a buffer: `origin`, `region` and pitches */
  PART_IMAGE  /* `origin` and `region` */
} capture_part;

/* Memory that a command of the host reads or writes. */
typedef struct capture_effect {
  const capture_span *at;
  capture_part part;
  bool writes;
} capture_effect;

/* What a command does to memory, how many effects: none of one that makes or releases something and of a launch, whose
 * arguments say it; of a copy what it reads comes first. */
static inline size_t capture_effects(const capture_command *c, capture_effect out[2]) {
  static const struct {
    capture_part first, second;
    bool writes; /* the first */
  } kinds[CAPTURE_KINDS] = {
      [CAPTURE_WRITE] = {PART_BYTES, PART_NONE, true},
      [CAPTURE_WRITE_RECT] = {PART_ROWS, PART_NONE, true},
      [CAPTURE_WRITE_IMAGE] = {PART_IMAGE, PART_NONE, true},
      [CAPTURE_FILL] = {PART_BYTES, PART_NONE, true},
      [CAPTURE_FILL_IMAGE] = {PART_IMAGE, PART_NONE, true},
      [CAPTURE_COPY] = {PART_BYTES, PART_BYTES, false},
      [CAPTURE_COPY_RECT] = {PART_ROWS, PART_ROWS, false},
      [CAPTURE_COPY_IMAGE] = {PART_IMAGE, PART_IMAGE, false},
      [CAPTURE_COPY_IMAGE_TO_BUFFER] = {PART_IMAGE, PART_BYTES, false},
      [CAPTURE_COPY_BUFFER_TO_IMAGE] = {PART_BYTES, PART_IMAGE, false},
      [CAPTURE_READ] = {PART_BYTES, PART_NONE, false},
      [CAPTURE_READ_RECT] = {PART_ROWS, PART_NONE, false},
      [CAPTURE_READ_IMAGE] = {PART_IMAGE, PART_NONE, false},
  };
  out[0] = (capture_effect){&c->u.transfer.at, kinds[c->kind].first, kinds[c->kind].writes};
  out[1] = (capture_effect){&c->u.transfer.to, kinds[c->kind].second, true};
  return out[0].part == PART_NONE ? 0 : out[1].part == PART_NONE ? 1 : 2;
}

static inline bool capture_is_read(capture_kind kind) {
  return kind == CAPTURE_READ || kind == CAPTURE_READ_RECT || kind == CAPTURE_READ_IMAGE;
}

static inline bool capture_effect_fits(const capture_command *c, const capture_effect *e, const capture_shape *shape,
                                       const capture_shape *other) {
  const uint64_t *region = c->u.transfer.region;
  const bool of_image = c->kind == CAPTURE_COPY_IMAGE_TO_BUFFER || c->kind == CAPTURE_COPY_BUFFER_TO_IMAGE;
  switch (e->part) {
    case PART_ROWS: return capture_rectangle_fits(shape, e->at->origin, region, e->at->row, e->at->slice);
    case PART_IMAGE:
      return capture_region_fits(shape, e->at->origin, region) &&
             (c->kind != CAPTURE_COPY_IMAGE || shape->element == other->element);
    default:
      return capture_bytes_fit(shape, e->at->offset,
                               of_image ? capture_region_bytes(region, other->element) : c->u.transfer.size);
  }
}

/* Whether the parts that a command names lie in its memory objects: `first` is that of its first effect, `second` that
 * of the second. */
static inline bool capture_fits(const capture_command *c, const capture_shape *first, const capture_shape *second) {
  capture_effect effects[2];
  const size_t count = capture_effects(c, effects);
  return count > 0 && (c->kind != CAPTURE_FILL || capture_pattern_fits(c)) &&
         capture_effect_fits(c, &effects[0], first, second) &&
         (count == 1 || capture_effect_fits(c, &effects[1], second, first));
}

#endif
