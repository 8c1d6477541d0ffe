/* The buffers, images and samplers of a case, and what they hold at first. */
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "cases/internal.h"
#include "wire/capture_shape.h"

#define CASE_BYTES_MOST (UINT64_C(1) << 32) /* of a buffer or an image */

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
  (void)case_wrong(&c->in, v, "%s is %s", what, buffer_text(&list));
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
  if (map != NULL && !yaml_is_map(map)) return case_wrong(&c->in, map, "%s is names with what they are", what);
  for (size_t i = 0; map != NULL && i < yaml_count(map); i++) {
    const char *name = NULL;
    yaml_value *at = NULL, *v = yaml_pair(c->in.file, map, i, &name, &at);
    scoped_buffer title = {0};
    buffer_printf(&title, "%.*s", (int)strlen(what) - 1, what);
    compose_at(c, at, buffer_text(&title), name);
    if (add(c, name, at, v) != 0) return -1;
  }
  return 0;
}

/* First contents of an object with its type and number of elements. */
static int fill(composing *c, case_object *o, const contents_keys *keys, uint32_t *blob) {
  yaml_value *form = NULL;
  *blob = CAPTURE_NONE;
  if (case_contents_form(&c->in, keys, &form) != 0) return -1;
  if (form == NULL) return 0;
  if (case_contents_make(&c->in, keys, &o->type, o->elements, 0, &o->bytes) != 0) return -1;
  *blob = compose_blob(c, o->bytes, (size_t)(o->elements * o->type.size));
  return 0;
}

/* --- buffers ------------------------------------------------------------------------------------------------------ */

static int take_type(composing *c, yaml_value *buffer_at, yaml_value *v, element_type *out) {
  if (v == NULL) return case_wrong(&c->in, buffer_at, "this buffer wants a type, such as type: float");
  char *type = case_text(&c->in, v);
  if (type == NULL) return -1;
  scoped_buffer others = {0};
  case_element_others(&c->kernels, &others);
  const bool known = case_element_find(type, &c->kernels, out);
  const int result =
      known
          ? 0
          : case_wrong(&c->in, v,
                       "there is no type %s; a buffer is of char, uchar, short, ushort, int, uint, long, ulong, half, "
                       "float or double, of vectors of these such as float4, or of what a kernel's parameter points "
                       "to%s",
                       type, buffer_text(&others));
  free(type);
  return result;
}

static int take_elements(composing *c, yaml_value *at, yaml_value *v, const contents_keys *keys, case_object *o) {
  int64_t elements = 0;
  if (v == NULL) {
    if (case_contents_count(&c->in, keys, &o->type, &o->elements) != 0) return -1;
    return o->elements > 0 ? 0 : case_wrong(&c->in, at, "this buffer wants a number of elements, from 1 on");
  }
  const int64_t most = (int64_t)(CASE_BYTES_MOST / o->type.size);
  if (case_integer(&c->in, v, "the number of elements", 1, most, &elements) != 0) return -1;
  o->elements = (uint64_t)elements;
  return 0;
}

