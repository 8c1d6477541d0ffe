/* device resident [LOCAL]: how many work-groups of LOCAL work-items (32) the device has in flight at a time.
 * device hang: a kernel that never ends.
 * device add: a launch that works: prints its device and ends with 0 when the sum is right. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/host.h"

/* Groups in flight: each counts itself in, stays for a while, and counts itself out; the most that were in. A group
 * leaves after a bounded number of looks, whatever the others do. */
static int resident(const host *h, size_t local) {
  const size_t groups = 65536, global = groups * local;
  int counts[2] = {0, 0};
  cl_mem buffer = host_buffer(h, sizeof counts, counts);
  cl_kernel kernel = host_kernel(h, "count_in_flight");
  HOST_ARGUMENT(kernel, 0, buffer);
  host_launch(h, kernel, 1, NULL, &global, &local);
  host_read(h, buffer, sizeof counts, counts);
  clReleaseKernel(kernel);
  clReleaseMemObject(buffer);
  printf("%d\n", counts[1]);
  return counts[1] > 0 ? 0 : 1;
}

static int hang(const host *h) {
  const size_t one = 1;
  cl_mem buffer = host_buffer(h, sizeof(cl_int), NULL);
  cl_kernel kernel = host_kernel(h, "never_ends");
  HOST_ARGUMENT(kernel, 0, buffer);
  printf("launched\n");
  (void)fflush(stdout);
  host_launch(h, kernel, 1, NULL, &one, &one);
  printf("it has ended\n");
  return 0;
}

static int add(host *h) {
  enum { N = 1024 };
  static int values[N];
  const size_t global = N;
  for (int i = 0; i < N; i++) values[i] = i;
  cl_mem buffer = host_buffer(h, sizeof values, values);
  cl_kernel kernel = host_kernel(h, "add_one");
  HOST_ARGUMENT(kernel, 0, buffer);
  host_launch(h, kernel, 1, NULL, &global, NULL);
  host_read(h, buffer, sizeof values, values);
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += values[i] != i + 1;
  clReleaseKernel(kernel);
  clReleaseMemObject(buffer);
  return host_finish(h, wrong == 0, "%d of %d sums are wrong", wrong, (int)N);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "resident") != 0 && strcmp(what, "hang") != 0 && strcmp(what, "add") != 0) {
    fprintf(stderr, "device: wants resident [LOCAL], hang or add\n");
    return 1;
  }
  host h = host_open("device", "");
  if (strcmp(what, "resident") == 0) return resident(&h, (size_t)host_number(argc, argv, 2, 32, 1, 1024));
  return strcmp(what, "hang") == 0 ? hang(&h) : add(&h);
}
