/* What the host of a program has read, as it was: MESSAGE_READ with "contents" (wire/protocol.h). */
#ifndef CLTC_RUNNER_SESSION_RESULT_READS_H
#define CLTC_RUNNER_SESSION_RESULT_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct result_read {
  char *kernel; /* the last one that was given this memory and may have written it; "": none */
  uint32_t argument;
  uint32_t memory; /* its number (wire/filling.h) */
  bool copied;     /* something was copied there */
  bool known;      /* the bytes are: else all of it counts as alike */
  unsigned char *bytes;
  size_t size;
} result_read;

typedef struct result_reads {
  result_read *items; /* as they came */
  size_t count, capacity;
  uint32_t made;  /* memory objects of the program, until the last of them */
  bool bare;      /* kernels may read memory that the host has not written, or it is copied; */
  bool bare_host; /* or the host reads some */
  bool unordered; /* several threads have given commands: which is which is not known */
} result_reads;

void result_reads_free(result_reads *r);

#endif
