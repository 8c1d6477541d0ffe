// Memory in all forms: copies, pointers that move, lists, static variables, memcpy. Most of it stays free; whatever is said has
// to hold when the program runs.
//- copied: $0 == 5
//+ original: $0 == 4
//- designated: $0 == 3
//- designated: $1 == 0
//- swapped: $0 == 0
//+ full: $0 == 2
//+ full: $1 == 3
//- elided: $1 == 2
//- counter: $0 == 1
//- walked: $0 == 4
//- listed: $0 == 1
//- bytes: $0 == 4
//- picked: $0 == 4
//- moved: $0 == 4
//+ backwards: ($0 + 1) <= $1
//- ended: $0 == 0
#include "program.h"

typedef struct size {
  int width, height;
} size;
typedef struct node {
  struct node *next;
  int value;
} node;
typedef struct operations {
  void (*set)(int *where, int value);
} operations;

static int calls;

static void run(const char *name, int value, int other) {
  size_t global = 64;
  cl_kernel kernel = clCreateKernel(program, name, NULL);
  clSetKernelArg(kernel, 0, sizeof value, &value);
  clSetKernelArg(kernel, 1, sizeof other, &other);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}

static size doubled(size s) {
  s.width *= 2;
  s.height *= 2;
  return s;
}

static int counter(void) {
  static int count = 0;
  count++;
  return count;
}

static void set(int *where, int value) { *where = value; }

static int changes(void) {
  calls += 3;
  return calls > 4;
}

int main(int argc, char **argv) {
  device(NULL);
  int n = argc > 1 ? atoi(argv[1]) : 6;
  size a = {4, 4};
  size b = a;
  b.width = 5;
  run("original", a.width, b.width);
  size c = {.height = 3};
  int d[4] = {[2] = 5, 6};
  run("designated", c.width, c.height);
  run("designated", d[0], d[2]);
  run("designated", d[1], d[3]);
  struct {
    size s;
    int last;
  } elided = {1, 2}, full = {{1, 2}, 3};
  int square[2][2] = {1, 2, 3};
  run("elided", elided.s.height, elided.last);
  run("full", full.s.height, full.last);
  run("elided", square[0][1], square[1][0]);
  c = (size){c.height, c.width + 1};
  run("swapped", c.width, c.height);
  a = doubled(b);
  run("copied", a.height, a.width);
  (void)counter();
  run("counter", counter(), 0);
  int list[4] = {4, 4, 4, 4};
  int *p = list;
  for (int i = 0; i < 2 && i < n; i++) p++;
  *p = n;
  run("walked", list[1], list[2]);
  node *head = NULL;
  for (int i = 0; i < 3; i++) {
    node *next = malloc(sizeof *next);
    next->value = i + 1;
    next->next = head;
    head = next;
  }
  run("listed", head->next->next->value, head->value);
  run("listed", head->value, head->next->value);
  int bytes = 4;
  *((char *)&bytes + (argc > 2 ? 1 : 0)) = 3;
  run("bytes", bytes, 0);
  int x = 4, y = 4;
  int *pick = argc > 2 ? &x : &y;
  *pick = 9;
  run("picked", x, y);
  int moved = 4;
  memcpy(&moved, &n, sizeof moved);
  run("moved", moved, n);
  operations o = {set};
  int indirect = 4;
  o.set(&indirect, n);
  run("indirect", indirect, n);
  for (int i = n; i-- > 0;) run("backwards", i, n);
  int rows, columns;
  if ((rows = n) <= 0 || (columns = n + 1) <= 4) return 0;
  run("checked", rows, columns);
  while (!changes() && calls < 100) run("conditional", calls, n);
  run("ended", calls, n);
  int *grown = malloc(2 * sizeof *grown);
  grown[0] = 1;
  grown = realloc(grown, 8 * sizeof *grown);
  grown[1] = n;
  run("grown", grown[0], grown[1]);
  int total = 0;
  for (int i = 0; i < n; i++) {
    for (int j = i; j < n; j += 2) {
      if ((i + j) % 3 == 0) continue;
      total += j;
      if (total > 50) goto out;
      run("nested", i, j);
    }
  }
out:
  run("total", total, n);
  switch (n % 4) {
    case 0: total = 1;  // falls through
    case 1: total += 2; break;
    case 2: {
      for (int i = 0; i < 3; i++) {
        if (i == 1) break;
        total = i;
      }
      break;
    }
    default: total = -1;
  }
  run("switched", total, n);
  do {
    total++;
    if (total % 2 == 0) continue;
    run("odd", total, n);
  } while (total < 10);
  unsigned wrapped = (unsigned)n * 4000000000u;
  size_t large = wrapped;
  cl_kernel kernel = clCreateKernel(program, "wrapped", NULL);
  clSetKernelArg(kernel, 0, sizeof wrapped, &wrapped);
  clSetKernelArg(kernel, 1, sizeof n, &n);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &large, NULL, 0, NULL, NULL);
  short narrow = (short)(n * 30000);
  narrow++;
  large = (size_t)(narrow < 0 ? -narrow : narrow) + 1;
  kernel = clCreateKernel(program, "narrow", NULL);
  clSetKernelArg(kernel, 0, sizeof narrow, &narrow);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &large, NULL, 0, NULL, NULL);
  return 0;
}
