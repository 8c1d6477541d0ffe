// Variables that change where it is not seen: through pointers, callbacks, handlers, unions, arrays, threads.
//- pointer: $0 == 4
//- stored: $0 == 4
//- handler: $0 == 4
//- element: $0 == 4
//- united: $0 == 4
//- scanned: $0 == 4
//- read: $0 == 4
//- volatile: $0 == 4
//- sorted: $0 == 4
//- function: $0 == 4
//- kept: $0 == 4
//+ plain: $0 == 4
#include <signal.h>

#include "program.h"

static int shared = 4;
static int handled = 4;
static int counted = 4;
static volatile int moving = 4;
static int *keeper;
struct holder {
  int *where;
};

static void run(const char *name, int value) {
  size_t global = 64;
  cl_kernel kernel = clCreateKernel(program, name, NULL);
  clSetKernelArg(kernel, 0, sizeof value, &value);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}

static void handle(int number) { handled = number; }

static int compare(const void *a, const void *b) {
  counted++;
  return *(const int *)a - *(const int *)b;
}

static int *choose(int *a, int *b, int which) { return which ? a : b; }

static void change(void) { shared = 5; }
static void keep(void) { *keeper = 6; }

int main(int argc, char **argv) {
  device(NULL);
  int plain = 4;
  int a = 4, b = 4;
  *choose(&a, &b, argc > 1) = 9;
  run("pointer", a);
  int c = 4;
  struct holder list[2] = {{&a}, {&c}};
  *list[argc % 2].where = 7;
  run("stored", c);
  signal(SIGINT, handle);
  raise(SIGINT);
  run("handler", handled);
  int values[3] = {4, 4, 4};
  values[argc % 3] = 1;
  run("element", values[1]);
  union {
    int whole;
    float real;
  } u;
  u.whole = 4;
  u.real = 1.5f;
  run("united", u.whole);
  int scanned = 4;
  sscanf(argc > 1 ? argv[1] : "8", "%d", &scanned);
  run("scanned", scanned);
  int from_device = 4;
  cl_mem memory = buffer(64);
  clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, sizeof(int), &from_device, 0, NULL, NULL);
  run("read", from_device);
  run("volatile", moving);
  qsort(values, 3, sizeof(int), compare);
  run("sorted", counted);
  void (*call)(void) = argc > 5 ? NULL : change;
  call();
  run("function", shared);
  int kept = 4;
  keeper = &kept;
  keep();
  run("kept", kept);
  run("plain", plain);
  return 0;
}
