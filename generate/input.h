/* An input of a kernel: a launch, and how a kernel case says what its arguments are (docs/kernel-cases.md). The case that is
 * tried is the case that is written: what an input means is what `cases` makes of its words. */
#ifndef CLTC_GENERATE_INPUT_H
#define CLTC_GENERATE_INPUT_H

#include "base/buffer.h"
#include "proofs/counterexample/replica.h"

typedef struct input {
  replica launch;  /* sizes, integers, and how large memory is */
  char **words;    /* of each argument: its value, or what its memory holds; NULL: nothing is to be said */
  unsigned number; /* among those that were drawn for the kernel, from 1 */
  char *reason;    /* that it is kept for; NULL: none yet */
  char *expected;  /* lines of what its results are expected to be; NULL: not known */
  char *varies;    /* of which results nothing is expected, and why; NULL: of none */
} input;

void input_free(input *x);
void input_copy(const input *from, input *to);
uint64_t input_elements(const input *x, size_t argument);
void input_set_elements(input *x, size_t argument, uint64_t elements);
uint64_t input_items(const input *x);
/* Whether the argument is a buffer that its launch may write. */
bool input_reads_back(const input *x, size_t argument);
/* Appends the name that the argument's memory has in a test of this input alone. */
void input_put_name(const input *x, size_t argument, buffer *out);
/* Bytes of all its memory. */
uint64_t input_memory(const input *x);

/* Appends what stands above the tests of a suite. */
void input_write_head(const char *name, const char *kernels, const char *options, buffer *out);
typedef enum input_reads {
  READS_NOTHING,
  READS_WRITTEN, /* what launches may have written, with what is expected of it where that is known, */
  READS_ALL      /* and what they read alone */
} input_reads;

/* Appends a test with these launches in a row, each with memory of its own, and what is read back at its end. */
void input_write(const input *const *list, size_t count, const char *name, input_reads reads, buffer *out);

#endif
