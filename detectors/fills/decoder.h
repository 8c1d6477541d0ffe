/* What the host reads of a program with fillings, as it was, and which variables begin without a value. */
#ifndef CLTC_DETECTORS_FILLS_DECODER_H
#define CLTC_DETECTORS_FILLS_DECODER_H

#include "runner/session/session.h"

/* What the host of a program has read, as it was (MESSAGE_READ with "contents"). */
typedef struct result_read {
  char *kernel; /* the last one that was given this memory and may have written it; "": none */
  uint32_t argument;
  uint32_t memory; /* its number (detectors/fills/record.h) */
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

/* What the host has read since the last call, in FORM_FILLED; to be freed. */
result_reads session_take_reads(session *s);
/* The variable of a program that has this number among those that begin without a value (detectors/fills/record.h), with the
 * program's row; `out` stays where there is none. Gives how many there are. */
typedef struct filled_place {
  const char *name;            /* lent; NULL: there is no such variable */
  bool local;                  /* in local memory */
  uint32_t plain;              /* bytes of an element that hold data, 0: a structure */
  uint32_t file, line, column; /* where it is read first */
  int64_t program, kernel;     /* rows; `kernel` 0: it is a function's */
} filled_place;
size_t session_filled(const session *s, uint32_t number, filled_place *out);
/* The element of a kernel's parameter: all its bytes, and those that hold data (as above). 0: not known. */
void session_element(const session *s, const char *kernel, uint32_t argument, size_t *size, size_t *data);

#endif
