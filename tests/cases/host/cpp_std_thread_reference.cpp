#include <functional>
#include <thread>

#include "device.h"
static void zero(int &x) { x = 0; }
int main(int argc, char **argv) {
  open_device(argc > 1 ? argv[1] : "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  int n = 1;
  std::thread t(zero, std::ref(n));
  t.join();
  launch(kernel, n);
  return 0;
}
