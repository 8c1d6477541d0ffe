/* flag-wait [GROUPS [flags|launches [TIMES]]]: running totals of GROUPS blocks of 16 values, TIMES times over. flags:
 * work-groups wait for the flags of those before them, which stay raised from one time to the next; launches: the sums
 * of all blocks are made by a launch of their own. */
#include <stdlib.h>

#include "common/host.h"

enum { LOCAL = 16 };

typedef struct buffers {
  cl_mem in, ready, sums, totals;
} buffers;

static void launch_flags(const host *h, size_t groups, const buffers *b) {
  const size_t local = LOCAL, global = groups * LOCAL;
  cl_kernel kernel = host_kernel(h, "running_totals");
  HOST_ARGUMENT(kernel, 0, b->in);
  HOST_ARGUMENT(kernel, 1, b->ready);
  HOST_ARGUMENT(kernel, 2, b->sums);
  HOST_ARGUMENT(kernel, 3, b->totals);
  host_launch(h, kernel, 1, NULL, &global, &local);
  clReleaseKernel(kernel);
}

static void launch_both(const host *h, size_t groups, const buffers *b) {
  const size_t local = LOCAL, global = groups * LOCAL, items = host_round_up(groups, LOCAL);
  const cl_int count = (cl_int)groups;
  cl_kernel kernel = host_kernel(h, "block_sums");
  HOST_ARGUMENT(kernel, 0, b->in);
  HOST_ARGUMENT(kernel, 1, b->sums);
  host_launch(h, kernel, 1, NULL, &global, &local);
  clReleaseKernel(kernel);
  kernel = host_kernel(h, "add_up");
  HOST_ARGUMENT(kernel, 0, count);
  HOST_ARGUMENT(kernel, 1, b->sums);
  HOST_ARGUMENT(kernel, 2, b->totals);
  host_launch(h, kernel, 1, NULL, &items, &local);
  clReleaseKernel(kernel);
}

int main(int argc, char **argv) {
  const size_t groups = (size_t)host_number(argc, argv, 1, 16, 1, 65536), count = groups * LOCAL;
  const bool launches = host_word(argc, argv, 2, "flags", "launches");
  const int times = host_number(argc, argv, 3, 1, 1, 100);
  int *in = host_calloc(count, sizeof *in), *totals = host_calloc(groups, sizeof *totals);
  for (size_t i = 0; i < count; i++) in[i] = (int)(i % 13);

  host h = host_open("flag-wait", "-D GROUP=16");
  const size_t bytes = groups * sizeof *totals;
  const buffers b = {host_buffer(&h, count * sizeof *in, in), host_buffer(&h, bytes, NULL),
                     host_buffer(&h, bytes, NULL), host_buffer(&h, bytes, NULL)};
  int wrong = 0;
  for (int time = 0; time < times; time++) {
    (launches ? launch_both : launch_flags)(&h, groups, &b);
    host_read(&h, b.totals, bytes, totals);
    int sum = 0;
    for (size_t i = 0; i < count; i++) {
      sum += in[i];
      if ((i + 1) % LOCAL == 0) wrong += totals[i / LOCAL] != sum;
    }
  }

  const int last = totals[groups - 1];
  clReleaseMemObject(b.totals);
  clReleaseMemObject(b.sums);
  clReleaseMemObject(b.ready);
  clReleaseMemObject(b.in);
  free(totals);
  free(in);
  return host_finish(&h, wrong == 0, "%d totals are wrong, the last is %d", wrong, last);
}
