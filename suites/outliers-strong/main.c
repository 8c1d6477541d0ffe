/* outliers-strong [boundaries|easy]: replaces the outliers in three rows of three cells.
 *
 * The rows are number 4 to 6 (the launch has an offset), so that even a wrong index stays in the buffers. `boundaries`
 * has values at and beside both limits, a spare work-item, and reads everything, also what no work-item may touch.
 * `easy` is what a hasty test does: values far from the limits, as many work-items as rows, and no look behind the last
 * row or at the counts. */
#include <stdlib.h>
#include <string.h>

#include "common/host.h"

enum { FIRST = 4, ROWS = 3, WIDTH = 3, SPARE = 1, CELLS = 40, ALL_ROWS = 8 };
enum { MARK = -1000 }; /* minus its number: what a cell of the result has before, and no result is */

typedef struct test {
  const char *name;
  bool thorough;
  int cells[(ROWS + SPARE) * WIDTH]; /* from row FIRST on */
} test;

static const test tests[] = {
    {"boundaries", true, {9, 10, 15, 20, 21, 12, 30, 11, 5, 8, 25, 18}},
    {"easy", false, {15, 5, 30, 15, 5, 30, 15, 5, 30, 15, 5, 30}},
};
static const int low = 10, high = 20, fill = 13;

typedef struct buffers {
  int in[CELLS], out[CELLS], replaced[ALL_ROWS];
} buffers;

static void prepare(const test *t, buffers *b) {
  for (int i = 0; i < CELLS; i++) {
    b->in[i] = 14;
    b->out[i] = MARK - i;
  }
  memcpy(b->in + FIRST * WIDTH, t->cells, sizeof t->cells);
  for (int i = 0; i < ALL_ROWS; i++) b->replaced[i] = 100 + i;
}

static void replace_on_host(buffers *b) {
  for (int row = FIRST; row < FIRST + ROWS; row++)
    for (int i = row * WIDTH; i < (row + 1) * WIDTH; i++) {
      const bool inside = low <= b->in[i] && b->in[i] <= high;
      b->out[i] = inside ? b->in[i] : fill;
      b->replaced[row] += !inside;
    }
}

static void launch(const host *h, const test *t, cl_mem in, cl_mem out, cl_mem replaced) {
  const int rows = FIRST + ROWS, width = WIDTH;
  const size_t offset = FIRST, global = ROWS + (t->thorough ? SPARE : 0);
  cl_kernel kernel = host_kernel(h, "replace_outliers");
  HOST_ARGUMENT(kernel, 0, rows);
  HOST_ARGUMENT(kernel, 1, width);
  HOST_ARGUMENT(kernel, 2, low);
  HOST_ARGUMENT(kernel, 3, high);
  HOST_ARGUMENT(kernel, 4, fill);
  HOST_ARGUMENT(kernel, 5, in);
  HOST_ARGUMENT(kernel, 6, out);
  HOST_ARGUMENT(kernel, 7, replaced);
  host_launch(h, kernel, 1, &offset, &global, NULL);
  clReleaseKernel(kernel);
}

int main(int argc, char **argv) {
  const test *t = &tests[host_word(argc, argv, 1, "boundaries", "easy") ? 1 : 0];
  buffers given, wanted, seen;
  prepare(t, &given);
  wanted = given;
  replace_on_host(&wanted);
  seen = wanted; /* what a hasty test does not read, it takes to be right */

  host h = host_open("outliers-strong", "");
  cl_mem in = host_buffer(&h, sizeof given.in, given.in), out = host_buffer(&h, sizeof given.out, given.out);
  cl_mem replaced = host_buffer(&h, sizeof given.replaced, given.replaced);
  launch(&h, t, in, out, replaced);
  host_read(&h, out, t->thorough ? sizeof seen.out : (FIRST + ROWS) * WIDTH * sizeof *seen.out, seen.out);
  if (t->thorough) host_read(&h, replaced, sizeof seen.replaced, seen.replaced);

  clReleaseMemObject(replaced);
  clReleaseMemObject(out);
  clReleaseMemObject(in);
  const int *row = seen.out + FIRST * WIDTH;
  return host_finish(&h, memcmp(&seen, &wanted, sizeof seen) == 0, "%s: the first row becomes %d %d %d", t->name,
                     row[0], row[1], row[2]);
}