static int add_buffer(composing *c, const char *name, yaml_value *at, yaml_value *v) {
  yaml_value *type, *elements, *access;
  contents_keys k;
  const yaml_key keys[] = {{"type", &type}, {"elements", &elements}, {"access", &access}, CONTENTS_KEYS(k)};
  uint64_t flags = 0;
  uint32_t blob = CAPTURE_NONE;
  if (case_keys(&c->in, v, "a buffer", keys, sizeof keys / sizeof *keys) != 0) return -1;
  case_object *o = compose_object(c, name, at, OBJECT_BUFFER);
  if (o == NULL || take_access(c, access, &flags) != 0 || take_type(c, v, type, &o->type) != 0 ||
      take_elements(c, v, elements, &k, o) != 0 || fill(c, o, &k, &blob) != 0)
    return -1;
  /* Formulas from here on know its numbers. */
  scope_name *n = scope_add(&c->names, o->name);
  n->kind = SCOPE_ARRAY;
  n->bytes = o->bytes;
  n->number = o->type.number;
  n->count = (size_t)o->elements * case_element_numbers(&o->type);
  n->used = o->type.used < o->type.lanes ? o->type.used : 0;
  n->of = o->type.lanes;
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
    return case_wrong(&c->in, v == NULL ? at : v,
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
    return case_wrong(&c->in, size == NULL ? at : size,
                      "the size of an image is one to three numbers, as in [16, 16], with layers: one or two");
  }
  for (size_t i = 0; i < count; i++) {
    yaml_value *v = yaml_is_list(size) ? yaml_item(c->in.file, size, i) : size;
    if (case_integer(&c->in, v, "the size of an image", 1, 1 << 20, &sizes[i]) != 0) return -1;
  }
  if (layers != NULL && case_integer(&c->in, layers, "the number of layers", 1, 1 << 20, &depth) != 0) return -1;
  image->u.image.type = layers == NULL ? types[count - 1] : arrays[count - 1];
  image->u.image.width = (uint64_t)sizes[0];
  image->u.image.height = (uint64_t)sizes[1];
  image->u.image.depth = (uint64_t)sizes[2];
  image->u.image.array_size = (uint64_t)depth;
  (void)capture_extent(image, o->extent);
  o->elements = capture_region_bytes(o->extent, 1);
  return o->elements <= CASE_BYTES_MOST / o->type.size ? 0
                                                       : case_wrong(&c->in, size, "this image is larger than 4 GiB");
}

static int add_image(composing *c, const char *name, yaml_value *at, yaml_value *v) {
  yaml_value *format, *size, *layers, *access;
  contents_keys k;
  const yaml_key keys[] = {
      {"format", &format}, {"size", &size}, {"layers", &layers}, {"access", &access}, CONTENTS_KEYS(k)};
  capture_command image = {.kind = CAPTURE_IMAGE};
  if (case_keys(&c->in, v, "an image", keys, sizeof keys / sizeof *keys) != 0) return -1;
  case_object *o = compose_object(c, name, at, OBJECT_IMAGE);
  image.u.image.buffer = CAPTURE_NONE;
  if (o == NULL || take_access(c, access, &image.u.image.flags) != 0 ||
      take_format(c, v, format, &image, &o->type) != 0 || take_size(c, v, size, layers, &image, o) != 0 ||
      fill(c, o, &k, &image.u.image.blob) != 0)
    return -1;
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
  if (case_keys(&c->in, v, "a sampler", keys, sizeof keys / sizeof *keys) != 0 ||
      compose_object(c, name, at, OBJECT_SAMPLER) == NULL)
    return -1;
  const format_word *a = address == NULL ? &format_addresses[0] : choose(c, address, "address", format_addresses, 5);
  const format_word *f = a == NULL ? NULL : filter == NULL ? &filters[0] : choose(c, filter, "filter", filters, 2);
  const format_word *n = f == NULL            ? NULL
                         : normalized == NULL ? &truths[0]
                                              : choose(c, normalized, "normalized", truths, 2);
  if (n == NULL) return -1;
  capture_command *next = compose_command(c, CAPTURE_SAMPLER);
  next->u.sampler.addressing = a->value;
  next->u.sampler.filter = f->value;
  next->u.sampler.normalized = n->value;
  return 0;
}

int compose_samplers(composing *c) { return for_each(c, c->keys.samplers, "samplers", add_sampler); }

/* What a buffer or an image holds: one of some forms. */

/* Bytes that are being filled. */
typedef struct filling {
  const case_reader *in;
  const element_type *type;
  uint64_t elements, first, numbers; /* numbers: of all elements */
  unsigned char *bytes;
} filling;

