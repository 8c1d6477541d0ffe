#include "device.h"

struct shape {
  unsigned stride : 4;
  unsigned unused : 4;
};

int main(int argc, char **argv) {
  struct shape s;
  s.stride = 4;
  s.stride += 4;
  open_device(argc > 1 ? argv[1] : "");
  launch(clCreateKernel(program, "spread", NULL), (int)s.stride);
  return 0;
}
