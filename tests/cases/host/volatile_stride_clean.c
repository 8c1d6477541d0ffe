#include "device.h"

static volatile int stride = 4;

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  launch(clCreateKernel(program, "spread", NULL), stride);
  return 0;
}