int case_contents_form(const case_reader *r, const contents_keys *k, yaml_value **out) {
  yaml_value *const forms[] = {k->values, k->ramp, k->random, k->permutation, k->file, k->formula, k->fill};
  *out = NULL;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (forms[i] != NULL && *out != NULL) {
      return case_wrong(r, forms[i],
                        "one of values, ramp, random, permutation, file, formula and fill says what it holds, not two");
    }
    *out = forms[i] != NULL ? forms[i] : *out;
  }
  return 0;
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static int put(const filling *f, uint64_t number, formula_value v, yaml_value *at) {
  const element_type *t = f->type;
  const size_t many = case_element_numbers(t), lane = (size_t)(number % many);
  unsigned char *to = f->bytes + (size_t)(number / many) * t->size + lane * number_size(t->number);
  if (case_put(t->number, v, to)) return 0;
  char what[40];
  (void)snprintf(what, sizeof what, "number %llu", (unsigned long long)number);
  return case_not_put(f->in, t->number, what, v, at);
}

static int put_formula(const filling *f, yaml_value *text) {
  formula_error why;
  if (!yaml_is_text(text)) return case_wrong(f->in, text, "a formula is wanted here, such as \"2 * i\"");
  formula *what = formula_read(yaml_text(text), f->in->names, f->numbers, &why);
  int result = what == NULL ? yaml_wrong_in(f->in->file, text, why.offset, f->in->e, "%s", why.text) : 0;
  const uint64_t before = f->first * case_element_numbers(f->type);
  for (uint64_t i = 0; i < f->numbers && result == 0; i++) {
    formula_value v;
    if (formula_at(what, (int64_t)(before + i), &v, &why) != 0) {
      result = yaml_wrong_in(f->in->file, text, why.offset, f->in->e, "where i is %llu: %s",
                             (unsigned long long)(before + i), why.text);
    } else {
      result = put(f, i, v, text);
    }
  }
  formula_free(what);
  return result;
}

/* One number, or one for each of an element. */
static int put_fill(const filling *f, yaml_value *fill) {
  const size_t many = case_element_numbers(f->type);
  const bool list = yaml_is_list(fill);
  if (list && yaml_count(fill) != many) {
    return case_wrong(f->in, fill, "an element has %zu number%s, not %zu", many, many == 1 ? "" : "s",
                      yaml_count(fill));
  }
  for (size_t lane = 0; lane < many; lane++) {
    formula_value v;
    yaml_value *item = list ? yaml_item(f->in->file, fill, lane) : fill;
    if (case_number(f->in, item, &v) != 0) return -1;
    for (uint64_t i = lane; i < f->numbers; i += many)
      if (put(f, i, v, item) != 0) return -1;
  }
  return 0;
}

/* --- sequences ---------------------------------------------------------------------------------------------------- */

/* A number of a map, or what it is where the map does not have it. */
static int read_number(const filling *f, yaml_value *v, int64_t otherwise, formula_value *out) {
  *out = (formula_value){.integer = otherwise};
  return v == NULL ? 0 : case_number(f->in, v, out);
}

static int put_ramp(const filling *f, yaml_value *ramp) {
  yaml_value *from, *step;
  const yaml_key keys[] = {{"from", &from}, {"step", &step}};
  formula_value a, b;
  if (case_keys(f->in, ramp, "a ramp", keys, 2) != 0 || read_number(f, from, 0, &a) != 0 ||
      read_number(f, step, 1, &b) != 0)
    return -1;
  for (uint64_t i = 0; i < f->numbers; i++) {
    formula_value v = {.real = a.real || b.real};
    v.number = formula_real(a) + (double)i * formula_real(b);
    v.integer = v.real ? 0 : a.integer + (number_wide)i * b.integer;
    if (!number_fits(v.integer)) return case_wrong(f->in, ramp, "the ramp leaves 64 bits");
    if (put(f, i, v, ramp) != 0) return -1;
  }
  return 0;
}

