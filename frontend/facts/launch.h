/* What is known of a launch when a question about its kernel is asked: its sizes and its arguments. */
#ifndef CLTC_FRONTEND_FACTS_LAUNCH_H
#define CLTC_FRONTEND_FACTS_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FACTS_NO_BUFFER UINT32_MAX

typedef struct facts_argument {
  bool known;      /* `value` is that of an integer */
  int64_t value;   /* sign-extended from its `size` bytes; unsigned ones that are larger than INT32_MAX are not known */
  uint32_t buffer; /* a number of the memory object, the same for all that share memory; or FACTS_NO_BUFFER */
  uint64_t bytes;  /* of memory, from where the argument points to */
  bool no_read, no_write; /* what must not be done with it */
} facts_argument;

typedef struct facts_launch {
  uint32_t dimensions;
  uint64_t offset[3], global[3];
  uint64_t local[3];               /* 0: not known */
  const facts_argument *arguments; /* one a parameter of the kernel */
  size_t argument_count;
} facts_launch;

#endif
