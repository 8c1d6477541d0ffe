/* A header with a helper and a macro, and one more inside. */
#ifndef OUTER_HEADER_H
#define OUTER_HEADER_H
#include "inner/inner_header.h"
#define PICK(a, b) ((a) > 2 ? (a) : (b))
int from_header(int x) {
  if (x < DEEP)
    return deep(x);
  return 1;
}
#endif
