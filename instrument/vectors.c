/* Reading names of vector functions. */
#include "instrument/vectors.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

uint32_t vector_function_components(const char *name) {
  static const char *const roundings[] = {"_rte", "_rtz", "_rtp", "_rtn"};
  size_t end = strlen(name);
  for (size_t i = 0; i < 4; i++) {
    if (end > 4 && strcmp(name + end - 4, roundings[i]) == 0) {
      end -= 4;
      break;
    }
  }
  size_t begin = end;
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') {
    begin--;
  }
  return begin == end ? 1 : (uint32_t)strtoul(name + begin, NULL, 10);
}

bool vector_function_is_aligned(const char *name) {
  return strncmp(name, "vloada", 6) == 0 || strncmp(name, "vstorea", 7) == 0;
}

uint32_t vector_function_step(const char *name) {
  const uint32_t count = vector_function_components(name);
  return vector_function_is_aligned(name) && count == 3 ? 4 : count;
}
