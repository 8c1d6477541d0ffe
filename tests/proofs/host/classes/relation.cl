// One value a pixel. If the rows of the image are shorter than those of the launch, two work-items write one element.
kernel void tone(global float *image, int width, int channels) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  image[width * channels * y + x * channels] = x + y;
}