/* The numbers of splitmix64: each from a state that goes up by a constant. */
static uint64_t next_random(uint64_t *state) {
  uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static int read_seed(const filling *f, yaml_value *v, uint64_t *out) {
  formula_value seed;
  if (read_number(f, v, 1, &seed) != 0) return -1;
  *out = (uint64_t)seed.integer;
  return seed.real ? case_wrong(f->in, v, "a seed is an integer, and this is %g", seed.number) : 0;
}

static int put_random(const filling *f, yaml_value *random) {
  yaml_value *seed, *from, *to;
  const yaml_key keys[] = {{"seed", &seed}, {"from", &from}, {"to", &to}};
  formula_value a, b;
  uint64_t state = 0;
  if (case_keys(f->in, random, "random", keys, 3) != 0 || read_seed(f, seed, &state) != 0 ||
      read_number(f, from, 0, &a) != 0 || read_number(f, to, number_is_real(f->type->number) ? 1 : 100, &b) != 0)
    return -1;
  if (!(formula_real(a) <= formula_real(b)) || !isfinite(formula_real(b) - formula_real(a)))
    return case_wrong(f->in, random, "from is not above to");
  const bool real = number_is_real(f->type->number);
  if (!real && (a.real || b.real))
    return case_wrong(f->in, random, "from and to of %s are integers", number_name(f->type->number));
  const number_wide range = real ? 1 : b.integer - a.integer + 1;
  for (uint64_t i = 0; i < f->numbers; i++) {
    const uint64_t drawn = next_random(&state);
    formula_value v = {.real = real};
    v.number = formula_real(a) + (formula_real(b) - formula_real(a)) * ((double)(drawn >> 11) * 0x1p-53);
    v.integer = a.integer + drawn % range;
    if (put(f, i, v, random) != 0) return -1;
  }
  return 0;
}

uint64_t *case_permutation(uint64_t seed, uint64_t count) {
  uint64_t state = seed, *order = mem_calloc((size_t)count + 1, sizeof *order);
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t k = next_random(&state) % (i + 1);
    order[i] = order[k];
    order[k] = i;
  }
  return order;
}

static int put_permutation(const filling *f, yaml_value *permutation) {
  yaml_value *seed;
  const yaml_key keys[] = {{"seed", &seed}};
  uint64_t state = 0;
  if (case_keys(f->in, permutation, "a permutation", keys, 1) != 0 || read_seed(f, seed, &state) != 0) return -1;
  scoped uint64_t *order = case_permutation(state, f->numbers);
  int result = 0;
  for (uint64_t i = 0; i < f->numbers && result == 0; i++)
    result = put(f, i, (formula_value){.integer = order[i]}, permutation);
  return result;
}

/* Its bytes, and path, which is to be freed. */
static int file_size(const case_reader *r, yaml_value *v, char **path, uint64_t *size) {
  struct stat status;
  char *name = case_text(r, v);
  if (name == NULL) return -1;
  *path = case_path(r->suite, name);
  free(name);
  if (stat(*path, &status) != 0 || !S_ISREG(status.st_mode)) {
    const int result =
        case_wrong(r, v, "there is no file %s; `cltestcheck run --update` makes those of results", *path);
    free(*path);
    return result;
  }
  *size = (uint64_t)status.st_size;
  return 0;
}

