// Assertions, and conditions without which the program ends.
//+ square: $0 == $1
//+ square: ($0 % 4) == 0
//+ square: $0 > 0
//- square: $0 < 1000
//+ even: ($0 % 2) == 0
//- odd: ($0 % 2) == 0
//+ odd: ($0 % 2) != 0
//- both: ($0 % 2) == 0
//+ small: $0 < 5
//+ chosen: $0 == 16 || $0 == 8
//- chosen: $0 == 8
#include "program.h"

static void run(const char *name, int a, int b) {
  size_t global = 64;
  cl_kernel kernel = clCreateKernel(program, name, NULL);
  clSetKernelArg(kernel, 0, sizeof a, &a);
  clSetKernelArg(kernel, 1, sizeof b, &b);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}

static void require(int holds, const char *text) {
  if (!holds) {
    fprintf(stderr, "%s\n", text);
    exit(2);
  }
}

int main(int argc, char **argv) {
  device(NULL);
  int rows = argc > 1 ? atoi(argv[1]) : 8;
  int columns = argc > 2 ? atoi(argv[2]) : 8;
  assert(rows == columns);
  if (rows % 4 != 0 || rows <= 0) return 1;
  if (rows > 1000) printf("large\n");  // it goes on
  run("square", rows, columns);
  int n = argc > 3 ? atoi(argv[3]) : 3;
  if (n % 2 == 0)
    run("even", n, 0);
  else
    run("odd", n, 0);
  run("both", n, 0);
  require(n < 5, "n is too large");
  run("small", n, 0);
  int width = 8;
  if (argc > 4) width = 16;
  run("chosen", width, 0);
  return 0;
}
