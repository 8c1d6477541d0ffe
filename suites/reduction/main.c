/* reduction [N [sum|minimum|maximum]]: reduces N integers on the device, in four work-groups or, up to 64, in one. */
#include <limits.h>
#include <stdlib.h>

#include "common/host.h"

enum { LOCAL = 64, GROUPS = 4 };
enum { SUM = 0, MINIMUM = 1, MAXIMUM = 2 }; /* as in reduction.cl */

static int reduce_on_host(int operation, int start, const int *in, int n) {
  int result = start;
  for (int i = 0; i < n; i++)
    if (operation == SUM)
      result += in[i];
    else if (operation == MINIMUM ? in[i] < result : in[i] > result)
      result = in[i];
  return result;
}

static void launch_reduce(const host *h, int n, int operation, int start, int groups, cl_mem in, cl_mem partial) {
  const size_t local = LOCAL, global = local * (size_t)groups;
  cl_kernel kernel = host_kernel(h, "reduce");
  HOST_ARGUMENT(kernel, 0, n);
  HOST_ARGUMENT(kernel, 1, operation);
  HOST_ARGUMENT(kernel, 2, start);
  HOST_ARGUMENT(kernel, 3, in);
  HOST_ARGUMENT(kernel, 4, partial);
  host_argument(kernel, 5, LOCAL * sizeof(cl_int), NULL);
  host_launch(h, kernel, 1, NULL, &global, &local);
  clReleaseKernel(kernel);
}

static void launch_finish(const host *h, int count, int operation, cl_mem partial) {
  const size_t one = 1;
  cl_kernel kernel = host_kernel(h, "finish");
  HOST_ARGUMENT(kernel, 0, count);
  HOST_ARGUMENT(kernel, 1, operation);
  HOST_ARGUMENT(kernel, 2, partial);
  host_launch(h, kernel, 1, NULL, &one, &one);
  clReleaseKernel(kernel);
}

int main(int argc, char **argv) {
  const int n = host_number(argc, argv, 1, 1024, 1, 1 << 20);
  const int operation = host_word(argc, argv, 2, "sum", "minimum")   ? MINIMUM
                        : host_word(argc, argv, 2, "sum", "maximum") ? MAXIMUM
                                                                     : SUM;
  const int start = operation == SUM ? 0 : operation == MINIMUM ? INT_MAX : INT_MIN;
  const int groups = n > LOCAL ? GROUPS : 1;
  int *in = host_calloc((size_t)n, sizeof *in);
  for (int i = 0; i < n; i++) in[i] = i % 100;

  host h = host_open("reduction", "");
  cl_mem in_buffer = host_buffer(&h, (size_t)n * sizeof *in, in);
  cl_mem partial_buffer = host_buffer(&h, GROUPS * sizeof(cl_int), NULL);
  launch_reduce(&h, n, operation, start, groups, in_buffer, partial_buffer);
  if (groups > 1) launch_finish(&h, groups, operation, partial_buffer);
  int result = 0;
  host_read(&h, partial_buffer, sizeof result, &result);
  const int expected = reduce_on_host(operation, start, in, n);

  clReleaseMemObject(partial_buffer);
  clReleaseMemObject(in_buffer);
  free(in);
  return host_finish(&h, result == expected, "%d, expected %d", result, expected);
}
