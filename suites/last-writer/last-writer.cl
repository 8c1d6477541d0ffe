/* Planted defect: work-groups that store to one place. */

/* Where in an image each value was last seen, in reading order; cells below 0 do not count.
 * DEFECT: of several groups that see a value, the last to store decides, whichever that is. */
__kernel void last_places(const int width, const int height, __global const int *image, __global int *places) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  const int value = image[y * width + x];
  if (value >= 0)
    places[value] = y * width + x;
}

/* The same done right: the greatest place of a value stays, in whatever order they come. */
__kernel void greatest_places(const int width, const int height, __global const int *image, __global int *places) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  const int value = image[y * width + x];
  if (value >= 0)
    atomic_max(&places[value], y * width + x);
}
