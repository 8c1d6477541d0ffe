/* stencil [WIDTH [HEIGHT [STEPS [insulated|periodic|heated]]]]: heat flow on a grid; "heated" keeps row 0 warm. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/host.h"

typedef struct grid {
  int width, height;
  bool periodic, heated;
} grid;

static const float warm = 50.0f;

static void launch_inside(const host *h, grid g, cl_mem before, cl_mem after) {
  const size_t offset[2] = {1, 1};
  const size_t global[2] = {(size_t)g.width - 2, (size_t)g.height - 2};
  cl_kernel kernel = host_kernel(h, "flow_inside");
  HOST_ARGUMENT(kernel, 0, g.width);
  HOST_ARGUMENT(kernel, 1, before);
  HOST_ARGUMENT(kernel, 2, after);
  host_launch(h, kernel, 2, offset, global, NULL);
  clReleaseKernel(kernel);
}

static void launch_edge(const host *h, grid g, cl_mem before, cl_mem after) {
  const size_t global[2] = {(size_t)g.width, (size_t)g.height};
  const cl_int periodic = g.periodic;
  cl_kernel kernel = host_kernel(h, "flow_edge");
  HOST_ARGUMENT(kernel, 0, g.width);
  HOST_ARGUMENT(kernel, 1, g.height);
  HOST_ARGUMENT(kernel, 2, periodic);
  HOST_ARGUMENT(kernel, 3, before);
  HOST_ARGUMENT(kernel, 4, after);
  host_launch(h, kernel, 2, NULL, global, NULL);
  clReleaseKernel(kernel);
}

static void launch_heat_row(const host *h, grid g, cl_mem cells) {
  const size_t global = (size_t)g.width;
  const cl_int row = 0;
  cl_kernel kernel = host_kernel(h, "heat_row");
  HOST_ARGUMENT(kernel, 0, g.width);
  HOST_ARGUMENT(kernel, 1, row);
  HOST_ARGUMENT(kernel, 2, warm);
  HOST_ARGUMENT(kernel, 3, cells);
  host_launch(h, kernel, 1, NULL, &global, NULL);
  clReleaseKernel(kernel);
}

static int neighbour(grid g, int i, int n) {
  if (g.periodic) return (i + n) % n;
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static void step_on_host(grid g, const float *before, float *after) {
  for (int y = 0; y < g.height; y++)
    for (int x = 0; x < g.width; x++) {
      const int left = neighbour(g, x - 1, g.width), right = neighbour(g, x + 1, g.width);
      const int above = neighbour(g, y - 1, g.height), below = neighbour(g, y + 1, g.height);
      after[y * g.width + x] = (before[y * g.width + x] + before[y * g.width + left] + before[y * g.width + right] +
                                before[above * g.width + x] + before[below * g.width + x]) /
                               5;
    }
  for (int x = 0; g.heated && x < g.width; x++) after[x] = warm;
}

int main(int argc, char **argv) {
  const grid g = {.width = host_number(argc, argv, 1, 16, 3, 1024),
                  .height = host_number(argc, argv, 2, 16, 3, 1024),
                  .periodic = host_word(argc, argv, 4, "insulated", "periodic"),
                  .heated = host_word(argc, argv, 4, "insulated", "heated")};
  const int steps = host_number(argc, argv, 3, 3, 0, 1000);
  const size_t count = (size_t)(g.width * g.height), bytes = count * sizeof(float);
  float *cells = host_calloc(count, sizeof *cells), *next = host_calloc(count, sizeof *next);
  float *result = host_calloc(count, sizeof *result);
  for (size_t i = 0; i < count; i++) cells[i] = (float)(i * i % 17);

  char options[PATH_MAX + 4];
  snprintf(options, sizeof options, "-I %s", host_folder());
  host h = host_open("stencil", options);
  cl_mem before = host_buffer(&h, bytes, cells), after = host_buffer(&h, bytes, NULL);
  for (int step = 0; step < steps; step++) {
    launch_inside(&h, g, before, after);
    launch_edge(&h, g, before, after);
    if (g.heated) launch_heat_row(&h, g, after);
    cl_mem older = before;
    before = after;
    after = older;
    step_on_host(g, cells, next);
    float *old = cells;
    cells = next;
    next = old;
  }
  host_read(&h, before, bytes, result);

  int wrong = 0;
  for (size_t i = 0; i < count; i++) wrong += !host_close(result[i], cells[i], 1e-4f);

  clReleaseMemObject(after);
  clReleaseMemObject(before);
  free(result);
  free(next);
  free(cells);
  return host_finish(&h, wrong == 0, "%d of %zu cells are wrong after %d steps", wrong, count, steps);
}
