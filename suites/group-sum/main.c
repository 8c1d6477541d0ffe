/* group-sum [GROUPS [N [shared|own [LAUNCHES]]]]: the sum of N values by GROUPS work-groups of 32, LAUNCHES times with
 * other values. shared: group 0 clears the sums of all groups; own: each group its own.
 *
 * There may be more groups than blocks of 32 values. Before the first launch the sums are not 0. */
#include <stdlib.h>

#include "common/host.h"

enum { LOCAL = 32 };

static float input_value(int i, int launch) { return 0.1f * (float)((i + 7 * launch) % 100); }

/* Leaves the values in `in`. */
static float sum_on_host(float *in, int n, int launch) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    in[i] = input_value(i, launch);
    sum += in[i];
  }
  return (float)sum;
}

static void launch_sum(const host *h, const char *name, int n, int groups, cl_mem in, cl_mem sums) {
  const size_t local = LOCAL, global = (size_t)groups * LOCAL;
  cl_kernel kernel = host_kernel(h, name);
  HOST_ARGUMENT(kernel, 0, n);
  HOST_ARGUMENT(kernel, 1, in);
  HOST_ARGUMENT(kernel, 2, sums);
  host_launch(h, kernel, 1, NULL, &global, &local);
  clReleaseKernel(kernel);
}

static float finish(const host *h, int groups, cl_mem sums, cl_mem result) {
  const size_t one = 1;
  float sum = 0;
  cl_kernel kernel = host_kernel(h, "finish");
  HOST_ARGUMENT(kernel, 0, groups);
  HOST_ARGUMENT(kernel, 1, sums);
  HOST_ARGUMENT(kernel, 2, result);
  host_launch(h, kernel, 1, NULL, &one, &one);
  host_read(h, result, sizeof sum, &sum);
  clReleaseKernel(kernel);
  return sum;
}

int main(int argc, char **argv) {
  const int groups = host_number(argc, argv, 1, 16, 1, 4096), n = host_number(argc, argv, 2, 250, 1, 1 << 20);
  const bool own = host_word(argc, argv, 3, "shared", "own");
  const int launches = host_number(argc, argv, 4, 1, 1, 100);
  float *in = host_calloc((size_t)n, sizeof *in), *before = host_calloc((size_t)groups, sizeof *before);
  for (int g = 0; g < groups; g++) before[g] = 1000;

  host h = host_open("group-sum", "-D GROUP=32");
  cl_mem in_buffer = host_buffer(&h, (size_t)n * sizeof *in, NULL), result_buffer = host_buffer(&h, sizeof *in, NULL);
  cl_mem sums_buffer = host_buffer(&h, (size_t)groups * sizeof *before, before);
  float sum = 0;
  int wrong = 0;
  for (int launch = 0; launch < launches; launch++) {
    const float expected = sum_on_host(in, n, launch);
    host_write(&h, in_buffer, (size_t)n * sizeof *in, in);
    launch_sum(&h, own ? "sum_own_blocks" : "sum_blocks", n, groups, in_buffer, sums_buffer);
    sum = finish(&h, groups, sums_buffer, result_buffer);
    wrong += !host_close(sum, expected, 1e-4f);
  }

  clReleaseMemObject(sums_buffer);
  clReleaseMemObject(result_buffer);
  clReleaseMemObject(in_buffer);
  free(before);
  free(in);
  return host_finish(&h, wrong == 0, "%d of %d sums are wrong, the last is %.1f", wrong, launches, (double)sum);
}
