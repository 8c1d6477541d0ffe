/* What the host of a program has read, as it was: MESSAGE_READ with "contents" (wire/protocol.h). */
#ifndef CLTC_RUNNER_SESSION_HOST_READS_H
#define CLTC_RUNNER_SESSION_HOST_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct host_read {
  char *kernel; /* the last one that was given this memory and may have written it; "": none */
  uint32_t argument;
  uint32_t memory; /* its number (wire/filling.h) */
  bool copied;     /* something was copied there */
  bool known;      /* the bytes are: else all of it counts as alike */
  unsigned char *bytes;
  size_t size;
} host_read;

typedef struct host_reads {
  host_read *items; /* as they came */
  size_t count, capacity;
  bool unordered; /* several threads have given commands: which is which is not known */
} host_reads;

void host_reads_free(host_reads *r);

#endif
