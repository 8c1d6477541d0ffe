#include "device.h"

int main(int argc, char **argv) {
  const unsigned stride = (unsigned)atoi(argv[1]);
  if (argc < 3 || (stride & 1) != 0) return 1;
  open_device(argv[2]);
  launch(clCreateKernel(program, "spread", NULL), (int)stride);
  return 0;
}
