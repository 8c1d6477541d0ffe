/* scan [N [inclusive|exclusive]]: prefix sums of N integers in blocks of 64. */
#include <stdlib.h>

#include "common/host.h"

enum { BLOCK = 64 };

static void launch_scan_blocks(const host *h, int n, int exclusive, size_t global, cl_mem in, cl_mem out,
                               cl_mem totals) {
  const size_t local = BLOCK;
  cl_kernel kernel = host_kernel(h, "scan_blocks");
  HOST_ARGUMENT(kernel, 0, n);
  HOST_ARGUMENT(kernel, 1, exclusive);
  HOST_ARGUMENT(kernel, 2, in);
  HOST_ARGUMENT(kernel, 3, out);
  HOST_ARGUMENT(kernel, 4, totals);
  host_launch(h, kernel, 1, NULL, &global, &local);
  clReleaseKernel(kernel);
}

static void launch_add_totals(const host *h, int n, size_t global, cl_mem totals, cl_mem out) {
  const size_t local = BLOCK;
  cl_kernel kernel = host_kernel(h, "add_totals");
  HOST_ARGUMENT(kernel, 0, n);
  HOST_ARGUMENT(kernel, 1, totals);
  HOST_ARGUMENT(kernel, 2, out);
  host_launch(h, kernel, 1, NULL, &global, &local);
  clReleaseKernel(kernel);
}

int main(int argc, char **argv) {
  const int n = host_number(argc, argv, 1, 64, 1, 1 << 16);
  const int exclusive = host_word(argc, argv, 2, "inclusive", "exclusive");
  const size_t bytes = (size_t)n * sizeof(cl_int), global = host_round_up((size_t)n, BLOCK);
  int *in = host_calloc((size_t)n, sizeof *in), *out = host_calloc((size_t)n, sizeof *out);
  for (int i = 0; i < n; i++) in[i] = i % 11 - 3;

  host h = host_open("scan", "-D BLOCK=64");
  cl_mem in_buffer = host_buffer(&h, bytes, in), out_buffer = host_buffer(&h, bytes, NULL);
  cl_mem totals = host_buffer(&h, global / BLOCK * sizeof(cl_int), NULL);
  launch_scan_blocks(&h, n, exclusive, global, in_buffer, out_buffer, totals);
  if (global > BLOCK) launch_add_totals(&h, n, global, totals, out_buffer);
  host_read(&h, out_buffer, bytes, out);

  int wrong = 0, sum = 0;
  for (int i = 0; i < n; i++) {
    wrong += out[i] != (exclusive ? sum : sum + in[i]);
    sum += in[i];
  }

  clReleaseMemObject(totals);
  clReleaseMemObject(out_buffer);
  clReleaseMemObject(in_buffer);
  free(out);
  free(in);
  return host_finish(&h, wrong == 0, "%d of %d sums are wrong", wrong, n);
}
