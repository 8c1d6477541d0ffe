/* Addresses of calls in programs and libraries: the places in host source that debug information knows. */
#ifndef CLTC_RUNNER_CALL_PLACES_H
#define CLTC_RUNNER_CALL_PLACES_H

#include <stdint.h>

#include "base/buffer.h"

typedef struct call_place {
  char *path; /* NULL: nothing is known */
  uint32_t line;
  uint32_t column; /* 0: not known */
} call_place;

/* Of `count` offsets in a file that is executed; free the paths. Asks llvm-symbolizer or addr2line, whichever is there. */
void find_call_places(const char *module, const uint64_t *offsets, size_t count, call_place *out);

/* Of one: "main.c:12", or nothing where that is not known. */
void put_call_place(const char *module, uint64_t offset, buffer *to);

/* What the file is: its build id, or a digest where it has none; "" where it cannot be read. */
void module_identity(const char *module, char out[65]);

#endif
