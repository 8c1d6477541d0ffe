/* vector-guarded [N [axpy|limit]]: y = 2 x + y, or y brought into 2..20, for N elements in a padded launch. */
#include <stdlib.h>

#include "common/host.h"

static const float low = 2.0f, high = 20.0f;

static void launch_axpy(const host *h, int n, cl_mem x, cl_mem y) {
  const float a = 2.0f;
  const size_t global = host_round_up((size_t)n, 128);
  cl_kernel kernel = host_kernel(h, "axpy");
  HOST_ARGUMENT(kernel, 0, n);
  HOST_ARGUMENT(kernel, 1, a);
  HOST_ARGUMENT(kernel, 2, x);
  HOST_ARGUMENT(kernel, 3, y);
  host_launch(h, kernel, 1, NULL, &global, NULL); /* the device chooses the local size */
  clReleaseKernel(kernel);
}

static void launch_limit(const host *h, int n, cl_mem y) {
  const size_t local = 32;
  const size_t global = host_round_up(((size_t)n + 3) / 4, local);
  cl_kernel kernel = host_kernel(h, "limit");
  HOST_ARGUMENT(kernel, 0, n);
  HOST_ARGUMENT(kernel, 1, low);
  HOST_ARGUMENT(kernel, 2, high);
  HOST_ARGUMENT(kernel, 3, y);
  host_launch(h, kernel, 1, NULL, &global, &local);
  clReleaseKernel(kernel);
}

static float limited(float value) { return value < low ? low : value > high ? high : value; }

int main(int argc, char **argv) {
  const int n = host_number(argc, argv, 1, 1024, 1, 1 << 20);
  const bool limit = host_word(argc, argv, 2, "axpy", "limit");
  const size_t count = (size_t)n, bytes = count * sizeof(float);
  float *x = host_calloc(count, sizeof *x), *y = host_calloc(count, sizeof *y);
  float *result = host_calloc(count, sizeof *result);
  for (int i = 0; i < n; i++) {
    x[i] = (float)(i % 7);
    y[i] = (float)(i % 10);
  }

  host h = host_open("vector-guarded", "");
  cl_mem x_buffer = host_buffer(&h, bytes, x), y_buffer = host_buffer(&h, bytes, y);
  if (limit)
    launch_limit(&h, n, y_buffer);
  else
    launch_axpy(&h, n, x_buffer, y_buffer);
  host_read(&h, y_buffer, bytes, result);

  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += !host_close(result[i], limit ? limited(y[i]) : 2.0f * x[i] + y[i], 1e-6f);

  clReleaseMemObject(y_buffer);
  clReleaseMemObject(x_buffer);
  free(result);
  free(y);
  free(x);
  return host_finish(&h, wrong == 0, "%d of %d elements are wrong", wrong, n);
}
