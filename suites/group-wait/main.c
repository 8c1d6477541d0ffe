/* group-wait [GROUPS [chain|broken [LIMIT]]]: running totals of GROUPS blocks of 16 values, each work-group waiting for
 * the one before it with at most LIMIT looks at its flag. chain: the flag that group 0 waits for is set; broken: it is
 * not.
 *
 * Says how many groups gave up; for a chain that must be none, and the totals must be right. */
#include <stdlib.h>

#include "common/host.h"

enum { LOCAL = 16 };

static void launch(const host *h, int limit, size_t groups, cl_mem in, cl_mem ready, cl_mem total, cl_mem gave_up) {
  const size_t local = LOCAL, global = groups * LOCAL;
  cl_kernel kernel = host_kernel(h, "running_total");
  HOST_ARGUMENT(kernel, 0, limit);
  HOST_ARGUMENT(kernel, 1, in);
  HOST_ARGUMENT(kernel, 2, ready);
  HOST_ARGUMENT(kernel, 3, total);
  HOST_ARGUMENT(kernel, 4, gave_up);
  host_launch(h, kernel, 1, NULL, &global, &local);
  clReleaseKernel(kernel);
}

int main(int argc, char **argv) {
  const int groups = host_number(argc, argv, 1, 4, 1, 64);
  const bool broken = host_word(argc, argv, 2, "chain", "broken");
  const int limit = host_number(argc, argv, 3, 20000000, 0, 1000000000);
  const size_t count = (size_t)groups * LOCAL, bytes = ((size_t)groups + 1) * sizeof(cl_int);
  int *in = host_calloc(count, sizeof *in), *ready = host_calloc((size_t)groups + 1, sizeof *ready);
  int *total = host_calloc((size_t)groups + 1, sizeof *total);
  for (size_t i = 0; i < count; i++) in[i] = (int)(i % 13);
  ready[0] = !broken;

  host h = host_open("group-wait", "-D GROUP=16");
  cl_mem in_buffer = host_buffer(&h, count * sizeof *in, in), ready_buffer = host_buffer(&h, bytes, ready);
  cl_mem total_buffer = host_buffer(&h, bytes, NULL), gave_up_buffer = host_buffer(&h, sizeof(cl_int), NULL);
  launch(&h, limit, (size_t)groups, in_buffer, ready_buffer, total_buffer, gave_up_buffer);
  int gave_up = 0;
  host_read(&h, gave_up_buffer, sizeof gave_up, &gave_up);
  host_read(&h, total_buffer, bytes, total);

  int wrong = 0, sum = 0;
  for (size_t i = 0; i < count; i++) {
    sum += in[i];
    if ((i + 1) % LOCAL == 0) wrong += total[(i + 1) / LOCAL] != sum;
  }
  const bool right = broken ? gave_up > 0 : gave_up == 0 && wrong == 0;

  clReleaseMemObject(gave_up_buffer);
  clReleaseMemObject(total_buffer);
  clReleaseMemObject(ready_buffer);
  clReleaseMemObject(in_buffer);
  free(total);
  free(ready);
  free(in);
  return host_finish(&h, right, "%d of %d groups gave up", gave_up, groups);
}
