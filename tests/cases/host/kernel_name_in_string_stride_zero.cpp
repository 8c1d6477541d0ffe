#include <string>

#include "device.h"

int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  const std::string names[] = {"spread", "other"};
  launch(clCreateKernel(program, "spread", nullptr), 4);
  launch(clCreateKernel(program, names[0].c_str(), nullptr), 0);
  return 0;
}
