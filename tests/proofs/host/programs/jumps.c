// Ways through a function: goto, switch, break, continue, return from a loop, recursion.
//- forward: $0 == 1
//+ forward: $0 == 1 || $0 == 2
//- chosen: $0 == 5
//+ late: $0 >= 3
//- late: $0 == 3
//+ counted: $0 >= 0
//- returned: $0 == 0
#include "program.h"

static void run(const char *name, int value) {
  size_t global = 64;
  cl_kernel kernel = clCreateKernel(program, name, NULL);
  clSetKernelArg(kernel, 0, sizeof value, &value);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}

static void deeper(int level) {
  if (level > 0) {
    run("recursive", level);
    deeper(level - 1);
  }
}

static void again(int n) {
  int value = 1;
repeat:
  run("back", value);
  value++;
  if (value < n) goto repeat;
}

static int search(int n) {
  for (int i = 0; i < n; i++)
    if (i * i > n) return i;
  return 0;
}

int main(int argc, char **argv) {
  device(NULL);
  int n = argc > 1 ? atoi(argv[1]) : 10;
  int value = 1;
  if (n > 5) {
    value = 2;
    goto launch;
  }
  value = 1;
launch:
  run("forward", value);
  again(n);
  int chosen = 5;
  switch (n) {
    case 1: chosen = 6; break;
    case 2: chosen = 7;  // falls through
    default: chosen++;
  }
  run("chosen", chosen);
  int late = 3;
  for (int i = 0; i < n; i++) {
    if (i == 2) continue;
    late++;
  }
  run("late", late);
  deeper(3);
  int count = 0;
  do {
    run("counted", count);
    count += 2;
  } while (count < n);
  run("returned", search(n));
  return 0;
}
