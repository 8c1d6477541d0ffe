/* The buffers, images and samplers of a case. */
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

#include "cases/formats.h"
#include "cases/internal.h"
#include "wire/capture_shape.h"

/* The row of a word; NULL with `e` set. */
static const format_word *choose(composing *c, yaml_value *v, const char *what, const format_word *words,
                                 size_t count) {
  buffer list = {0};
  for (size_t i = 0; i < count; i++) {
    if (yaml_is_text(v) && strcmp(yaml_text(v), words[i].name) == 0) {
      buffer_free(&list);
      return &words[i];
    }
    buffer_printf(&list, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", words[i].name);
  }
  (void)yaml_wrong(c->suite->file, v, c->e, "%s is %s", what, buffer_text(&list));
  buffer_free(&list);
  return NULL;
}

static int take_access(composing *c, yaml_value *v, uint64_t *flags) {
  static const format_word accesses[] = {
      {"read-write", CL_MEM_READ_WRITE, 0}, {"read-only", CL_MEM_READ_ONLY, 0}, {"write-only", CL_MEM_WRITE_ONLY, 0}};
  const format_word *found = v == NULL ? NULL : choose(c, v, "access", accesses, sizeof accesses / sizeof *accesses);
  *flags = found == NULL ? 0 : found->value;
  return v != NULL && found == NULL ? -1 : 0;
}

/* Calls `add` with each pair. */
static int for_each(composing *c, yaml_value *map, const char *what,
                    int (*add)(composing *c, const char *name, yaml_value *at, yaml_value *v)) {
  if (map != NULL && !yaml_is_map(map)) {
    return yaml_wrong(c->suite->file, map, c->e, "%s is names with what they are", what);
  }
  for (size_t i = 0; map != NULL && i < yaml_count(map); i++) {
    const char *name = NULL;
    yaml_value *at = NULL, *v = yaml_pair(c->suite->file, map, i, &name, &at);
    buffer title = {0};
    buffer_printf(&title, "%.*s", (int)strlen(what) - 1, what);
    compose_at(c, at, buffer_text(&title), name);
    buffer_free(&title);
    if (add(c, name, at, v) != 0) {
      return -1;
    }
  }
  return 0;
}

/* First contents of an object with its type and number of elements. */
static int fill(composing *c, case_object *o, const contents_keys *keys, uint32_t *blob) {
  yaml_value *form = NULL;
  *blob = CAPTURE_NONE;
  if (case_contents_form(c->suite, keys, &form, c->e) != 0) {
    return -1;
  }
  if (form == NULL) {
    return 0;
  }
  if (case_contents_make(c->suite, &c->names, keys, &o->type, o->elements, 0, &o->bytes, c->e) != 0) {
    return -1;
  }
  *blob = compose_blob(c, o->bytes, (size_t)(o->elements * o->type.size));
  return 0;
}

/* --- buffers ------------------------------------------------------------------------------------------------------ */

static int take_type(composing *c, yaml_value *buffer_at, yaml_value *v, element_type *out) {
  if (v == NULL) {
    return yaml_wrong(c->suite->file, buffer_at, c->e, "this buffer wants a type, such as type: float");
  }
  char *type = case_text(c->suite, &c->names, v, c->e);
  if (type == NULL) {
    return -1;
  }
  buffer others = {0};
  case_element_others(&c->kernels, &others);
  const bool known = case_element_find(type, &c->kernels, out);
  const int result =
      known
          ? 0
          : yaml_wrong(c->suite->file, v, c->e,
                       "there is no type %s; a buffer is of char, uchar, short, ushort, int, uint, long, ulong, half, "
                       "float or double, of vectors of these such as float4, or of what a kernel's parameter points "
                       "to%s",
                       type, buffer_text(&others));
  buffer_free(&others);
  free(type);
  return result;
}

static int take_elements(composing *c, yaml_value *at, yaml_value *v, const contents_keys *keys, case_object *o) {
  int64_t elements = 0;
  if (v == NULL) {
    if (case_contents_count(c->suite, &c->names, keys, &o->type, &o->elements, c->e) != 0) {
      return -1;
    }
    return o->elements > 0 ? 0
                           : yaml_wrong(c->suite->file, at, c->e, "this buffer wants a number of elements, from 1 on");
  }
  const int64_t most = (int64_t)(CASE_BYTES_MOST / o->type.size);
  if (case_integer(c->suite, &c->names, v, "the number of elements", 1, most, &elements, c->e) != 0) {
    return -1;
  }
  o->elements = (uint64_t)elements;
  return 0;
}

/* Formulas from here on know its numbers. */
static void make_known(composing *c, const case_object *o) {
  scope_name *n = scope_add(&c->names, o->name);
  n->kind = SCOPE_ARRAY;
  n->bytes = o->bytes;
  n->number = o->type.number;
  n->count = (size_t)o->elements * o->type.lanes;
}

static int add_buffer(composing *c, const char *name, yaml_value *at, yaml_value *v) {
  yaml_value *type, *elements, *access;
  contents_keys k;
  const yaml_key keys[] = {{"type", &type}, {"elements", &elements}, {"access", &access}, CONTENTS_KEYS(k)};
  uint64_t flags = 0;
  uint32_t blob = CAPTURE_NONE;
  if (yaml_keys(c->suite->file, v, "a buffer", keys, sizeof keys / sizeof *keys, c->e) != 0) {
    return -1;
  }
  case_object *o = compose_object(c, name, at, OBJECT_BUFFER);
  if (o == NULL || take_access(c, access, &flags) != 0 || take_type(c, v, type, &o->type) != 0 ||
      take_elements(c, v, elements, &k, o) != 0 || fill(c, o, &k, &blob) != 0) {
    return -1;
  }
  make_known(c, o);
  capture_command *next = compose_command(c, CAPTURE_BUFFER);
  next->u.buffer.flags = flags;
  next->u.buffer.size = o->elements * o->type.size;
  next->u.buffer.blob = blob;
  return 0;
}

int compose_buffers(composing *c) { return for_each(c, c->keys.buffers, "buffers", add_buffer); }

/* --- images ------------------------------------------------------------------------------------------------------- */

static int take_format(composing *c, yaml_value *at, yaml_value *v, capture_command *image, element_type *type) {
  const char *text = v == NULL ? "" : yaml_text(v);
  const size_t length = strcspn(text, "-");
  const format_word *o = format_find(format_orders, text, length);
  const format_word *n =
      text[length] == '\0' ? NULL : format_find(format_types, text + length + 1, strlen(text + length + 1));
  if (o == NULL || n == NULL) {
    return yaml_wrong(c->suite->file, v == NULL ? at : v, c->e,
                      "the format of an image is channels and their type: r, a, rg, ra, rgba, bgra, argb, intensity or "
                      "luminance, and unorm8, snorm16, int32, uint8, half, float and their like, as in rgba-float");
  }
  image->u.image.order = o->value;
  image->u.image.data_type = n->value;
  const uint32_t lanes = capture_channels(o->value);
  *type = (element_type){n->number, lanes, lanes, (size_t)capture_element(o->value, n->value)};
  return 0;
}

static int take_size(composing *c, yaml_value *at, yaml_value *size, yaml_value *layers, capture_command *image,
                     case_object *o) {
  static const uint32_t types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D};
  static const uint32_t arrays[] = {CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D_ARRAY};
  int64_t sizes[3] = {0}, depth = 0;
  const size_t count = size == NULL ? 0 : yaml_is_list(size) ? yaml_count(size) : 1;
  if (count < 1 || count > (layers == NULL ? 3 : 2)) {
    return yaml_wrong(c->suite->file, size == NULL ? at : size, c->e,
                      "the size of an image is one to three numbers, as in [16, 16], with layers: one or two");
  }
  for (size_t i = 0; i < count; i++) {
    yaml_value *v = yaml_is_list(size) ? yaml_item(c->suite->file, size, i) : size;
    if (case_integer(c->suite, &c->names, v, "the size of an image", 1, 1 << 20, &sizes[i], c->e) != 0) {
      return -1;
    }
  }
  if (layers != NULL &&
      case_integer(c->suite, &c->names, layers, "the number of layers", 1, 1 << 20, &depth, c->e) != 0) {
    return -1;
  }
  image->u.image.type = layers == NULL ? types[count - 1] : arrays[count - 1];
  image->u.image.width = (uint64_t)sizes[0];
  image->u.image.height = (uint64_t)sizes[1];
  image->u.image.depth = (uint64_t)sizes[2];
  image->u.image.array_size = (uint64_t)depth;
  (void)capture_extent(image, o->extent);
  o->elements = capture_region_bytes(o->extent, 1);
  return o->elements <= CASE_BYTES_MOST / o->type.size
             ? 0
             : yaml_wrong(c->suite->file, size, c->e, "this image is larger than 4 GiB");
}

