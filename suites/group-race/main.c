/* group-race [N [level|peak]]: a level that follows the means of N values in blocks of 32, or their highest value.
 *
 * The level depends on the order of the work-groups. This program accepts all between 0 and the highest value, so that
 * the race stays unnoticed. */
#include <stdlib.h>

#include "common/host.h"

enum { LOCAL = 32 };

/* The values rise slowly, so that the order of the blocks matters. */
static int input_value(int i) { return 10 + i / 8; }

int main(int argc, char **argv) {
  const int n = host_number(argc, argv, 1, 768, 1, 1 << 16);
  const bool peak = host_word(argc, argv, 2, "level", "peak");
  const size_t local = LOCAL, global = host_round_up((size_t)n, LOCAL);
  const int highest = input_value(n - 1);
  int *in = host_calloc((size_t)n, sizeof *in);
  for (int i = 0; i < n; i++) in[i] = input_value(i);

  host h = host_open("group-race", "-D GROUP=32");
  cl_mem in_buffer = host_buffer(&h, (size_t)n * sizeof *in, in);
  cl_mem out_buffer = host_buffer(&h, sizeof(cl_int), NULL); /* the bytes of 0 are those of 0.0f */
  cl_kernel kernel = host_kernel(&h, peak ? "highest" : "follow");
  HOST_ARGUMENT(kernel, 0, n);
  HOST_ARGUMENT(kernel, 1, in_buffer);
  HOST_ARGUMENT(kernel, 2, out_buffer);
  host_launch(&h, kernel, 1, NULL, &global, &local);
  bool right = false;
  if (peak) {
    int result = 0;
    host_read(&h, out_buffer, sizeof result, &result);
    right = result == highest;
  } else {
    float result = 0.0f;
    host_read(&h, out_buffer, sizeof result, &result);
    right = result > 0.0f && result <= (float)highest;
  }

  clReleaseKernel(kernel);
  clReleaseMemObject(out_buffer);
  clReleaseMemObject(in_buffer);
  free(in);
  return host_finish(&h, right, "the %s of %d values is within bounds", peak ? "peak" : "level", n);
}
