/* Coordinates by the kind of an image. */
#include "instrument/pixels.h"

#include <string.h>

void put_pixel(const char *coordinates, const tree_node *index, const tree_node *image, buffer *out) {
  const uint32_t lanes = tree_lanes(index->type);
  const char *kind = image->type->name;
  const bool array = strstr(kind, "array") != NULL;
  static const char *const parts[] = {".x", ".y", ".z"};
  for (uint32_t d = 0; d < 3; d++) {
    if (d >= lanes || (d == 2 && strstr(kind, "3d") == NULL && !array)) {
      buffer_puts(out, ", 0ul");
    } else {
      buffer_printf(out, ", (ulong)%s%s", coordinates, lanes == 1 ? "" : parts[d]);
    }
  }
}

void put_pixel_sizes(const tree_node *image, const char *pixels, buffer *out) {
  const char *name = image->symbol->name, *kind = image->type->name;
  const bool array = strstr(kind, "array") != NULL, flat = strstr(kind, "1d") != NULL;
  if (strstr(kind, "buffer") != NULL) { /* some devices do not know the width of these */
    buffer_printf(out, ", %s, 1ul, 1ul", pixels);
    return;
  }
  buffer_printf(out, ", (ulong)get_image_width(%s)", name);
  buffer_printf(out,
                flat && array ? ", (ulong)get_image_array_size(%s)"
                : flat        ? ", 1ul"
                              : ", (ulong)get_image_height(%s)",
                name);
  buffer_printf(out,
                strstr(kind, "3d") != NULL ? ", (ulong)get_image_depth(%s)"
                : array && !flat           ? ", (ulong)get_image_array_size(%s)"
                                           : ", 1ul",
                name);
}
