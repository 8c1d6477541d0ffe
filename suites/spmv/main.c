/* spmv [ROWS [band|staircase|diagonal [plain|scaled|longest]]]: y = A x or y = 3 A x, or the length of A's longest row.
 *
 * Row r has the columns r - 1, r, r + 1 (band), the first r modulo 4 columns (staircase) or column r (diagonal). */
#include <stdlib.h>

#include "common/host.h"

enum { LOCAL = 32 };

static const float factor = 3.0f;

typedef struct matrix {
  int rows, elements;
  int *start;   /* rows + 1 */
  int *column;  /* room for 3 * rows */
  float *value; /* the same */
} matrix;

static void add_element(matrix *m, int column) {
  if (column < 0 || column >= m->rows) return;
  m->column[m->elements] = column;
  m->value[m->elements] = (float)(m->elements % 5) + 1.0f;
  m->elements++;
}

static matrix make_matrix(int rows, bool band, bool staircase) {
  matrix m = {.rows = rows};
  m.start = host_calloc((size_t)rows + 1, sizeof *m.start);
  m.column = host_calloc(3 * (size_t)rows, sizeof *m.column);
  m.value = host_calloc(3 * (size_t)rows, sizeof *m.value);
  for (int row = 0; row < rows; row++) {
    const int first = band ? row - 1 : staircase ? 0 : row;
    const int count = band ? 3 : staircase ? row % 4 : 1;
    for (int i = 0; i < count; i++) add_element(&m, first + i);
    m.start[row + 1] = m.elements;
  }
  return m;
}

typedef struct buffers {
  cl_mem start, column, value, x, y;
} buffers;

static void launch_multiply(const host *h, int rows, const buffers *b) {
  const size_t local = LOCAL, global = host_round_up((size_t)rows, LOCAL);
  cl_kernel kernel = host_kernel(h, "multiply");
  HOST_ARGUMENT(kernel, 0, rows);
  HOST_ARGUMENT(kernel, 1, b->start);
  HOST_ARGUMENT(kernel, 2, b->column);
  HOST_ARGUMENT(kernel, 3, b->value);
  HOST_ARGUMENT(kernel, 4, b->x);
  HOST_ARGUMENT(kernel, 5, b->y);
  host_launch(h, kernel, 1, NULL, &global, &local);
  clReleaseKernel(kernel);
}

static void launch_multiply_scaled(const host *h, int rows, const buffers *b) {
  const size_t local = LOCAL, global = host_round_up((size_t)rows, LOCAL);
  cl_kernel kernel = host_kernel(h, "multiply_scaled");
  HOST_ARGUMENT(kernel, 0, rows);
  HOST_ARGUMENT(kernel, 1, factor);
  HOST_ARGUMENT(kernel, 2, b->start);
  HOST_ARGUMENT(kernel, 3, b->column);
  HOST_ARGUMENT(kernel, 4, b->value);
  HOST_ARGUMENT(kernel, 5, b->x);
  HOST_ARGUMENT(kernel, 6, b->y);
  host_launch(h, kernel, 1, NULL, &global, &local);
  clReleaseKernel(kernel);
}

static int launch_longest_row(const host *h, int rows, const buffers *b) {
  const size_t one = 1;
  int longest = 0;
  cl_mem buffer = host_buffer(h, sizeof longest, NULL);
  cl_kernel kernel = host_kernel(h, "longest_row");
  HOST_ARGUMENT(kernel, 0, rows);
  HOST_ARGUMENT(kernel, 1, b->start);
  HOST_ARGUMENT(kernel, 2, buffer);
  host_launch(h, kernel, 1, NULL, &one, &one);
  host_read(h, buffer, sizeof longest, &longest);
  clReleaseKernel(kernel);
  clReleaseMemObject(buffer);
  return longest;
}

static int count_wrong_rows(const matrix *m, const float *x, const float *y, float by) {
  int wrong = 0;
  for (int row = 0; row < m->rows; row++) {
    float sum = 0.0f;
    for (int e = m->start[row]; e < m->start[row + 1]; e++) sum += m->value[e] * x[m->column[e]];
    wrong += !host_close(y[row], by * sum, 1e-5f);
  }
  return wrong;
}

int main(int argc, char **argv) {
  const int rows = host_number(argc, argv, 1, 60, 4, 1 << 16);
  const bool band = host_word(argc, argv, 2, "band", "band"), staircase = host_word(argc, argv, 2, "band", "staircase");
  const bool scaled = host_word(argc, argv, 3, "plain", "scaled"),
             longest = host_word(argc, argv, 3, "plain", "longest");
  matrix m = make_matrix(rows, band, staircase);
  const size_t count = (size_t)rows;
  float *x = host_calloc(count, sizeof *x), *y = host_calloc(count, sizeof *y);
  for (int i = 0; i < rows; i++) x[i] = (float)(i % 9) - 4.0f;

  host h = host_open("spmv", "");
  const buffers b = {.start = host_buffer(&h, (count + 1) * sizeof(cl_int), m.start),
                     .column = host_buffer(&h, 3 * count * sizeof(cl_int), m.column),
                     .value = host_buffer(&h, 3 * count * sizeof(cl_float), m.value),
                     .x = host_buffer(&h, count * sizeof *x, x),
                     .y = host_buffer(&h, count * sizeof *y, NULL)};
  int wrong = 0;
  if (longest) {
    wrong = launch_longest_row(&h, rows, &b) != (band || staircase ? 3 : 1);
  } else {
    if (scaled)
      launch_multiply_scaled(&h, rows, &b);
    else
      launch_multiply(&h, rows, &b);
    host_read(&h, b.y, count * sizeof *y, y);
    wrong = count_wrong_rows(&m, x, y, scaled ? factor : 1.0f);
  }

  clReleaseMemObject(b.y);
  clReleaseMemObject(b.x);
  clReleaseMemObject(b.value);
  clReleaseMemObject(b.column);
  clReleaseMemObject(b.start);
  free(y);
  free(x);
  free(m.value);
  free(m.column);
  free(m.start);
  return host_finish(&h, wrong == 0, "%d results of %d rows are wrong", wrong, rows);
}
