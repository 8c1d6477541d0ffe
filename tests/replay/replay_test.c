/* cltestcheck-replay's turns on the OpenCL device of this machine, with captures made by hand. What reads are to give
 * is computed here, by the host. */
#include <stdio.h>

#include "checks.h"

int main(void) {
  int failed = 0;
#define RUN(name) failed += test_##name();
  TESTS(RUN)
#undef RUN
  return failed != 0;
}
