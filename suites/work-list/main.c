/* work-list [GROUPS [hasty|fenced]]: results of jobs, which GROUPS work-groups of 64 put into a list and the last of
 * them adds up. The last group has one job only, and the longest. hasty: a group is announced too early; fenced: when
 * its results are in the list. */
#include <stdlib.h>

#include "common/host.h"

enum { LOCAL = 64, LONG = 2000000 };

static unsigned job_on_host(unsigned value, int steps) {
  for (int step = 0; step < steps; step++) value = value * 1664525u + 1013904223u;
  return value >> 16;
}

static void launch(const host *h, const char *name, int n, int groups, const int *steps, cl_uint result[2]) {
  const size_t local = LOCAL, global = (size_t)groups * LOCAL, bytes = (size_t)n * sizeof(int);
  cl_mem steps_buffer = host_buffer(h, bytes, steps), list = host_buffer(h, bytes, NULL);
  cl_mem tail = host_buffer(h, sizeof(cl_int), NULL), arrived = host_buffer(h, sizeof(cl_int), NULL);
  cl_mem result_buffer = host_buffer(h, 2 * sizeof *result, NULL);
  cl_kernel kernel = host_kernel(h, name);
  HOST_ARGUMENT(kernel, 0, n);
  HOST_ARGUMENT(kernel, 1, steps_buffer);
  HOST_ARGUMENT(kernel, 2, tail);
  HOST_ARGUMENT(kernel, 3, list);
  HOST_ARGUMENT(kernel, 4, arrived);
  HOST_ARGUMENT(kernel, 5, result_buffer);
  host_launch(h, kernel, 1, NULL, &global, &local);
  host_read(h, result_buffer, 2 * sizeof *result, result);
  clReleaseKernel(kernel);
  clReleaseMemObject(result_buffer);
  clReleaseMemObject(arrived);
  clReleaseMemObject(tail);
  clReleaseMemObject(list);
  clReleaseMemObject(steps_buffer);
}

int main(int argc, char **argv) {
  const int groups = host_number(argc, argv, 1, 21, 1, 1024), n = (groups - 1) * LOCAL + 1;
  const bool fenced = host_word(argc, argv, 2, "hasty", "fenced");
  int *steps = host_calloc((size_t)n, sizeof *steps);
  unsigned sum = 0;
  for (int i = 0; i < n; i++) {
    steps[i] = i == n - 1 ? LONG : i % 4;
    sum += job_on_host((unsigned)i, steps[i]);
  }

  host h = host_open("work-list", "");
  cl_uint result[2] = {0, 0};
  launch(&h, fenced ? "do_jobs_fenced" : "do_jobs", n, groups, steps, result);
  free(steps);
  return host_finish(&h, result[0] == (cl_uint)n && result[1] == sum, "%u of %d results, their sum is %u, expected %u",
                     (unsigned)result[0], n, (unsigned)result[1], sum);
}