static int put_file(const filling *f, yaml_value *v) {
  char *path = NULL;
  uint64_t size = 0;
  const uint64_t wanted = f->elements * f->type->size;
  if (file_size(f->in, v, &path, &size) != 0) return -1;
  int result = 0;
  if (size != wanted) {
    result = case_wrong(f->in, v, "%s has %llu bytes, and %llu elements have %llu", path, (unsigned long long)size,
                        (unsigned long long)f->elements, (unsigned long long)wanted);
  } else {
    FILE *in = fopen(path, "rbe");
    if (in == NULL || fread(f->bytes, 1, (size_t)wanted, in) != wanted)
      result = case_wrong(f->in, v, "%s cannot be read", path);
    if (in != NULL) (void)fclose(in);
  }
  free(path);
  return result;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

int case_contents_count(const case_reader *r, const contents_keys *k, const element_type *type, uint64_t *out) {
  *out = 0;
  if (k->values != NULL && yaml_is_list(k->values)) {
    *out = yaml_count(k->values) / case_element_numbers(type);
  } else if (k->file != NULL) {
    char *path = NULL;
    uint64_t size = 0;
    if (file_size(r, k->file, &path, &size) != 0) return -1;
    free(path);
    *out = size / type->size;
  }
  return 0;
}

static int put_form(const filling *f, const contents_keys *k) {
  if (k->values != NULL) {
    if (!yaml_is_list(k->values)) return case_wrong(f->in, k->values, "values is a list of numbers");
    if (yaml_count(k->values) != f->numbers) {
      return case_wrong(f->in, k->values, "these are %zu numbers, and there are %llu in %llu element%s",
                        yaml_count(k->values), (unsigned long long)f->numbers, (unsigned long long)f->elements,
                        f->elements == 1 ? "" : "s");
    }
    for (uint64_t i = 0; i < f->numbers; i++) {
      formula_value v;
      yaml_value *item = yaml_item(f->in->file, k->values, (size_t)i);
      if (case_number(f->in, item, &v) != 0 || put(f, i, v, item) != 0) return -1;
    }
    return 0;
  }
  if (k->ramp != NULL) return put_ramp(f, k->ramp);
  if (k->random != NULL) return put_random(f, k->random);
  if (k->permutation != NULL) return put_permutation(f, k->permutation);
  if (k->file != NULL) return put_file(f, k->file);
  return k->formula != NULL ? put_formula(f, k->formula) : put_fill(f, k->fill);
}

int case_contents_make(const case_reader *r, const contents_keys *k, const element_type *type, uint64_t elements,
                       uint64_t first, unsigned char **out) {
  filling f = {r, type, elements, first, elements * case_element_numbers(type), NULL};
  f.bytes = mem_calloc((size_t)elements + 1, type->size);
  if (put_form(&f, k) != 0) {
    free(f.bytes);
    return -1;
  }
  *out = f.bytes;
  return 0;
}

/* Tables of element types, image formats and samplers, read both ways. */

const format_word format_orders[] = {
    {"r", CL_R, 0},
    {"a", CL_A, 0},
    {"rg", CL_RG, 0},
    {"ra", CL_RA, 0},
    {"rgba", CL_RGBA, 0},
    {"bgra", CL_BGRA, 0},
    {"argb", CL_ARGB, 0},
    {"intensity", CL_INTENSITY, 0},
    {"luminance", CL_LUMINANCE, 0},
    {NULL, 0, 0},
};

const format_word format_types[] = {
    {"snorm8", CL_SNORM_INT8, NUMBER_CHAR},
    {"snorm16", CL_SNORM_INT16, NUMBER_SHORT},
    {"unorm8", CL_UNORM_INT8, NUMBER_UCHAR},
    {"unorm16", CL_UNORM_INT16, NUMBER_USHORT},
    {"int8", CL_SIGNED_INT8, NUMBER_CHAR},
    {"int16", CL_SIGNED_INT16, NUMBER_SHORT},
    {"int32", CL_SIGNED_INT32, NUMBER_INT},
    {"uint8", CL_UNSIGNED_INT8, NUMBER_UCHAR},
    {"uint16", CL_UNSIGNED_INT16, NUMBER_USHORT},
    {"uint32", CL_UNSIGNED_INT32, NUMBER_UINT},
    {"half", CL_HALF_FLOAT, NUMBER_HALF},
    {"float", CL_FLOAT, NUMBER_FLOAT},
    {NULL, 0, NUMBER_KINDS},
};

const format_word format_addresses[] = {{"none", CL_ADDRESS_NONE, 0},
                                        {"clamp", CL_ADDRESS_CLAMP, 0},
                                        {"clamp-to-edge", CL_ADDRESS_CLAMP_TO_EDGE, 0},
                                        {"repeat", CL_ADDRESS_REPEAT, 0},
                                        {"mirrored-repeat", CL_ADDRESS_MIRRORED_REPEAT, 0},
                                        {NULL, 0, 0}};

const format_word *format_find(const format_word *words, const char *name, size_t length) {
  for (; words->name != NULL; words++)
    if (strlen(words->name) == length && strncmp(words->name, name, length) == 0) return words;
  return NULL;
}

/* The row of a value, or the last one. */
static const format_word *row(const format_word *words, uint32_t value) {
  while (words->name != NULL && words->value != value) words++;
  return words;
}

uint32_t format_number(uint32_t type) { return row(format_types, type)->number; }
const char *format_type_name(uint32_t type) { return row(format_types, type)->name; }
const char *format_order_name(uint32_t order) { return row(format_orders, order)->name; }
const char *format_address_name(uint32_t address) { return row(format_addresses, address)->name; }

/* Types of elements by their names. */

static bool find_number(const char *type, element_type *out) {
  const size_t letters = strcspn(type, "0123456789");
  const uint32_t number = number_find(type, letters);
  const unsigned long lanes = type[letters] == '\0' ? 1 : strtoul(type + letters, NULL, 10);
  const bool known = lanes == 1 || lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16;
  if (number == NUMBER_KINDS || !known || (lanes == 1 && type[letters] != '\0') ||
      strspn(type + letters, "0123456789") != strlen(type + letters))
    return false;
  *out = (element_type){number, lanes == 3 ? 4 : (uint32_t)lanes, (uint32_t)lanes, 0};
  out->size = number_size(number) * out->lanes;
  return true;
}

static bool is_named(const case_parameter *p, const char *type) {
  const char *tag = strncmp(p->type, "struct ", 7) == 0 ? p->type + 7 : p->type;
  return p->size > 0 && type[0] != '\0' &&
         (strcmp(p->type, type) == 0 || strcmp(tag, type) == 0 || strcmp(p->written, type) == 0);
}

static bool is_same(const element_type *a, const element_type *b) {
  return a->number == b->number && a->used == b->used && a->size == b->size;
}

/* A name that two kernels have for different types is none. */
bool case_element_find(const char *type, const case_kernels *kernels, element_type *out) {
  if (find_number(type, out)) return true;
  bool known = false;
  for (size_t k = 0; kernels != NULL && k < kernels->count; k++) {
    for (size_t p = 0; p < kernels->items[k].count; p++) {
      const case_parameter *named = &kernels->items[k].parameters[p];
      if (!is_named(named, type)) continue;
      element_type of = {NUMBER_UCHAR, 1, 1, named->size};
      (void)find_number(named->type, &of);
      if (known && !is_same(out, &of)) return false;
      known = true;
      *out = of;
    }
  }
  return known;
}

void case_element_others(const case_kernels *kernels, buffer *out) {
  element_type ignored;
  scoped_buffer list = {0};
  for (size_t k = 0; k < kernels->count; k++) {
    for (size_t p = 0; p < kernels->items[k].count; p++) {
      const case_parameter *is = &kernels->items[k].parameters[p];
      if (is->kind == CASE_MEMORY && is->size > 0 && !find_number(is->type, &ignored) &&
          strstr(buffer_text(&list), is->type) == NULL)
        buffer_printf(&list, "%s%s", list.length == 0 ? "" : ", ", is->type);
    }
  }
  if (list.length > 0) buffer_printf(out, ", here: %s", buffer_text(&list));
}

size_t case_element_numbers(const element_type *t) { return t->used * (t->size / (t->lanes * number_size(t->number))); }
