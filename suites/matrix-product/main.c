/* matrix-product [M [N [K [BATCH [plain|transposed]]]]]: C = A B for BATCH matrices A (M x K) and one B (K x N), which
 * is handed over as it is or transposed. */
#include <stdlib.h>

#include "common/host.h"

enum { TILE = 8 };

typedef struct shape {
  int m, n, k, batch;
} shape;

static void launch_multiply(const host *h, shape s, cl_mem a, cl_mem b, cl_mem c) {
  const size_t global[3] = {host_round_up((size_t)s.n, TILE), host_round_up((size_t)s.m, TILE), (size_t)s.batch};
  const size_t local[3] = {TILE, TILE, 1};
  cl_kernel kernel = host_kernel(h, "multiply");
  HOST_ARGUMENT(kernel, 0, s.m);
  HOST_ARGUMENT(kernel, 1, s.n);
  HOST_ARGUMENT(kernel, 2, s.k);
  HOST_ARGUMENT(kernel, 3, a);
  HOST_ARGUMENT(kernel, 4, b);
  HOST_ARGUMENT(kernel, 5, c);
  host_launch(h, kernel, 3, NULL, global, local);
  clReleaseKernel(kernel);
}

/* out = in transposed, where `in` is rows x columns. */
static void launch_transpose(const host *h, int rows, int columns, cl_mem in, cl_mem out) {
  const size_t global[2] = {host_round_up((size_t)columns, TILE), host_round_up((size_t)rows, TILE)};
  const size_t local[2] = {TILE, TILE};
  cl_kernel kernel = host_kernel(h, "transpose");
  HOST_ARGUMENT(kernel, 0, rows);
  HOST_ARGUMENT(kernel, 1, columns);
  HOST_ARGUMENT(kernel, 2, in);
  HOST_ARGUMENT(kernel, 3, out);
  host_launch(h, kernel, 2, NULL, global, local);
  clReleaseKernel(kernel);
}

/* The number of elements of `c` that differ from the plain product. */
static int count_wrong(shape s, const float *a, const float *b, const float *c) {
  int wrong = 0;
  for (int row = 0; row < s.batch * s.m; row++)
    for (int column = 0; column < s.n; column++) {
      float sum = 0.0f;
      for (int i = 0; i < s.k; i++) sum += a[row * s.k + i] * b[i * s.n + column];
      wrong += !host_close(c[row * s.n + column], sum, 1e-5f);
    }
  return wrong;
}

int main(int argc, char **argv) {
  const shape s = {.m = host_number(argc, argv, 1, 16, 1, 512),
                   .n = host_number(argc, argv, 2, 16, 1, 512),
                   .k = host_number(argc, argv, 3, 16, 1, 512),
                   .batch = host_number(argc, argv, 4, 1, 1, 16)};
  const bool transposed = host_word(argc, argv, 5, "plain", "transposed");
  const size_t size_a = (size_t)(s.batch * s.m * s.k), size_b = (size_t)(s.k * s.n),
               size_c = (size_t)(s.batch * s.m * s.n);
  float *a = host_calloc(size_a, sizeof *a), *b = host_calloc(size_b, sizeof *b), *c = host_calloc(size_c, sizeof *c);
  float *b_turned = host_calloc(size_b, sizeof *b_turned);
  for (size_t i = 0; i < size_a; i++) a[i] = (float)(i % 5);
  for (int row = 0; row < s.k; row++)
    for (int column = 0; column < s.n; column++) {
      b[row * s.n + column] = (float)((row + 2 * column) % 7);
      b_turned[column * s.k + row] = b[row * s.n + column];
    }

  host h = host_open("matrix-product", "-D TILE=8");
  cl_mem a_buffer = host_buffer(&h, size_a * sizeof *a, a);
  cl_mem b_buffer = host_buffer(&h, size_b * sizeof *b, transposed ? NULL : b);
  cl_mem b_turned_buffer = host_buffer(&h, size_b * sizeof *b, b_turned);
  cl_mem c_buffer = host_buffer(&h, size_c * sizeof *c, NULL);
  if (transposed) launch_transpose(&h, s.n, s.k, b_turned_buffer, b_buffer);
  launch_multiply(&h, s, a_buffer, b_buffer, c_buffer);
  host_read(&h, c_buffer, size_c * sizeof *c, c);
  const int wrong = count_wrong(s, a, b, c);

  clReleaseMemObject(c_buffer);
  clReleaseMemObject(b_turned_buffer);
  clReleaseMemObject(b_buffer);
  clReleaseMemObject(a_buffer);
  free(b_turned);
  free(c);
  free(b);
  free(a);
  return host_finish(&h, wrong == 0, "%d of %zu elements are wrong", wrong, size_c);
}
