/* image-filter [WIDTH [HEIGHT [smooth [RADIUS]|threshold]]]: filters an image of four float channels. */
#include <stdlib.h>

#include "common/host.h"

enum { LOCAL = 8, CHANNELS = 4 };

static const float limit = 0.5f;

static cl_mem create_image(const host *h, int width, int height, float *pixels) {
  const cl_image_format format = {.image_channel_order = CL_RGBA, .image_channel_data_type = CL_FLOAT};
  cl_image_desc description = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = (size_t)width, .image_height = (size_t)height};
  cl_int status = CL_SUCCESS;
  const cl_mem_flags flags = pixels ? CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR : CL_MEM_WRITE_ONLY;
  cl_mem image = clCreateImage(h->context, flags, &format, &description, pixels, &status);
  host_check(status, "clCreateImage");
  return image;
}

static void read_image(const host *h, cl_mem image, int width, int height, float *pixels) {
  const size_t origin[3] = {0, 0, 0}, region[3] = {(size_t)width, (size_t)height, 1};
  host_check(clEnqueueReadImage(h->queue, image, CL_TRUE, origin, region, 0, 0, pixels, 0, NULL, NULL),
             "clEnqueueReadImage");
}

static void launch_smooth(const host *h, int width, int height, int radius, cl_mem in, cl_mem out) {
  const size_t local[2] = {LOCAL, LOCAL};
  const size_t global[2] = {host_round_up((size_t)width, LOCAL), host_round_up((size_t)height, LOCAL)};
  cl_kernel kernel = host_kernel(h, "smooth");
  HOST_ARGUMENT(kernel, 0, radius);
  HOST_ARGUMENT(kernel, 1, in);
  HOST_ARGUMENT(kernel, 2, out);
  host_launch(h, kernel, 2, NULL, global, local);
  clReleaseKernel(kernel);
}

static void launch_threshold(const host *h, int width, int height, cl_mem in, cl_mem out) {
  const size_t global[2] = {(size_t)width, (size_t)height};
  cl_kernel kernel = host_kernel(h, "threshold");
  HOST_ARGUMENT(kernel, 0, limit);
  HOST_ARGUMENT(kernel, 1, in);
  HOST_ARGUMENT(kernel, 2, out);
  host_launch(h, kernel, 2, NULL, global, NULL);
  clReleaseKernel(kernel);
}

static int clamped(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

/* What `smooth` should make of one channel of the pixel in column x, row y. */
static float smoothed(const float *in, int width, int height, int radius, int x, int y, int channel) {
  const float weights[3] = {4.0f, 2.0f, 1.0f};
  float sum = 0.0f, total = 0.0f;
  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      const float weight = weights[abs(dx)] * weights[abs(dy)];
      sum += weight * in[(clamped(y + dy, height) * width + clamped(x + dx, width)) * CHANNELS + channel];
      total += weight;
    }
  return sum / total;
}

static int count_wrong(const float *in, const float *out, int width, int height, bool threshold, int radius) {
  int wrong = 0;
  for (int i = 0; i < width * height * CHANNELS; i++) {
    const int pixel = i / CHANNELS;
    const float expected = threshold ? (in[i] > limit ? 1.0f : 0.0f)
                                     : smoothed(in, width, height, radius, pixel % width, pixel / width, i % CHANNELS);
    wrong += !host_close(out[i], expected, 1e-5f);
  }
  return wrong;
}

static int filter(host *h, int width, int height, bool threshold, int radius) {
  const size_t count = (size_t)(width * height * CHANNELS);
  float *in = host_calloc(count, sizeof *in), *out = host_calloc(count, sizeof *out);
  for (size_t i = 0; i < count; i++) in[i] = i % CHANNELS == 3 ? 1.0f : (float)(i % 10) / 10.0f; /* opaque */
  cl_mem in_image = create_image(h, width, height, in), out_image = create_image(h, width, height, NULL);
  if (threshold)
    launch_threshold(h, width, height, in_image, out_image);
  else
    launch_smooth(h, width, height, radius, in_image, out_image);
  read_image(h, out_image, width, height, out);
  const int wrong = count_wrong(in, out, width, height, threshold, radius);
  clReleaseMemObject(out_image);
  clReleaseMemObject(in_image);
  free(out);
  free(in);
  return wrong;
}

int main(int argc, char **argv) {
  const int width = host_number(argc, argv, 1, 16, 1, 1024);
  const int height = host_number(argc, argv, 2, 16, 1, 1024);
  const bool threshold = host_word(argc, argv, 3, "smooth", "threshold");
  const int radius = host_number(argc, argv, 4, 1, 0, 2);

  host h = host_open("image-filter", "");
  cl_bool images = CL_FALSE;
  host_check(clGetDeviceInfo(h.device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL), "clGetDeviceInfo");
  if (!images) return host_finish(&h, true, "skipped, the device has no images");
  const int wrong = filter(&h, width, height, threshold, radius);
  return host_finish(&h, wrong == 0, "%d of %d values are wrong", wrong, width * height * CHANNELS);
}
