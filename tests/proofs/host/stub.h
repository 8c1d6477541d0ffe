/* A launch as the stub of OpenCL sees it, for the check that host_check writes. */
#ifndef CLTC_TESTS_HOST_STUB_H
#define CLTC_TESTS_HOST_STUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STUB_ARGUMENTS = 64 };

typedef struct stub_argument {
  size_t size;
  bool local;
  unsigned char bytes[16];
} stub_argument;

typedef struct stub_launch {
  const char *kernel;
  const stub_argument *arguments;
  size_t global[3], local[3], offset[3];
} stub_launch;

/* The bytes of the memory that an argument is. */
size_t stub_bytes(const stub_argument *a);
/* Whether the facts of one of the ways to such a launch hold. */
bool check_launch(const stub_launch *l);

#endif
