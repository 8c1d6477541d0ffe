/* In what the memory of a launch differs between two runs. */
#ifndef CLTC_SCHEDAMP_MEMORY_H
#define CLTC_SCHEDAMP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a launch left in an argument. */
typedef struct memory_image {
  uint32_t argument;
  char *data;
  size_t length;           /* of `data`: less where it was cut */
  uint64_t width, height;  /* of an image, in pixels; else 0 */
  uint32_t channel, pixel; /* the type of its channels as OpenCL numbers it; bytes of a pixel */
} memory_image;

typedef struct memory_images {
  memory_image *items;
  size_t count, capacity;
} memory_images;

/* In words and figures. */
typedef struct memory_difference {
  uint32_t argument;
  uint64_t first, last, differing; /* elements */
  char reference[64], seen[64];    /* values at `first` */
  const char *unit;                /* "element", "pixel" or "byte" */
  uint64_t width, height;          /* of an image, else 0 */
} memory_difference;

/* Where a pixel is: "(3, 5)", in a volume "(3, 5, 0)". */
#define MEMORY_PLACE 72
void memory_pixel(const memory_difference *d, uint64_t number, char text[MEMORY_PLACE]);
/* The first argument that differs; false: none does. `types`: names of the types that the arguments point to, "" where
 * there is none. */
bool memory_compare(const memory_images *reference, const memory_images *seen, const char *const *types,
                    size_t type_count, memory_difference *out);

#endif
