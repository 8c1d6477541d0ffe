// C++: methods, references, constructors, and operators that may change what they see.
//+ method: get_global_size(0) == $0
//+ reference: $0 == 9
//- streamed: $0 == 4
//+ printed: $0 == 4
//+ listed: get_local_size(0) == 16
//+ listed: get_global_size(1) == 2
//+ deleted: $0 == 4
//- destroyed: $0 == 4
//- captured: $0 == 4
//- ranged: $0 == 4
//- caught: $0 == 4
#include <iostream>
#include <sstream>
#include <vector>

#include "program.h"

class Runner {
 public:
  explicit Runner(cl_kernel k) { kernel = k; }
  void setSize(int n) { size = n; }
  void launch() {
    size_t global = static_cast<size_t>(size);
    clSetKernelArg(kernel, 0, sizeof(size), &size);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  }

 private:
  cl_kernel kernel;
  int size;
};

static int kept = 4, changed = 4;

class Changer {
 public:
  ~Changer() { changed = 5; }
};

static void run(const char *name, int value) {
  size_t global = 64;
  cl_kernel kernel = clCreateKernel(program, name, NULL);
  clSetKernelArg(kernel, 0, sizeof value, &value);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}

static void set(int &target, int value) { target = value; }

static void runMethod(Runner &r, int n) {
  r.setSize(n);
  r.launch();
}

int main(int argc, char **argv) {
  device(NULL);
  Runner r(clCreateKernel(program, "method", NULL));
  runMethod(r, argc);
  int reference = 4;
  set(reference, 9);
  run("reference", reference);
  int streamed = 4;
  std::istringstream in("8");
  in >> streamed;
  run("streamed", streamed);
  int printed = 4;
  std::cout << printed << std::endl;
  run("printed", printed);
  const size_t listed_global[2] = {64, 2}, listed_local[2] = {16, 1};
  clEnqueueNDRangeKernel(queue, clCreateKernel(program, "listed", NULL), 2, NULL, listed_global, listed_local, 0, NULL,
                         NULL);
  float *numbers = new float[3];
  delete[] numbers;
  run("deleted", kept);
  Changer *changer = new Changer;
  delete changer;
  run("destroyed", changed);
  int captured = 4;
  auto change = [&captured]() { captured = 5; };
  change();
  run("captured", captured);
  int ranged = 4;
  std::vector<int> list(3);
  for (int &x : list) {
    ranged += x + 1;
  }
  run("ranged", ranged);
  int caught = 4;
  try {
    caught = 5;
    if (argc > 1)
      throw argc;
    caught = 4;
  } catch (int e) {
    std::cout << e;
  }
  run("caught", caught);
  (void)argv;
  return 0;
}
