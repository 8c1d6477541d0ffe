/* What a device defines and clang does not. */
#include "base/opencl_compiler.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *opencl_version_macro(const char *standard) {
  static const char *const macros[] = {"-D__OPENCL_VERSION__=120", "-D__OPENCL_VERSION__=200",
                                       "-D__OPENCL_VERSION__=300"};
  const size_t letters = standard == NULL ? 0 : strcspn(standard, "0123456789");
  const unsigned long number = standard == NULL ? 1 : strtoul(standard + letters, NULL, 10);
  const bool plus = standard != NULL && strstr(standard, "++") != NULL;
  if (plus) { /* C++ for OpenCL 1.0 and 2021 */
    return macros[number >= 2021 ? 2 : 1];
  }
  return macros[number >= 3 ? 2 : number == 2 ? 1 : 0];
}
