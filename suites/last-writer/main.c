/* last-writer [WIDTH [HEIGHT [VALUES [store|maximum]]]]: where in an image each of VALUES values was last seen, by
 * work-groups of 8 x 8. For twice as many groups as there are values, the first cell of group g has the value
 * g % VALUES; no other cell has one. store: each group stores what it has seen; maximum: the greatest place is kept. */
#include <stdlib.h>

#include "common/host.h"

enum { TILE = 8 };

static void launch(const host *h, const char *name, int width, int height, cl_mem image, cl_mem places) {
  const size_t local[2] = {TILE, TILE};
  const size_t global[2] = {host_round_up((size_t)width, TILE), host_round_up((size_t)height, TILE)};
  cl_kernel kernel = host_kernel(h, name);
  HOST_ARGUMENT(kernel, 0, width);
  HOST_ARGUMENT(kernel, 1, height);
  HOST_ARGUMENT(kernel, 2, image);
  HOST_ARGUMENT(kernel, 3, places);
  host_launch(h, kernel, 2, NULL, global, local);
  clReleaseKernel(kernel);
}

/* Leaves in `last` where each value is last seen. */
static void fill(int width, int height, int values, int *image, int *last) {
  const int columns = (width + TILE - 1) / TILE, rows = (height + TILE - 1) / TILE;
  if (2 * values > columns * rows)
    host_fail("an image of %d work-groups is too small for %d values", columns * rows, values);
  for (int i = 0; i < width * height; i++) image[i] = -1;
  for (int group = 0; group < 2 * values; group++) {
    last[group % values] = group / columns * TILE * width + group % columns * TILE;
    image[last[group % values]] = group % values;
  }
}

int main(int argc, char **argv) {
  const int width = host_number(argc, argv, 1, 32, 1, 1024), height = host_number(argc, argv, 2, 32, 1, 1024);
  const int values = host_number(argc, argv, 3, 4, 1, 1024);
  const bool maximum = host_word(argc, argv, 4, "store", "maximum");
  const size_t image_bytes = (size_t)(width * height) * sizeof(int), bytes = (size_t)values * sizeof(int);
  int *image = host_calloc(image_bytes, 1), *places = host_calloc(bytes, 1), *last = host_calloc(bytes, 1);

  host h = host_open("last-writer", "");
  fill(width, height, values, image, last);
  for (int i = 0; i < values; i++) places[i] = -1;
  cl_mem image_buffer = host_buffer(&h, image_bytes, image), places_buffer = host_buffer(&h, bytes, places);
  launch(&h, maximum ? "greatest_places" : "last_places", width, height, image_buffer, places_buffer);
  host_read(&h, places_buffer, bytes, places);

  int wrong = 0, sum = 0;
  for (int i = 0; i < values; i++) {
    wrong += places[i] != last[i];
    sum += places[i];
  }
  clReleaseMemObject(places_buffer);
  clReleaseMemObject(image_buffer);
  free(last);
  free(places);
  free(image);
  return host_finish(&h, wrong == 0, "%d of %d places are wrong, their sum is %d", wrong, values, sum);
}
