/* divergent-barrier [smooth [same|mixed]]: smooths three rings of 64 values in three rounds.
 * divergent-barrier differences [N]: differences of neighbours among N values, in work-groups of 64.
 *
 * The kernels are wrong on purpose. What a smoothed value is where work-items leave early is undefined, so only that it
 * lies between the lowest and the highest input is required. */
#include <stdlib.h>

#include "common/host.h"

enum { LOCAL = 64, GROUPS = 3, COUNT = LOCAL * GROUPS, ROUNDS = 3 };

static float input_value(int i) { return (float)(i * 7 % 10); }

/* mixed: the work-items of group 0 differ, those of group 1 all have one round and those of group 2 none */
static int patience_of(int i, bool mixed) {
  if (!mixed) return ROUNDS;
  return i < LOCAL ? 1 + i % ROUNDS : i < 2 * LOCAL ? 1 : 0;
}

static int smooth(const host *h, bool mixed) {
  const size_t local = LOCAL, global = COUNT;
  const cl_int rounds = ROUNDS;
  int patience[COUNT];
  float in[COUNT], out[COUNT];
  for (int i = 0; i < COUNT; i++) {
    patience[i] = patience_of(i, mixed);
    in[i] = input_value(i);
  }
  cl_mem patience_buffer = host_buffer(h, sizeof patience, patience), in_buffer = host_buffer(h, sizeof in, in);
  cl_mem out_buffer = host_buffer(h, sizeof out, NULL);
  cl_kernel kernel = host_kernel(h, "smooth");
  HOST_ARGUMENT(kernel, 0, rounds);
  HOST_ARGUMENT(kernel, 1, patience_buffer);
  HOST_ARGUMENT(kernel, 2, in_buffer);
  HOST_ARGUMENT(kernel, 3, out_buffer);
  host_launch(h, kernel, 1, NULL, &global, &local);
  host_read(h, out_buffer, sizeof out, out);
  clReleaseKernel(kernel);
  clReleaseMemObject(out_buffer);
  clReleaseMemObject(in_buffer);
  clReleaseMemObject(patience_buffer);

  int wrong = 0;
  for (int i = 0; i < COUNT; i++) wrong += !(out[i] >= 0.0f && out[i] <= 9.0f);
  return wrong;
}

/* The buffers have room for the spare work-items, which a device may let go on. */
static int differences(const host *h, int n) {
  const size_t local = LOCAL, global = host_round_up((size_t)n, LOCAL) + LOCAL;
  const size_t bytes = global * sizeof(float);
  float *values = host_calloc(global, sizeof *values);
  for (int i = 0; i < n; i++) values[i] = input_value(i);
  cl_mem in_buffer = host_buffer(h, bytes, values), out_buffer = host_buffer(h, bytes, NULL);
  cl_kernel kernel = host_kernel(h, "differences");
  HOST_ARGUMENT(kernel, 0, n);
  HOST_ARGUMENT(kernel, 1, in_buffer);
  HOST_ARGUMENT(kernel, 2, out_buffer);
  host_launch(h, kernel, 1, NULL, &global, &local);
  host_read(h, out_buffer, bytes, values);
  clReleaseKernel(kernel);
  clReleaseMemObject(out_buffer);
  clReleaseMemObject(in_buffer);

  int wrong = 0;
  for (int i = 0; i < n; i++)
    wrong += !host_close(values[i], input_value(i) - (i % LOCAL ? input_value(i - 1) : 0.0f), 1e-6f);
  free(values);
  return wrong;
}

int main(int argc, char **argv) {
  host h = host_open("divergent-barrier", "-D GROUP=64");
  int wrong = 0;
  if (host_word(argc, argv, 1, "smooth", "differences"))
    wrong = differences(&h, host_number(argc, argv, 2, 40, 1, 1 << 16));
  else
    wrong = smooth(&h, host_word(argc, argv, 2, "same", "mixed"));
  return host_finish(&h, wrong == 0, "%d values are out of bounds", wrong);
}
