/* Names of vector functions and coordinates of images. */
#include "instrument/vectors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "frontend/tree.h"

uint32_t vector_function_components(const char *name) {
  static const char *const roundings[] = {"_rte", "_rtz", "_rtp", "_rtn"};
  size_t end = strlen(name);
  for (size_t i = 0; i < 4; i++) {
    if (end > 4 && strcmp(name + end - 4, roundings[i]) == 0) {
      end -= 4;
      break;
    }
  }
  size_t begin = end;
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') begin--;
  return begin == end ? 1 : (uint32_t)strtoul(name + begin, NULL, 10);
}

bool vector_function_is_aligned(const char *name) {
  return strncmp(name, "vloada", 6) == 0 || strncmp(name, "vstorea", 7) == 0;
}

uint32_t vector_function_step(const char *name) {
  const uint32_t count = vector_function_components(name);
  return vector_function_is_aligned(name) && count == 3 ? 4 : count;
}

/* Coordinates by the kind of an image. */

void put_pixel(const char *coordinates, const tree_node *index, const tree_node *image, buffer *out) {
  const uint32_t lanes = tree_lanes(index->type);
  const char *kind = image->type->name;
  const bool array = strstr(kind, "array") != NULL;
  static const char *const parts[] = {".x", ".y", ".z"};
  for (uint32_t d = 0; d < 3; d++)
    if (d >= lanes || (d == 2 && strstr(kind, "3d") == NULL && !array))
      buffer_puts(out, ", 0ul");
    else
      buffer_printf(out, ", (ulong)%s%s", coordinates, lanes == 1 ? "" : parts[d]);
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
