/* Elements of memory by the names of their types. */
#include "schedamp/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Types that values can be shown of. */
typedef struct scalar_type {
  const char *name;
  size_t size;
  char kind; /* i: signed, u: unsigned, f: floating */
} scalar_type;

static const scalar_type scalars[] = {
    {"char", 1, 'i'},         {"uchar", 1, 'u'},         {"unsigned char", 1, 'u'}, {"short", 2, 'i'},
    {"ushort", 2, 'u'},       {"int", 4, 'i'},           {"uint", 4, 'u'},          {"unsigned short", 2, 'u'},
    {"unsigned int", 4, 'u'}, {"long", 8, 'i'},          {"ulong", 8, 'u'},         {"float", 4, 'f'},
    {"double", 8, 'f'},       {"unsigned long", 8, 'u'}, {"bool", 1, 'u'},          {"atomic_int", 4, 'i'},
    {"atomic_uint", 4, 'u'},  {"atomic_long", 8, 'i'},   {"atomic_ulong", 8, 'u'},  {"atomic_float", 4, 'f'},
};

/* The scalar type and number of components of "float4"; NULL when values of the type cannot be shown. */
static const scalar_type *find_type(const char *name, size_t *components) {
  for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++) {
    size_t length = strlen(scalars[i].name);
    if (strncmp(name, scalars[i].name, length) == 0 && strspn(name + length, "0123456789") == strlen(name + length)) {
      *components = name[length] == '\0' ? 1 : strtoul(name + length, NULL, 10);
      return &scalars[i];
    }
  }
  return NULL;
}

/* The type of an image's channels by its number in OpenCL (CL_SNORM_INT8 …). Normalised numbers are shown as they are
 * stored. NULL: several channels share a byte. */
static const scalar_type *find_channel(uint32_t number) {
  static const struct {
    uint32_t number;
    const char *type;
  } channels[] = {{0x10D0, "char"},   {0x10D1, "short"}, {0x10D2, "uchar"},  {0x10D3, "ushort"},
                  {0x10D7, "char"},   {0x10D8, "short"}, {0x10D9, "int"},    {0x10DA, "uchar"},
                  {0x10DB, "ushort"}, {0x10DC, "uint"},  {0x10DD, "ushort"}, {0x10DE, "float"}}; /* half: by its bits */
  size_t components = 0;
  for (size_t i = 0; i < sizeof channels / sizeof channels[0]; i++)
    if (channels[i].number == number) return find_type(channels[i].type, &components);
  return NULL;
}

static long long signed_value(const char *at, size_t size) {
  signed char c = 0;
  short s = 0;
  int i = 0;
  long long l = 0;
  memcpy(size == 1 ? (void *)&c : size == 2 ? (void *)&s : size == 4 ? (void *)&i : (void *)&l, at, size);
  return size == 1 ? c : size == 2 ? s : size == 4 ? i : l;
}

static int print_scalar(const scalar_type *t, const char *at, char *out, size_t room) {
  float f = 0;
  double d = 0;
  unsigned long long u = 0;
  switch (t->kind) {
    case 'f':
      memcpy(t->size == 4 ? (void *)&f : (void *)&d, at, t->size);
      return snprintf(out, room, "%.9g", t->size == 4 ? (double)f : d);
    case 'u': memcpy(&u, at, t->size); return snprintf(out, room, "%llu", u);
    default: return snprintf(out, room, "%lld", signed_value(at, t->size));
  }
}

/* "(1, 2, 3, 4)" for vectors; of which as many components as fit are written. */
static void print_value(const scalar_type *t, size_t components, const char *at, char *out, size_t room) {
  size_t n = 0;
  if (components > 1) out[n++] = '(';
  for (size_t i = 0; i < components && n + 24 < room; i++) {
    n += (size_t)snprintf(out + n, room - n, "%s", i > 0 ? ", " : "");
    n += (size_t)print_scalar(t, at + i * t->size, out + n, room - n);
  }
  (void)snprintf(out + n, room - n, "%s", components > 1 ? ")" : "");
}

static const memory_image *image_of(const memory_images *all, uint32_t argument) {
  for (size_t i = 0; i < all->count; i++)
    if (all->items[i].argument == argument) return &all->items[i];
  return NULL;
}

/* Of two images of the same length, by elements of `size` bytes. */
static void find_differences(const memory_image *a, const memory_image *b, size_t size, memory_difference *out) {
  size_t length = a->length < b->length ? a->length : b->length;
  for (size_t at = 0; at + size <= length; at += size) {
    if (memcmp(a->data + at, b->data + at, size) != 0) {
      out->first = out->differing == 0 ? at / size : out->first;
      out->last = at / size;
      out->differing++;
    }
  }
}

/* How an argument is cut into elements. */
typedef struct layout {
  const scalar_type *type;
  size_t components, stride;
  const char *unit;
} layout;

static layout layout_of(const memory_image *i, const char *name) {
  static const scalar_type byte = {"uchar", 1, 'u'};
  size_t components = 1;
  const scalar_type *type = i->width > 0 ? find_channel(i->channel) : find_type(name, &components);
  if (i->width > 0 && i->pixel > 0) {
    type = type == NULL || i->pixel % type->size != 0 ? &byte : type;
    return (layout){type, i->pixel / type->size, i->pixel, "pixel"};
  }
  if (type == NULL) return (layout){&byte, 1, 1, "byte"};
  /* a vector of three takes the room of four */
  return (layout){type, components, type->size * (components == 3 ? 4 : components), "element"};
}

void memory_pixel(const memory_difference *d, uint64_t number, char text[MEMORY_PLACE]) {
  const uint64_t width = d->width > 0 ? d->width : 1, height = d->height > 0 ? d->height : 1;
  const unsigned long long x = number % width, y = number / width % height, z = number / width / height;
  if (d->last >= width * height)
    (void)snprintf(text, MEMORY_PLACE, "(%llu, %llu, %llu)", x, y, z);
  else
    (void)snprintf(text, MEMORY_PLACE, "(%llu, %llu)", x, y);
}

bool memory_compare(const memory_images *reference, const memory_images *seen, const char *const *types,
                    size_t type_count, memory_difference *out) {
  for (size_t i = 0; i < reference->count; i++) {
    const memory_image *a = &reference->items[i];
    const memory_image *b = image_of(seen, a->argument);
    const layout l = layout_of(a, a->argument < type_count ? types[a->argument] : "");
    *out = (memory_difference){.argument = a->argument, .unit = l.unit, .width = a->width, .height = a->height};
    if (b == NULL || l.stride == 0) continue;
    find_differences(a, b, l.stride, out);
    if (out->differing > 0) {
      print_value(l.type, l.components, a->data + out->first * l.stride, out->reference, sizeof out->reference);
      print_value(l.type, l.components, b->data + out->first * l.stride, out->seen, sizeof out->seen);
      return true;
    }
  }
  return false;
}
