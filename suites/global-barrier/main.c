/* global-barrier [GROUPS|resident [STEPS [barrier|launches]]]: steps of a cellular automaton on a ring of 32 cells a
 * work-group. resident: as many groups as the device has compute units. barrier: all steps in one launch, with a
 * barrier of all groups between them; launches: a launch for each step.
 *
 * `resident` needs two compute units; on a device with one there is nothing to run, and all is well. */
#include <stdlib.h>
#include <string.h>

#include "common/host.h"

enum { LOCAL = 32 };

static int compute_units(const host *h) {
  cl_uint units = 0;
  host_check(clGetDeviceInfo(h->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL), "clGetDeviceInfo");
  return (int)units;
}

static void step_on_host(const int *from, int *to, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] = (from[(i + n - 1) % n] + 2 * from[i] + from[(i + 1) % n]) % 1000;
}

static void launch_all(const host *h, int steps, size_t cells, cl_mem even, cl_mem odd) {
  const size_t local = LOCAL;
  cl_kernel kernel = host_kernel(h, "all_steps");
  cl_mem arrived = host_buffer(h, cells / LOCAL * sizeof(cl_int), NULL);
  HOST_ARGUMENT(kernel, 0, steps);
  HOST_ARGUMENT(kernel, 1, arrived);
  HOST_ARGUMENT(kernel, 2, even);
  HOST_ARGUMENT(kernel, 3, odd);
  host_launch(h, kernel, 1, NULL, &cells, &local);
  clReleaseMemObject(arrived);
  clReleaseKernel(kernel);
}

static void launch_each(const host *h, int steps, size_t cells, cl_mem even, cl_mem odd) {
  const size_t local = LOCAL;
  cl_kernel kernel = host_kernel(h, "one_step");
  for (int step = 0; step < steps; step++) {
    HOST_ARGUMENT(kernel, 0, *(step % 2 == 0 ? &even : &odd));
    HOST_ARGUMENT(kernel, 1, *(step % 2 == 0 ? &odd : &even));
    host_launch(h, kernel, 1, NULL, &cells, &local);
  }
  clReleaseKernel(kernel);
}

/* Gives how many cells are wrong. */
static int run(const host *h, size_t cells, int steps, bool launches) {
  const size_t bytes = cells * sizeof(int);
  int *cell = host_calloc(cells, sizeof *cell), *next = host_calloc(cells, sizeof *next), wrong = 0;
  for (size_t i = 0; i < cells; i++) cell[i] = (int)(i * i % 17);
  cl_mem even = host_buffer(h, bytes, cell), odd = host_buffer(h, bytes, NULL);
  (launches ? launch_each : launch_all)(h, steps, cells, even, odd);
  for (int step = 0; step < steps; step++) {
    step_on_host(cell, next, cells);
    memcpy(cell, next, bytes);
  }
  host_read(h, steps % 2 == 0 ? even : odd, bytes, next);
  for (size_t i = 0; i < cells; i++) wrong += next[i] != cell[i];
  clReleaseMemObject(odd);
  clReleaseMemObject(even);
  free(next);
  free(cell);
  return wrong;
}

int main(int argc, char **argv) {
  const bool resident = host_word(argc, argv, 1, "resident", "resident");
  int groups = resident ? 0 : host_number(argc, argv, 1, 1, 1, 65536);
  const int steps = host_number(argc, argv, 2, 3, 1, 1000);
  const bool launches = host_word(argc, argv, 3, "barrier", "launches");
  host h = host_open("global-barrier", "");
  if (resident) groups = compute_units(&h);
  if (resident && groups < 2)
    return host_finish(&h, true, "the device has one compute unit, which is too few for this test");
  const int wrong = run(&h, (size_t)groups * LOCAL, steps, launches);
  return host_finish(&h, wrong == 0, "%d cells are wrong after %d steps", wrong, steps);
}