static int add_image(composing *c, const char *name, yaml_value *at, yaml_value *v) {
  yaml_value *format, *size, *layers, *access;
  contents_keys k;
  const yaml_key keys[] = {
      {"format", &format}, {"size", &size}, {"layers", &layers}, {"access", &access}, CONTENTS_KEYS(k)};
  capture_command image = {.kind = CAPTURE_IMAGE};
  if (yaml_keys(c->suite->file, v, "an image", keys, sizeof keys / sizeof *keys, c->e) != 0) {
    return -1;
  }
  case_object *o = compose_object(c, name, at, OBJECT_IMAGE);
  image.u.image.buffer = CAPTURE_NONE;
  if (o == NULL || take_access(c, access, &image.u.image.flags) != 0 ||
      take_format(c, v, format, &image, &o->type) != 0 || take_size(c, v, size, layers, &image, o) != 0 ||
      fill(c, o, &k, &image.u.image.blob) != 0) {
    return -1;
  }
  *compose_command(c, CAPTURE_IMAGE) = image;
  return 0;
}

int compose_images(composing *c) { return for_each(c, c->keys.images, "images", add_image); }

/* --- samplers ----------------------------------------------------------------------------------------------------- */

static int add_sampler(composing *c, const char *name, yaml_value *at, yaml_value *v) {
  static const format_word filters[] = {{"nearest", CL_FILTER_NEAREST, 0}, {"linear", CL_FILTER_LINEAR, 0}};
  static const format_word truths[] = {{"false", 0, 0}, {"true", 1, 0}};
  yaml_value *address, *filter, *normalized;
  const yaml_key keys[] = {{"address", &address}, {"filter", &filter}, {"normalized", &normalized}};
  if (yaml_keys(c->suite->file, v, "a sampler", keys, sizeof keys / sizeof *keys, c->e) != 0 ||
      compose_object(c, name, at, OBJECT_SAMPLER) == NULL) {
    return -1;
  }
  const format_word *a = address == NULL ? &format_addresses[0] : choose(c, address, "address", format_addresses, 5);
  const format_word *f = a == NULL ? NULL : filter == NULL ? &filters[0] : choose(c, filter, "filter", filters, 2);
  const format_word *n = f == NULL            ? NULL
                         : normalized == NULL ? &truths[0]
                                              : choose(c, normalized, "normalized", truths, 2);
  if (n == NULL) {
    return -1;
  }
  capture_command *next = compose_command(c, CAPTURE_SAMPLER);
  next->u.sampler.addressing = a->value;
  next->u.sampler.filter = f->value;
  next->u.sampler.normalized = n->value;
  return 0;
}

int compose_samplers(composing *c) { return for_each(c, c->keys.samplers, "samplers", add_sampler); }
